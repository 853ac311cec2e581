"""Puzzles that take one line each."""
