"""The answerer of `rate`, which runs in workers."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from satdoku.answering.asked import Column, ColumnKind, asked
from satdoku.answering.asked import Row as OptionRow
from satdoku.answering.fact_finder import FactFinder, Found
from satdoku.answering.many import solve_blocks
from satdoku.answering.output.ending import VERDICTS, Ending
from satdoku.answering.task import Facts, found_out, not_unique_facts
from satdoku.errors import count_of
from satdoku.lanes.bank import BEYOND, CELLS
from satdoku.lanes.library import find_library
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.value import value
from satdoku.rating.estimate import VERSIONS, Estimate, estimate, estimates_of
from satdoku.rating.rater import Rated, rate_all, ratings_of
from satdoku.rating.rating import DEFINITION, Rating
from satdoku.solving.limits import Budget, LimitReachedError

_ESTIMATED = tuple(Column(f"estimated_{name}", ColumnKind.DECIMAL) for name in ("er", "ep", "ed"))


@value(frozen=True)
class Rater(FactFinder):
    """Answerer that rates puzzles, many at once; the result of a row is its rating."""

    has_steps: bool = asked(
        "--steps",
        "Add the number of steps of an explanation, the truths of its largest step, and the "
        "placements of its longest one.",
        columns=tuple(Column(name, ColumnKind.WHOLE) for name in ("steps", "largest", "story")),
    )
    has_estimate: bool = asked(
        "--estimate", "Add estimates of the ratings by Sudoku Explainer.", columns=_ESTIMATED
    )
    estimated_version: str = asked(
        "--estimate-version",
        "The version that is estimated: 1.18, or 1.2.1 as in lists of the players' forum.",
        VERSIONS[0],
        choices=VERSIONS,
    )

    command: ClassVar[str] = "rate"
    needs: ClassVar[Sequence[OptionRow]] = (
        ("--estimate-version", "--estimate", "nothing is estimated without"),
    )
    columns: ClassVar[tuple[Column, ...]] = (Column("level"), Column("rating", ColumnKind.WHOLE))
    keys: ClassVar[Mapping[str, Any]] = {
        "definition": {
            "type": "string",
            "description": "of the rating, with its number: ratings of one definition compare",
        },
        "estimated_version": {"enum": list(VERSIONS)},
    }
    endings: ClassVar[frozenset[Ending]] = VERDICTS

    @property
    def usual(self) -> Ending:
        return Ending.UNIQUE

    def _find_in_bulk(self, boards: bytes) -> Iterator[Found | None] | None:
        is_other = self.has_estimate and self.estimated_version != VERSIONS[0]
        if self.has_steps or is_other or find_library() is None:
            return None
        return _rate_in_bulk(boards, self.has_estimate)

    def _find(self, puzzle: Puzzle, budget: Budget) -> Facts:
        [rated] = rate_all([puzzle], budget.left)
        facts = _facts_of(rated, budget=budget)
        if rated.rating is not None and self.has_steps:
            facts = _with_steps(facts, puzzle, budget)
        if rated.rating is not None and self.has_estimate:
            facts = _with_estimate(facts, puzzle, budget, self.estimated_version)
        return facts


def _rate_in_bulk(boards: bytes, has_estimate: bool) -> Iterator[Found | None]:
    """Yield ratings of boards by the compiled library; None for boards that it leaves open.

    Boards without exactly one solution are left open.
    """
    found = list(ratings_of(boards))
    hard = [n for n, (number, _) in enumerate(found) if number == BEYOND]
    some = b"".join([boards[CELLS * n : CELLS * (n + 1)] for n in hard])
    [solved] = solve_blocks(Geometry(), [some])
    are_unique = iter(solved.is_unique)
    for begin, (number, is_compared) in zip(range(0, len(boards), CELLS), found, strict=True):
        is_rated = number < BEYOND or (number == BEYOND and next(are_unique))
        rating = Rating(number if number < BEYOND else None)
        line, values = write_rating(rating), _values_of(rating)
        if is_rated and has_estimate:
            [own] = estimates_of(boards[begin : begin + CELLS])
            is_rated = own is not None
            if own is not None:
                line += f", {write_estimate(own, VERSIONS[0])}"
                # In the order of `_with_estimate`.
                values |= {"reason": "", **_values_of_estimate(own, VERSIONS[0])}
        yield Found(line, values, rating, is_compared) if is_rated else None


def _with_steps(facts: Facts, puzzle: Puzzle, budget: Budget) -> Facts:
    """Add facts about the steps of an explanation: number, most truths, longest story.

    The length of the longest story orders the puzzles that are beyond a rating.
    """
    # The module of explanations is slow to import and rarely needed.
    from satdoku.explaining.explain import explain

    explanation = explain(puzzle, budget=budget)
    if not explanation.is_complete:
        raise LimitReachedError(explanation.reason)
    count, largest = len(explanation.way.steps), explanation.way.biggest
    stories = (story for step in explanation.way.steps for story in step.stories)
    longest = max((story.length for story in stories), default=0)
    line = f"{facts.line}, {count_of(count, 'step')}, the largest of size {largest}"
    if longest:
        line += f", the longest story of {count_of(longest, 'placement')}"
    added = {"steps": count, "largest": largest, "story": longest}
    return facts._replace(line=line, values={**facts.values, **added})


def _with_estimate(facts: Facts, puzzle: Puzzle, budget: Budget, version: str) -> Facts:
    found = estimate(puzzle, budget, version)
    line = f"{facts.line}, {write_estimate(found, version)}"
    values = {**facts.values, **_values_of_estimate(found, version)}
    return facts._replace(line=line, values=values)


def _values_of_estimate(found: Estimate, version: str) -> dict[str, Any]:
    names = (column.name for column in _ESTIMATED)
    return {"estimated_version": version, **dict(zip(names, found, strict=True))}


def write_estimate(found: Estimate, version: str) -> str:
    """Return the numbers of an estimate as text, labelled as estimated.

    >>> from satdoku.rating.estimate import Estimate
    >>> write_estimate(Estimate(None, 1.2, 1.2), "1.18")
    'estimated for SE 1.18: ER above 9, EP 1.2, ED 1.2'
    """
    numbers = ["above 9" if number is None else f"{number:.1f}" for number in found]
    names = zip(("ER", "EP", "ED"), numbers, strict=True)
    return f"estimated for SE {version}: " + ", ".join(f"{name} {number}" for name, number in names)


def _facts_of(rated: Rated, budget: Budget | None = None) -> Facts:
    if rated.rating is None:
        return not_unique_facts(rated.outcome, budget)
    line = write_rating(rated.rating)
    values = _values_of(rated.rating)
    return found_out(rated.puzzle, Ending.UNIQUE, line, values, result=rated.rating)


def _values_of(rating: Rating) -> dict[str, Any]:
    return {"level": rating.level.value, "rating": rating.number, "definition": DEFINITION}


def write_rating(rating: Rating) -> str:
    """Return the number and the level of a rating; the level "beyond" has no number.

    >>> write_rating(Rating(5)), write_rating(Rating(None))
    ('5 very hard', '- beyond')
    """
    number = "-" if rating.number is None else rating.number
    return f"{number} {rating.level.value}"
