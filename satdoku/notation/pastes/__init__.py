"""Boards that were copied with other text around them, and in other signs."""
