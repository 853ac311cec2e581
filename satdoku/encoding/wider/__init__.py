"""Constraints on more than two cells, as clauses with auxiliary variables.

| file | contents |
|---|---|
| `write.py` | the kit that all of them use, choices, and the entry points for all shapes |
| `machines.py` | machines; sets of digits of some cells; digits between lowest and highest |
| `sums.py` | the sum of cells; consequences of units with several cages or sums |
| `hidden_regions.py` | regions that are not given |
"""
