"""Questions under assumptions: what holds of a board if these literals hold as well.

| file | the question it answers |
|---|---|
| `rule_solver.py` | Is there a grid that keeps the rules and these digits? |
| `fixed_givens.py` | The same where most digits stay from question to question. |
| `hitting_sets.py` | Which few elements have one of each set, or are enough together? |

The last two go together: what must be kept of a puzzle is a smallest hitting set of what must not
all be lost, and each set that is learned is made small first, since small ones say more.
"""
