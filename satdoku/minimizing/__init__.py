"""Which givens a puzzle needs: redundant ones, minimal sub-puzzles, the fewest givens.

| file | what it answers |
|---|---|
| `minimizer.py` | the door: all questions about one puzzle after the other |
| `deletion.py` | which givens are redundant, each for itself; one minimal set by deleting them |
| `fewest.py` | all minimal sets of givens; the smallest, with the proof that none is smaller |
"""
