"""Benchmark contestants on puzzles; a contestant is a solver with its encoding."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape
from math import ceil, floor, log10
from random import Random
from statistics import median, quantiles
from typing import NamedTuple

from satdoku.encoding.choices import Encoding, Method
from satdoku.encoding.encode import require_known_rules
from satdoku.errors import SatdokuError
from satdoku.notation.fields import write_fields
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.value import value
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.limits import Budget, LimitReachedError, Limits
from satdoku.solving.questions import check
from satdoku.solving.session import load
from satdoku.solving.solvers import AUTOMATIC, SOLVERS, Can, Settings, SolverInfo, is_installed


class LoadedSize(NamedTuple):
    """The size of a formula in a solver; `natives` counts native at-most-one constraints."""

    variables: int
    clauses: int
    natives: int


def measure_formula(puzzle: Puzzle, settings: Settings, budget: Budget) -> LoadedSize:
    """Return the size of the formula that these settings give a solver, without solving it.

    >>> from satdoku.puzzle.grid import Geometry
    >>> from satdoku.puzzle.grid import Grid
    >>> empty = Puzzle(Grid.empty(Geometry(2, 2)))
    >>> settings = Settings("cadical195", "extended")
    >>> measure_formula(empty, settings, Budget(settings.limits))
    LoadedSize(variables=64, clauses=384, natives=0)
    """
    counter = _Counter()
    load(puzzle, settings, counter, budget)
    return LoadedSize(counter.variables, counter.clauses, counter.natives)


class _Counter:
    """A stand-in for a solver that records only the size of its formula."""

    def __init__(self) -> None:
        self.variables = self.clauses = self.natives = 0

    def add_clause(self, literals: Sequence[int]) -> None:
        self.clauses += 1
        self._see(literals)

    def add_at_most_one(self, literals: Sequence[int]) -> None:
        self.natives += 1
        self._see(literals)

    def add_at_most(self, literals: Sequence[int], most: int) -> None:
        self.add_at_most_one(literals)

    def suggest(self, literals: Sequence[int]) -> None:
        """No-op: hints are not part of the formula."""

    def _see(self, literals: Sequence[int]) -> None:
        self.variables = max(self.variables, *map(abs, literals), 0)


NATIVE = "native"


@value(frozen=True)
class Contestant:
    """A solver, an encoding, and a method for at-most-one constraints.

    If `at_most_one` is None, these constraints are native if the solver supports them, else pairs.
    With a `command` an external program is run, and `solver` is the name to show.
    """

    solver: str
    encoding: Encoding
    at_most_one: Method | None = None
    command: str = ""

    @property
    def method(self) -> str:
        """Return the name of the at-most-one encoding that reaches the solver."""
        if self.settings().is_native:
            return NATIVE
        return (self.at_most_one or Method.PAIRWISE).value

    def __str__(self) -> str:
        return f"{self.solver} {self.encoding.value} {self.method}"

    def settings(self, limits: Limits | None = None) -> Settings:
        """Return the settings with which `check` runs the contestant."""
        solver = AUTOMATIC if self.command else self.solver
        return Settings(solver, self.encoding, self.at_most_one, limits, self.command)

    def require_fit(self, puzzle: Puzzle) -> None:
        """Raise an error if the encoding does not support the puzzle's rules."""
        require_known_rules(puzzle, self.encoding)


def usable_solvers(limits: Limits) -> tuple[str, ...]:
    """Return the names of the installed solvers that can keep the limits."""
    return tuple(name for name, solver in SOLVERS.items() if _is_usable(solver, limits))


def _is_usable(solver: SolverInfo, limits: Limits) -> bool:
    return (limits.conflicts is None or Can.SLICE in solver.can) and is_installed(solver.name)


try:
    import resource
except ImportError:  # on Windows, where solvers in child processes are not measured
    resource = None  # type: ignore[assignment]

_WARM_UP = Limits(timeout=1.0)
"""The limit of each solver's first call, which is not timed and only has to load the solver."""


class Trial(NamedTuple):
    """One run of a contestant on a puzzle. Puzzles and rounds are counted from 1.

    `seconds` are processor time, child processes included. `formula` is None if the limit was
    reached before the formula was complete.
    """

    contestant: Contestant
    puzzle: int
    round: int
    verdict: Verdict
    seconds: float
    formula: LoadedSize | None
    conflicts: int | None
    propagations: int | None


class DisagreementError(SatdokuError):
    """Two contestants gave different verdicts on a puzzle: one of them is wrong."""


