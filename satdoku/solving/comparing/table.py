"""A comparison as a table for people, and its trials as rows for programs."""

from collections.abc import Iterator, Sequence

from satdoku.notation.tables.fields import write_fields
from satdoku.solving.comparing.compare import Trial
from satdoku.solving.comparing.summary import Summary

_TITLES = (
    "solver",
    "encoding",
    "at most one",
    "decided",
    "variables",
    "clauses",
    "conflicts",
    "propagations",
    "median ms",
    "middle half",
)
_COLUMNS = (
    "puzzle",
    "round",
    "solver",
    "encoding",
    "at_most_one",
    "verdict",
    "seconds",
    "variables",
    "clauses",
    "natives",
    "conflicts",
    "propagations",
)


def write_table(summaries: Sequence[Summary]) -> Iterator[str]:
    """Lines for people: a contestant a line; clauses with native constraints behind a plus."""
    rows = [_TITLES, *(tuple(_cells(summary)) for summary in summaries)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        # Three names, which begin in one column; then figures, which end in one.
        names = [cell.ljust(width) for cell, width in zip(row[:3], widths[:3], strict=True)]
        figures = [cell.rjust(width) for cell, width in zip(row[3:], widths[3:], strict=True)]
        yield "  ".join(names + figures)


def trials_header() -> str:
    """The first line of the table of trials."""
    return write_fields(_COLUMNS)


def trial_row(trial: Trial) -> str:
    """A line of the table of trials; what is not known is empty."""
    who, formula = trial.contestant, trial.formula
    sizes = (None, None, None) if formula is None else formula
    counts = (trial.conflicts, trial.propagations)
    head = (trial.puzzle, trial.round, who.solver, who.encoding.value, who.method)
    return write_fields((*head, trial.verdict.value, f"{trial.seconds:.6f}", *sizes, *counts))


def _cells(summary: Summary) -> Iterator[str]:
    who = summary.contestant
    yield from (who.solver, who.encoding.value, who.method)
    yield f"{summary.decided}/{summary.puzzles}"
    natives = f"+{summary.natives:,}" if summary.natives else ""
    yield _number(summary.variables)
    yield _number(summary.clauses) + natives
    yield _number(summary.conflicts)
    yield _number(summary.propagations)
    spread = summary.spread
    yield "-" if spread is None else f"{spread.middle * 1000:,.2f}"
    yield "-" if spread is None else f"{spread.low * 1000:,.2f}..{spread.high * 1000:,.2f}"


def _number(value: int | None) -> str:
    return "-" if value is None else f"{value:,}"
