"""The meaning of variables, as comments in formulas and certificates.

`describe` yields those about the puzzle and its candidates. Others state what makes some auxiliary
variables true in a grid:

    c aux 730-732 worth 5,6,8 of r1c1,r1c2*1,2,3,4 r2c2*0,0,1,0    the sum is this or more
    c aux 733-735 state 0,1,2 behind 4 of machine 3
    c aux 736-737 choice 1,2 of rule 5

Cells with the same table are grouped before `*`, and the weight of each digit follows it. Machines
are numbered in the order of their rules, and rules in the order of the puzzle, both from 1. States
are numbered from 0.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from types import MappingProxyType
from typing import Any, NamedTuple

from satdoku.errors import FormatError, SatdokuError, quote
from satdoku.notation import spelling
from satdoku.puzzle.constraints import Constraints, Wider
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.arguments import read_cells, write_cells
from satdoku.puzzle.rules.classic import Boxes
from satdoku.puzzle.rules.rule import board_of, write_rule

Table = tuple[int, ...]
"""The weight of each digit; entry 0 is unused."""
Tables = tuple[tuple[int, Table], ...]

MARK = "aux "
"""The prefix of comments about auxiliaries."""

BLOCKED_COMMENT = "the last clause blocks the solution"

# Most numbers in one comment; a longer comment would exceed the 1,024 bytes that some proof
# checkers read.
_MOST_NUMBERS = 40

# Patterns are compiled by `re` on first use: only reading a formula needs them.
_WORTH = r"worth (\S+) of (.+)"
_STATE = r"state (\S+) behind (\d{1,4}) of machine (\d{1,7})"
_CHOICE = r"choice (\S+) of rule (\d{1,7})"
_KINDS = _WORTH, _STATE, _CHOICE
_NUMBERS = r"(\d{1,10})(?:-(\d{1,10}))?"
_INTEGER = r"-?\d{1,10}"


class Worth(NamedTuple):
    """The digits of some cells have the weighted sum `value` or more."""

    tables: Tables
    value: int


class State(NamedTuple):
    """A machine is in one of its states after its first `behind` cells."""

    machine: int
    behind: int
    state: int


class Choice(NamedTuple):
    """One of a rule's choices holds."""

    rule: int
    choice: int


Meaning = Worth | State | Choice


def describe(puzzle: Puzzle, program: str, how: str, blocked: Grid | None = None) -> Iterator[str]:
    """Yield the comments about the puzzle; `how` says how the rules are encoded.

    `blocked` is a solution that the formula excludes.
    """
    geometry = puzzle.geometry
    size = geometry.size
    yield program
    # For an empty board the next comment is enough.
    if any(puzzle.grid.digits):
        yield f"sudoku {spelling.write_cells(puzzle.grid)}"
    # For a puzzle without boxes, a box shape would mislead.
    boxes = f" with boxes of {geometry}" if Boxes() in puzzle.rules else ""
    yield f"board {size}x{size}{boxes}" if geometry.is_plain else str(geometry)
    # All rules, since a puzzle may also lack boxes.
    for rule in () if puzzle.is_classic else puzzle.rules:
        said = rule.sentence(board_of(rule, geometry))
        yield f"rule {write_rule(rule, geometry)} ({said})"
    yield how
    number = f"(row - 1) * {size * size} + (column - 1) * {size} + digit: "
    counted = "all counted from 1"
    if not geometry.is_plain:
        number = f"cell * {size} + digit: "
        counted = "cells from 0 in reading order, those beside the board last"
    yield f"variable {number}this cell holds this digit, {counted}"
    if blocked is not None:
        yield f"{BLOCKED_COMMENT} " + spelling.write_cells(blocked)


class Notes:
    """Collects the meanings of a formula's auxiliaries while the formula is made.

    `numbers` has the number of each machine and choice. `write_further` adds redundant clauses to
    the kit of a formula, such as those of joint sums, which shorten long proofs.
    """

    def __init__(
        self,
        numbers: Mapping[Wider, int] = MappingProxyType({}),
        write_further: "Callable[[Constraints, Any], object] | None" = None,
    ) -> None:
        self.meanings: dict[int, Meaning] = {}
        self.write_further = write_further
        self._numbers = numbers

    def add_worth(self, auxiliary: int, tables: Tables, value: int) -> None:
        self.meanings[auxiliary] = Worth(tables, value)

    def add_states(self, machine: Wider, behind: int, auxiliaries: Mapping[int, int]) -> None:
        """Record the auxiliaries of a machine's states after `behind` cells."""
        # Tables are slow to hash, so the number is looked up once for all states of a layer.
        number = self._numbers.get(machine, -1)
        for state, auxiliary in auxiliaries.items():
            self.meanings[auxiliary] = State(number, behind, state)

    def add_choices(self, either: Wider, auxiliaries: Sequence[int]) -> None:
        number = self._numbers.get(either, -1)
        for choice, auxiliary in enumerate(auxiliaries):
            self.meanings[auxiliary] = Choice(number, choice)


