"""Answer many records in order, in one process or many; independent of puzzles."""
