"""Boards that were copied with other text around them, or in other signs."""
