"""How hard a puzzle is: a number that depends on nothing but the puzzle.

| file | what is in it |
|---|---|
| `rating.py` | what the numbers mean, and their names |
| `rater.py` | the door: rates many puzzles together |
| `refuting.py` | which puzzles singles solve; which candidates are refuted when they are assumed |

The definition, for those who want to compute the same numbers, is in docs/rating.md.
"""
