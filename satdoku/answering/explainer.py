"""The answerers of `explain` and `candidates`, and the questions about cells."""

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from satdoku.answering.asked import Row, asked, value_of
from satdoku.answering.fact_finder import FactFinder
from satdoku.answering.many import board_of, may_use_bulk, only_solutions
from satdoku.answering.output.ending import Ending
from satdoku.answering.task import Facts, named
from satdoku.errors import SatdokuError, join
from satdoku.explaining.board import bare_board, build_board
from satdoku.explaining.explain import Explanation, Scope, explain
from satdoku.explaining.objects import (
    candidates_object,
    exclusions_object,
    explanation_object,
    way_object,
)
from satdoku.explaining.slides import show_of
from satdoku.explaining.step import Level, Way
from satdoku.explaining.true_candidates import (
    CandidateCounts,
    TrueCandidates,
    count_candidates,
    find_true_candidates,
)
from satdoku.explaining.way import find_way
from satdoku.explaining.why import Answer, Question, answer, read_question, why_excluded_everywhere
from satdoku.explaining.words.explanation import (
    USUAL,
    Style,
    describe,
    describe_exclusions,
    numbered,
)
from satdoku.explaining.words.report import tell_report
from satdoku.picture.picture import Sketch, picture_with_candidates
from satdoku.picture.text import render_candidates, write_candidates
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.judge import find_clashes
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.value import value
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.kept import kept_here
from satdoku.solving.limits import Budget
from satdoku.solving.solvers import Settings


def read_questions(texts: Sequence[str], puzzle: Puzzle) -> list[Question]:
    """Parse the questions about a puzzle; raise an error for a bad one before any work begins."""
    with value_of("--why"):
        return [read_question(text, puzzle) for text in texts]


def answer_lines(answered: Answer, style: Style) -> Iterator[str]:
    """Yield an answer as lines of text: its sentence, then its steps."""
    yield answered.sentence
    if answered.way is not None:
        yield from numbered(answered.way, style)


def answer_object(question: str, answered: Answer) -> dict[str, Any]:
    """Return an answer as a JSON object."""
    steps = {"steps": []} if answered.way is None else way_object(answered.way)
    return {"question": question, "answer": answered.sentence, **steps}


@value(frozen=True)
class Explainer(FactFinder):
    """Answerer that explains the puzzle of each task; with `questions`, it answers only these.

    With `is_shown` the result of each row is a show of all steps.
    """

    questions: tuple[str, ...] = asked(
        "--why",
        "Show only the steps that lead to this fact: r4c5, r4c5=7 or r4c5!=3. Repeatable.",
        (),
        metavar="CELL",
    )
    level: str = asked(
        "--level",
        "The hardest steps allowed; the explanation says where they no longer suffice.",
        Level.ALL.value,
        choices=tuple(level.value for level in Level),
    )
    assumes_unique: bool = asked(
        "--assume-unique",
        "Allow unique rectangles, loops, and BUG+n, which assume that there is only one solution.",
    )
    keeps_all_steps: bool = asked("--all-steps", "Also show the steps that no other step needs.")
    has_report: bool = asked(
        "--report",
        "Instead of the steps, print how many were possible at each point, and where only one was.",
    )
    style: Style = USUAL
    is_shown: bool = False

    command: ClassVar[str] = "explain"
    excludes: ClassVar[Sequence[Row]] = (
        ("--assume-unique", "--level=singles", "singles assume nothing"),
        ("--report", "--why", "a report is about the whole way"),
    )

    @property
    def has_values_of_boards(self) -> bool:
        return bool(self.questions)

    def read_values(self, puzzle: Puzzle) -> None:
        read_questions(self.questions, puzzle)

    def _find(self, puzzle: Puzzle, budget: Budget) -> Facts:
        questions = read_questions(self.questions, puzzle)
        scope = Scope(Level(self.level), budget.limits, self.assumes_unique, self.keeps_all_steps)
        explanation = explain(puzzle, scope, self.watch, budget)
        answered = [answer(question, explanation.way) for question in questions]
        ending = Ending.of(explanation.verdict) if explanation.is_complete else Ending.UNDECIDED
        if self.has_report and explanation.is_complete:
            return self._report(explanation, ending, budget)
        show = show_of(explanation) if self.is_shown else None
        text, found = self._text(explanation, answered), self._object(explanation, answered)
        return Facts(ending, text, found, result=show)

    def _report(self, explanation: Explanation, ending: Ending, budget: Budget) -> Facts:
        told = tell_report(explanation, budget)
        found = named(explanation.puzzle) | explanation_object(explanation)
        found |= {"report": told.object, "steps": []}
        return Facts(ending, told.text, found, result=told.plot if self.is_shown else None)

    def _text(self, explanation: Explanation, answered: Sequence[Answer]) -> str:
        if not self.questions:
            return "\n".join(describe(explanation, self.style))
        return "\n".join(line for found in answered for line in answer_lines(found, self.style))

    def _object(self, explanation: Explanation, answered: Sequence[Answer]) -> dict[str, Any]:
        found = explanation_object(explanation)
        if self.questions:
            found["why"] = list(map(answer_object, self.questions, answered))
            # The full list of steps would bury the answers to the questions.
            found["steps"] = []
        return found


