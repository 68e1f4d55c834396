"""Made-up data, the same in every run: facts, memory files, transcripts."""
