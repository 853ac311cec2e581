"""Queries under assumptions: what holds of a board if these literals hold as well.

| file | query |
|---|---|
| `rule_solver.py` | Is there a grid that satisfies the rules and these digits? |
| `hitting_sets.py` | Which few elements hit every set, or suffice together? |

They work together: the givens that a puzzle must keep are a smallest hitting set of the sets that
must not be lost as a whole. Each set that is found is shrunk first, since small ones exclude more.
"""
