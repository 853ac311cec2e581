"""Strings of the Interactive Sudoku Solver (ISS), in and out."""
