"""Boards of any shape as people type them and as JSON."""

import json
from collections.abc import Sequence

import pytest

from satdoku.errors import FormatError, SatdokuError
from satdoku.notation.formats import FORMATS, format_named
from satdoku.notation.hints import Hints
from satdoku.notation.reading import read_puzzles
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import read_rules
from tests.each import for_each

SMALL = "board:3x4:digits=5:beside=VS*2"
TWO = "board:6x6:digits=4:boxes=2x2:areas=r1c1+r3c3"
TWODOKU = ["123456789      ", *["." * 9 + " " * 6] * 5, *["." * 15] * 3, *[" " * 6 + "." * 9] * 6]


def puzzle_of(text: str, rules: Sequence[str] = (), givens: str = "") -> Puzzle:
    board = Geometry.parse(text)
    digits = tuple(int(sign) if sign != "." else 0 for sign in givens.ljust(board.cell_count, "."))
    return Puzzle(Grid(board, digits)).with_rules(read_rules(rules, board))


def read(text: str, hints: Hints | None = None) -> Puzzle:
    [puzzle] = read_puzzles(text.split("\n"), "file", None, hints)
    return puzzle


@for_each(
    "puzzle",
    [
        puzzle_of(SMALL, givens="1..5......4..3"),
        puzzle_of("board:2x2:raw:digits=12", givens="1..9"),
        puzzle_of("samurai", givens="1" * 1 + "." * 20 + "2"),
        puzzle_of("board:9x9:boxes=3x3:beside=VS", givens="1"),
    ],
)
def test_a_board_is_read_as_it_is_written(puzzle: Puzzle) -> None:
    for name in ("board", "json"):
        assert read(format_named(name).write(puzzle)) == puzzle


def test_json_keeps_rules_and_cells_beside_the_board() -> None:
    rules = ["sum:5=VS1,r1c1", "connected:1/2:2=VS", "digits:0-4"]
    puzzle = puzzle_of(SMALL, rules, "1..5......4..3")
    text = format_named("json").write(puzzle)
    assert json.loads(text)["beside"] == {"VS2": 2}
    assert json.loads(text)["box"] == SMALL
    assert read(text) == puzzle


def test_rows_may_be_typed_with_blanks_for_holes() -> None:
    text = "\n".join([TWO, "12..", "...34."])
    with pytest.raises(FormatError, match="file:3:5: r2c5 is a hole of the board"):
        read("\n".join([text, "......", "......", "  ....", "  ...."]))
    rows = ["12..", "...3", "......", "......", "  4...", "  ...1"]
    expected = puzzle_of(TWO, givens="12.....3............4......1")
    assert read("\n".join([TWO, *rows])) == expected
    assert read("\n".join(rows), Hints(Geometry.parse(TWO))) == expected
    assert read("12.....3............4......1", Hints(Geometry.parse(TWO))) == expected
    frames = ["+----+", *("|" + row + "|" for row in rows), "+----+"]
    assert read("\n".join([TWO, *frames])) == expected


def test_well_known_boards_are_known_by_their_holes() -> None:
    puzzle = read("\n".join(TWODOKU))
    assert puzzle.geometry == Geometry.parse("twodoku")
    assert len(puzzle.givens) == 9


def test_several_boards_follow_each_other() -> None:
    texts = [format_named("board").write(puzzle_of(SMALL, givens=g)) for g in ("1", ".2", "..3")]
    found = list(read_puzzles("\n".join(texts).split("\n")))
    assert [len(puzzle.givens) for puzzle in found] == [1, 1, 1]


@for_each(
    "text, fault",
    [
        (f"{SMALL}\n1234\n1234", "file:3:1: 2 rows found, a board of 3x4 with 5 digits has 3"),
        (f"{SMALL}\n123\n1234\n1234", "file:2:4: r1c4 has no digit and no blank sign"),
        (f"{SMALL}\n12345\n1234\n1234", "file:2:1: 5 cells found in row 1, expected 4"),
        (f"{SMALL}\n1236\n1234\n1234", "file:2:1: '6' is not a digit 1-5 or a blank"),
        (f"{SMALL}\n123.\n1234\n1234\nVT=1", "file:5:1: 'VT' is no cell beside this board"),
        (f"{SMALL}\n123.\n1234\n1234\nVS1=9", "file:5:1: '9' is not a digit 1-5 or a blank"),
        ("board:3x\n123", "file:1:1: '3x' is no size"),
        ('{"puzzle": "123", "box": "board:3x4"}', "3 cells found, a board of 3x4 has 12"),
        ('{"puzzle": [[1,2]], "box": "board:3x4"}', "1 row found, expected 3"),
        ('{"puzzle": [[1],[2],[3]], "box": "board:3x4"}', "1 cell found in row 1, expected 4"),
        (
            '{"puzzle": "............", "box": "board:3x4", "beside": {"VS": 1}}',
            "'VS' is no cell beside this board",
        ),
        (
            '{"puzzle": "............", "box": "board:3x4:beside=VS*2", "rules": ["odd:VS1"]}',
            "no rule names VS2, so that any digit fits it",
        ),
        (".Var~D~x~3.Thermo~VD1~R1C1~VD3", "no rule names VD2, so that any digit fits it"),
        (
            '{"puzzle": "............", "box": "board:3x4:beside=VS", "beside": {"VS": 9}}',
            "'9' at VS is not a digit 1-4",
        ),
    ],
)
def test_what_is_wrong_is_said_with_its_place(text: str, fault: str) -> None:
    with pytest.raises(FormatError) as caught:
        read(text)
    assert fault in str(caught.value)
    assert "\n" not in str(caught.value)


@for_each("name", [name for name, entry in FORMATS.items() if not entry.takes_any_board])
def test_other_formats_refuse_it_by_name(name: str) -> None:
    with pytest.raises(SatdokuError, match=f"the format {name} holds plain boards, not one of 3x4"):
        format_named(name).write(puzzle_of(SMALL))
