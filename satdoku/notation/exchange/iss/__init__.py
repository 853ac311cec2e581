"""Strings of the Interactive Sudoku Solver (ISS): reading and writing."""
