"""Constraints on more than two cells, as clauses with auxiliary variables.

| file | contents |
|---|---|
| `write.py` | the kit that all of them use, choices, and the entry points for all shapes |
| `machines.py` | machines; sets of digits of some cells; digits between lowest and highest |
| `sums.py` | the sum of cells; consequences of units with several cages or sums |
| `connected.py` | cells that hang together; counts of different digits; hidden regions |
| `ranks.py` | lines read as numbers, and their place among all |
"""
