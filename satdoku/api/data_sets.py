"""The calls for data sets: grades of answers, twins of puzzles, and splits without twins."""

from collections.abc import Iterable
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any, NamedTuple

from satdoku.answering.fact_finder import Plain
from satdoku.answering.grader import Grade, grade_answer
from satdoku.answering.twins import CanonicalFinder
from satdoku.api.calling import AnyPuzzle, LimitKeywords, limits_of, make_hints, parse, read_any
from satdoku.errors import SatdokuError, count_of
from satdoku.making.canonical import Twin, is_in_test, random_twin
from satdoku.notation.answers import text_of_answer
from satdoku.notation.hints import Hints
from satdoku.puzzle.grid import Geometry
from satdoku.solving.limits import Budget, Limits

if TYPE_CHECKING:
    from typing_extensions import Unpack


def grade(
    puzzles: Iterable[AnyPuzzle],
    answers: Iterable[Any],
    *,
    box: Geometry | None = None,
    rules: Iterable[str] = (),
    limits: Limits | None = None,
    **keywords: "Unpack[LimitKeywords]",
) -> list[Grade]:
    """Return the grade of each answer: right, wrong, incomplete, malformed or missing.

    Puzzles and answers are lists, columns of a frame, or other collections. An answer is a text, an
    array, or rows of cells; None, NaN and an empty text are missing answers, and puzzles beyond the
    last answer have none. An answer is right if it keeps all givens and rules. Raise SatdokuError
    for a puzzle that cannot be read, and LimitReachedError where a limit ends the search for what
    is wrong.

    >>> puzzle = "1.....2..3.....4"
    >>> grades = grade([puzzle] * 3, ["1243342143122134", "12433421431221..", "1"])
    >>> [each.mark.value for each in grades]
    ['right', 'incomplete', 'malformed']
    """
    for given in (puzzles, answers):
        if isinstance(given, str) or not isinstance(given, Iterable):
            raise SatdokuError("grade takes a list of puzzles and a list of answers")
    hints = make_hints(box, None, rules)
    limits = limits_of(limits, keywords)
    found = []
    given_answers = iter(answers)
    for number, (puzzle, answer) in enumerate(
        zip(puzzles, chain(given_answers, repeat(None)), strict=False)
    ):
        asked = read_any(_plain(puzzle), f"puzzles[{number}]", None, hints)
        found.append(grade_answer(asked, text_of_answer(answer), Budget(limits)))
    if (more := sum(1 for _ in given_answers)) > 0:
        asked_for = count_of(len(found), "puzzle")
        raise SatdokuError(f"{count_of(more, 'answer')} more than the {asked_for}")
    return found


def _plain(puzzle: Any) -> AnyPuzzle:
    """Return a puzzle of a column; values of Arrow become those of Python."""
    as_py = getattr(puzzle, "as_py", None)
    found: AnyPuzzle = puzzle if as_py is None else as_py()
    return found


def augment(puzzle: AnyPuzzle, count: int = 1, *, seed: str | int = 0) -> list[Twin]:
    """Return random symmetric twins of a classic puzzle; a seed gives the same on every machine.

    A twin has its `puzzle` and the `moves` that make it; `apply` makes the same twin of another
    grid, such as the solution, and `undo` reverses the moves.

    >>> [twin] = augment("1.....2..3.....4", seed=7)
    >>> twin.undo(twin.puzzle.grid).line
    '1.....2..3.....4'
    >>> twin.apply(twin.puzzle.grid) == augment(twin.puzzle.grid)[0].puzzle.grid
    False
    """
    if count < 0:
        raise SatdokuError(f"count={count} is less than 0")
    asked = parse(puzzle)
    return [random_twin(asked, seed, number) for number in range(count)]


class Split(NamedTuple):
    """The places of the puzzles in each part of a data set, in order."""

    train: list[int]
    test: list[int]


def split(
    puzzles: Iterable[AnyPuzzle], test: float = 0.1, *, seed: str | int = 0, of: str = "puzzle"
) -> Split:
    """Split classic puzzles into two parts without symmetric twins between them.

    `test` is the approximate share of the test part. The seed alone decides the part of a puzzle
    and all its twins, whatever else is in the collection. With `of="solution"` puzzles are twins if
    their solutions are.

    >>> found = split(["1.....2..3.....4", "4.....3..2.....1", "1.2.3.....4....."], 0.5)
    >>> sorted(found.train + found.test)
    [0, 1, 2]
    >>> (0 in found.train) == (1 in found.train)
    True
    """
    parts = Split([], [])
    if of not in ("puzzle", "solution"):
        raise SatdokuError(f"of={of!r} is neither 'puzzle' nor 'solution'")
    finder = CanonicalFinder(Plain(), of=of)
    for number, puzzle in enumerate(puzzles):
        facts = finder.facts(read_any(_plain(puzzle), f"puzzles[{number}]", None, Hints()))
        if facts.result is None:
            raise SatdokuError(f"puzzles[{number}] has no canonical form: {facts.values['reason']}")
        parts[is_in_test(facts.result, seed, test)].append(number)
    return parts
