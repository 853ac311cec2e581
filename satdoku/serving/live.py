"""The live protocol of Rangsk's solver, by which a userscript sends questions on f-puzzles boards.

A message is one object: `{"nonce": 1, "command": "check", "dataType": "fpuzzles", "data": "..."}`.
The data is the board, compressed as in links of f-puzzles, with two more entries.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from satdoku.errors import SatdokuError
from satdoku.explaining import explain as explaining
from satdoku.explaining.explain import Scope
from satdoku.explaining.hint import find_hint
from satdoku.explaining.slides import end_of, slide_of
from satdoku.explaining.true_candidates import count_candidates
from satdoku.notation.exchange.lzstring import unpack
from satdoku.notation.reading import read_puzzles
from satdoku.picture.picture import Emphasis, Picture
from satdoku.puzzle.grid import EMPTY, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.single_cells import Candidates
from satdoku.puzzle.verdict import Verdict
from satdoku.solving import questions
from satdoku.solving.kept import kept_here
from satdoku.solving.limits import Budget, Limits
from satdoku.solving.solvers import Settings

Reply = dict[str, Any]

# The entry with options for the solver, which is not part of the puzzle.
_OPTIONS = "truecandidatesoptions"
_NOT_OF_THE_BOARD = ("disabledlogic", _OPTIONS)
_COUNT_OPTION = "truecandidatesnumsolutions="
# The highest cap that the protocol allows, so that one solution more or less does not matter.
_HIGHEST_CAP = 8
# The wording that the userscript expects.
_NO_SOLUTION = "No solutions found."
# Counting reports progress at 1,000 solutions, and whenever the number has quadrupled.
_FIRST_TOLD, _TIMES = 1000, 4


class _Board:
    """The board of a message: the puzzle, the entered digits, and options of the solver."""

    def __init__(self, data: object) -> None:
        if not isinstance(data, str):
            raise SatdokuError("the entry 'data' is a board of f-puzzles, packed as in its links")
        try:
            board = json.loads(unpack(data))
        except (ValueError, RecursionError):
            raise SatdokuError("the board is no JSON object") from None
        if not isinstance(board, dict):
            raise SatdokuError("the board is no JSON object")
        # Userscripts send a list; any other value is ignored.
        options = board.get(_OPTIONS)
        self.options = options if isinstance(options, list) else []
        bare = {name: value for name, value in board.items() if name not in _NOT_OF_THE_BOARD}
        [self.puzzle] = read_puzzles([json.dumps(bare)], "board", "fpuzzles")
        self._cells: list[Mapping[str, Any]] = [cell for row in bare["grid"] for cell in row]

    @property
    def cap(self) -> int:
        """Return how many solutions to count for each candidate; 1 by default."""
        for option in self.options:
            if option == "colored":  # sent by older userscripts
                return _HIGHEST_CAP
            number = str(option).removeprefix(_COUNT_OPTION)
            if number.isdigit() and len(number) < 3:
                return max(1, min(int(number), _HIGHEST_CAP))
        return 1

    @property
    def entered(self) -> Grid:
        """Return the digits that were entered so far, givens included."""
        values = [cell.get("value") or EMPTY for cell in self._cells]
        if any(type(value) is not int for value in values):
            raise SatdokuError("a cell of this board has an entry that is no digit")
        return Grid(self.puzzle.geometry, tuple(values))

    @property
    def marks(self) -> list[Candidates]:
        """Return the candidates that centre marks leave in open cells, as set by earlier steps."""
        size = self.puzzle.geometry.size
        left = {}
        for place, cell in enumerate(self._cells):
            marks = cell.get("centerPencilMarks")
            if isinstance(marks, list) and not cell.get("value"):
                left[place] = [mark for mark in marks if type(mark) is int and 1 <= mark <= size]
        left = {place: marks for place, marks in left.items() if marks}
        return [Candidates.of(left)] if left else []


def live(message: Mapping[str, Any], limits: Limits) -> Iterator[Reply]:
    """Yield the replies to a command, each as the entry `reply` of a part."""
    command = message.get("command")
    answer = _COMMANDS.get(command) if isinstance(command, str) else None
    if answer is None:
        raise SatdokuError(f"the command {str(command)[:40]} is not offered")
    for reply in answer(_Board(message.get("data")), limits):
        yield {"reply": reply}


def _check(board: _Board, limits: Limits) -> Iterator[Reply]:
    outcome = kept_here().decide(board.puzzle, Budget(limits))
    if outcome.verdict is Verdict.UNDECIDED:
        raise SatdokuError(f"undecided: {outcome.reason}")
    # Editors ask only whether the solution is unique; numbers above two are not distinguished.
    numbers = {Verdict.NONE: 0, Verdict.UNIQUE: 1, Verdict.MULTIPLE: 2}
    yield _count_reply(numbers[outcome.verdict], False)


def _count(board: _Board, limits: Limits) -> Iterator[Reply]:
    budget, told = Budget(limits), _FIRST_TOLD
    while True:
        found = questions.count(board.puzzle, told, Settings(limits=budget.rest()))
        budget.require()
        yield _count_reply(found.number, not found.is_complete)
        if found.is_complete:
            return
        # Each report restarts the count; the repeated work is a third of the total.
        told *= _TIMES


def _count_reply(number: int, is_running: bool) -> Reply:
    return {"type": "count", "count": number, "inProgress": is_running}


def _solve(board: _Board, limits: Limits) -> Iterator[Reply]:
    outcome = questions.check(board.puzzle, Settings(limits=limits))
    if outcome.solution is None:
        raise SatdokuError(outcome.reason or _NO_SOLUTION)
    yield {"type": "solved", "solution": list(outcome.solution.digits)}


def _true_candidates(board: _Board, limits: Limits) -> Iterator[Reply]:
    budget = Budget(limits)
    found = count_candidates(board.puzzle, board.cap, budget).numbers
    budget.require()
    if not any(found):
        raise SatdokuError(_NO_SOLUTION)
    digits = range(1, board.puzzle.geometry.size + 1)
    numbers = [counts.get(digit, 0) for counts in found for digit in digits]
    yield {"type": "truecandidates", "solutionsPerCandidate": numbers}


def _step(board: _Board, limits: Limits) -> Iterator[Reply]:
    hint = find_hint(board.puzzle, board.entered, limits, next(iter(board.marks), None))
    if wrong := hint.wrong or hint.missing:
        raise SatdokuError(f"wrong: {', '.join(map(board.puzzle.geometry.name_of, wrong))}")
    if hint.outcome.verdict is Verdict.NONE:
        raise SatdokuError(_NO_SOLUTION)
    if hint.way is None:
        raise SatdokuError("No logical step found.")
    yield _logical(slide_of(hint.way).picture, hint.how)


def _solve_path(board: _Board, limits: Limits) -> Iterator[Reply]:
    start: Puzzle = board.puzzle.with_grid(board.entered).with_rules(board.marks)
    told: list[str] = []
    way = None
    for way in explaining.walk(start, Scope(limits=limits)):
        # The last item has the end of the search and no further step.
        if len(way.steps) > len(told):
            told.append(slide_of(way).text)
    if way is None:
        raise SatdokuError(_NO_SOLUTION)
    end = end_of(way)
    told.append(": ".join(filter(None, (end.heading, end.text))))
    yield _logical(end.picture, "\n".join(told), way.dead_end is None)


def _logical(picture: Picture, text: str, is_valid: bool = True) -> Reply:
    """Return the board after the exclusions and placements of a step."""
    placed = {place.cell: place.digit for place, why in picture.places.items() if why is _PLACED}
    cells: list[Reply] = []
    for cell, digit in enumerate(picture.digits):
        value = digit or placed.get(cell, 0)
        left = [
            each
            for each in picture.small_digits.get(cell, ())
            if picture.places.get((cell, each)) is not Emphasis.EXCLUDED  # type: ignore[call-overload]
        ]
        cells.append({"value": value} if value else {"value": 0, "candidates": left})
    return {"type": "logical", "cells": cells, "message": f"{text}\n", "isValid": is_valid}


_PLACED = Emphasis.PLACED
_COMMANDS = {
    "check": _check,
    "count": _count,
    "solve": _solve,
    "truecandidates": _true_candidates,
    "step": _step,
    "solvepath": _solve_path,
}
