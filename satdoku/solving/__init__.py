"""Decide puzzles with a SAT solver: how many solutions there are, and which."""
