"""Puzzles in a column of a table."""
