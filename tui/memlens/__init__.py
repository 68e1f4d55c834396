"""memlens shows what a coding agent has in mind in a folder, and lets a person curate it."""

__version__ = "0.1.0"
