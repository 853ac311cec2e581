"""The calls that make puzzles, from nothing or from others with more givens."""

from collections.abc import Callable, Iterable, Iterator
from itertools import count as all_numbers
from typing import TYPE_CHECKING

from satdoku.api.keywords import LimitKeywords, limits_of
from satdoku.api.progress import Progress, Reporter
from satdoku.api.puzzles import AnyPuzzle, parse, require_geometry
from satdoku.api.solving import UnsolvedError
from satdoku.errors import SatdokuError
from satdoku.generating.distinct import keep_distinct, read_distinct, require_distinguishable
from satdoku.generating.generate import Ratings, generate_all
from satdoku.generating.generated import Generated
from satdoku.generating.request import Wishes, make_request
from satdoku.minimizing.minimizer import Minimized, Minimizer
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.symmetry import Symmetry
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.limits import LimitReachedError, Limits

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from satdoku.generating.needs import Needs


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
    distinct: str | None = None,
    limits: Limits | None = None,
    progress: Callable[[Progress], object] | None = None,
    **keywords: "Unpack[LimitKeywords]",
) -> Iterator[Generated]:
    """Puzzles with one solution, made one by one as they are asked for; the same for a seed.

    `limits` are what one puzzle may cost; where it costs more, that is a LimitReachedError. The
    event `stop` among them ends the iterator.

    >>> [made] = generate(seed=1, box=Geometry(2, 2))
    >>> made.givens, made.is_minimal, str(made.puzzle.geometry)
    (5, True, '2x2')
    """
    if count < 0:
        raise SatdokuError(f"there are no {count} puzzles to make")
    require_geometry(box)
    limits = limits_of(limits, keywords)
    # The rules are those of the full grid, or of an empty board of the wanted shape.
    start = None if solution is None else parse(solution, box=box, rules=rules)
    board = start or parse(Grid.empty(box or Geometry()), rules=rules)
    wishes = Wishes(givens, minimality, symmetry, mask, technique, has_random_regions, fewest)
    request = make_request(board, wishes, seed)
    steps = _read_needs(tuple(needs), hardest)
    if distinct is None:
        made = generate_all(request, iter(range(count)), ratings, limits, steps)
    else:
        kind = read_distinct(distinct)
        require_distinguishable(request, kind)
        # Repeats are left out, so nobody knows beforehand how many have to be made.
        endless = generate_all(request, all_numbers(), ratings, limits, steps)
        made = keep_distinct(endless, count, kind)
    return Reporter(progress, count).follow(_until_stopped(made, limits))


def _read_needs(needs: tuple[str, ...], hardest: str | None) -> "Needs | None":
    if not needs and hardest is None:
        return None
    # Imported here: most callers want no steps, and start without what explains.
    from satdoku.generating.needs import read_needs

    return read_needs(needs, hardest)


def _until_stopped(made: Iterator[Generated], limits: Limits | None) -> Iterator[Generated]:
    """The puzzles that are made before somebody asks to stop."""
    try:
        yield from made
    except LimitReachedError:
        # Who asks to stop knows why there are fewer puzzles; any other limit is an error.
        if limits is None or not limits.is_stopped:
            raise


def minimize(
    puzzle: AnyPuzzle,
    *,
    seed: str = "0",
    fewest: bool = False,
    limits: Limits | None = None,
    progress: Callable[[Progress], object] | None = None,
    **keywords: "Unpack[LimitKeywords]",
) -> Minimized:
    """A puzzle with the same solution and no redundant given, or the one with the fewest givens.

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
        reporter.finish()
        return found
