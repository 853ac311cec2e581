"""Many records answered in order, by one process or many; knows nothing of puzzles."""
