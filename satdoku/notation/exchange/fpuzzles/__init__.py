"""Boards of f-puzzles: reading and writing."""
