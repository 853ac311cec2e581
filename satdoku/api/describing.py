"""The calls that tell what kind of puzzle one is."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from satdoku.api.keywords import LimitKeywords, limits_of
from satdoku.api.progress import Progress, Reporter
from satdoku.api.puzzles import AnyPuzzle, parse
from satdoku.api.solving import UnsolvedError
from satdoku.rating.rater import Rated
from satdoku.rating.rater import rate_all as rate_puzzles
from satdoku.rating.rating import Rating
from satdoku.solving.limits import Limits
from satdoku.twins.canonical import Canonical, canonical_form

if TYPE_CHECKING:
    from typing_extensions import Unpack


def rate(
    puzzle: AnyPuzzle, limits: Limits | None = None, **keywords: "Unpack[LimitKeywords]"
) -> Rating:
    """How hard a puzzle is, as docs/rating.md defines it.

    >>> rate("1.....2..3.....4").level.value
    'easy'
    """
    # One puzzle goes the way of many, so that both always say the same.
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
    """The ratings of many puzzles, in their order; together they take a fifth of the time.

    The rating is None where a puzzle has not one solution; `outcome` says so. The limits are for
    each puzzle; `progress` is called now and then with how many are rated.

    >>> [rated.rating and rated.rating.number for rated in rate_all(["1.....2..3.....4", "." * 16])]
    [0, None]
    """
    # A generator is read as answers are asked for, so nobody knows how many will come.
    total = len(puzzles) if isinstance(puzzles, Sequence) else None
    limits = limits_of(limits, keywords)
    return Reporter(progress, total).follow(rate_puzzles(map(parse, puzzles), limits))


def canonical(puzzle: AnyPuzzle) -> Canonical:
    """The smallest of all symmetric twins of a puzzle.

    >>> canonical("4.....3..2.....1").grid == canonical("1.....2..3.....4").grid
    True
    """
    return canonical_form(parse(puzzle))
