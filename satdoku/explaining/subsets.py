"""Locked candidates, subsets and fish: what truths exclude that lie within few lines.

Locked: whichever member of a truth holds, it excludes the same candidate elsewhere. In box 2 the 7
must be in row 1, so no other cell of row 1 has a 7 (pointing); or the other way round, from a row
to the rest of a box (claiming).

Subsets and fish are k truths whose members lie in k columns of a table. Each column has at most one
digit that holds, so k truths fill k columns, and nothing else can stand in these columns. One
search serves three tables:

    naked pair, triple, quad         rows are cells of a unit,     columns are digits
    hidden pair, triple, quad        rows are digits of a unit,    columns are cells
    X-wing, swordfish, jellyfish     rows are lines for a digit,   columns are the crossing lines
"""

from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from functools import reduce
from itertools import combinations
from operator import or_
from typing import NamedTuple

from satdoku.explaining.bits import excluded_by
from satdoku.explaining.board import LINES, Board, Truth, candidates_of
from satdoku.explaining.position import Finding, Position
from satdoku.explaining.step import Technique

_NAKED = (Technique.NAKED_PAIR, Technique.NAKED_TRIPLE, Technique.NAKED_QUAD)
_HIDDEN = (Technique.HIDDEN_PAIR, Technique.HIDDEN_TRIPLE, Technique.HIDDEN_QUAD)
_FISH = (Technique.X_WING, Technique.SWORDFISH, Technique.JELLYFISH)
_SIZES = (2, 3, 4)

# Of two lines with fins chains tell, and those of four nobody sees. Fins in more lines than that
# have hardly ever a candidate that they all exclude.
_FINNED = 3
_MOST_BESIDE = 2


class Row(NamedTuple):
    """A truth as a row of a table: the columns that its members lie in, as a mask."""

    columns: int
    truth: Truth


class Table(NamedTuple):
    """Rows of one kind; `column_of` has for each candidate the bit of the column it lies in.

    `key` stands for the same table after every step.
    """

    key: Hashable
    names: Sequence[Technique]
    rows: list[Row]
    column_of: Sequence[int]


class Subsets:
    """The search for subsets and fish on one board; `find` may be asked again after each step."""

    def __init__(self, position: Position) -> None:
        self._position = position
        # The rows of each table when no subset of a size excluded anything. As long as it has the
        # same rows, none does: there are only ever fewer candidates to exclude.
        self._tried: dict[tuple[Hashable, int], list[Row]] = {}
        # What was left of a truth, and the rows that this made.
        self._rows_of: dict[int, tuple[int, list[Row]]] = {}

    def find(self) -> Finding | None:
        """The smallest subset or fish that excludes something."""
        tables = [table for table in self._tables() if len(table.rows) > 2]
        for number, size in enumerate(_SIZES):
            for table in tables:
                # The rest of the rows fill the rest of the columns: a large subset is a small one
                # seen from the other side, in another table.
                if 2 * size > len(table.rows) or self._tried.get((table.key, size)) == table.rows:
                    continue
                for rows in _coverings(table.rows, size):
                    excluded = _excluded(self._position, table, rows)
                    if excluded:
                        truths = tuple(row.truth for row in rows)
                        found = tuple(candidates_of(excluded))
                        return Finding(table.names[number], truths, excludes=found)
                self._tried[table.key, size] = table.rows
        return None

    def find_finned(self) -> Finding | None:
        """Three lines of a digit that are a swordfish but for some fins."""
        for table in self._tables():
            key = table.key, _FINNED
            if table.names is not _FISH or self._tried.get(key) == table.rows:
                continue
            for rows in combinations(table.rows, _FINNED):
                truths = tuple(row.truth for row in rows)
                fins = find_fins(self._position.board, self._position.left, truths)
                if fins is not None:
                    names = (Technique.FINNED_SWORDFISH, Technique.SASHIMI_SWORDFISH)
                    return Finding(names[fins.is_bare], truths, excludes=self._all(truths, fins))
            self._tried[key] = table.rows
        return None

    def _all(self, truths: Sequence[Truth], fins: "Fins") -> tuple[int, ...]:
        """What these lines exclude, by whatever choice of their fins."""
        position = self._position
        masks = [truth.members for truth in truths]
        every = excluded_by(masks, position.board.links, position.left)
        return tuple(candidates_of(fins.excludes if every is None else every))

    def _tables(self) -> Iterator[Table]:
        position = self._position
        digits, cells, rows, columns = position.board.column_bits
        naked: dict[int, Row] = {}
        hidden: defaultdict[int, list[Row]] = defaultdict(list)
        fish: defaultdict[tuple[str, int], list[Row]] = defaultdict(list)
        crossing = {"row": columns, "column": rows}
        for truth in position.open_truths:
            unit = truth.unit
            if unit is None:
                naked[truth.cell] = self._rows(truth, digits)[0]
            elif unit.kind in crossing:
                by_cell, by_line = self._rows(truth, cells, crossing[unit.kind])
                hidden[id(unit)].append(by_cell)
                fish[unit.kind, truth.digit].append(by_line)
            else:
                hidden[id(unit)].append(self._rows(truth, cells)[0])
        for unit in position.board.puzzle.constraints.units:
            found = [naked[cell] for cell in unit.cells if cell in naked]
            yield Table((_NAKED, id(unit)), _NAKED, found, digits)
        for key, table in hidden.items():
            yield Table((_HIDDEN, key), _HIDDEN, table, cells)
        for (kind, digit), table in fish.items():
            yield Table((kind, digit), _FISH, table, crossing[kind])

    def _rows(self, truth: Truth, *tables: Sequence[int]) -> list[Row]:
        """The rows that a truth makes of the tables it stands in; the same ones if it can be."""
        members = truth.members & self._position.left
        known, rows = self._rows_of.get(truth.number, (0, []))
        if known != members:
            listed = candidates_of(members)
            rows = [_row(truth, listed, column_of) for column_of in tables]
            self._rows_of[truth.number] = members, rows
        return rows


