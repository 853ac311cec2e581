"""How hard a puzzle is: a number that depends on nothing but the puzzle.

| file | what is in it |
|---|---|
| `rating.py` | what the numbers mean, and their names |
| `rater.py` | the door: rates many puzzles together |
| `candidates.py` | the candidates of a board, numbered, and which of them belong together |
| `lanes.py` | one round of singles, on many boards at once |
| `singles.py` | which puzzles singles solve |
| `refuting.py` | which candidates are refuted when they are assumed, within some steps |
| `crowding.py` | which candidates leave the other cells of a unit too few digits |

The definition, for those who want to compute the same numbers, is in docs/rating.md.
"""