ALL = "all"
"""The question about every candidate that is excluded."""


@value(frozen=True)
class CandidateFinder(FactFinder):
    """Answerer that finds the true candidates of each puzzle: digits that occur in some solution.

    With `is_drawn` each row comes with a sketch of the candidates.
    """

    has_witnesses: bool = asked("--witnesses", "With --json: add a solution with each candidate.")
    is_flat: bool = asked("--flat", "Print one line (729 characters for 9x9) instead of a board.")
    questions: tuple[str, ...] = asked(
        "--why",
        "Explain why a digit is excluded: r4c5=3; r4c5: all of this cell; all: of all cells."
        " Repeatable.",
        (),
        metavar="CELL",
    )
    cap: int | None = asked(
        "--count", "Count the solutions with each candidate, up to N.", None, least=1, metavar="N"
    )
    has_equal: bool = asked(
        "--equal", "List groups of cells that equal each other in every solution."
    )
    style: Style = USUAL
    is_drawn: bool = False

    command: ClassVar[str] = "candidates"
    excludes: ClassVar[Sequence[Row]] = (
        ("--flat", "--why --count --equal", "--flat is one line a puzzle"),
    )

    @property
    def has_values_of_boards(self) -> bool:
        return bool(self.questions)

    def read_values(self, puzzle: Puzzle) -> None:
        read_questions(self._named_cells, puzzle)

    @property
    def _named_cells(self) -> list[str]:
        return [text for text in self.questions if text != ALL]

    def _find(self, puzzle: Puzzle, budget: Budget) -> Facts:
        named_cells = self._named_cells
        questions = read_questions(named_cells, puzzle)
        true, is_compared = self._find_true(puzzle, budget)
        way = self._way(true, budget)
        answered = [
            (name, answer)
            for name, question in zip(named_cells, questions, strict=True)
            for answer in why_excluded_everywhere(question, way, true)
        ]
        numbers = self._count(puzzle, budget)
        equal = self._find_equal(puzzle, budget)
        is_complete = true.is_complete and way.is_complete
        is_complete = is_complete and (numbers is None or numbers.is_complete)
        ending = _ending(true) if is_complete else Ending.UNDECIDED
        values = self._values(true, way, answered) | {"verdict": ending.value}
        values |= _numbers_object(puzzle, numbers) | _equal_object(puzzle, equal)
        message = ""
        if not is_complete:
            values["reason"] = budget.why_over()
            message = "there may be more, the limit was reached"
        lines = [*self._lines(true, way, answered), *_count_lines(puzzle, numbers)]
        text = "\n".join([*lines, *_equal_lines(puzzle, equal)])
        sketch = self._sketch(true)
        return Facts(ending, text, values, message, result=sketch, compared=int(is_compared))

    def _find_true(self, puzzle: Puzzle, budget: Budget) -> tuple[TrueCandidates, bool]:
        """Return the true candidates, and whether a solver was used besides the compiled library.

        The bulk solver detects a unique solution faster than a search for many solutions does.
        """
        if may_use_bulk(Settings(limits=budget.limits)) and not budget.why_over():
            [only] = only_solutions([board_of(puzzle)], least=1)
            if only is not None:
                solution = Grid(puzzle.geometry, tuple(only.solution))
                return TrueCandidates.of_only(puzzle, solution), only.is_compared
        return find_true_candidates(puzzle, budget, self.watch), False

    def _count(self, puzzle: Puzzle, budget: Budget) -> CandidateCounts | None:
        return None if self.cap is None else count_candidates(puzzle, self.cap, budget)

    def _find_equal(self, puzzle: Puzzle, budget: Budget) -> list[list[int]] | None:
        if not self.has_equal:
            return None
        kept = kept_here().of(puzzle, budget)
        if kept is None:
            raise SatdokuError("--equal is for boards up to 16x16 without hidden regions")
        return kept.equal_cells()

    def _sketch(self, true: TrueCandidates) -> Sketch | None:
        if not self.is_drawn:
            return None
        return Sketch((picture_with_candidates(true.puzzle, true.digits_of_cells),))

    def _way(self, true: TrueCandidates, budget: Budget) -> Way:
        """Return the steps that exclude every false candidate; empty unless they were asked for."""
        if not self.questions or next(find_clashes(true.puzzle), None) is not None:
            return Way(bare_board(true.puzzle), ())
        board = build_board(true.puzzle, budget)
        return find_way(board, Level.ALL, budget, self.watch, true.mask_on(board))

    def _values(
        self, true: TrueCandidates, way: Way, answered: Sequence[tuple[str, Answer]]
    ) -> dict[str, Any]:
        # The verdict comes right after the name, but is known only at the end: reserve its
        # position.
        found = named(true.puzzle) | {"verdict": ""} | candidates_object(true, self.has_witnesses)
        if self.questions:
            found["complete"] = true.is_complete and way.is_complete
            found["why"] = [answer_object(name, answer) for name, answer in answered]
        if ALL in self.questions:
            found |= exclusions_object(way)
        return found

    def _lines(
        self, true: TrueCandidates, way: Way, answered: Sequence[tuple[str, Answer]]
    ) -> Iterator[str]:
        digits = true.digits_of_cells
        if self.is_flat:
            text = write_candidates(true.puzzle, digits)
        else:
            text = render_candidates(true.puzzle, digits, self.style.is_ascii)
        yield text.removesuffix("\n")
        for _, each in answered:
            yield from answer_lines(each, self.style)
        if ALL in self.questions:
            yield from numbered(way, self.style)
            yield from describe_exclusions(way, self.style)


