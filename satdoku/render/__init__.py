"""Boards for eyes: one way only, never read back."""
