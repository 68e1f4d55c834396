"""What a refused write is told, to the letter of the seed."""

NEVER_READ = "File has not been read yet. Read it first before writing to it."
"""The file was never read in this run, or what was read is lost from the agent's context."""

MODIFIED = (
    "File has been modified since read, either by the user or by a linter. "
    "Read it again before attempting to write it."
)
"""The file was read, and its bytes are others now (or that cannot be ruled out)."""
