"""Puzzles as text, both ways, one file a format."""
