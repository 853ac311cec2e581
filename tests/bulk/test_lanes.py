"""Boards become lanes and come back; lanes are united and met one by one."""

from random import Random

import pytest

from satdoku.bulk.lanes import Transposer, chunks, intersect, unite
from satdoku.puzzle.geometry import Geometry
from tests.boards import full_grid, thin_out
from tests.encoding.small.candidates import SHAPES, layout_of

shapes = pytest.mark.parametrize("geometry", SHAPES, ids=str)
counts = pytest.mark.parametrize("count", [1, 2, 31, 70])


def make_boards(geometry: Geometry, count: int) -> list[bytes]:
    rng = Random(count)
    cells = geometry.cell_count
    grids = (thin_out(rng, full_grid(rng, geometry), rng.randint(0, cells)) for _ in range(count))
    return [bytes(grid.digits) for grid in grids]


@shapes
@counts
def test_a_lane_has_a_bit_for_each_board(geometry: Geometry, count: int) -> None:
    boards, transposer = make_boards(geometry, count), Transposer(layout_of(geometry))
    lanes = transposer.read(boards)
    assert len(set(transposer.order)) == len(lanes) == geometry.size**3
    for lane, (cell, digit) in zip(lanes, transposer.order, strict=True):
        bits = [board[cell] == digit for board in boards]
        assert lane == int("".join("01"[bit] for bit in bits), 2)


@shapes
@counts
def test_boards_come_back_from_their_lanes(geometry: Geometry, count: int) -> None:
    layout = layout_of(geometry)
    boards, transposer = make_boards(geometry, count), Transposer(layout)
    lanes = transposer.read(boards)
    assert list(transposer.write_digits(lanes, count)) == boards
    for board, written in zip(boards, transposer.write_candidates(lanes, count), strict=True):
        expected = bytearray(layout.width)
        for cell, digit in enumerate(board):
            if digit:
                expected[layout.place(cell, digit)] = 1
        assert written == expected


def test_lanes_are_joined_one_by_one() -> None:
    lists = [[0b0011, 0b1111], [0b0101, 0b0000], [0b0001, 0b1000]]
    assert unite(lists) == [0b0111, 0b1111]
    assert intersect(lists) == [0b0001, 0b0000]
    assert chunks([1, 2, 3, 4, 5, 6], 2) == [[1, 2], [3, 4], [5, 6]]
