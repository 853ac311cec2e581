"""The numbers of the bulk solver that were chosen by measurement; none of them changes an answer.

Each was measured in processor time on the collections that benchmarks/README.md names.
"""

from typing import NamedTuple

from satdoku.encoding.small.order import FormulaTuning


class Tuning(NamedTuple):
    """What may be tuned. The defaults are what was fastest over all collections."""

    most_rounds: int = 18
    """The sieve stops after this many rounds: more rounds fill few further boards, and each costs a
    microsecond a board."""

    rounds_left: int = 1
    """A board is handed on as it was this many rounds before it would be full, so that a solver has
    something to decide. Each round more costs six microseconds a board."""

    formula: FormulaTuning = FormulaTuning()
    """How the small formulas are built."""
