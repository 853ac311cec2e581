"""The calls that make, minimize, rate and classify puzzles."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count as all_numbers
from operator import index
from typing import TYPE_CHECKING, SupportsIndex

from satdoku.api.calling import (
    AnyPuzzle,
    LimitKeywords,
    Progress,
    Reporter,
    limits_of,
    parse,
    require_geometry,
)
from satdoku.api.solving import UnsolvedError
from satdoku.errors import SatdokuError, member_named
from satdoku.making.canonical import Canonical, canonical_form
from satdoku.making.generator import (
    Distinct,
    Generated,
    generate_all,
    keep_distinct,
    require_distinguishable,
)
from satdoku.making.minimizer import Minimized, Minimizer, drop_clues
from satdoku.making.request import Ratings, Wishes, make_request, read_needs, split_drawn
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.symmetry import Symmetry
from satdoku.puzzle.verdict import Verdict
from satdoku.rating.estimate import Estimate
from satdoku.rating.estimate import estimate as estimate_puzzle
from satdoku.rating.rater import Rated
from satdoku.rating.rater import rate_all as rate_puzzles
from satdoku.rating.rating import Rating
from satdoku.solving.limits import Budget, LimitReachedError, Limits
from satdoku.solving.questions import check_within

if TYPE_CHECKING:
    from typing_extensions import Unpack


def generate(
    count: int = 1,
    *,
    seed: str | int | None = None,
    box: Geometry | None = None,
    rules: Iterable[str] = (),
    givens: int | tuple[int, int] | None = None,
    minimality: str | None = None,
    symmetry: Symmetry | str | None = Symmetry.NONE,
    mask: str | None = None,
    solution: AnyPuzzle | None = None,
    technique: str | None = None,
    ratings: Ratings | None = None,
    needs: Iterable[str] = (),
    hardest: str | None = None,
    has_random_regions: bool = False,
    fewest: bool = False,
    clues: bool = False,
    distinct: str | None = None,
    limits: Limits | None = None,
    progress: Callable[[Progress], object] | None = None,
    **keywords: "Unpack[LimitKeywords]",
) -> Iterator[Generated]:
    """Yield new puzzles with one solution, each made on demand; a seed makes them reproducible.

    A rule such as `killer:random` draws clues on each solution; with `clues`, redundant clues are
    removed. `limits` apply to each puzzle; LimitReachedError is raised if one needs more. Setting
    their event `stop` ends the iterator.

    >>> [made] = generate(seed=1, box=Geometry(2, 2))
    >>> made.givens, made.is_minimal, str(made.puzzle.geometry)
    (5, True, '2x2')
    """
    if not isinstance(count, SupportsIndex):
        raise SatdokuError(f"count={count!r} is no whole number of puzzles")
    if index(count) < 0:
        raise SatdokuError(f"count={count} is below 0")
    require_geometry(box)
    limits = limits_of(limits, keywords)
    # Fixed rules apply to the full grid, or to an empty board of the wanted shape.
    fixed, drawn = split_drawn(rules)
    start = None if solution is None else parse(solution, box=box, rules=fixed)
    board = start or parse(Grid.empty(box or Geometry()), rules=fixed)
    wishes = Wishes(
        givens, minimality, symmetry, mask, technique, has_random_regions, fewest, drawn, clues
    )
    request = make_request(board, wishes, seed)
    steps = read_needs(tuple(needs), hardest)
    if distinct is None:
        made = generate_all(request, iter(range(count)), ratings, limits, steps)
    else:
        kind = member_named(Distinct, distinct)
        require_distinguishable(request, kind)
        # The number of tries is unknown, because repeated puzzles are skipped.
        endless = generate_all(request, all_numbers(), ratings, limits, steps)
        made = keep_distinct(endless, count, kind)
    return Reporter(progress, count).follow(_until_stopped(made, limits))


def _until_stopped(made: Iterator[Generated], limits: Limits | None) -> Iterator[Generated]:
    """Yield puzzles until a stop is requested."""
    try:
        yield from made
    except LimitReachedError:
        # A requested stop just ends the iterator; any other limit is an error.
        if limits is None or not limits.is_stopped:
            raise


def minimize(
    puzzle: AnyPuzzle,
    *,
    seed: str = "0",
    fewest: bool = False,
    clues: bool = False,
    limits: Limits | None = None,
    progress: Callable[[Progress], object] | None = None,
    **keywords: "Unpack[LimitKeywords]",
) -> Minimized:
    """Return a puzzle with the same solution and no redundant given, or with the fewest givens.

    With `clues`, redundant cages, lines and other clues are removed as well.

    >>> minimize("1234341221434321", fewest=True).givens
    4
    """
    with Minimizer(limits=limits_of(limits, keywords)) as minimizer:
        outcome = minimizer.check(parse(puzzle))
        if outcome.verdict is not Verdict.UNIQUE:
            raise UnsolvedError(outcome)
        givens = len(outcome.puzzle.givens)
        reporter = Reporter(progress, givens)
        if fewest:
            found = minimizer.find_fewest(outcome, reporter.reach)
        else:
            found = minimizer.minimize(
                outcome, seed, on_tested=lambda untested: reporter.reach(givens - untested)
            )
        if clues:
            found = drop_clues(found, seed, Budget(minimizer.limits))
        reporter.finish()
        return found


def rate(
    puzzle: AnyPuzzle, limits: Limits | None = None, **keywords: "Unpack[LimitKeywords]"
) -> Rating:
    """Rate the difficulty of a puzzle, as docs/rating.md defines it.

    >>> rate("1.....2..3.....4").level.value
    'easy'
    """
    # Use the code for many puzzles, so that both calls always agree.
    [rated] = rate_puzzles([parse(puzzle)], limits_of(limits, keywords))
    if rated.rating is None:
        raise UnsolvedError(rated.outcome)
    return rated.rating


def rate_all(
    puzzles: Iterable[AnyPuzzle],
    limits: Limits | None = None,
    *,
    progress: Callable[[Progress], object] | None = None,
    **keywords: "Unpack[LimitKeywords]",
) -> Iterator[Rated]:
    """Yield the ratings of many puzzles, in order.

    The rating is None if the puzzle does not have exactly one solution; `outcome` tells why. The
    limits apply to each puzzle; `progress` is called from time to time with the number rated.

    >>> [rated.rating and rated.rating.number for rated in rate_all(["1.....2..3.....4", "." * 16])]
    [0, None]
    """
    # The length of a generator is unknown.
    total = len(puzzles) if isinstance(puzzles, Sequence) else None
    limits = limits_of(limits, keywords)
    return Reporter(progress, total).follow(rate_puzzles(map(parse, puzzles), limits))


def estimate(
    puzzle: AnyPuzzle,
    limits: Limits | None = None,
    version: str = "1.18",
    **keywords: "Unpack[LimitKeywords]",
) -> Estimate:
    """Estimate the ratings of the program Sudoku Explainer for a classic 9x9 puzzle: ER, EP, ED.

    `version` is 1.18, which is in use, or 1.2.1, by which lists of the players' forum are rated.
    docs/rating.md says how far estimates for 1.18 are off. A rating above 9 is None.

    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> tuple(estimate(puzzle))
    (1.2, 1.2, 1.2)
    """
    budget = Budget(limits_of(limits, keywords))
    parsed = parse(puzzle)
    outcome = check_within(parsed, budget)
    if outcome.verdict is not Verdict.UNIQUE:
        raise UnsolvedError(outcome)
    return estimate_puzzle(parsed, budget, version)


def canonical(puzzle: AnyPuzzle) -> Canonical:
    """Return the canonical form of a puzzle: the smallest of all its symmetric twins.

    >>> canonical("4.....3..2.....1").grid == canonical("1.....2..3.....4").grid
    True
    """
    return canonical_form(parse(puzzle))