def write_meanings(meanings: Mapping[int, Meaning], geometry: Geometry) -> Iterator[str]:
    """Yield the comments; consecutive auxiliaries that differ only in a number share one."""
    # In a run of consecutive numbers, the difference from a counter is constant.
    ordered = enumerate(sorted(meanings.items()))
    for (_, subject, _), run in groupby(
        ordered, lambda each: (each[1][0] - each[0], _subject(each[1][1]), each[0] // _MOST_NUMBERS)
    ):
        numbered = [entry for _, entry in run]
        first, last = numbered[0][0], numbered[-1][0]
        numbers = f"{first}-{last}" if last > first else str(first)
        values = ",".join(str(_value(meaning)) for _, meaning in numbered)
        yield f"{MARK}{numbers} {_told(subject, values, geometry)}"


def read_meanings(comment: str, geometry: Geometry) -> Iterator[tuple[int, Meaning]]:
    """Yield the auxiliaries that a comment describes; raise FormatError if it is malformed."""
    numbers, _, told = comment.removeprefix(MARK).partition(" ")
    bounds = re.fullmatch(_NUMBERS, numbers)
    found = next(filter(None, (re.fullmatch(each, told) for each in _KINDS)), None)
    if bounds is None or found is None:
        raise FormatError(f"{quote(comment, 40)} does not say what an auxiliary means")
    first, last = int(bounds[1]), int(bounds[2] or bounds[1])
    values = _integers(found[1])
    if last - first + 1 != len(values):
        raise FormatError(f"{quote(comment, 40)} does not have a number for each auxiliary")
    kind = found.re.pattern
    tables = _read_tables(found[2], geometry) if kind == _WORTH else ()
    for number, value in enumerate(values, first):
        if kind == _WORTH:
            yield number, Worth(tables, value)
        elif kind == _STATE:
            yield number, State(int(found[3]) - 1, int(found[2]), value)
        else:
            yield number, Choice(int(found[2]) - 1, value - 1)


def _subject(meaning: Meaning) -> tuple[object, ...]:
    """Return the part of a meaning that all meanings in one comment share."""
    if isinstance(meaning, Worth):
        return (meaning.tables,)
    if isinstance(meaning, State):
        return meaning.machine, meaning.behind
    return "rule", meaning.rule


def _value(meaning: Meaning) -> int:
    """Return the number by which the meanings in one comment differ."""
    if isinstance(meaning, Worth):
        return meaning.value
    return meaning.state if isinstance(meaning, State) else meaning.choice + 1


def _told(subject: tuple[object, ...], values: str, geometry: Geometry) -> str:
    if len(subject) == 1:
        (tables,) = subject
        assert isinstance(tables, tuple)
        return f"worth {values} of {' '.join(_write_tables(tables, geometry))}"
    one, other = subject
    if one == "rule":
        return f"choice {values} of rule {_counted(other)}"
    return f"state {values} behind {other} of machine {_counted(one)}"


def _counted(number: object) -> int:
    """Return the number for an index: comments count from 1."""
    assert isinstance(number, int)
    return number + 1


def _write_tables(tables: Tables, geometry: Geometry) -> Iterator[str]:
    for table, group in groupby(tables, lambda entry: entry[1]):
        cells = write_cells((cell for cell, _ in group), geometry)
        yield f"{cells}*{','.join(map(str, table[1:]))}"


def _read_tables(text: str, geometry: Geometry) -> Tables:
    tables: list[tuple[int, Table]] = []
    for part in text.split(" "):
        named, _, counted = part.partition("*")
        table = (0, *_integers(counted))
        if len(table) != geometry.size + 1:
            raise FormatError(f"{quote(part, 40)} does not say what each digit counts for")
        try:
            tables += [(cell, table) for cell in read_cells(named, geometry)]
        except SatdokuError as error:
            raise FormatError(str(error)) from None
    # One order of cells, so that equal sums have the same text and the same key.
    cells = [cell for cell, _ in tables]
    if cells != sorted(set(cells)):
        raise FormatError(f"{quote(text, 40)} does not name each cell once, in order")
    return tuple(tables)


def _integers(text: str) -> list[int]:
    words = text.split(",")
    if not all(re.fullmatch(_INTEGER, word) for word in words):
        raise FormatError(f"{quote(text, 40)} is not a list of numbers")
    return [*map(int, words)]
