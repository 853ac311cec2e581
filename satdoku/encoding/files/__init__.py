"""Formulas and solver answers as text: CNF, OPB and WCNF, written and read."""
