"""Fireworks: digits that lie in a cell, or in one cell along its row or its column.

Outside the box of a cell, a digit has one place in the cell's row and one in its column, the
*wings*. If neither wing holds the digit, the row and the column have it within the box, which has
it once: then it is in the cell itself. So one of these three cells holds it.

Three digits with the same cell and wings fill all three (a triple). Two digits of one cell and two
of the opposite corner, with the same wings, fill the four corners of a rectangle (a quadruple).

Fireworks appear in lists of all steps, but not in explanations: of 3,779 positions of 560 puzzles
in which basic steps and chains led no further, one had a firework.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations, product
from typing import NamedTuple

from satdoku.encoding.variables import Placement
from satdoku.explaining.board import AREAS, LINES, Board, Truth, candidates_of
from satdoku.explaining.position import Finding
from satdoku.explaining.step import Deduction, Level, Technique
from satdoku.explaining.techniques.search import Around, Search
from satdoku.explaining.words.names import Names
from satdoku.puzzle.constraints import digits_of
from satdoku.puzzle.grid import Unit


class _Burst(NamedTuple):
    """A digit of a cell, with its wings in the row and in the column outside the box."""

    cell: int
    wings: tuple[int, int]
    box: Unit
    row: Truth
    column: Truth


def _bursts(board: Board, left: int, truths: Iterable[Truth]) -> Iterator[_Burst]:
    """Yield the bursts of some truths about digits in lines, cell by cell."""
    in_units: dict[tuple[int, ...], dict[int, Truth]] = defaultdict(dict)
    for truth in truths:
        if truth.unit is not None and truth.unit.kind in LINES:
            in_units[truth.unit.cells][truth.digit] = truth
    units = board.puzzle.constraints.units
    for cell, places in enumerate(board.puzzle.constraints.units_of):
        here = {units[place].kind: units[place] for place in places}
        box = next((unit for kind, unit in here.items() if kind in AREAS), None)
        if box is None or not here.keys() >= set(LINES):
            continue
        across, down = (in_units[here[kind].cells] for kind in LINES)
        for digit in sorted(across.keys() & down.keys()):
            wings = [
                _outside(board, truth.members & left, box) for truth in (across[digit], down[digit])
            ]
            if all(len(wing) == 1 for wing in wings):
                (one,), (other,) = wings
                yield _Burst(cell, (one, other), box, across[digit], down[digit])


def _outside(board: Board, members: int, box: Unit) -> list[int]:
    """Return the cells of some candidates outside of a box."""
    cells = (board.placements[member].cell for member in candidates_of(members))
    return [cell for cell in cells if cell not in box.cells]


def _groups(bursts: Iterable[_Burst]) -> Iterator[tuple[_Burst, ...]]:
    """Yield groups of bursts with as many digits as cells: three or four."""
    of_corner: dict[tuple[int, ...], list[_Burst]] = defaultdict(list)
    for burst in bursts:
        of_corner[(burst.cell, *burst.wings)].append(burst)
    opposite: dict[frozenset[int], list[list[_Burst]]] = defaultdict(list)
    for (_, *wings), found in of_corner.items():
        yield from combinations(found, 3)
        opposite[frozenset(wings)].append(found)
    for corners in opposite.values():
        for one, other in combinations(corners, 2):
            for pairs in product(combinations(one, 2), combinations(other, 2)):
                some = (*pairs[0], *pairs[1])
                if len({burst.row.digit for burst in some}) == len(some):
                    yield some


def _every(around: Around) -> Iterator[Finding]:
    """Yield the other candidates in the cells of each triple and each quadruple as exclusions."""
    position = around.position
    board = position.board
    in_cells = board.digits_in(position.left)
    for some in _groups(_bursts(board, position.left, position.open_truths)):
        around.budget.require()
        digits = {burst.row.digit for burst in some}
        gone = [
            board.number_of[Placement(cell, digit)]
            for cell in sorted({cell for burst in some for cell in (burst.cell, *burst.wings)})
            for digit in digits_of(in_cells.get(cell, 0))
            if digit not in digits
        ]
        if gone:
            truths = tuple(truth for burst in some for truth in (burst.row, burst.column))
            yield Finding(Technique.FIREWORK, truths, excludes=tuple(gone))


def _tell(names: Names, step: Deduction) -> str:
    """Return a sentence with the cells of each digit, and that these fill all the cells."""
    digits = {truth.digit for truth in step.truths}
    rests = {truth.number for truth in step.truths}
    some = next(
        group
        for group in _groups(_bursts(names.board, step.before, step.truths))
        if {truth.number for burst in group for truth in (burst.row, burst.column)} == rests
    )
    of_corner: dict[tuple[int, ...], list[_Burst]] = defaultdict(list)
    for burst in some:
        of_corner[(burst.cell, *burst.wings)].append(burst)
    told = [_tell_corner(names, bursts) for bursts in of_corner.values()]
    cells = {cell for place in of_corner for cell in place}
    return (
        f"{'; '.join(told)}; that is {len(digits)} digits for {len(cells)} cells, which hold "
        f"nothing else; so {names.without(step.excludes)}"
    )


def _tell_corner(names: Names, bursts: list[_Burst]) -> str:
    """Return a sentence why these digits are in a cell or its wings."""
    cell, (one, other), box, row, column = bursts[0]
    digits = names.digits(burst.row.digit for burst in bursts)
    cells = names.cells((cell, one, other), "or")
    return (
        f"outside of {box}, {digits} have only {names.cell(one)} in {row.unit} and "
        f"{names.cell(other)} in {column.unit}, so each of them is in {cells}"
    )


ELSEWHERE = {Technique.FIREWORK: ("SudokuWiki: firework", "Sunnie: firework")}
SEARCH = Search(ELSEWHERE, Level.PATTERNS, None, _every, _tell)
