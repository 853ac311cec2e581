"""Boards of any shape: what a text describes, where cells are, and what is refused."""

import pickle

import pytest

from satdoku.errors import SatdokuError
from satdoku.puzzle.arrangement import NAMED
from satdoku.puzzle.grid import WELL_KNOWN, Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import read_rule
from tests.each import for_each

BOARDS = (
    "board:6x6:digits=9:boxes=2x3",
    "board:9x7",
    "board:2x3:raw:digits=4",
    "board:9x9:boxes=3x3:beside=VS*3+VT*2x4+X",
    "board:4x6:boxes=2x3:beside=VA*2x2",
    *WELL_KNOWN,
)


@for_each("text", BOARDS)
def test_a_board_is_written_as_it_is_read(text: str) -> None:
    board = Geometry.parse(text)
    assert not board.is_plain
    assert Geometry.parse(str(board)) == board == pickle.loads(pickle.dumps(board))
    assert eval(f"Grid.empty({board!r})", {"Grid": Grid, "Geometry": Geometry}).geometry == board


@for_each("text", BOARDS)
def test_both_statements_about_units_agree(text: str) -> None:
    board = Geometry.parse(text)
    for kind in ("rows", "columns", "boxes"):
        for cell in range(board.cell_count):
            found = {n for n, unit in enumerate(getattr(board, kind)) if cell in unit.cells}
            assert found == set(getattr(board, f"{kind}_with")(cell))


@for_each("text", BOARDS)
def test_cells_have_places_and_names(text: str) -> None:
    board = Geometry.parse(text)
    for cell in range(board.cell_count):
        assert read_rule(f"odd:{board.name_of(cell)}", board).cells(board) == (cell,)
        if cell < board.board_count:
            assert board.cell_at(board.row_of(cell), board.column_of(cell)) == cell
        for other in board.beside(cell):
            assert cell in board.beside(other)


def test_a_plain_square_is_a_plain_geometry() -> None:
    assert Geometry.parse("board:9x9:boxes=3x3") == Geometry()
    assert Geometry.parse("board:6x6:boxes=3x2") == Geometry(3, 2)
    assert not Geometry.parse("board:9x9").is_plain


def test_well_known_boards_have_their_cells() -> None:
    assert set(NAMED) == set(WELL_KNOWN)
    counts = {name: Geometry.parse(name).cell_count for name in WELL_KNOWN}
    assert counts == {
        "samurai": 369,
        "twodoku": 153,
        "butterfly": 144,
        "flower": 189,
        "sohei": 288,
        "windmill": 333,
    }


def test_groups_beside_the_board_have_rows_of_their_own() -> None:
    board = Geometry.parse("board:9x9:boxes=3x3:beside=VS*3+VT*2x4+X")
    names = [board.name_of(cell) for cell in range(81, 93)]
    assert names == ["VS1", "VS2", "VS3", *(f"VT{n}" for n in range(1, 9)), "X"]
    rule = read_rule("odd:vt1-3,X,VS", board)
    assert rule.argument(board) == "VS1,VS2,VS3,VT1,VT2,VT3,X"
    beside = {board.name_of(cell) for cell in board.beside(84)}
    assert beside == {"VT2", "VT5"}
    assert not board.is_plain
    assert board.core == Geometry()


