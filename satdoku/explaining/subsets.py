"""Subsets and fish: k truths whose members lie in k columns of a table.

Each column has at most one digit that holds, so k truths fill k columns, and nothing else can stand
in these columns. One search serves three tables:

    naked pair, triple, quad         rows are cells of a unit,     columns are digits
    hidden pair, triple, quad        rows are digits of a unit,    columns are cells
    X-wing, swordfish, jellyfish     rows are lines for a digit,   columns are the crossing lines
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from satdoku.explaining.board import Board, Truth, candidates_of
from satdoku.explaining.position import Finding, Position
from satdoku.explaining.step import Technique

_NAKED = (Technique.NAKED_PAIR, Technique.NAKED_TRIPLE, Technique.NAKED_QUAD)
_HIDDEN = (Technique.HIDDEN_PAIR, Technique.HIDDEN_TRIPLE, Technique.HIDDEN_QUAD)
_FISH = (Technique.X_WING, Technique.SWORDFISH, Technique.JELLYFISH)
_SIZES = (2, 3, 4)


class Row(NamedTuple):
    """A truth as a row of a table: the columns that its members lie in, as a mask."""

    columns: int
    truth: Truth


class Table(NamedTuple):
    """Rows of one kind; `column_of` says in which column a candidate lies."""

    names: Sequence[Technique]
    rows: list[Row]
    column_of: Callable[[int], int]


def find_subset(position: Position) -> Finding | None:
    """The smallest subset or fish that excludes something."""
    tables = [table for table in _tables(position) if len(table.rows) > 2]
    for size, number in zip(_SIZES, range(len(_SIZES)), strict=True):
        for table in tables:
            # The rest of the rows fill the rest of the columns: a large subset is a small one seen
            # from the other side, in another table.
            if 2 * size > len(table.rows):
                continue
            for rows in _coverings(table.rows, size):
                excluded = _excluded(position, table, rows)
                if excluded:
                    truths = tuple(row.truth for row in rows)
                    found = tuple(candidates_of(excluded))
                    return Finding(table.names[number], truths, excludes=found)
    return None


def _tables(position: Position) -> Iterator[Table]:
    placements = position.board.placements
    size = position.board.puzzle.geometry.size
    yield from _naked_tables(position, lambda candidate: placements[candidate].digit)
    yield from _hidden_tables(position, lambda candidate: placements[candidate].cell)
    # Rows for one digit cross columns, and the other way round.
    yield from _fish_tables(position, "row", lambda c: placements[c].cell % size)
    yield from _fish_tables(position, "column", lambda c: placements[c].cell // size)


def _naked_tables(position: Position, digit_of: Callable[[int], int]) -> Iterator[Table]:
    rows = {
        truth.cell: _row(position, truth, digit_of)
        for truth in position.open_truths
        if truth.unit is None
    }
    for unit in position.board.puzzle.constraints.units:
        yield Table(_NAKED, [rows[cell] for cell in unit.cells if cell in rows], digit_of)


def _hidden_tables(position: Position, cell_of: Callable[[int], int]) -> Iterator[Table]:
    rows: defaultdict[int, list[Row]] = defaultdict(list)
    for truth in position.open_truths:
        if truth.unit is not None:
            rows[id(truth.unit)].append(_row(position, truth, cell_of))
    for table in rows.values():
        yield Table(_HIDDEN, table, cell_of)


def _fish_tables(position: Position, kind: str, column_of: Callable[[int], int]) -> Iterator[Table]:
    rows: defaultdict[int, list[Row]] = defaultdict(list)
    for truth in position.open_truths:
        if truth.unit is not None and truth.unit.kind == kind:
            rows[truth.digit].append(_row(position, truth, column_of))
    for table in rows.values():
        yield Table(_FISH, table, column_of)


def _row(position: Position, truth: Truth, column_of: Callable[[int], int]) -> Row:
    columns = 0
    for member in candidates_of(truth.members & position.left):
        columns |= 1 << column_of(member)
    return Row(columns, truth)


def _coverings(rows: Sequence[Row], size: int) -> Iterator[tuple[Row, ...]]:
    """Every choice of `size` rows that lie in `size` columns together."""
    narrow = [row for row in rows if row.columns.bit_count() <= size]

    def extend(chosen: tuple[Row, ...], columns: int, start: int) -> Iterator[tuple[Row, ...]]:
        if len(chosen) == size:
            yield chosen
            return
        for place in range(start, len(narrow)):
            together = columns | narrow[place].columns
            if together.bit_count() <= size:
                yield from extend((*chosen, narrow[place]), together, place + 1)

    yield from extend((), 0, 0)


def _excluded(position: Position, table: Table, rows: Sequence[Row]) -> int:
    """What is linked to all members in one of the columns: one of these members holds."""
    board: Board = position.board
    members = 0
    for row in rows:
        members |= row.truth.members
    members &= position.left
    common: dict[int, int] = {}
    for member in candidates_of(members):
        column = table.column_of(member)
        common[column] = common.get(column, position.left) & board.links[member]
    excluded = 0
    for mask in common.values():
        excluded |= mask
    return excluded & ~members
