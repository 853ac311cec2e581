"""Puzzles as other programs save and share them: their files, their strings, their links."""
