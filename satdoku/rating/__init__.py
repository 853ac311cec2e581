"""How hard a puzzle is: a number that depends on nothing but the puzzle.

| file | what is in it |
|---|---|
| `rating.py` | what the numbers mean, and their names |
| `rater.py` | the door: rates many puzzles together |
| `refuting.py` | which puzzles singles solve; which candidates are refuted when they are assumed |
| `estimate.py` | something else: what the program Sudoku Explainer would say |
| `sheet.py` | what is left of a board to it, and its steps on lines, boxes and single digits |
| `wings_and_loops.py` | its steps on wings, unique loops and boards of pairs |
| `implications.py` | its chains, followed from candidate to candidate |
| `suppositions.py` | its chains in which all counts that is excluded by then |

The definition, for those who want to compute the same ratings, is in docs/rating.md. An estimate
shares nothing with a rating but the puzzle.
"""
