"""Asking a SAT solver about puzzles: how many solutions, and which."""
