"""The answerer of `draw`: puzzles as sketches. Runs in workers and writes no file."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from satdoku.answering.answerer import guarded
from satdoku.answering.output.ending import Ending
from satdoku.answering.task import Task
from satdoku.batch.row import Row
from satdoku.errors import FormatError, SatdokuError
from satdoku.notation.outcomes import name_of, sentence
from satdoku.notation.spelling import USUAL, Spelling
from satdoku.picture.picture import (
    Picture,
    Sketch,
    picture_of,
    picture_with_candidates,
    pictures_of_outcome,
)
from satdoku.picture.qr import qr_code
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.value import value
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.questions import check
from satdoku.solving.solvers import Settings


@value(frozen=True)
class Sketcher:
    """Answerer that makes a sketch of the puzzle of each task.

    With settings the puzzles are solved: the solution replaces the puzzle, or, with `is_at_end`, is
    put among the answers.
    """

    spelling: Spelling = USUAL
    settings: Settings | None = None
    is_at_end: bool = False
    has_candidates: bool = False
    has_rating: bool = False
    link: str = ""

    @property
    def timeout(self) -> float | None:
        return None if self.settings is None else self.settings.limits.timeout

    def answers(self, tasks: Sequence[Task]) -> Iterator[Row]:
        return (guarded(task, self._answer) for task in tasks)

    def give_up(self, task: Task, reason: str) -> Row:
        """Return a row with a sketch of the puzzle without its solution."""
        message = f"{task.place}: {Ending.UNDECIDED.value}: {reason}"
        try:
            # Only the search for a solution failed; the board itself can still be drawn.
            sketch = Sketch((picture_of(task.parse(), spelling=self.spelling),))
        except FormatError as error:
            return _refuse(error)
        return Row("", Ending.UNDECIDED, message, result=sketch, place=task.place)

    def _answer(self, task: Task) -> Row:
        try:
            puzzle = task.parse()
        except FormatError as error:
            return _refuse(error)
        if self.has_candidates:
            board = picture_with_candidates(puzzle, spelling=self.spelling)
        else:
            board = picture_of(puzzle, spelling=self.spelling)
        if self.has_rating:
            board = replace(board, captions=(*board.captions, _rating_of(puzzle)))
        if self.link:
            board = _with_link(board, puzzle, self.link)
        if self.settings is None:
            # A drawn puzzle counts as answered, because its solutions were not asked for.
            return Row("", Ending.SOLVED, result=Sketch((board,)))
        outcome = check(puzzle, self.settings)
        found = pictures_of_outcome(outcome, self.spelling)
        sketch = Sketch((board,), found) if self.is_at_end else Sketch(found)
        message = ""
        if outcome.verdict is not Verdict.UNIQUE:
            message = f"{task.place}: {name_of(puzzle)}{sentence(outcome)}"
        return Row("", Ending.of(outcome.verdict), message, result=sketch, place=task.place)


def _with_link(board: Picture, puzzle: Puzzle, name: str) -> Picture:
    """Return the picture with a link in this format, or with a caption that says why not."""
    # Few drawings have a link or a rating, and what these need is slow to import.
    from satdoku.notation.formats import format_named

    try:
        link = format_named(name).write(puzzle).strip()
        qr_code(link)
    except SatdokuError as error:
        return replace(board, captions=(*board.captions, f"no QR code: {error}"))
    return replace(board, link=link)


def _rating_of(puzzle: Puzzle) -> str:
    """Return the caption of a board: its difficulty."""
    from satdoku.rating.rater import rate_all

    try:
        [rated] = rate_all([puzzle])
    except SatdokuError as error:
        return f"no rating: {error}"
    if rated.rating is None:
        return f"no rating: {sentence(rated.outcome)}"
    return f"{rated.rating.level.value} ({rated.rating.number})"


def _refuse(error: FormatError) -> Row:
    return Row("", Ending.UNREADABLE, str(error), place=error.place)
