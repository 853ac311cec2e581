"""How hard a puzzle is: a number that depends only on the puzzle.

| file | contents |
|---|---|
| `rating.py` | the meaning of ratings, singles on many boards at once, and refutations |
| `rater.py` | the entry point, which asks the compiled library; exclusions by units and rules |
| `estimate.py` | separately, an estimate of the ratings of Sudoku Explainer |

The definition, for those who want to compute the same ratings, is in docs/rating.md. An estimate
does not use ratings.
"""
