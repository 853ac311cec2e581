from itertools import product
from random import Random

import pytest

from satdoku.encoding.variables import OpenBoard, Placement, variable
from satdoku.puzzle.constraints import digits_of
from satdoku.puzzle.grid import EMPTY, Geometry, Grid, Unit
from satdoku.puzzle.puzzle import Puzzle, find_candidates, find_missing
from satdoku.puzzle.rules.registry import read_rules
from tests.boards import SHAPES, full_grid, random_puzzle
from tests.each import for_each

shapes = for_each("geometry", SHAPES)


@shapes
def test_open_candidates_are_numbered_densely_in_order(geometry: Geometry) -> None:
    grid = random_puzzle(Random(str(geometry)), geometry).grid
    board = OpenBoard(Puzzle(grid))
    expected = [
        Placement(cell, digit)
        for cell, mask in find_candidates(Puzzle(grid), find_missing(Puzzle(grid)))
        for digit in digits_of(mask)
    ]
    assert board.count_candidates() == len(expected)
    assert len(board) == 0
    list(board.groups())
    assert len(board) == len(expected)
    numbers = range(1, len(expected) + 1)
    assert [board.placement(number) for number in numbers] == expected
    assert [board.variable(number) for number in numbers] == [
        variable(geometry, cell, digit) for cell, digit in expected
    ]


@shapes
def test_groups_are_cells_and_missing_digits_with_all_their_places(geometry: Geometry) -> None:
    rng = Random(str(geometry))
    for _ in range(5):
        board = OpenBoard(random_puzzle(rng, geometry))
        digits = board.puzzle.grid.digits
        groups = list(board.groups())
        found = {
            (group.unit or group.cell, group.digit): {board.placement(n) for n in group.members}
            for group in groups
        }
        assert len(found) == len(groups)
        assert all(group.has_one for group in groups)
        every = {board.placement(n) for n in range(1, len(board) + 1)}
        expected: dict[tuple[Unit | int, int], set[Placement]] = {
            (cell, 0): {place for place in every if place.cell == cell}
            for cell, digit in enumerate(digits)
            if digit == EMPTY
        }
        for unit in board.puzzle.constraints.units:
            for digit in range(1, geometry.size + 1):
                if digit not in {digits[cell] for cell in unit.cells}:
                    expected[unit, digit] = {
                        place
                        for place in every
                        if place.digit == digit and place.cell in unit.cells
                    }
        assert found == expected


@shapes
def test_a_full_board_has_nothing_open(geometry: Geometry) -> None:
    board = OpenBoard(Puzzle(full_grid(Random(1), geometry)))
    assert list(board.groups()) == []
    assert len(board) == board.count_candidates() == 0


def test_an_empty_9x9_board_has_four_groups_for_each_pair() -> None:
    assert len(list(OpenBoard(Puzzle(Grid.empty(Geometry()))).groups())) == 4 * 81


@pytest.mark.parametrize(
    "rule", ["difference:1=r1c1,r1c2", "no-difference:1", "pair:r1c1,r2c2:a+b>4", "clone:r1c1=r4c4"]
)
def test_clauses_of_pairs_keep_what_goes_together(rule: str) -> None:
    """Those of what excludes each other and those of what is left, with all digits and fewer."""
    geometry = Geometry(2, 2)
    for digits in ((), (4,), (1, 2, 0, 3)):
        grid = Grid.empty(geometry).with_digits({5 + n: d for n, d in enumerate(digits) if d})
        puzzle = Puzzle(grid).with_rules(read_rules([rule], geometry))
        board = OpenBoard(puzzle)
        list(board.bare_groups())
        ways = zip(board.pairs(), board.pair_clauses(), strict=True)
        for (pair, excluded), clauses in ways:
            ours, theirs = (
                [n for n, place in enumerate(board.placements(), 1) if place.cell == cell]
                for cell in (pair.first, pair.second)
            )
            for one, other in product(ours, theirs):
                held = {n if n in (one, other) else -n for n in (*ours, *theirs)}
                is_kept = all(held & set(clause) for clause in clauses)
                assert is_kept is ((one, other) not in excluded)


def test_a_row_with_no_more_digits_than_cells_holds_each_of_them() -> None:
    """Of five digits the rows of three cells hold 1, 2 and 3, or a given 4 and two of them."""
    board = Geometry.parse("board:3x3:digits=5")
    low = [f"r{row}c{column}=1/2/3" for row in (1, 2) for column in (1, 2, 3)]
    rules = read_rules([f"candidates:{','.join(low)},r3c1=1/2,r3c2=1/2"], board)
    puzzle = Puzzle(Grid.empty(board).with_digits({8: 4})).with_rules(rules)
    open_board = OpenBoard(puzzle)
    assert len(list(open_board.groups()))
    found = [[open_board.placement(n) for n in places] for places in open_board.tight_groups()]
    rows = [
        [Placement(cell, digit) for cell in range(first, first + 3)]
        for first in (0, 3)
        for digit in (1, 2, 3)
    ]
    last = [[Placement(6, digit), Placement(7, digit)] for digit in (1, 2)]
    columns = [place for place in found if place not in rows + last]
    assert all(group in found for group in rows + last)
    # The first two columns hold 1, 2 and 3; the third has a 4 and two digits of these.
    assert len(columns) == 6
    usual = OpenBoard(Puzzle(Grid.empty(Geometry())))
    assert len(list(usual.groups()))
    assert not list(usual.tight_groups())
