"""Links on lines, in tables, in JSON and among other text; f-puzzles' JSON; strings of ISS."""

import json

import pytest

from satdoku.errors import FormatError, SatdokuError
from satdoku.notation.exchange.seen import is_iss
from satdoku.notation.formats import FORMATS
from satdoku.notation.hints import Hints
from satdoku.notation.reading import PuzzleReader, is_whole, read_puzzles
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import read_rule
from tests.each import for_each
from tests.notation.exchange.boards import GRID, KNIGHT, empty_board, fpuzzles_board
from tests.notation.exchange.boards import KNIGHT_LINK as LINK
from tests.notation.samples import LINE, SAMPLES


def test_json_of_f_puzzles_is_found_on_lines_and_over_lines() -> None:
    lines = [json.dumps(fpuzzles_board())] * 2
    assert [puzzle.grid for puzzle in read_puzzles(lines)] == [GRID, GRID]
    over_lines = json.dumps(fpuzzles_board(), indent=1).split("\n")
    assert [puzzle.grid for puzzle in read_puzzles(over_lines)] == [GRID]


def test_a_fault_has_a_place() -> None:
    with pytest.raises(FormatError, match=r"^file:2:1: this board of f-puzzles has 'whale'"):
        list(read_puzzles(["", json.dumps(fpuzzles_board(whale=1))], "file"))


def test_a_rule_is_refused_by_name_on_a_board_full_of_other_numbers() -> None:
    board = empty_board(whale=1)
    for place in range(81):
        # As many as a board has cells, so that the text might be taken for one.
        board["grid"][place // 9][place % 9]["region"] = place // 9
    with pytest.raises(FormatError, match=r"this board of f-puzzles has 'whale'"):
        list(read_puzzles([json.dumps(board)]))


def test_a_rule_that_it_cannot_hold_is_refused_by_name() -> None:
    entropy = Puzzle(GRID).with_rules([read_rule("global-entropy", Geometry(3, 3))])
    with pytest.raises(
        SatdokuError, match="the format fpuzzles cannot hold the rule global-entropy"
    ):
        FORMATS["fpuzzles"].write(entropy)


def test_what_is_only_drawn_is_told() -> None:
    (record,) = PuzzleReader([json.dumps(fpuzzles_board(text=[{}]))])
    assert "drawings (1 text) in this puzzle" in FORMATS["json"].unread(record, Hints())


def test_boards_are_not_too_large() -> None:
    with pytest.raises(SatdokuError, match="for boards up to 36x36"):
        FORMATS["fpuzzles"].write(Puzzle(Grid.empty(Geometry(6, 7))))


@pytest.mark.parametrize("name", ["link:fpuzzles", "link:sudokupad"])
def test_a_link_that_is_written_is_read(name: str) -> None:
    text = FORMATS[name].write(KNIGHT)
    assert list(read_puzzles(text.split("\n"))) == [KNIGHT]


def test_links_stand_on_lines_with_names_behind_them() -> None:
    found = list(read_puzzles([LINK, f"{LINK} Tea", "", f"<{LINK}>"]))
    assert [(puzzle.name, puzzle.rules) for puzzle in found] == [
        ("", KNIGHT.rules),
        ("Tea", KNIGHT.rules),
        ("", KNIGHT.rules),
    ]


def test_a_fault_in_a_link_has_its_place() -> None:
    end = len(LINK) - 60 + 1
    with pytest.raises(FormatError, match=rf"^file:2:{end}: the packed text ends before its"):
        list(read_puzzles([LINK, LINK[:-60]], "file"))
    with pytest.raises(FormatError, match=r"^file:2:1: this is not a link"):
        list(read_puzzles([LINK, LINK.replace("https", "7"), LINK], "file", "link:fpuzzles"))


def test_a_box_that_contradicts_a_link_is_refused() -> None:
    with pytest.raises(FormatError, match="boxes of 3x3"):
        list(read_puzzles([LINK], hints=Hints(Geometry(2, 2))))


def test_a_link_is_answered_with_a_line() -> None:
    reader = PuzzleReader([LINK])
    (record,) = reader
    answer = reader.parser.format.write_answer(record, GRID, Hints())
    assert answer == LINE + "\n"


def test_a_link_that_is_pasted_is_answered_at_once_damaged_or_not() -> None:
    assert is_whole([LINK], None, Hints())
    assert is_whole([LINK[:-60]], None, Hints())


CAGES = ".Cage~3~R1C1~R1C2.Cage~5~R3C1~R4C1"


def test_a_string_may_have_many_lines() -> None:
    lines = ["# mine", "  .Shape~4x4", "# cages", "  .Cage~3~R1C1~R1C2", "", " .AntiKing"]
    (puzzle,) = read_puzzles(lines)
    assert puzzle.rule_texts == ["killer:3=r1c1,r1c2", "anti-king"]


def test_a_string_may_begin_with_what_holds_others() -> None:
    text = [".Or", ".Sum~3~R1C1~R1C2", ".Cage~4~R1C1~R1C2", ".End", ".Shape~4x4"]
    (puzzle,) = read_puzzles(text)
    assert puzzle.rule_texts == ["either:sum:3=r1c1,r1c2|killer:4=r1c1,r1c2"]


def test_several_strings_begin_with_their_shapes() -> None:
    found = list(read_puzzles([".Shape~4x4.AntiKing", ".Shape~6x6", ".AntiKnight"]))
    assert [p.rule_texts for p in found] == [["anti-king"], ["anti-knight"]]
    (one,) = read_puzzles([".AntiKing", ".Shape~4x4"])
    assert one.geometry.size == 4


@for_each("text", [*SAMPLES.values(), ".X.V", ".AB.", "..~..", ".Cages~1", "..."])
def test_boards_are_no_strings(text: str) -> None:
    assert not is_iss(text)


@for_each(
    "text",
    [
        CAGES,
        ".Or",
        ".~R1C1_5",
        "..Thermo~R1C1",
        ".AntiKnight.AntiKing",
        ".Whale~R1C1",
        ".Whale~2~C1",
    ],
)
def test_strings_are_told_by_their_first_class(text: str) -> None:
    assert is_iss(text)


def test_a_fault_has_its_place() -> None:
    with pytest.raises(FormatError, match=r"^file:2:1: Whale 1: satdoku has no rule for 'Whale'"):
        list(read_puzzles(["", f"{CAGES}.Whale~R1C1"], "file"))


@for_each(
    "text, fault",
    [
        (".Whale~2~R1C1~R1C2", "Whale 1: satdoku has no rule for 'Whale'"),
        (".Shape~7x7~6.Cage~9~R1C1~R1C2", "Shape: a row or column of 7 cells cannot hold 6"),
        (".Diagonal~1.Whale.~R1C1_2~R5C5_7~R9C9_8", "Whale 1: satdoku has no rule for 'Whale'"),
        ("<" * 40 + "v" * 41, "the sign of r1c1 points off the board"),
    ],
)
def test_a_string_is_no_paste(text: str, fault: str) -> None:
    """A board looked for in a string is a torn one, and its fault says nothing to anybody."""
    with pytest.raises(FormatError, match=f"^file:1:1: {fault}"):
        list(read_puzzles([text], "file"))


@for_each("name", ["iss", "fpuzzles", "link:iss", "link:fpuzzles", "link:sudokupad"])
def test_a_board_without_boxes_goes_out_and_comes_back(name: str) -> None:
    (puzzle,) = read_puzzles([".Shape~4x4.NoBoxes.AntiKing"])
    (found,) = read_puzzles([FORMATS[name].write(puzzle)])
    assert found.rules == puzzle.rules
