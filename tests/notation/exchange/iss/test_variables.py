"""Cells beside the board in ISS, where they are called variables."""

import pytest

import satdoku
from satdoku.errors import RuleError
from satdoku.notation.exchange.iss.items import write_pairs
from satdoku.notation.exchange.iss.reading import read_iss
from satdoku.solving.questions import find_solutions
from satdoku.solving.solvers import Settings
from tests.each import for_each

BOARD = ".Shape~4x4.~R1C2_3"


def count(text: str) -> int:
    return satdoku.count(read_iss(BOARD + text).puzzle()).number


@for_each(
    "text",
    [
        ".~VA_1_2",
        ".AllDifferent~R3C4~VA~R4C3",
        ".SameValues~3~R4C4~VA~R2C3",
        ".ValueIndexing~VA~R3C4~R2C1~R2C2~R2C3~R2C4",
        ".ValueIndexing~VA~R3C4~R2C3~R2C4",
        ".Pair~-9D~_x~R3C3~VA~R4C4~~R2C2~VA",
        ".PairX~-9D~_x~VA~R3C3",
        ".NFA~BNhsMmBjU0jYCXo~_x~R3C3~VA~R4C4~~R2C4~R3C2~R4C1",
        ".NFA~QO_XqA~_x~VA~~VA~R4C4",
        ".Sum~4_=_2_-1_1~R3C3~VA~R4C4",
        ".Sum~7_=_1_2_1~VA~R4C4~R4C2",
        ".Sum~9~VA~R2C3~R3C2~R4C4",
        ".EqualSum~VA~R2C4~-~R3C1~R4C2",
        ".Arrow~R4C4~VA~R2C2",
        ".Arrow~VA~R4C2~R3C3",
        ".Or.EqualSum~R2C3~-~R3C4~VA.EqualSum~R3C4~-~R2C3~VA.End",
        ".Or.EqualSum~R2C3~-~R3C4~VA.Sum~5_=_2_-1_1~R3C4~R2C3~VA.End",
        ".Or.And.EqualSum~R2C3~-~R3C4~VA.Sum~6~R2C3~R3C4~VA.End.EqualSum~R3C4~-~R2C3~VA.End",
        ".Or.~VA_1.~R4C4_2.End",
        ".Or.And.~VA_2~R4C4_1.End.AllDifferent~VA~R3C3.End",
        ".And.~VA_1_2.Sum~5~VA~R3C4.End",
    ],
)
def test_a_variable_says_what_its_cell_would(text: str) -> None:
    expected = count(text.replace("VA", "R1C1"))
    assert 0 < expected < count("")
    assert count(f".Var~A~name.SameValues~2~VA~R1C1{text}") == expected


def test_what_variables_hold_is_counted_too() -> None:
    assert count(".Var~A~~2.Sum~4~VA1~VA2~R1C1") == 3 * count(".~R1C1_1") + 2 * count(
        ".~R1C1_2"
    ) - 2 * count(".~R1C1_1")
    assert count(".Var~A.~R4C4_2~VA_1_3~R4C1_1_2") == 2 * count(".~R4C4_2~R4C1_1_2")
    assert count(".Var~A~x~2x2.ConnectedValues~VA~1~4") == count("")


def test_a_cell_that_stands_there_twice_is_one_cell() -> None:
    pairs = write_pairs([(1, 2), (1, 3), (3, 3), (2, 4), (4, 2)], range(1, 5))
    assert count(f".Var~A.~VA_1.Pair~{pairs}~_~VA~R3C3~R3C3") == count(".~R3C3_3")
    assert count(".Var~A.~VA_1.EqualSum~VA~R2C3~-~R2C3~R4C4") == count(".~R4C4_1")


def test_digits_of_variables_that_do_not_go_together_leave_no_grid() -> None:
    foreign = read_iss(".Var~D.~VD_1.Or.~VD_2.~VD_3.End")
    outcome = satdoku.check(foreign.puzzle())
    assert outcome.verdict is satdoku.Verdict.NONE
    assert str(outcome.clashes[0]) == (
        "VD is 1, but it breaks each of the rules of which one holds"
    )


def test_templates_move_cells_of_a_group() -> None:
    # Each pair of neighbours in the rows of VA is equal, and the rows are not joined.
    text = ".Var~A~~2x2.Replicate~F~VA1.SameValues~2~VA1~VA2.End.~VA1_1~VA3_2"
    solution = satdoku.check(read_iss(f".Shape~1x1~2~Raw.~R1C1_1{text}").puzzle()).solution
    assert solution is not None
    assert solution.digits == (1, 1, 1, 2, 2)


def test_boards_need_not_be_square() -> None:
    for shape, cells in (("6x6~9", 36), ("9x7", 63), ("2x3~0-4~Raw", 6), ("1x1~2~raw", 1)):
        puzzle = read_iss(f".Shape~{shape}.~R1C1_1").puzzle()
        assert puzzle.geometry.cell_count == cells
        assert not puzzle.is_classic


@for_each(
    "text, fault",
    [
        (".Var~D~x~9999.Thermo~VD1~R1C1", "Var 1: 9,999 cells named 'D' cannot be read"),
        (".Var~D~x~0", "Var 1: 0 cells named 'D'"),
        (".Var~D~x~axb", "Var 1: 'a' is not a number"),
        (".Var~D~~2.Var~D~~3", "two cells beside the board are called VD1"),
        (".Var~D~~600.Var~E~~600", "at most 1,000 cells stand beside a board, and VD has 600"),
        (".Var~D~~2.Replicate~I~VD1.Thermo~R1C1~VD2.End", "R1C1 is not among the cells"),
        (".Var~D.ConnectedValues~VE~1", "there are no cells 'VE' beside this board"),
        (".Var~D~~2.XSum~R1~VD1", "XSum 1: 'VD1' is not a number"),
        (".Var~D.LittleKiller~12~VD", "LittleKiller 1: 'VD' is beside the board, and not on it"),
    ],
)
def test_what_is_not_read_is_said(text: str, fault: str) -> None:
    with pytest.raises(RuleError) as raised:
        read_iss(text).puzzle()
    assert fault in str(raised.value)


def test_doppelgangers_miss_a_digit_in_each_row_column_and_box() -> None:
    puzzle = read_iss(".Shape~4x4~0-4.Doppelganger.~R1C1_0~R1C2_1~R1C3_2").puzzle()
    for solution in find_solutions(puzzle, Settings()):
        board, digits = solution.geometry, [digit - 1 for digit in solution.digits]
        missing = {
            kind: [
                (set(range(5)) - {digits[c] for c in unit.cells}) for unit in getattr(board, kind)
            ]
            for kind in ("rows", "columns", "boxes")
        }
        for sets in missing.values():
            assert sorted(map(sum, sets)) == [1, 2, 3, 4]
        for cell in (c for c in range(16) if digits[c] == 0):
            row, column, box = board.row_of(cell), board.column_of(cell), board.box_of(cell)
            found = (missing["rows"][row], missing["columns"][column], missing["boxes"][box])
            assert len(set(map(sum, found))) == 3
    with pytest.raises(RuleError, match="for square boards with the digits 0 to their size"):
        read_iss(".Shape~4x4~1-5.Doppelganger").puzzle()


def test_rules_of_the_whole_board_need_no_square_where_they_make_sense() -> None:
    board = ".Shape~4x4~6.GlobalEntropy.AntiTaxicab.Diagonal~1"
    counts = [
        satdoku.count(read_iss(f"{board}.~R1C1_{d}").puzzle(), limit=50).number for d in (1, 6)
    ]
    assert all(counts)
