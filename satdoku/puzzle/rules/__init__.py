"""The rules of puzzles: each says what it forbids, and what it asks of a solver.

| file | rules in it |
|---|---|
| `rule.py` | what every rule has: a name, a sentence, a definition, constraints |
| `drawn.py` | the shapes that rules are drawn with |
| `unit_rule.py` | what rules have whose cells hold different digits |
| `classic.py` | rows, columns, boxes: the rules of a puzzle that names no others |
| `regions.py` | irregular regions in place of boxes (jigsaw) |
| `diagonals.py` | one diagonal, or both |
| `windoku.py`, `disjoint_groups.py`, `extra_region.py` | further cells with different digits |
| `moves.py` | anti-knight, anti-king |
| `non_consecutive.py` | neighbours that may not hold 4 and 5 |
| `parity.py` | odd cells, even cells |
| `candidates.py` | cells that hold one of some digits |
| `registry.py` | all of them by name; rules as text |
"""
