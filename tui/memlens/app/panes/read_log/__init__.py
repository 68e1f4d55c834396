"""The log of reads: what the agent has read, and what a write would be told."""
