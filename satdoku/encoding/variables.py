"""Which boolean variable stands for which digit in which cell, and what auxiliary ones say.

Cell c (from 0, row by row) holding digit d (from 1) is variable c * N + d:

    4x4:  cell 0 -> 1..4    cell 1 -> 5..8    ...    cell 15 -> 61..64
    9x9:  cell 0 -> 1..9    cell 1 -> 10..18  ...    cell 80 -> 721..729

Auxiliary variables lie above N * N * N; `decode` ignores them on the way back from a model. Each
says something that every grid makes true or false. Comments tell it to whoever checks a formula:

    c aux 730-732 worth 5,6,8 of r1c1,r1c2*1,2,3,4 r2c2*0,0,1,0    so much or more together
    c aux 733-735 state 0,1,2 behind 4 of machine 3
    c aux 736-737 choice 1,2 of rule 5

Cells that count alike stand together, with what each digit counts for. Machines are those of the
rules in their order, rules those of the puzzle; both are counted from 1, states from 0.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from satdoku.errors import FormatError, SatdokuError, SolverError
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import EMPTY, Grid
from satdoku.puzzle.rules.arguments import read_cells, write_cells

if TYPE_CHECKING:
    from satdoku.puzzle.puzzle import Puzzle

Clause = tuple[int, ...]
"""Literals, variables and negated ones, of which one holds."""

TRUE = 1 << 62
"""A literal that always holds, such as a given; its negation never does. No formula has it."""


class Placement(NamedTuple):
    """A digit in a cell: what a cell variable says when it is true."""

    cell: int
    digit: int


def variable(geometry: Geometry, cell: int, digit: int) -> int:
    """The variable that is true when `cell` holds `digit`.

    >>> variable(Geometry(2, 2), cell=15, digit=4)
    64
    """
    return cell * geometry.size + digit


def placement(geometry: Geometry, number: int) -> Placement:
    """The cell and digit that a cell variable stands for.

    >>> placement(Geometry(2, 2), 64)
    Placement(cell=15, digit=4)
    """
    cell, digit = divmod(number - 1, geometry.size)
    return Placement(cell, digit + 1)


def variable_count(geometry: Geometry) -> int:
    """How many cell variables there are: the highest of them."""
    return geometry.cell_count * geometry.size


def variable_name(geometry: Geometry, number: int) -> str:
    """A cell variable in words.

    >>> variable_name(Geometry(2, 2), 64)
    'r4c4=4'
    """
    cell, digit = placement(geometry, number)
    return f"{geometry.name_of(cell)}={digit}"


class Auxiliaries:
    """Hands out variables above those of the cells."""

    def __init__(self, highest: int) -> None:
        self.highest = highest

    def take(self, count: int) -> range:
        """The next `count` variables that nobody uses yet."""
        first = self.highest + 1
        self.highest += count
        return range(first, first + count)


def decode(geometry: Geometry, model: Iterable[int]) -> Grid:
    """The grid that a model's true cell variables describe; auxiliaries are ignored.

    A cell that the model leaves open stays empty; two digits in one are an error.
    """
    digits = [EMPTY] * geometry.cell_count
    highest = variable_count(geometry)
    for literal in model:
        # Negative literals say what does not hold, higher ones are auxiliaries.
        if 0 < literal <= highest:
            cell, digit = placement(geometry, literal)
            if digits[cell] not in (EMPTY, digit):
                raise SolverError(
                    f"the model has both {digits[cell]} and {digit} in {geometry.name_of(cell)}"
                )
            digits[cell] = digit
    return Grid(geometry, tuple(digits))


def blocking_clause(solution: Grid, puzzle: "Puzzle") -> tuple[int, ...]:
    """The clause that only `solution` violates: some open cell must differ.

    Where no cell is open, it speaks of all cells and contradicts the givens.
    """
    geometry = solution.geometry
    return tuple(
        -variable(geometry, cell, digit)
        for cell, digit in enumerate(solution.digits)
        if puzzle.grid.digits[cell] == EMPTY or puzzle.grid.is_full
    )


Table = tuple[int, ...]
"""What each digit counts for; entry 0 says nothing."""
Tables = tuple[tuple[int, Table], ...]

MARK = "aux "
"""What these comments begin with."""

# In a comment; with more of them it would be longer than some checkers of proofs read, 1,024.
_MOST_NUMBERS = 40

# `re` compiles these when they are met: only formulas that are read say what auxiliaries mean.
_WORTH = r"worth (\S+) of (.+)"
_STATE = r"state (\S+) behind (\d{1,4}) of machine (\d{1,7})"
_CHOICE = r"choice (\S+) of rule (\d{1,7})"
_KINDS = _WORTH, _STATE, _CHOICE
_NUMBERS = r"(\d{1,10})(?:-(\d{1,10}))?"
_INTEGER = r"-?\d{1,10}"


class Worth(NamedTuple):
    """The digits of some cells are worth `value` or more together."""

    tables: Tables
    value: int


class State(NamedTuple):
    """A machine is in a state when it has read its first `behind` cells."""

    machine: int
    behind: int
    state: int


class Choice(NamedTuple):
    """Of a rule that is kept in one of several ways, this way is kept."""

    rule: int
    choice: int


Meaning = Worth | State | Choice


def write_meanings(meanings: Mapping[int, Meaning], geometry: Geometry) -> Iterator[str]:
    """The comments, one for neighbours that differ in a number only."""
    # Where numbers rise by one, their difference from a count stays the same.
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
    """The auxiliaries that a comment tells of; a FormatError says what is wrong with it."""
    numbers, _, told = comment.removeprefix(MARK).partition(" ")
    bounds = re.fullmatch(_NUMBERS, numbers)
    found = next(filter(None, (re.fullmatch(each, told) for each in _KINDS)), None)
    if bounds is None or found is None:
        raise FormatError(f"{comment[:40]!r} does not say what an auxiliary is")
    first, last = int(bounds[1]), int(bounds[2] or bounds[1])
    values = _integers(found[1])
    if last - first + 1 != len(values):
        raise FormatError(f"{comment[:40]!r} does not have a number for each auxiliary")
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
    """What neighbours in a comment have in common."""
    if isinstance(meaning, Worth):
        return (meaning.tables,)
    if isinstance(meaning, State):
        return meaning.machine, meaning.behind
    return "rule", meaning.rule


def _value(meaning: Meaning) -> int:
    """What they differ in."""
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
    """As people count, from 1."""
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
            raise FormatError(f"{part[:40]!r} does not say what each digit counts for")
        try:
            tables += [(cell, table) for cell in read_cells(named, geometry)]
        except SatdokuError as error:
            raise FormatError(str(error)) from None
    # In one order only: so the same amount has the same text, and the same key.
    cells = [cell for cell, _ in tables]
    if cells != sorted(set(cells)):
        raise FormatError(f"{text[:40]!r} does not name each cell once, in order")
    return tuple(tables)


def _integers(text: str) -> list[int]:
    words = text.split(",")
    if not all(re.fullmatch(_INTEGER, word) for word in words):
        raise FormatError(f"{text[:40]!r} is no list of numbers")
    return [*map(int, words)]
