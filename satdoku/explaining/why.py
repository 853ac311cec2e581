"""Why a cell has its digit, or why a digit is excluded from a cell."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from satdoku.encoding.variables import Placement
from satdoku.errors import SatdokuError
from satdoku.explaining.board import sight_of
from satdoku.explaining.step import Way
from satdoku.explaining.told import Step, steps_of
from satdoku.explaining.trace import argument_of, why_excluded, why_placed
from satdoku.explaining.true_candidates import TrueCandidates
from satdoku.explaining.words.compared import said_of_cell, tell_block
from satdoku.explaining.words.names import Names
from satdoku.puzzle.judge import find_clashes
from satdoku.puzzle.puzzle import Puzzle

# `≠` is accepted because satdoku prints it, so that output can be pasted back.
_PATTERN = re.compile(r"[rR]([0-9]{1,4})[cC]([0-9]{1,4})(?:(=|!=|≠)(.+))?")


class Question(NamedTuple):
    """A cell, and the digit in question, or None for the digit that the cell has."""

    cell: int
    digit: int | None = None


class Answer(NamedTuple):
    """One sentence, and the steps that prove it, if any."""

    sentence: str
    way: Way | None = None

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps that prove the sentence, with their cells and digits."""
        return steps_of(self.way)


def read_question(text: str, puzzle: Puzzle) -> Question:
    """Read a question such as `r4c5`, `r4c5=7` or `r4c5!=3` about a puzzle."""
    found = _PATTERN.fullmatch(text.strip())
    board = puzzle.geometry
    if found is None:
        raise SatdokuError(f"{text!r} is not a question; write r4c5, r4c5=7 or r4c5!=3")
    cell = board.cell_at(int(found[1]) - 1, int(found[2]) - 1)
    if cell is None:
        raise SatdokuError(f"{text!r} is not a cell of a board of {board.board_words}")
    if found[4] is None:
        return Question(cell)
    names = {puzzle.name_of_digit(digit): digit for digit in range(1, board.size + 1)}
    if found[4] not in names:
        raise SatdokuError(f"{found[4]!r} in {text!r} is not a digit of this puzzle")
    return Question(cell, names[found[4]])


def answer(question: Question, way: Way) -> Answer:
    """Return why a cell has its digit or a digit is excluded, by the way of the puzzle."""
    puzzle = way.board.puzzle
    cell, digit = question
    here = puzzle.geometry.name_of(cell)
    # Givens have no step.
    given = puzzle.grid.digits[cell]
    if given:
        is_fitting = digit in (None, given)
        name = puzzle.name_of_digit(given)
        return Answer(f"{here} is given as {name}{'' if is_fitting else ', so it is no other'}.")
    placed = why_placed(way, cell)
    if placed is not None and digit in (None, _last_digit(placed)):
        name = puzzle.name_of_digit(_last_digit(placed))
        return Answer(f"{here} is {name}, for these reasons:", placed)
    if digit is None:
        return Answer(f"No step places a digit in {here}.")
    return _why_not(way, cell, digit)


def _last_digit(way: Way) -> int:
    last = way.steps[-1].places
    assert last is not None
    return way.board.placements[last].digit


def why_excluded_everywhere(question: Question, way: Way, true: TrueCandidates) -> Iterator[Answer]:
    """Yield why no solution has the digit in question in its cell.

    If the question names no digit, yield an answer for each digit that the cell has in no solution.
    `way` has all steps that logic finds.
    """
    puzzle = way.board.puzzle
    cell, asked = question
    possible = true.digits(cell)
    if not true.solutions and true.is_complete:
        yield _no_solution(way)
    elif asked in possible:
        here, name = puzzle.geometry.name_of(cell), puzzle.name_of_digit(asked)
        yield Answer(f"{here} can be {name}: some solution has it there.")
    elif asked is not None or puzzle.grid.digits[cell]:
        yield answer(question, way)
    else:
        for digit in range(1, puzzle.geometry.size + 1):
            if digit not in possible:
                yield answer(Question(cell, digit), way)


def _no_solution(way: Way) -> Answer:
    puzzle = way.board.puzzle
    clash = next(find_clashes(puzzle), None)
    if clash is not None:
        return Answer(f"There is no solution at all: {clash.describe(puzzle.name_of_digit)}.")
    return Answer("There is no solution at all, for these reasons:", argument_of(way))


def _why_not(way: Way, cell: int, digit: int) -> Answer:
    puzzle, board = way.board.puzzle, way.board
    here, name = puzzle.geometry.name_of(cell), puzzle.name_of_digit(digit)
    candidate = board.number_of.get(Placement(cell, digit))
    if candidate is None:
        return Answer(f"{here} is not {name}: {_why_never(way, Placement(cell, digit))}.")
    excluded = why_excluded(way, candidate)
    if excluded is None:
        return Answer(f"No step excludes {name} from {here}.")
    return Answer(f"{here} is not {name}, for these reasons:", excluded)


def _why_never(way: Way, place: Placement) -> str:
    """Return which givens or rule exclude a digit from a cell before any step."""
    puzzle, names = way.board.puzzle, Names(way.board)
    digits = puzzle.grid.digits
    for block in sight_of(puzzle).blocking(digits, *place):
        if block.pair is not None:
            return tell_block(names, block, digits)
        return f"it sees the {names.digit(digits[block.cell])} in {names.cell(block.cell)}"
    return said_of_cell(names, place).format("it")
