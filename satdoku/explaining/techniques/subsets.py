"""Subsets and fish, also with fins: k truths whose members lie in k columns of a table.

Of the candidates in a column at most one holds, so k truths fill k columns, and all other
candidates of these columns are excluded. One search serves three tables:

    naked pair, triple, quad         rows are cells of a unit,     columns are digits
    hidden pair, triple, quad        rows are digits of a unit,    columns are cells
    X-wing, swordfish, jellyfish     rows are lines for a digit,   columns are the crossing lines

The search tries all choices of up to four truths. Larger subsets, for which only boards above 9x9
have room, have too many choices: a matching of cells and digits (`deducing/prune.py`) finds them as
*Hall sets*, k cells with only k digits. If fewer cells of the unit are outside the set than inside,
the step is worded as the hidden subset of the others: k digits with only k cells.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache, reduce
from itertools import combinations
from operator import attrgetter, or_
from typing import NamedTuple

from satdoku.deducing.prune import ImpossibleError, Matching, find_components
from satdoku.encoding.variables import Placement
from satdoku.explaining.board import MOST_KINDS, Board, Truth, candidates_of, excluded_by
from satdoku.explaining.position import Finding, Position
from satdoku.explaining.step import Technique
from satdoku.explaining.techniques.strong_links import Fins, every_fins
from satdoku.puzzle.constraints import digits_of, mask_of
from satdoku.puzzle.grid import Unit

_NAKED = (Technique.NAKED_PAIR, Technique.NAKED_TRIPLE, Technique.NAKED_QUAD)
# Subsets whose cells lie both in a line and in a box.
_LOCKED = (Technique.LOCKED_PAIR, Technique.LOCKED_TRIPLE)
_HIDDEN = (Technique.HIDDEN_PAIR, Technique.HIDDEN_TRIPLE, Technique.HIDDEN_QUAD)
_FISH = (Technique.X_WING, Technique.SWORDFISH, Technique.JELLYFISH)
_SIZES = (2, 3, 4)

_FINS = {
    3: (Technique.FINNED_SWORDFISH, Technique.SASHIMI_SWORDFISH),
    4: (Technique.FINNED_JELLYFISH, Technique.SASHIMI_JELLYFISH),
}

# The number of lines of a finned fish: two lines make a chain, and nobody sees four.
_FINNED = 3
# The most crossing lines of a finned fish: fins in more than two further lines hardly ever exclude
# a common candidate. The most lines to choose from: more have too many choices for a person.
_MOST_CROSSING, _MOST_LINES = _FINNED + 2, 5


class TruthRow(NamedTuple):
    """A truth as a row of a table, with the mask of the columns of its members."""

    columns: int
    truth: Truth


class Table(NamedTuple):
    """A table with rows of one kind; `column_of` has for each candidate the bit of its column.

    `number` identifies the table from step to step, `place` is its rank in the search; `members`
    are the members of all its rows.
    """

    number: int
    place: tuple[int, int]
    names: Sequence[Technique]
    rows: list[TruthRow]
    column_of: Sequence[int]
    members: int


class Subsets:
    """The search for subsets and fish on one board; `find` may be called again after each step."""

    def __init__(self, position: Position) -> None:
        self._position = position
        # The rows of each table when no subset of this size excluded anything. While the rows stay
        # the same, none does, since candidates to exclude only become fewer.
        self._tried: dict[tuple[int, int], list[TruthRow]] = {}
        self._finned: dict[int, list[TruthRow]] = {}
        board = position.board
        # The tables, and the candidates left and those known to hold when the tables were last
        # updated.
        if board.root is None:
            self._tables, self._left, self._known = _tables(board), -1, -1
        else:
            self._tables = _tables_of(board.root).copy()
            self._left, self._known = board.root.every_candidate, 0

    def find(self) -> Finding | None:
        """Return the smallest subset or fish that excludes something, or None."""
        tables = [table for table in self._renewed() if len(table.rows) > 2]
        for number, size in enumerate(_SIZES):
            for table in tables:
                # The other rows fill the other columns: a large subset is a small one of another
                # table.
                if 2 * size > len(table.rows):
                    continue
                if table.rows == self._tried.get((table.number, size)):
                    continue
                narrow = [row for row in table.rows if row.columns.bit_count() <= size]
                for rows in _coverings(narrow, size):
                    excluded = _excluded(self._position, table, rows)
                    if excluded:
                        truths = tuple(row.truth for row in rows)
                        found = tuple(candidates_of(excluded))
                        name = self._name(table, number, truths)
                        return Finding(name, truths, excludes=found)
                self._tried[table.number, size] = table.rows
        return None

    def _name(self, table: Table, number: int, truths: Sequence[Truth]) -> Technique:
        if table.names is _NAKED and number < len(_LOCKED):
            units_of = self._position.board.puzzle.constraints.units_of
            shared = set.intersection(*(set(units_of[truth.cell]) for truth in truths))
            if len(shared) > 1:
                return _LOCKED[number]
        return table.names[number]

    def every(self) -> Iterator[Finding]:
        """Yield each subset and each fish that excludes more than smaller ones of its table."""
        known: defaultdict[int, int] = defaultdict(int)
        for number, size in enumerate(_SIZES):
            for table in self._renewed():
                narrow = [row for row in table.rows if 1 < row.columns.bit_count() <= size]
                for rows in _coverings(narrow, size):
                    excluded = _excluded(self._position, table, rows)
                    if excluded & ~known[table.number]:
                        known[table.number] |= excluded
                        truths = tuple(row.truth for row in rows)
                        name = self._name(table, number, truths)
                        yield Finding(name, truths, excludes=tuple(candidates_of(excluded)))

    def every_finned(self) -> Iterator[Finding]:
        """Yield each fish of three or four lines with each choice of its fins."""
        position = self._position
        for table in self._renewed():
            if table.names is not _FISH:
                continue
            for size in _SIZES[1:]:
                for truths in self._with_fins(table, size):
                    for fins in every_fins(position.board, position.left, truths):
                        name = _FINS[size][fins.is_bare]
                        yield Finding(name, truths, excludes=tuple(candidates_of(fins.excludes)))

    def _with_fins(self, table: Table, size: int) -> list[tuple[Truth, ...]]:
        """Return the choices of lines that exclude a candidate, as they would have too few places.

        `size` lines need places in as many crossing lines. They exclude a candidate if, were it to
        hold, their places would lie in fewer.
        """
        position = self._position
        found: dict[tuple[int, ...], tuple[Truth, ...]] = {}
        targets = 0
        for row in table.rows:
            targets |= row.truth.members
        # Only candidates of this digit are tried: others exclude places in one line at most.
        for target in candidates_of(targets & position.left):
            left = position.left & ~position.board.links[target]
            rows = [
                _row(row, left, table.column_of)
                for row in table.rows
                if not row.truth.members >> target & 1
            ]
            narrow = [row for row in rows if 0 < row.columns.bit_count() < size]
            for chosen in _coverings(narrow, size, size - 1):
                if not _has_smaller(chosen):
                    truths = tuple(row.truth for row in chosen)
                    found[tuple(truth.number for truth in truths)] = truths
        return list(found.values())

    def find_finned(self) -> Finding | None:
        """Return a finned swordfish: three lines of a digit that are one but for their fins."""
        for table in self._renewed():
            known = self._finned.get(table.number)
            if table.names is not _FISH or len(table.rows) > _MOST_LINES or table.rows == known:
                continue
            for rows in combinations(table.rows, _FINNED):
                crossing = reduce(or_, [row.columns for row in rows])
                if not _FINNED < crossing.bit_count() <= _MOST_CROSSING:
                    continue
                truths = tuple(row.truth for row in rows)
                fins = next(every_fins(self._position.board, self._position.left, truths), None)
                if fins is not None:
                    name = _FINS[_FINNED][fins.is_bare]
                    return Finding(name, truths, excludes=self._all(truths, fins))
            self._finned[table.number] = table.rows
        return None

    def _all(self, truths: Sequence[Truth], fins: Fins) -> tuple[int, ...]:
        """Return the exclusions of these lines under every choice of their fins."""
        position = self._position
        masks = [truth.members for truth in truths]
        every = excluded_by(masks, position.board.links, position.left)
        return tuple(candidates_of(fins.excludes if every is None else every))

    def _renewed(self) -> list[Table]:
        """Return the updated tables in the order in which they are searched."""
        position, tables = self._position, self._tables
        left, known = position.left, position.placed | position.board.givens
        # Placed candidates count as changes, too: a single changes no member of its truth.
        changed = self._left ^ left | self._known ^ known
        self._left, self._known = left, known
        for number, table in enumerate(tables):
            if table.members & changed:
                rows = [
                    _row(row, left, table.column_of) if row.truth.members & changed else row
                    for row in table.rows
                    if not row.truth.members & known
                ]
                place = _place(table, rows)
                tables[number] = Table(
                    number, place, table.names, rows, table.column_of, table.members
                )
        return sorted(tables, key=_PLACE)


@lru_cache(maxsize=MOST_KINDS)
def _tables_of(root: Board) -> list[Table]:
    """Return the tables that all boards of a kind begin with; cached."""
    tables = _tables(root)
    for number, table in enumerate(tables):
        rows = [_row(row, -1, table.column_of) for row in table.rows]
        tables[number] = table._replace(rows=rows, place=_place(table, rows))
    return tables


def _tables(board: Board) -> list[Table]:
    """Return the tables of a board before any step, without columns."""
    bits = board.tables.bits
    hidden: defaultdict[int, list[Truth]] = defaultdict(list)
    for truth in board.truths:
        if truth.unit is not None:
            hidden[id(truth.unit)].append(truth)
    found = [(_NAKED, truths, bits.digits) for truths in board.tables.cells_of_units]
    found += [(_HIDDEN, truths, bits.cells) for truths in hidden.values()]
    found += [(_FISH, *line) for line in board.tables.lines]
    tables = []
    for number, (names, truths, column_of) in enumerate(found):
        listed = [TruthRow(0, truth) for truth in truths]
        members = reduce(or_, [truth.members for truth in truths], 0)
        tables.append(Table(number, (0, 0), names, listed, column_of, members))
    return tables


_FAMILIES = (_NAKED, _HIDDEN, _FISH)
_PLACE = attrgetter("place")


def _place(table: Table, rows: Sequence[TruthRow]) -> tuple[int, int]:
    """Return the rank of a table: cells unit by unit, other tables by their first rows."""
    # The rank must not depend on which tables were updated, or the order of steps would, too.
    if table.names is _NAKED or not rows:
        return _FAMILIES.index(table.names), table.number
    return _FAMILIES.index(table.names), rows[0].truth.number


def _row(row: TruthRow, left: int, column_of: Sequence[int]) -> TruthRow:
    """Return a row with the columns of its remaining members; the same object if unchanged."""
    columns, members = 0, row.truth.members & left
    # This is `digits_of` without a list: most of the time for tables is spent here.
    while members:
        member = members.bit_length() - 1
        columns |= column_of[member]
        members ^= 1 << member
    return row if row.columns == columns else TruthRow(columns, row.truth)


def _has_smaller(rows: Sequence[TruthRow]) -> bool:
    """Whether some of these rows lie in fewer columns than the number of these rows."""
    for size in range(1, len(rows)):
        for some in combinations(rows, size):
            columns = 0
            for row in some:
                columns |= row.columns
            if columns.bit_count() < size:
                return True
    return False


def _coverings(
    narrow: Sequence[TruthRow], size: int, most: int | None = None
) -> list[tuple[TruthRow, ...]]:
    """Return every choice of `size` rows that lie in at most `most` columns (`size` if None)."""
    most = size if most is None else most
    if len(narrow) < size:
        return []
    # Each choice so far with its columns, and the index of the first row that may follow.
    chosen: list[tuple[tuple[TruthRow, ...], int, int]] = [((), 0, 0)]
    for missing in range(size, 0, -1):
        end = len(narrow) - missing + 1
        chosen = [
            ((*before, narrow[place]), together, place + 1)
            for before, columns, start in chosen
            for place in range(start, end)
            if (together := columns | narrow[place].columns).bit_count() <= most
        ]
    return [rows for rows, _, _ in chosen]


def _excluded(position: Position, table: Table, rows: Sequence[TruthRow]) -> int:
    """Return the candidates linked to all members in one of the columns, as one of these holds."""
    members = 0
    for row in rows:
        members |= row.truth.members
    members &= position.left
    common: dict[int, int] = {}
    for member in candidates_of(members):
        column = table.column_of[member]
        common[column] = common.get(column, position.left) & position.board.links[member]
    excluded = 0
    for mask in common.values():
        excluded |= mask
    return excluded & ~members


# The fewest open cells of a unit: with nine, at most four are in the set, or outside it.
_FEWEST_CELLS = 10


class HallSets:
    """The search for Hall sets on one board; `find` may be called again after each step."""

    def __init__(self, position: Position) -> None:
        self._position = position
        # The candidates of each unit when its Hall sets were last found to exclude nothing.
        self._tried: dict[int, dict[int, int]] = {}

    def find(self) -> Finding | None:
        """Return the first Hall set that excludes something, unit by unit, or None."""
        position = self._position
        puzzle = position.board.puzzle
        if puzzle.geometry.size < _FEWEST_CELLS:
            return None
        truths = {t.cell: t for t in position.open_truths if t.unit is None}
        left = {cell: truth.members & position.left for cell, truth in truths.items()}
        for number, unit in enumerate(puzzle.constraints.units):
            here = {cell: left[cell] for cell in unit.cells if cell in left}
            if len(here) < _FEWEST_CELLS or self._tried.get(number) == here:
                continue
            found = self._find_in(unit, here, truths)
            if found is not None:
                return found
            self._tried[number] = here
        return None

    def _find_in(
        self, unit: Unit, left: dict[int, int], truths: dict[int, Truth]
    ) -> Finding | None:
        """Return the first Hall set that excludes something in a unit with these candidates."""
        position = self._position
        placements = position.board.placements
        cells = list(left)
        masks = [0] * position.board.puzzle.geometry.cell_count
        for cell, candidates in left.items():
            masks[cell] = mask_of(placements[number].digit for number in candidates_of(candidates))
        for inside, digits in _closed_sets(cells, masks, position.board.puzzle.geometry.size):
            excluded = _of_digits(position, [c for c in cells if c not in inside], digits)
            if excluded:
                used = [truths[cell] for cell in inside]
                others = _others(position, unit, digits)
                if others and len(others) < len(used):
                    used = others
                return Finding(Technique.HALL_SET, tuple(used), excludes=excluded)
        return None


def _closed_sets(
    cells: Sequence[int], masks: Sequence[int], size: int
) -> list[tuple[list[int], int]]:
    """Return the Hall sets of some cells that contain no smaller one, each with its digits."""
    matching = Matching(size)
    try:
        used = matching.complete(cells, masks)
    except ImpossibleError:
        return []  # these cells cannot all be filled; cases will tell why
    every = 0
    for cell in cells:
        every |= masks[cell]
    return [
        (sorted(matching.owner_of[digit] for digit in digits_of(found.digits)), found.digits)
        for found in find_components(matching, masks, used, every & ~used)
        if found.is_hall_set and not found.outside
    ]


def _of_digits(position: Position, cells: Sequence[int], digits: int) -> tuple[int, ...]:
    """Return the candidates of these digits in some cells."""
    numbers = position.board.number_of
    wanted = (Placement(cell, digit) for cell in cells for digit in digits_of(digits))
    found = (numbers[place] for place in wanted if place in numbers)
    return tuple(sorted(number for number in found if position.left >> number & 1))


def _others(position: Position, unit: Unit, digits: int) -> list[Truth]:
    """Return the truths of the unit's other digits; empty unless it has every digit."""
    here = [truth for truth in position.open_truths if truth.unit == unit]
    return [truth for truth in here if not digits >> truth.digit & 1]
