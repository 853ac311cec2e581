"""Tridagons: a famous one, that no twelve cells of one can be filled, and two guardians."""

from itertools import product

from satdoku.explaining.board import build_board, candidates_of, find_board
from satdoku.explaining.position import Finding, Position
from satdoku.explaining.step import Level, Technique, Way
from satdoku.explaining.techniques.nets import Nets
from satdoku.explaining.techniques.search import Around
from satdoku.explaining.techniques.tridagons import SEARCH, threes
from satdoku.explaining.way import Walker
from satdoku.explaining.words.steps import Teller
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.limits import Budget
from tests.boards import read_grid
from tests.explaining.judging import StepJudge

# "Loki", by mith, New Sudoku Players' Forum, 2022: the first puzzle known to need more than
# suppositions within suppositions.
LOKI = "57....9..........8.1.........168..4......28.9..2.9416.....2.....6.9.82.4...41.6.."


def test_four_boxes_cannot_be_filled_if_an_odd_number_rises() -> None:
    peers = [Geometry(3, 3).peers_of(cell) for cell in range(81)]

    def can_be_filled(cells: list[int], digits: dict[int, int]) -> bool:
        if not cells:
            return True
        cell, *others = cells
        return any(
            can_be_filled(others, {**digits, cell: digit})
            for digit in range(3)
            if all(digits.get(peer) != digit for peer in peers[cell])
        )

    for four in product(*(threes()[box][:4] for box in (0, 1, 3, 4))):
        cells = [cell for three in four for cell in three.cells]
        is_odd = sum(three.rises for three in four) % 2 == 1
        assert can_be_filled(cells, {}) != is_odd


def test_loki_has_a_guardian_that_holds() -> None:
    with Walker(find_board(Puzzle(read_grid(LOKI))), Level.BASIC, Budget()) as walker:
        walker.go_on()
        (step,) = walker.every_step({Technique.TRIDAGON})
        walker.level = Level.PATTERNS
        assert walker.go_on().is_full
    assert next(Teller(Way(walker.position.board, (step,))).tell()) == (
        "Tridagon: r4c6, r4c7, r5c5, r5c8, r6c4, r6c9, r7c4, r7c7, r8c5, r8c8, r9c6 and r9c9 lie "
        "in four boxes, one in each row and each column of its box; in one or three of the boxes "
        "they rise to the right, in the others they fall, so there is no way to fill them with 3, "
        "5 and 7 alone; their only other candidate is r8c8=1, which holds; so r8c8 is 1 and "
        "r1c8≠1, r2c8≠1, r7c9≠1, r8c1≠1."
    )


def test_of_two_guardians_goes_what_both_exclude() -> None:
    puzzle = Puzzle(read_grid("." * 81))
    position = Position(build_board(puzzle))
    placements = position.board.placements
    # Three boxes fall and one rises, with 1, 2 and 3; the first row has a 4 besides in two of them.
    columns = ((0, 1, 2), (0, 1, 2), (0, 1, 2), (2, 1, 0))
    cells = {
        (band * 3 + row) * 9 + stack * 3 + column
        for (band, stack), box in zip(product((0, 1), repeat=2), columns, strict=True)
        for row, column in enumerate(box)
    }
    gone = tuple(
        candidate
        for candidate in candidates_of(position.left)
        if placements[candidate].cell in cells
        and placements[candidate].digit > (4 if placements[candidate].cell < 9 else 3)
    )
    position.apply(Finding(Technique.CASES, (), excludes=gone))
    budget = Budget()
    (finding,) = SEARCH.every(Around(position, budget, Nets(position, budget), {}))
    assert [placements[c] for c in finding.excludes] == [(c, 4) for c in (1, 2, 4, 5, 6, 7, 8)]
    step = position.step_of(finding)._replace(number=1)
    judge = StepJudge(puzzle)
    judge.left &= {placements[c] for c in candidates_of(position.left)}
    judge.judge(Way(position.board, (step,)))
    told = next(Teller(Way(position.board, (step,))).tell())
    assert "with 1, 2 and 3 alone; of their other candidates r1c1=4 and r1c4=4 one holds" in told
