"""Puzzles as clauses: numbering, constraints, encodings. No solver is known here."""
