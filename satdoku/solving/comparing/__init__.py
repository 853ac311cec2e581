"""Solvers and encodings side by side on the same puzzles."""
