"""What may be hostile in a text, or should not be in it at all, whatever an agent makes of it."""
