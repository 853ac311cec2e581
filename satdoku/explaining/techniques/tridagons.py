"""Tridagons: three digits that do not fit into twelve cells of four boxes.

The four boxes lie in two bands and two stacks. In each box the pattern has three cells, one in each
row and one in each column; read from left to right they rise or fall (cyclically). If an odd number
of the four boxes rises, there is no way to fill all twelve cells with three digits. So one of their
other candidates, the *guardians*, holds, and candidates that all guardians exclude are excluded. If
all guardians are in one cell, that cell has none of the three digits; the eleven other cells may be
filled with them.

(Also called Thor's hammer, or trivalue oddagon.)
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations, permutations, product
from typing import NamedTuple

from satdoku.encoding.variables import Placement
from satdoku.errors import join
from satdoku.explaining.board import LINES, Board, candidates_of, has_boxes_of_nine, linked_to_all
from satdoku.explaining.position import Finding, Position
from satdoku.explaining.step import Deduction, Level, Technique
from satdoku.explaining.techniques.search import Around, Search
from satdoku.explaining.words.names import Names
from satdoku.puzzle.constraints import digits_of, mask_of

_SIZE, _BOX = 9, 3


class Three(NamedTuple):
    """Three cells of a box, and whether they rise."""

    cells: tuple[int, int, int]
    rises: bool


@lru_cache(maxsize=1)
def threes() -> list[list[Three]]:
    """Return for each box the six choices of three cells, one in each row and column."""
    found = []
    for band, stack in product(range(_BOX), repeat=2):
        ways = []
        for columns in permutations(range(_BOX)):
            one, two, three = (
                (band * _BOX + row) * _SIZE + stack * _BOX + column
                for row, column in enumerate(columns)
            )
            # Cell rows from left to right go up (rises) or down, cyclically.
            rises = columns in ((2, 1, 0), (1, 0, 2), (0, 2, 1))
            ways.append(Three((one, two, three), rises))
        found.append(ways)
    return found


def _corners() -> Iterator[tuple[int, int, int, int]]:
    """Yield each choice of four boxes in two bands and two stacks."""
    two = list(combinations(range(_BOX), 2))
    for (top, bottom), (left, right) in product(two, two):
        yield top * _BOX + left, top * _BOX + right, bottom * _BOX + left, bottom * _BOX + right


class _Half(NamedTuple):
    """Cells of a pattern in some boxes, whether an odd number of these rises, and the guardians.

    `gone` is the mask of candidates that all guardians exclude.
    """

    cells: tuple[int, ...]
    is_odd: bool
    guardians: int
    gone: int


class _Sheet:
    """The open cells of a position with their candidates."""

    def __init__(self, position: Position) -> None:
        board = position.board
        self._board = board
        self._left = position.left
        self.truths = {t.cell: t for t in position.open_truths if t.unit is None}
        in_cells = board.digits_in(position.left)
        self._digits_in = {cell: in_cells[cell] for cell in self.truths}
        # The digits that each box still needs.
        self.needs = [0] * _SIZE
        for cell, mask in self._digits_in.items():
            row, column = divmod(cell, _SIZE)
            self.needs[row // _BOX * _BOX + column // _BOX] |= mask

    def begun(self, box: int, three: int) -> list[_Half]:
        """Return the choices of cells in a box for three digits whose guardians exclude something.

        Guardians are the candidates of these cells besides the three digits.
        """
        found = []
        for cells, rises in threes()[box]:
            masks = [self._digits_in.get(cell, 0) for cell in cells]
            # Each cell of the pattern has at least two of the three digits.
            if all((mask & three).bit_count() > 1 for mask in masks):
                half = self._with(cells, rises, masks, three)
                if half.gone:
                    found.append(half)
        return found

    def _with(self, cells: tuple[int, ...], rises: bool, masks: list[int], three: int) -> _Half:
        guardians = _guardians(self._board, dict(zip(cells, masks, strict=True)), three)
        return _Half(
            cells, rises, guardians, linked_to_all(guardians, self._board.links, self._left)
        )


def _guardians(board: Board, digits_in: Mapping[int, int], three: int) -> int:
    """Return the mask of the candidates of some cells that are none of the three digits."""
    return mask_of(
        board.number_of[Placement(cell, digit)]
        for cell, mask in digits_in.items()
        for digit in digits_of(mask & ~three)
    )


def _joined(one: _Half, other: _Half) -> _Half:
    return _Half(
        one.cells + other.cells,
        one.is_odd != other.is_odd,
        one.guardians | other.guardians,
        one.gone & other.gone,
    )


def _every(around: Around) -> Iterator[Finding]:
    """Yield a finding for each tridagon whose guardians exclude something."""
    position = around.position
    board = position.board
    geometry = board.puzzle.geometry
    if not geometry.is_plain or geometry.size != _SIZE or not _has_boxes(position):
        return
    sheet = _Sheet(position)
    for boxes in _corners():
        common = sheet.needs[boxes[0]]
        for box in boxes[1:]:
            common &= sheet.needs[box]
        for three in map(mask_of, combinations(digits_of(common), 3)):
            around.budget.require()
            for whole in _impossible(sheet, boxes, three):
                if whole.guardians:
                    truths = tuple(sheet.truths[cell] for cell in sorted(whole.cells))
                    gone = tuple(candidates_of(whole.gone))
                    yield Finding(Technique.TRIDAGON, truths, excludes=gone)


def _impossible(sheet: _Sheet, boxes: tuple[int, ...], three: int) -> list[_Half]:
    """Return the twelve cells of four boxes that cannot be filled with three digits."""
    known = sheet.begun(boxes[0], three)
    for box in boxes[1:]:
        if not known:
            return []
        found = sheet.begun(box, three)
        known = [both for pair in product(known, found) if (both := _joined(*pair)).gone]
    return [whole for whole in known if whole.is_odd]


def _has_boxes(position: Position) -> bool:
    """Whether a board has the rows, columns and 3x3 boxes of an ordinary 9x9."""
    units = position.board.puzzle.constraints.units
    return set(LINES) <= {unit.kind for unit in units} and has_boxes_of_nine(units)


def _find(around: Around) -> Finding | None:
    """Return the tridagon that excludes most."""
    return max(_every(around), key=lambda finding: len(finding.excludes), default=None)


def _three_of(names: Names, step: Deduction) -> tuple[int, list[int]]:
    """Return the three digits of a tridagon as a mask, and its guardians."""
    board = names.board
    in_cells = board.digits_in(step.before)
    every = {cell: in_cells[cell] for cell in (truth.cell for truth in step.truths)}
    gone = mask_of(step.excludes)
    for digits in combinations(range(1, _SIZE + 1), 3):
        three = mask_of(digits)
        guardians = _guardians(board, every, three)
        fits = all((mask & three).bit_count() > 1 for mask in every.values())
        if fits and not gone & ~linked_to_all(guardians, board.links, step.before):
            return three, candidates_of(guardians)
    raise AssertionError("a tridagon has three digits")


def _tell(names: Names, step: Deduction) -> str:
    """Return a sentence with the cells, their three digits, and the guardians."""
    three, guardians = _three_of(names, step)
    digits = names.digits(digits_of(three))
    held = [names.candidate(candidate) for candidate in guardians]
    if len(held) == 1:
        so = f"their only other candidate is {held[0]}, which holds"
    else:
        so = f"of their other candidates {join(held)} one holds"
    return (
        f"{names.cells(truth.cell for truth in step.truths)} lie in four boxes, one in each row "
        f"and each column of its box; in one or three of the boxes they rise to the right, in the "
        f"others they fall, so there is no way to fill them with {digits} alone; {so}; "
        f"so {names.result(step.excludes, step.before)}"
    )


SEARCH = Search(
    {Technique.TRIDAGON: ("Berthier: tridagon", "Sunnie: trivalue oddagon", "Thor's hammer")},
    Level.PATTERNS,
    _find,
    _every,
    _tell,
)