def _numbers_object(puzzle: Puzzle, counts: CandidateCounts | None) -> dict[str, Any]:
    """Return the number of solutions of each candidate, by cell and digit; empty if not asked."""
    if counts is None:
        return {}
    name_of = puzzle.geometry.name_of
    numbers = {
        name_of(cell): {puzzle.name_of_digit(digit): found[digit] for digit in sorted(found)}
        for cell, found in enumerate(counts.numbers)
    }
    return {"numbers": numbers, "cap": counts.cap}


def _count_lines(puzzle: Puzzle, counts: CandidateCounts | None) -> Iterator[str]:
    for cell, found in enumerate(counts.numbers if counts else ()):
        if len(found) > 1 and counts is not None:
            told = (
                f"{puzzle.name_of_digit(digit)} in {found[digit]}"
                f"{'+' if found[digit] == counts.cap else ''}"
                for digit in sorted(found)
            )
            yield f"{puzzle.geometry.name_of(cell)}: {', '.join(told)}"


def _equal_object(puzzle: Puzzle, groups: list[list[int]] | None) -> dict[str, Any]:
    if groups is None:
        return {}
    return {"equal": [[puzzle.geometry.name_of(cell) for cell in cells] for cells in groups]}


def _equal_lines(puzzle: Puzzle, groups: list[list[int]] | None) -> Iterator[str]:
    for cells in groups or ():
        yield f"{join([puzzle.geometry.name_of(cell) for cell in cells])} hold the same digit"
    if groups == []:
        yield "no two unsettled cells always hold the same digit"


def _ending(true: TrueCandidates) -> Ending:
    """Return the ending of a record whose true candidates are all found."""
    # `solutions` holds enough solutions to show every true candidate. If a puzzle has several
    # solutions they differ in some cell, so `solutions` then holds more than one.
    verdict = (Verdict.NONE, Verdict.UNIQUE, Verdict.MULTIPLE)[min(len(true.solutions), 2)]
    return Ending.of(verdict)