def _row(truth: Truth, members: Sequence[int], column_of: Sequence[int]) -> Row:
    columns = 0
    for member in members:
        columns |= column_of[member]
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
        column = table.column_of[member]
        common[column] = common.get(column, position.left) & board.links[member]
    excluded = 0
    for mask in common.values():
        excluded |= mask
    return excluded & ~members


class Fins(NamedTuple):
    """What keeps lines of a digit from being a fish: `fins`, outside of as many `crossing` lines.

    `excludes` is what both the fins and the fish exclude. It `is_bare` where, without fins, a line
    would have a single place.
    """

    fins: int
    crossing: int
    excludes: int
    is_bare: bool


def find_fins(board: Board, left: int, truths: Sequence[Truth]) -> Fins | None:
    """The first choice of fins that excludes something."""
    unit = truths[0].unit
    assert unit is not None, "a fish is made of lines"
    line_of = board.column_bits[3 if unit.kind == "row" else 2]
    lines = [truth.members & left for truth in truths]
    every: defaultdict[int, int] = defaultdict(int)
    for member in candidates_of(reduce(or_, lines)):
        every[line_of[member]] |= 1 << member
    if len(every) > len(truths) + _MOST_BESIDE:
        return None
    for inside in combinations(every, len(truths)):
        fins = reduce(or_, [mask for line, mask in every.items() if line not in inside], 0)
        common = _linked_to_all(board, fins, left) if fins else 0
        excludes = reduce(or_, [_linked_to_all(board, every[line], common) for line in inside])
        if excludes:
            is_bare = any((line & ~fins).bit_count() < 2 for line in lines)
            return Fins(fins, sum(inside), excludes, is_bare)
    return None


def _linked_to_all(board: Board, members: int, among: int) -> int:
    """Those of some candidates that are linked to all members."""
    for member in candidates_of(members) if among else ():
        among &= board.links[member]
    return among


class Locked:
    """The search for locked candidates on one board; `find` may be asked again after each step."""

    def __init__(self, position: Position) -> None:
        self._position = position
        # What was left of each truth when it excluded nothing. As long as the same is left, it
        # excludes nothing: there are only ever fewer candidates that it could exclude.
        self._tried = [0] * len(position.board.truths)

    def find(self) -> Finding | None:
        """The first truth whose members all exclude the same candidates."""
        position, tried = self._position, self._tried
        left, links = position.left, position.board.links
        for truth in position.open_truths:
            members = truth.members & left
            if members == tried[truth.number]:
                continue
            common = left
            for member in candidates_of(members):
                common &= links[member]
                if not common:
                    break
            if common:
                technique = _name(position.board, truth, left, common)
                return Finding(technique, (truth,), excludes=tuple(candidates_of(common)))
            tried[truth.number] = members
        return None


def _name(board: Board, truth: Truth, left: int, excluded: int) -> Technique:
    """Pointing and claiming are between a line and another unit; the rest has one common name."""
    if truth.unit is None:
        return Technique.LOCKED
    shared = _units_shared(board, truth.members & left | excluded)
    if truth.unit.kind in LINES:
        return Technique.CLAIMING if shared - set(LINES) else Technique.LOCKED
    return Technique.POINTING if shared & set(LINES) else Technique.LOCKED


def _units_shared(board: Board, candidates: int) -> set[str]:
    """The kinds of the units in which all these candidates lie."""
    constraints = board.puzzle.constraints
    shared: set[int] | None = None
    for candidate in candidates_of(candidates):
        units = set(constraints.units_of[board.placements[candidate].cell])
        shared = units if shared is None else shared & units
    return {constraints.units[index].kind for index in shared or ()}
