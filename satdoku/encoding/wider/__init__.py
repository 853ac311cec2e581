"""Constraints on more than two cells, as clauses with auxiliary variables.

| file | what it knows |
|---|---|
| `kit.py` | what all of them need: literals of candidates, fresh variables, clauses |
| `write.py` | which shape is written how |
| `sets.py` | which digits some cells hold together |
| `totals.py` | what the digits of some cells are worth together |
| `machines.py` | digits that lead from state to state |
| `exported.py` | the same for formulas in which each candidate has its number |
"""
