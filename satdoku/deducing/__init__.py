"""Candidates that no solution has, excluded without a solver. README.md compares the methods."""
