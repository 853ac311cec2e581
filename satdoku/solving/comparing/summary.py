"""What many trials say of a contestant: as a table for people, and as rows for programs."""

from collections.abc import Iterable, Iterator, Sequence
from statistics import median, quantiles
from typing import NamedTuple

from satdoku.notation.tables.fields import write_fields
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.comparing.compare import Contestant, Trial


class Spread(NamedTuple):
    """The middle of some seconds, and the bounds of the middle half of them."""

    low: float
    middle: float
    high: float


class Summary(NamedTuple):
    """A contestant's figures; sizes, conflicts and propagations are medians over its puzzles.

    `seconds` has the median time of every puzzle that was decided in each round, in rising order.
    What a solver does not count is None, and so is all that has no decided puzzle to speak of.
    """

    contestant: Contestant
    puzzles: int
    seconds: Sequence[float]
    spread: Spread | None
    variables: int | None
    clauses: int | None
    natives: int | None
    conflicts: int | None
    propagations: int | None

    @property
    def decided(self) -> int:
        """How many puzzles were decided in each round."""
        return len(self.seconds)


def summarize(trials: Iterable[Trial]) -> list[Summary]:
    """A summary for each contestant, the one that decided most, and then the fastest, first."""
    found: dict[Contestant, list[Trial]] = {}
    for trial in trials:
        found.setdefault(trial.contestant, []).append(trial)
    summaries = [_summary(contestant, mine) for contestant, mine in found.items()]
    return sorted(summaries, key=_rank)


def _rank(summary: Summary) -> tuple[int, float, str]:
    # Names decide between equals, so that the order is the same in every run.
    return -summary.decided, sum(summary.seconds), str(summary.contestant)


def _summary(contestant: Contestant, trials: Sequence[Trial]) -> Summary:
    by_puzzle: dict[int, list[Trial]] = {}
    for trial in trials:
        by_puzzle.setdefault(trial.puzzle, []).append(trial)
    # Where a round ran into the limit, its seconds would be those of the limit.
    seconds = sorted(
        median(trial.seconds for trial in rounds)
        for rounds in by_puzzle.values()
        if all(trial.verdict is not Verdict.UNDECIDED for trial in rounds)
    )
    formulas = [trial.formula for trial in trials if trial.formula is not None]
    return Summary(
        contestant,
        len(by_puzzle),
        seconds,
        _spread(seconds),
        _middle(formula.variables for formula in formulas),
        _middle(formula.clauses for formula in formulas),
        _middle(formula.natives for formula in formulas),
        _middle(trial.conflicts for trial in trials),
        _middle(trial.propagations for trial in trials),
    )


def _spread(seconds: Sequence[float]) -> Spread | None:
    if len(seconds) < 2:
        return Spread(seconds[0], seconds[0], seconds[0]) if seconds else None
    # Inclusive, since the puzzles are all that there are, and no sample of more.
    return Spread(*quantiles(seconds, n=4, method="inclusive"))


def _middle(values: Iterable[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return round(median(known)) if known else None


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
