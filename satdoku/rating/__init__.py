"""Rate how hard a puzzle is, by a number that depends only on the puzzle.

| file | contents |
|---|---|
| `rating.py` | the definition of ratings, singles on many boards at once, and refutations |
| `rater.py` | the entry point, which calls the compiled library; exclusions by units and rules |
| `estimate.py` | independent of ratings: an estimate of the ratings of Sudoku Explainer |

docs/rating.md has the definition, for those who want to compute the same ratings.
"""
