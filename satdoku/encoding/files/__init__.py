"""Formulas and solvers' answers as text: CNF, OPB and WCNF, written and read."""
