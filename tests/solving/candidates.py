"""Candidates one by one, to compare whole-board arithmetic with."""

from collections.abc import Iterator
from functools import cache
from operator import getitem
from random import Random

from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.solving.bulk.bits import Bits, OpenBoard
from satdoku.solving.bulk.places import Places
from tests.boards import full_grid, thin_out

SHAPES = [Geometry(*shape) for shape in ((1, 2), (3, 1), (2, 2), (2, 3), (3, 3), (5, 2), (3, 5))]

Candidate = tuple[int, int]


def open_in(grid: Grid) -> set[Candidate]:
    """Cell and digit of what no given excludes, candidate by candidate."""
    digits, geometry = grid.digits, grid.geometry
    return {
        (cell, digit)
        for cell in range(geometry.cell_count)
        for digit in range(1, geometry.size + 1)
        if not digits[cell] and all(digits[peer] != digit for peer in geometry.peers_of(cell))
    }


def boards_of(geometry: Geometry) -> Iterator[Grid]:
    rng = Random(2)
    yield full_grid(rng, geometry)
    for share in (0.3, 0.5, 0.7):
        yield thin_out(rng, full_grid(rng, geometry), round(geometry.cell_count * share))


@cache
def bits_of(geometry: Geometry) -> Bits:
    return Bits(Places(geometry))


def eliminate_givens(grid: Grid) -> OpenBoard:
    bits = bits_of(grid.geometry)
    return bits.eliminate(map(getitem, bits.effects, grid.digits))


def candidates_in(places: Places, bits: int) -> list[Candidate]:
    """Of set bits; a candidate's place is counted from the top, see `places`."""
    digits = enumerate(f"{bits:0{places.width}b}")
    return [(n // places.stride, n % places.stride + 1) for n, bit in digits if bit == "1"]


def candidates_in_octets(places: Places, octets: int) -> list[Candidate]:
    digits = octets.to_bytes(places.width, "big")
    return candidates_in(places, int("".join("1" if byte else "0" for byte in digits), 2))
