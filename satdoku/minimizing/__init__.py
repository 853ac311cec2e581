"""Which givens a puzzle needs: redundant ones, minimal sub-puzzles, the fewest givens.

| file | what it answers |
|---|---|
| `rule_solver.py` | a solver that knows the rules and takes givens with each question |
| `deletion.py` | one minimal set of givens, by deleting what is redundant |
"""
