"""Puzzles as text, both ways; README.md shows which text is read where."""
