"""Candidates one by one, to compare with what is done for whole boards and for many."""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import islice
from random import Random

from satdoku.deducing.sifter import ByteLayout, Sifted
from satdoku.puzzle.grid import Geometry, Grid
from tests.boards import full_grid, thin_out
from tests.oracle import solutions_of

SHAPES = [Geometry(*shape) for shape in ((1, 2), (3, 1), (2, 2), (2, 3), (3, 3), (5, 2), (3, 5))]

Candidate = tuple[int, int]


@cache
def open_in(grid: Grid) -> frozenset[Candidate]:
    """Cell and digit of what no given excludes, candidate by candidate."""
    digits, geometry = grid.digits, grid.geometry
    return frozenset(
        (cell, digit)
        for cell in range(geometry.cell_count)
        for digit in range(1, geometry.size + 1)
        if not digits[cell] and all(digits[peer] != digit for peer in geometry.peers_of(cell))
    )


def boards_of(geometry: Geometry) -> Iterator[Grid]:
    rng = Random(2)
    yield full_grid(rng, geometry)
    for share in (0.3, 0.5, 0.7):
        yield thin_out(rng, full_grid(rng, geometry), round(geometry.cell_count * share))


@cache
def layout_of(geometry: Geometry) -> ByteLayout:
    return ByteLayout(geometry)


def sift_givens(grid: Grid) -> Sifted:
    """What the givens leave, as if it had been sifted."""
    layout = layout_of(grid.geometry)
    open_ = bytearray(layout.width)
    for candidate in open_in(grid):
        open_[layout.place(*candidate)] = 1
    digits = bytes(grid.digits)
    return Sifted(digits, digits, bytes(open_))


def candidates_at(geometry: Geometry, places: Iterable[int]) -> list[Candidate]:
    stride = geometry.size + 1
    return [(place // stride, place % stride + 1) for place in places]


def candidates_in(geometry: Geometry, open_: bytes) -> set[Candidate]:
    """The open ones of bytes with a byte for each candidate; marks are never open."""
    found = set(candidates_at(geometry, (place for place, byte in enumerate(open_) if byte)))
    assert all(digit <= geometry.size for _, digit in found)
    return found


def known_in(sifted: Sifted) -> set[Candidate]:
    return {(cell, digit) for cell, digit in enumerate(sifted.known) if digit}


def left_of(geometry: Geometry, sifted: Sifted) -> set[Candidate]:
    """Known and open candidates."""
    return known_in(sifted) | candidates_in(geometry, sifted.open)


@cache
def groups_of(geometry: Geometry) -> list[set[Candidate]]:
    digits = range(1, geometry.size + 1)
    cells = [{(cell, digit) for digit in digits} for cell in range(geometry.cell_count)]
    units = [{(c, digit) for c in unit.cells} for unit in geometry.units for digit in digits]
    return cells + units


def beside_singles(geometry: Geometry, left: set[Candidate]) -> set[Candidate]:
    groups = groups_of(geometry)
    singles = [found for group in groups if len(found := group & left) == 1]
    return {
        candidate
        for single in singles
        for group in groups
        if single <= group
        for candidate in group & left - single
    }


def beside_locked(geometry: Geometry, left: set[Candidate]) -> set[Candidate]:
    """What goes from a unit because all of a digit in another unit is in both."""
    units = groups_of(geometry)[geometry.cell_count :]
    return {
        candidate
        for unit in units
        for other in units
        if other & unit and other & left <= unit
        for candidate in unit & left - other
    }


def exclude_one_by_one(
    grid: Grid, excluded_of: Callable[[Geometry, set[Candidate]], set[Candidate]]
) -> set[Candidate]:
    """What is left when nothing more is excluded; at first the given, or all digits, of a cell."""
    left = {
        (cell, digit)
        for cell, found in enumerate(grid.digits)
        for digit in ([found] if found else range(1, grid.geometry.size + 1))
    }
    while excluded := excluded_of(grid.geometry, left):
        left -= excluded
    return left


def solutions_in(grid: Grid) -> Iterator[set[Candidate]]:
    """The candidates of each of the first solutions."""
    shape = grid.geometry.box_rows, grid.geometry.box_columns
    for solution in islice(solutions_of(*shape, grid.digits), 20):
        yield set(enumerate(solution))


def require_known_digits_settled(geometry: Geometry, sifted: Sifted) -> None:
    """What known digits exclude is not open, nor are they."""
    known, left = known_in(sifted), left_of(geometry, sifted)
    assert not known & candidates_in(geometry, sifted.open)
    for group in groups_of(geometry):
        assert not known & group or len(left & group) == 1
