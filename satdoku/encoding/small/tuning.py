"""The numbers of small formulas that were chosen by measurement; none of them changes a verdict.

Each was measured in processor time, of the bulk solver, on the collections that
benchmarks/README.md names.
"""

from typing import NamedTuple


class FormulaTuning(NamedTuple):
    """What may be tuned. The defaults are what was fastest over all collections."""

    hard_share: float = 2
    """With more open candidates than `hard_share` times the cells a board counts as hard: on 9x9,
    with more than 162. Hard formulas are ordered and have redundant constraints, which would cost
    easy ones more than it saves: with all formulas hard, 17clue takes 5 to 9 % longer; with none,
    the two hardest collections take 66 to 88 % longer."""

    few_pairs: int = 2
    """Where no more cells than this have two candidates, cells are sorted by what they exclude too,
    see `order.py`. Where there are more such cells, as in 84 % of magictour and in 5 % of the two
    hardest collections, it matters little which is first."""

    largest_byte_formula: int = 249
    """Formulas with more variables are built as lists of numbers, because a byte has room for 249
    different ones. Lists for all formulas would cost 79 % on 17clue, 21 % on magictour and 11 % on
    hardest. They are needed for 10 % of magictour and 17 % of forum1106; the way without the bulk
    solver, which is the other choice for these, takes three times as long."""
