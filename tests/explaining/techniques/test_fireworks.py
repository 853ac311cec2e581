"""Fireworks: three digits of a corner, two of each of two corners, and what is none."""

from collections.abc import Mapping

from satdoku.explaining.board import build_board, candidates_of
from satdoku.explaining.hint import hint_of
from satdoku.explaining.position import Finding, Position
from satdoku.explaining.step import Technique, Way
from satdoku.explaining.techniques.fireworks import SEARCH
from satdoku.explaining.techniques.nets import Nets
from satdoku.explaining.techniques.search import Around
from satdoku.explaining.words.steps import Teller
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.limits import Budget
from satdoku.solving.questions import check
from tests.boards import read_grid
from tests.explaining.judging import StepJudge

EMPTY = Puzzle(read_grid("." * 81))


def position_with(only: Mapping[int, tuple[set[int], set[int]]]) -> Position:
    """An empty board in which digits of a corner have no places in its lines but some.

    For each corner there are the digits and the cells in which they may be.
    """
    position = Position(build_board(EMPTY))
    geometry = EMPTY.geometry

    def is_gone(cell: int, digit: int) -> bool:
        return any(
            digit in digits
            and cell not in places
            and (
                geometry.row_of(cell) == geometry.row_of(corner)
                or geometry.column_of(cell) == geometry.column_of(corner)
            )
            and geometry.box_of(cell) != geometry.box_of(corner)
            for corner, (digits, places) in only.items()
        )

    placements = position.board.placements
    gone = tuple(c for c in candidates_of(position.left) if is_gone(*placements[c]))
    position.apply(Finding(Technique.CASES, (), excludes=gone))
    return position


def fireworks(position: Position) -> list[Finding]:
    return list(SEARCH.every(Around(position, Budget(), Nets(position, Budget()), {})))


def tell_and_judge(position: Position, finding: Finding) -> str:
    placements = position.board.placements
    judge = StepJudge(EMPTY)
    judge.left &= {placements[c] for c in candidates_of(position.left)}
    way = Way(position.board, (position.step_of(finding),))
    judge.judge(way)
    return next(Teller(way).tell())


def test_three_digits_of_a_corner_fill_it_and_its_wings() -> None:
    # From r1c1 to r1c5 and r5c1.
    position = position_with({0: ({1, 2, 3}, {4, 36})})
    (finding,) = fireworks(position)
    placements = position.board.placements
    full = {(cell, digit) for cell in (0, 4, 36) for digit in range(4, 10)}
    assert full == {placements[candidate] for candidate in finding.excludes}
    assert tell_and_judge(position, finding) == (
        "Firework: outside of box 1, 1, 2 and 3 have only r1c5 in row 1 and r5c1 in column 1, so "
        "each of them is in r1c1, r1c5 or r5c1; that is 3 digits for 3 cells, which hold nothing "
        "else; so r1c1≠4/5/6/7/8/9, r1c5≠4/5/6/7/8/9, r5c1≠4/5/6/7/8/9."
    )
    hint = hint_of(position.board, position.step_of(finding), check(EMPTY))
    assert hint.where == "look at the 1s, 2s and 3s in row 1 and column 1"


def test_two_digits_of_two_corners_fill_a_rectangle() -> None:
    # The corners r1c1 and r5c5, both with the wings r1c5 and r5c1.
    position = position_with({0: ({1, 2}, {4, 36}), 40: ({3, 4}, {4, 36})})
    (finding,) = fireworks(position)
    placements = position.board.placements
    full = {(cell, digit) for cell in (0, 4, 36, 40) for digit in range(5, 10)}
    assert full == {placements[candidate] for candidate in finding.excludes}
    assert "that is 4 digits for 4 cells" in tell_and_judge(position, finding)


def test_two_digits_of_a_corner_fill_nothing() -> None:
    assert not fireworks(position_with({0: ({1, 2}, {4, 36})}))
