"""How hard a puzzle is: a number that depends on nothing but the puzzle.

| file | what is in it |
|---|---|
| `rating.py` | what the numbers mean, and which candidates are refuted when they are assumed |
| `rater.py` | the door: rates many puzzles together |
| `rounds.py` | singles in rounds on many boards at once |
| `further.py` | what is excluded beside refutations: what units crowd out, and rules |
| `wider_rules.py` | what rules about several cells exclude, alone and together |
| `estimate.py` | something else: what Sudoku Explainer would say, with its suppositions |
| `sheet.py` | what is left of a board to it, and its steps on lines, boxes and single digits |
| `wings_and_loops.py` | its steps on wings, unique loops and boards of pairs |
| `implications.py` | its chains, followed from candidate to candidate |

The definition, for those who want to compute the same ratings, is in docs/rating.md. An estimate
shares nothing with a rating but the puzzle.
"""