def compare(
    puzzles: Sequence[Puzzle],
    contestants: Sequence[Contestant],
    rounds: int = 1,
    limits: Limits | None = None,
) -> Iterator[Trial]:
    """Yield the trials, puzzle by puzzle, with all contestants before the next puzzle.

    In this order, other load on the machine affects all contestants alike. Their order is shuffled
    for each puzzle, and each solver is loaded once before timing starts. Raise DisagreementError if
    verdicts differ.
    """
    # Reject contestants that do not support a puzzle before any time is spent.
    for contestant in contestants:
        for puzzle in puzzles:
            contestant.require_fit(puzzle)
    for contestant in contestants:
        check(puzzles[0], contestant.settings(_WARM_UP))
    chance = Random(0)  # the same order in every run
    size_of = _remember_sizes(puzzles, limits or Limits())
    verdicts = _Verdicts()
    order = list(contestants)
    for turn in range(1, rounds + 1):
        for number, puzzle in enumerate(puzzles, 1):
            # In a fixed order the first contestant would always pay for filling the caches.
            chance.shuffle(order)
            for contestant in order:
                started = _processor_seconds()
                outcome = check(puzzle, contestant.settings(limits))
                seconds = _processor_seconds() - started
                verdicts.compare(number, outcome.verdict, contestant)
                counters = outcome.statistics.counters
                yield Trial(
                    contestant,
                    number,
                    turn,
                    outcome.verdict,
                    seconds,
                    size_of(contestant, number),
                    counters.get("conflicts"),
                    counters.get("propagations"),
                )


def _processor_seconds() -> float:
    """Return the processor time of this process and its finished children; waiting takes none.

    Wall-clock time would include other load on the machine.
    """
    if resource is None:
        return time.process_time()
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


class _Verdicts:
    """The first verdict on each puzzle, with which all others must agree."""

    def __init__(self) -> None:
        self._first: dict[int, tuple[Verdict, Contestant]] = {}

    def compare(self, number: int, verdict: Verdict, contestant: Contestant) -> None:
        # A contestant that ran out of time contradicts no verdict.
        if verdict is Verdict.UNDECIDED:
            return
        first, other = self._first.setdefault(number, (verdict, contestant))
        if first is not verdict:
            raise DisagreementError(
                f"puzzle {number} is {first.value} for {other}, "
                f"and {verdict.value} for {contestant}"
            )


def _remember_sizes(
    puzzles: Sequence[Puzzle], limits: Limits
) -> Callable[[Contestant, int], LoadedSize | None]:
    """Return a cached function: the size of a contestant's formula for the n-th puzzle."""
    known: dict[tuple[str, str, int], LoadedSize | None] = {}

    def size_of(contestant: Contestant, number: int) -> LoadedSize | None:
        key = contestant.encoding.value, contestant.method, number
        if key not in known:
            try:
                budget = Budget(Limits(limits.timeout))
                known[key] = measure_formula(puzzles[number - 1], contestant.settings(), budget)
            except LimitReachedError:
                known[key] = None
        return known[key]

    return size_of


# Statistics of trials: a table for people, rows for programs, and a plot
#
# The plot is the cactus plot of solver papers, which shows how many puzzles are decided within each
# time.


class Spread(NamedTuple):
    """The median of some times, and their quartiles."""

    low: float
    middle: float
    high: float


