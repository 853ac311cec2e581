"""Puzzles as clauses: variable numbering, constraints, encodings, files. No solver is imported
here.
"""
