"""Puzzles as clauses: variable numbering, constraints, encodings, files. Imports no solver."""
