"""Constraints on more than two cells, as clauses with auxiliary variables.

| file | what it knows |
|---|---|
| `kit.py` | what all of them need: literals of candidates, fresh variables, clauses |
| `sets.py` | which digits some cells hold together |
| `amounts.py` | what a cell, or cells that differ, are worth |
| `sums.py` | what cells are worth together |
| `machines.py` | the states of machines |
| `enclosed.py` | which digits lie between the lowest and the highest one |
| `implied.py` | what follows from units with several cages or sums |
| `write.py` | choices, and the doors for all shapes |
| `full.py` | formulas whose candidates all have their number, and what auxiliaries say there |
"""
