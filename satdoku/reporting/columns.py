"""An outcome as columns of a table."""

from satdoku.puzzle.verdict import Outcome
from satdoku.reporting.words import evidence, write_grid

COLUMNS = ("verdict", "solution", "second", "reason")
MISMATCH = "mismatch"
"""The column, and the key in JSON, in which stands how a known solution is contradicted."""


def to_columns(outcome: Outcome) -> list[str]:
    """The values of `COLUMNS`; what there is not is empty."""
    return [
        outcome.verdict.value,
        write_grid(outcome.solution, outcome.puzzle) or "",
        write_grid(outcome.second, outcome.puzzle) or "",
        evidence(outcome),
    ]
