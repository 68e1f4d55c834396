"""The tree of memory files: what is in, in order, and what is not, with reasons."""
