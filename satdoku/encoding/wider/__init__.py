"""Constraints on more than two cells, as clauses with auxiliary variables.

| file | what it knows |
|---|---|
| `kit.py` | what all of them need: literals of candidates, fresh variables, clauses |
| `sums.py` | which digits some cells hold together, and what they are worth together |
| `write.py` | machines, choices, and the doors for formulas of all kinds |
"""
