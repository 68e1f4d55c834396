"""The engine: everything memlens knows and does, without a screen."""
