"""Which givens a puzzle needs: redundant ones, minimal sub-puzzles, the fewest givens.

| file | what it answers |
|---|---|
| `minimizer.py` | the door: all questions about one puzzle after the other |
| `deletion.py` | which givens are redundant, each for itself; one minimal set by deleting them |
| `all_minimal.py` | all minimal sets of givens |
| `fewest.py` | the smallest of them, with the proof that none is smaller |
| `other_solutions.py` | the solutions that appear when givens are deleted |
"""