class Summary(NamedTuple):
    """A contestant's figures; sizes, conflicts and propagations are medians over its puzzles.

    `seconds` has the median time of every puzzle that was decided in each round, ascending. Figures
    that a solver does not count are None; so are all figures if no puzzle was decided.
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
        """Return how many puzzles were decided in every round."""
        return len(self.seconds)


def summarize(trials: Iterable[Trial]) -> list[Summary]:
    """Return a summary for each contestant; those with the most puzzles decided come first, of
    these the fastest.
    """
    found: dict[Contestant, list[Trial]] = {}
    for trial in trials:
        found.setdefault(trial.contestant, []).append(trial)
    summaries = [_summary(contestant, mine) for contestant, mine in found.items()]
    return sorted(summaries, key=_rank)


def _rank(summary: Summary) -> tuple[int, float, str]:
    # Names break ties, so that the order is the same in every run.
    return -summary.decided, sum(summary.seconds), str(summary.contestant)


def _summary(contestant: Contestant, trials: Sequence[Trial]) -> Summary:
    by_puzzle: dict[int, list[Trial]] = {}
    for trial in trials:
        by_puzzle.setdefault(trial.puzzle, []).append(trial)
    # Rounds that reached the limit are left out: their time is only the limit.
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
    # Inclusive: the puzzles are the whole population, not a sample.
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
    """Yield a line for people per contestant; native constraints are shown after a plus."""
    rows = [_TITLES, *(tuple(_cells(summary)) for summary in summaries)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        # Three names, left-aligned; then figures, right-aligned.
        names = [cell.ljust(width) for cell, width in zip(row[:3], widths[:3], strict=True)]
        figures = [cell.rjust(width) for cell, width in zip(row[3:], widths[3:], strict=True)]
        yield "  ".join(names + figures)


def trials_header() -> str:
    """Return the header of the table of trials."""
    return write_fields(_COLUMNS)


def trial_row(trial: Trial) -> str:
    """Return a line of the table of trials; unknown values are empty."""
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


WIDTH, HEIGHT = 960, 480
_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 340, 20, 50
"""The margins; the right one holds the legend, so that it does not cover curves."""
_LINE = 18
"""Pixels between two lines of the legend."""

# Colour-blind safe colours (Okabe and Ito), without the lighter ones: each has a contrast of at
# least 3:1 to white, which lines need. Dashes distinguish contestants in print.
_COLOURS = ("#000000", "#0072b2", "#b34700", "#00795a", "#a1467e")
_DASHES = ("", "7 3", "2 3", "10 3 2 3")


def draw_plot(summaries: Sequence[Summary]) -> str:
    """Return an SVG with a curve for each contestant: the times of its n fastest puzzles."""
    times = [second for summary in summaries for second in summary.seconds]
    # A microsecond is the minimum: no clock resolves less, and 0 has no logarithm.
    low = floor(log10(max(min(times, default=1e-3), 1e-6)))
    high = max(ceil(log10(max(max(times, default=1.0), 1e-6))), low + 1)
    most = max((summary.puzzles for summary in summaries), default=1)
    return "".join(_lines(summaries, _Axes(low, high, most)))


class _Axes:
    """Converts counts and seconds to coordinates; seconds are on a logarithmic scale."""

    def __init__(self, low: int, high: int, most: int) -> None:
        self.low, self.high, self.most = low, high, most

    def x(self, count: float) -> float:
        return _LEFT + (WIDTH - _LEFT - _RIGHT) * count / self.most

    def y(self, seconds: float) -> float:
        share = (log10(max(seconds, 1e-6)) - self.low) / (self.high - self.low)
        return HEIGHT - _BOTTOM - (HEIGHT - _TOP - _BOTTOM) * share

    def counts(self) -> range:
        """Return the tick marks of the horizontal axis: about five, at round numbers."""
        step = 10 ** max(0, floor(log10(self.most / 2)))
        step *= next(factor for factor in (1, 2, 5, 10) if self.most / (step * factor) <= 6)
        return range(0, self.most + 1, step)


def _lines(summaries: Sequence[Summary], axes: _Axes) -> Iterator[str]:
    height = max(HEIGHT, _TOP + _LINE * (len(summaries) + 1))  # more with a long legend
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'width="{WIDTH}" height="{height}" role="img" font-family="sans-serif" font-size="13">\n'
    )
    yield "<title>Puzzles decided within a time, for each contestant</title>\n"
    yield f'<rect width="{WIDTH}" height="{height}" fill="white"/>\n'
    yield from _scales(axes)
    for index, summary in enumerate(summaries):
        yield from _curve(index, summary, axes)
    yield "</svg>\n"


def _scales(axes: _Axes) -> Iterator[str]:
    bottom, right = HEIGHT - _BOTTOM, WIDTH - _RIGHT
    for power in range(axes.low, axes.high + 1):
        y = axes.y(10.0**power)
        yield f'<path d="M{_LEFT} {y:.1f}H{right}" stroke="#cccccc"/>\n'
        yield f'<text x="{_LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{_seconds(power)}</text>\n'
    for count in axes.counts():
        x = axes.x(count)
        yield f'<path d="M{x:.1f} {_TOP}V{bottom}" stroke="#eeeeee"/>\n'
        yield f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{count:,}</text>\n'
    yield f'<path d="M{_LEFT} {_TOP}V{bottom}H{right}" fill="none" stroke="black"/>\n'
    middle = (_LEFT + right) // 2
    yield f'<text x="{middle}" y="{HEIGHT - 12}" text-anchor="middle">puzzles decided</text>\n'
    yield (
        f'<text transform="translate(16 {HEIGHT // 2}) rotate(-90)" text-anchor="middle">'
        "processor time for each</text>\n"
    )


def _curve(index: int, summary: Summary, axes: _Axes) -> Iterator[str]:
    colour = _COLOURS[index % len(_COLOURS)]
    dash = _DASHES[index // len(_COLOURS) % len(_DASHES)]
    style = f'fill="none" stroke="{colour}" stroke-width="2"'
    style += f' stroke-dasharray="{dash}"' if dash else ""
    points = " ".join(
        f"{axes.x(count):.1f},{axes.y(seconds):.1f}"
        for count, seconds in enumerate(summary.seconds, 1)
    )
    name = escape(str(summary.contestant))
    if points:
        yield f'<polyline points="{points}" {style}><title>{name}</title></polyline>\n'
    x, y = WIDTH - _RIGHT + 20, _TOP + 14 + index * _LINE
    yield f'<path d="M{x} {y - 4}h28" {style}/>\n'
    yield f'<text x="{x + 36}" y="{y}">{name}: {summary.decided} of {summary.puzzles}</text>\n'


def _seconds(power: int) -> str:
    """Return a power of ten in a readable unit."""
    if power >= 0:
        return f"{10**power:,} s"
    return f"{10 ** (power + 3)} ms" if power >= -3 else f"{10 ** (power + 6)} µs"
