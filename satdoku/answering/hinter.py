"""The answerer of `hint`: the next step of a puzzle. docs/hint.schema.json describes its object."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace
from typing import Any, ClassVar

from satdoku.answering.asked import Row, asked, value_of
from satdoku.answering.fact_finder import FactFinder
from satdoku.answering.output.ending import Ending
from satdoku.answering.task import Facts, named
from satdoku.errors import SatdokuError
from satdoku.explaining.hint import Hint, find_every_hint, find_hint
from satdoku.explaining.objects import way_object
from satdoku.explaining.step import Technique, technique_named
from satdoku.explaining.words.steps import Teller
from satdoku.notation.hints import Hints
from satdoku.notation.outcomes import evidence, sentence
from satdoku.notation.reading import read_puzzles
from satdoku.notation.spelling import spelling_by_rules
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.single_cells import Candidates
from satdoku.puzzle.value import value
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.limits import Budget, LimitReachedError


@value(frozen=True)
class HintFinder(FactFinder):
    """Answerer that finds a hint for a player's board; `reading` says how to parse that board.

    A caller that has parsed the board passes its digits as `entered`, and the player's `marks`. The
    result of its facts is the `Hint`.
    """

    board: str | None = asked(
        "--board",
        "The board with the digits entered so far: a line of cells, or a drawing with candidates.",
        None,
        metavar="PUZZLE",
    )
    more: int = asked(
        "--more",
        "Once: add the technique and the cells; twice: where a chain begins; "
        "three times: the whole step.",
        0,
        least=0,
        is_counted=True,
    )
    lists_all: bool = asked(
        "--all", "List the steps of every technique that are possible now, easiest first."
    )
    technique: str | None = asked(
        "--technique",
        "List the steps of this technique only, such as x-wing.",
        None,
        metavar="NAME",
    )
    assumes_unique: bool = asked(
        "--assume-unique", "Allow steps that assume that there is only one solution."
    )
    reading: Hints = field(default_factory=Hints)
    format_name: str | None = None
    entered: Grid | None = None
    marks: Candidates | None = None

    command: ClassVar[str] = "hint"
    excludes: ClassVar[Sequence[Row]] = (
        ("--all", "--more", "both show all that --more adds"),
        ("--technique", "--more", "both show all that --more adds"),
    )

    @property
    def has_values_of_boards(self) -> bool:
        return self.board is not None or self.technique is not None

    def read_values(self, puzzle: Puzzle) -> None:
        if self.technique is not None:
            self._wanted()
        if self.board is not None:
            self._read_board(puzzle)

    def _wanted(self) -> frozenset[Technique]:
        """Return the techniques whose steps are listed."""
        if self.technique is None:
            return frozenset(Technique)
        with value_of("--technique"):
            return frozenset([technique_named(self.technique)])

    def _find(self, puzzle: Puzzle, budget: Budget) -> Facts:
        entered, marks = self.entered, self.marks
        if self.board is not None:
            entered, marks = self._read_board(puzzle)
        asked = (puzzle, entered, budget.left, marks, self.assumes_unique)
        try:
            if self.lists_all or self.technique is not None:
                found, lines = self._list_steps(puzzle, entered, budget, marks)
            else:
                found, lines = find_hint(*asked), []
        except LimitReachedError as limit:
            reason = budget.why_over() or str(limit)
            return Facts(Ending.UNDECIDED, reason, no_hint_object(puzzle, reason))
        text = "\n".join(lines or hint_lines(found, puzzle, entered, self.more))
        ending = Ending.of(found.outcome.verdict)
        return Facts(ending, text, hint_object(found, puzzle, entered), puzzle=puzzle, result=found)

    def _list_steps(
        self, puzzle: Puzzle, entered: Grid | None, budget: Budget, marks: Candidates | None
    ) -> tuple[Hint, list[str]]:
        """Return the easiest possible step as a hint, and a sentence for each possible step."""
        found, ways = find_every_hint(
            puzzle, entered, budget.left, marks, self.assumes_unique, self._wanted()
        )
        lines = [next(Teller(way).tell()) for way in ways]
        if found.is_open and self.technique is not None:
            lines = [f"there is no {self.technique} now"]
        return found, lines

    def _read_board(self, puzzle: Puzzle) -> tuple[Grid, Candidates | None]:
        """Return the digits on the player's board, and the player's marks if there are any."""
        # A line of cells shows neither boxes nor symbols, so those of the puzzle are assumed.
        alphabet = self.reading.alphabet or spelling_by_rules(puzzle).alphabet
        hints = replace(self.reading, geometry=puzzle.geometry, alphabet=alphabet)
        lines = (self.board or "").splitlines()
        with value_of("--board"):
            boards = list(read_puzzles(lines, "--board", self.format_name, hints))
            if len(boards) != 1 or boards[0].geometry != puzzle.geometry:
                shape = f"{puzzle.geometry} boxes"
                raise SatdokuError(f"--board must be one board of {shape}, like the puzzle")
        # Candidates that the puzzle itself gives are not marks of the player.
        marks = (rule for rule in boards[0].rules if isinstance(rule, Candidates))
        return boards[0].grid, next((rule for rule in marks if rule not in puzzle.rules), None)


def hint_lines(
    found: Hint, puzzle: Puzzle, entered: Grid | None = None, more: int = 0
) -> Iterator[str]:
    """Yield the parts of a hint that were asked for, or the reason why there is none."""
    if found.wrong and entered is not None:
        for cell in found.wrong:
            digit = puzzle.name_of_digit(entered.digits[cell])
            yield f"{puzzle.geometry.name_of(cell)} is not {digit}"
    elif found.missing and found.outcome.solution is not None:
        for cell in found.missing:
            digit = puzzle.name_of_digit(found.outcome.solution.digits[cell])
            yield f"{puzzle.geometry.name_of(cell)} can still be {digit}"
    elif found.is_solved:
        yield "the board is full and right"
    elif found.outcome.verdict is Verdict.NONE and found.outcome.puzzle != puzzle:
        yield "no solution has all that was entered and marked"
    elif found.step is None:
        is_none = found.outcome.verdict is Verdict.NONE
        yield sentence(found.outcome) + ("" if is_none else "; no further step was found")
    else:
        parts = [part for part in (found.where, found.what, found.begin, found.how) if part]
        yield from parts[: more + 1]


def hint_object(found: Hint, puzzle: Puzzle, entered: Grid | None) -> dict[str, Any]:
    """Return all parts of a hint in one object; missing parts are null."""
    result = named(puzzle) | {
        "verdict": found.outcome.verdict.value,
        "solved": found.is_solved,
        "wrong": _digits_in(found.wrong, entered, puzzle),
        "missing": _digits_in(found.missing, found.outcome.solution, puzzle),
        "where": found.where or None,
        "what": found.what or None,
        "begin": found.begin or None,
        "step": None if found.way is None else way_object(found.way)["steps"][0],
    }
    reason = evidence(found.outcome)
    # The reason of the verdict is given only if there is neither a step nor a wrong digit.
    if reason and found.step is None and not (found.wrong or found.missing):
        result["reason"] = reason
    return result


def _digits_in(cells: Iterable[int], grid: Grid | None, puzzle: Puzzle) -> list[str]:
    """Return the digits of some cells of a grid, as `r1c1=5`; empty without a grid."""
    digits = () if grid is None else grid.digits
    name_of = puzzle.geometry.name_of
    return [f"{name_of(cell)}={puzzle.name_of_digit(digits[cell])}" for cell in cells]


def no_hint_object(puzzle: Puzzle, reason: str) -> dict[str, Any]:
    """Return the object for a puzzle without a hint, because a limit was reached first."""
    return named(puzzle) | {"verdict": Ending.UNDECIDED.value, "reason": reason}
