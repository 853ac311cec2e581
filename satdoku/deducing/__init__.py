"""Exclude candidates that no solution has, without a solver. README.md compares the methods."""