@for_each(
    "text, fault",
    [
        ("board:9", "'9' is no size: a board is rows by columns, as in board:6x6:digits=9"),
        ("board:0x3", "a board has 1 to 60 rows, not 0"),
        ("board:9x99999", "a board has 1 to 60 columns, not 99,999"),
        ("board:9x9:digits=400", "a board of this kind has 1 to 36 digits, not 400"),
        ("board:9x9:digits=x", "'x' is no number of digits"),
        ("board:6x6:digits=5", "a row or column of 6 cells cannot hold 5 digits once each"),
        ("board:9x9:boxes=2x2", "boxes of 2x2 do not fill 9x9 cells"),
        ("board:9x9:boxes=0x3", "a box of 0x3 has no cells"),
        ("board:6x6:boxes=3x3", "a box of 3x3 cells cannot hold 6 digits once"),
        ("board:9x9:raw:boxes=3x3", "a raw board has no boxes"),
        ("board:9x9:rows", "'rows' is none of raw, digits, boxes, areas, beside of a board"),
        ("board:9x9:raw:raw", "'raw' is none of digits, boxes, areas, beside of a board"),
        ("board:9x9:digits=4:areas=r1c1", "a board of several areas needs boxes"),
        (f"{NAMED['twodoku']}+r3c9", "the areas at r1c1 and r3c9 are"),
        ("board:15x15:digits=9:boxes=3x3:areas=r1c1+r7c8", "the area at r7c8 has 9x9 cells"),
        ("board:15x16:digits=9:boxes=3x3:areas=r1c1+r7c8", "the areas at r1c1 and r7c8 share"),
        ("board:15x15:digits=9:boxes=3x3:areas=r1c1+r1c1", "r1c1 and r1c1 are the same"),
        ("board:15x15:digits=9:boxes=3x3:areas=x", "'x' is no first cell of an area"),
        ("board:9x9:beside=VS*100000", "at most 1,000 cells stand beside a board, and VS has"),
        ("board:9x9:beside=VS*0", "the group VS has no cells"),
        ("board:9x9:beside=VS*2+VS*3", "two cells beside the board are called VS1"),
        ("board:9x9:beside=1S", "'1S' names no cells beside the board, as VS*3 does"),
    ],
)
def test_what_makes_no_board_is_refused_in_one_sentence(text: str, fault: str) -> None:
    fault = fault.removesuffix(" are") if "r3c9" in text else fault
    with pytest.raises(SatdokuError) as caught:
        Geometry.parse(text)
    told = str(caught.value)
    assert fault in told or "the area at r3c9" in told
    assert "\n" not in told


@for_each(
    "rule, board, fault",
    [
        ("sum:5=VS1,r1c1", "board:4x4:boxes=2x2", "'VS1' is not a cell such as r1c1"),
        ("sum:5=VS4,r1c1", "board:4x4:boxes=2x2:beside=VS*3", "'VS4' is not a cell"),
        ("odd:r1c11", "twodoku", "r1c11 is a hole of the board"),
        ("odd:r1-2c9-10", "twodoku", "r1c10 is a hole of the board"),
        ("odd:r7c1", "board:6x8", "r7c1 is not on a board of 6x8"),
        ("windoku", "board:9x9:boxes=3x3:digits=10", "windoku is for square boards with as many"),
        ("sandwich:row1=3", "samurai", "sandwich is for square boards with as many digits"),
        ("digits:0-8", "board:6x6:digits=8", "0-8 has 9 digits"),
        ("region-sum:r1c1,r1c2", "board:4x6:raw", "no boxes or regions split this line"),
        ("little-killer:VS1.dr=5", "board:4x5:beside=VS*2", "no diagonal begins at vs1"),
        ("connected:1:5=VS", "board:4x5:beside=VS*2", "2 cells do not have 5 that hang together"),
        ("connected:7", "board:4x5", "7 is not a digit 1-5"),
    ],
)
def test_rules_that_make_no_sense_on_a_board_are_refused(rule: str, board: str, fault: str) -> None:
    with pytest.raises(SatdokuError) as caught:
        Puzzle.from_line("." * Geometry.parse(board).cell_count, Geometry.parse(board), [rule])
    assert fault in str(caught.value)


def test_rules_of_plain_boards_see_the_board_alone() -> None:
    board = Geometry.parse("board:4x4:boxes=2x2:beside=VS*3")
    puzzle = Puzzle(Grid.empty(board)).with_rules([read_rule("sandwich:row1=3", board)])
    plain = Puzzle.from_line("." * 16, rules=["sandwich:row1=3"])
    assert not puzzle.is_classic
    assert puzzle.constraints.wider == plain.constraints.wider
    assert puzzle.rule_texts == plain.rule_texts
