"""Puzzles as other programs save and share them: files, strings, links."""
