"""Boards of f-puzzles, in and out."""
