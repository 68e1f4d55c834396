"""Who handles which command: commands to libraries to events, one room a part."""
