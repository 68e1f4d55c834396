"""The preview: the exact prompt with the source of each line, and editing in it."""
