"""Sudoku puzzles, their rules, and the judge that checks solutions; no parsing, no SAT."""
