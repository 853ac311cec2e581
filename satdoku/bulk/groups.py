"""The small formula: of each group of open candidates exactly one is true.

A group is what is left open of a cell, or of a digit in a row, column or box. Candidates are
numbered from 1, so that a solver seldom has more than 250 variables, instead of 729.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import accumulate, chain, compress, pairwise
from operator import itemgetter
from typing import NamedTuple

from satdoku.bulk.octets import MARK, NUMBERS, Octets
from satdoku.bulk.order import CellOrder
from satdoku.bulk.sieve import Sifted
from satdoku.puzzle.geometry import Geometry, Unit

LARGEST_BYTE_FORMULA = len(NUMBERS)
_BYTE_NUMBERS = frozenset(NUMBERS)
_RANK_OF = bytes.maketrans(NUMBERS, bytes(range(len(NUMBERS))))
_MARKED = 255

HARD_SHARE = 2
"""With more open candidates than so many times the cells, a formula counts as hard."""

_KINDS = 4  # of groups: cells, and the digits of rows, of columns and of boxes


def supports(geometry: Geometry) -> bool:
    """Whether a cell's number fits a byte that is not that of the mark, and there is a choice.

    >>> supports(Geometry(3, 5)), supports(Geometry(4, 4)), supports(Geometry(1, 1))
    (True, False, False)
    """
    return geometry.size > 1 and geometry.cell_count <= _MARKED


class SmallFormula(NamedTuple):
    """The groups of a board, in each of which exactly one number is true.

    At least one is true of `clauses`, at most one of `exclusive`. Not every group is in both: when
    each cell has one digit, each box has each digit, and no line has one twice, then by counting no
    box has one twice, and every line has each. `true_places` are the places of true numbers; there
    may be other numbers in a model than `numbers`, which say nothing.
    """

    clauses: Collection[Iterable[int]]
    exclusive: Collection[Iterable[int]]
    numbers: frozenset[int]
    true_places: Callable[[Collection[int]], Iterable[int]]


class UnitTable(NamedTuple):
    """How `bytes.translate` lays the units of some digits side by side.

    Some planes (the numbers of one digit in all cells) form the look-up table, padded to 256 and
    ending in a mark. `lines` and `boxes` are places in it, that of the mark after each unit.
    """

    planes: slice
    padding: bytes
    lines: bytes
    boxes: bytes


def lay_out(geometry: Geometry) -> list[UnitTable]:
    """As many digits a table as there is room for."""
    size, count = geometry.size, geometry.cell_count
    at_once = _MARKED // count

    def places_of(units: Sequence[Unit], planes: int) -> bytes:
        return b"".join(
            bytes([*(plane * count + cell for cell in unit.cells), _MARKED])
            for plane in range(planes)
            for unit in units
        )

    tables = []
    for first in range(0, size, at_once):
        planes = min(at_once, size - first)
        tables.append(
            UnitTable(
                planes=slice(first, first + planes),
                padding=bytes(_MARKED - planes * count) + MARK,
                lines=places_of(geometry.rows + geometry.columns, planes),
                boxes=places_of(geometry.boxes, planes),
            )
        )
    return tables


class GroupBuilder:
    """Builds small formulas for one geometry: groups of cells, of lines, and last of boxes."""

    def __init__(self, octets: Octets) -> None:
        geometry = octets.geometry
        self._octets = octets
        self._order = CellOrder(geometry)
        self._places = tuple(range(octets.width))  # a range would make each number anew
        self._group_count = _KINDS * geometry.cell_count
        self._many = HARD_SHARE * geometry.cell_count
        self._unit_tables = lay_out(geometry)
        self._takers = [
            itemgetter(
                *(
                    octets.place(cell, digit)
                    for digit in range(1, geometry.size + 1)
                    for unit in units
                    for cell in unit.cells
                )
            )
            for units in (geometry.rows + geometry.columns, geometry.boxes)
        ]

    def build(self, sifted: Sifted) -> SmallFormula:
        """The formula of what is open, with an empty clause where nothing of a group is left.

        In hard ones the variables have a better order. Solvers decide the highest first: in
        `CellOrder` the two hardest collections take 22 and 30 % fewer conflicts than in the order
        of the board. Easy ones repay neither the sorting nor more constraints than they need.
        """
        places = list(compress(self._places, sifted.open))
        build = self._build_lists if len(places) > LARGEST_BYTE_FORMULA else self._build_bytes
        formula, group_count = build(places)
        known_count = len(sifted.known) - sifted.known.count(0)
        if group_count != self._group_count - _KINDS * known_count:
            return formula._replace(clauses=[b""])
        return formula

    def _build_bytes(self, places: Sequence[int]) -> tuple[SmallFormula, int]:
        """Groups as `bytes`, whose elements are the numbers: built without any loop over them."""
        numbered, rank_of = self._octets.number(places), _RANK_OF
        is_hard = len(places) > self._many
        if is_hard:
            in_order = b"".join(self._order.sort(_split_cells(numbered)))
            numbers = NUMBERS[: len(in_order)]
            renumbering = bytes.maketrans(in_order, numbers)
            numbered = numbered.translate(renumbering)
            rank_of = bytes.maketrans(numbers.translate(renumbering), numbers.translate(_RANK_OF))
        cells = _split(numbered)
        lines, boxes = self._split_units(numbered)
        group_count = len(cells) + len(lines) + len(boxes)
        clauses: Collection[bytes]
        exclusive: Collection[bytes]
        if is_hard:
            clauses, exclusive = cells + lines, [*cells, *lines, *boxes]
        else:
            # Where little is open, many groups are equal; elsewhere finding them costs more than it
            # saves. Never a set: in each process it has another order, and with it the solver would
            # find other solutions.
            clauses, exclusive = dict.fromkeys(cells + boxes), dict.fromkeys(cells + lines)

        def true_places(true: Collection[int]) -> Iterable[int]:
            return map(places.__getitem__, bytes(true).translate(rank_of))

        return SmallFormula(clauses, exclusive, _BYTE_NUMBERS, true_places), group_count

    def _split_units(self, octets: bytes) -> tuple[list[bytes], list[bytes]]:
        """The groups of lines, and those of boxes."""
        stride = self._octets.stride
        planes = [octets[digit::stride] for digit in range(stride - 1)]
        lines, boxes = [], []
        for table in self._unit_tables:
            number_at = b"".join(planes[table.planes]) + table.padding
            lines.append(table.lines.translate(number_at))
            boxes.append(table.boxes.translate(number_at))
        return _split(b"".join(lines)), _split(b"".join(boxes))

    def _build_lists(self, places: Sequence[int]) -> tuple[SmallFormula, int]:
        """The same groups as lists of numbers of any size."""
        ones = bytearray(self._octets.width)
        for place in places:
            ones[place] = 1
        stride = self._octets.stride
        counts = [ones.count(1, begin, begin + stride) for begin in self._places[::stride]]
        cells = self._order.sort(_slice(places, counts))
        in_order = list(chain.from_iterable(cells))
        numbers = [0] * self._octets.width
        for number, place in enumerate(in_order, 1):
            numbers[place] = number
        lines, boxes = (
            _slice(list(filter(None, take_units(numbers))), map(len, groups))
            for take_units, groups in zip(self._takers, self._split_units(bytes(ones)), strict=True)
        )
        count = len(places)
        clauses = [*_slice(range(1, count + 1), map(len, cells)), *lines]
        exclusive = [*clauses, *boxes]

        def true_places(true: Collection[int]) -> Iterable[int]:
            return (in_order[number - 1] for number in true)

        formula = SmallFormula(clauses, exclusive, frozenset(range(1, count + 1)), true_places)
        return formula, len(exclusive)


def _slice(items: Sequence[int], lengths: Iterable[int]) -> list[Sequence[int]]:
    """Neighbouring items, so many in each."""
    return [items[begin:end] for begin, end in pairwise(accumulate(lengths, initial=0))]


def _split(laid_out: bytes) -> list[bytes]:
    """What stands between marks, if anything does."""
    return laid_out.translate(None, b"\0").split()


def _split_cells(numbered: bytes) -> list[bytes]:
    """What stands before the mark of each cell."""
    return numbered.translate(None, b"\0").split(MARK)[:-1]
