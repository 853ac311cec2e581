"""Puzzles that take one line each, and collections of SudoCue."""

import pytest

from satdoku.errors import FormatError
from satdoku.notation.hints import Hints
from satdoku.notation.lines import LineFormat, SdmFormat
from satdoku.notation.reading import PuzzleReader, read_puzzles
from satdoku.notation.record import Record
from satdoku.notation.spelling import Alphabet, Spelling
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from tests.each import for_each
from tests.notation.samples import LINE

SMALL = "1..4.3.1.1.32.1."
GRID = Grid(Geometry(2, 2), tuple(int(cell) for cell in SMALL.replace(".", "0")))
EMPTY = Grid.empty(Geometry(2, 5))


def test_empty_lines_and_comments_are_no_records() -> None:
    lines = ["# c", "", SMALL, "  ", f" {SMALL} # c", "  # d"]
    assert list(LineFormat().split(lines, Hints())) == [
        Record(3, SMALL),
        Record(5, f" {SMALL} # c"),
    ]


def test_the_name_of_a_record_is_used_where_the_line_has_none() -> None:
    parse = LineFormat().parse
    assert parse(Record(1, SMALL, "above"), Hints(), "") == Puzzle(GRID, "above")
    assert parse(Record(1, f"{SMALL} own # c", "above"), Hints(), "") == Puzzle(GRID, "own", "c")


def test_a_record_may_begin_inside_of_its_line() -> None:
    with pytest.raises(FormatError, match="f:3:9: 'q' is not"):
        LineFormat().parse(Record(3, "q" + SMALL[1:], "", 9), Hints(), "f")


@for_each(
    "puzzle, text",
    [
        (Puzzle(GRID), f"{SMALL}\n"),
        (Puzzle(GRID, " easy\n one "), f"{SMALL} easy one\n"),
        (Puzzle(GRID, "", "by\thand"), f"{SMALL} # by hand\n"),
        (Puzzle(GRID, "easy", "c"), f"{SMALL} easy # c\n"),
        (Puzzle(EMPTY, "easy"), " ".join("." * 100) + " ; easy\n"),
        (Puzzle(EMPTY, "", "c"), " ".join("." * 100) + " # c\n"),
    ],
)
def test_name_and_comment_stand_behind_the_cells(puzzle: Puzzle, text: str) -> None:
    assert LineFormat().write(puzzle) == text


def test_sdm_has_zeros_and_nothing_but_cells() -> None:
    zeros = SMALL.replace(".", "0")
    assert SdmFormat().write(Puzzle(GRID, "easy", "c")) == f"{zeros}\n"
    letters = Spelling(Alphabet("A"))
    assert SdmFormat().write(Puzzle(GRID), letters) == "A00D0C0A0A0CB0A0\n"


def test_sdm_is_read_like_lines() -> None:
    reader = PuzzleReader([f"{SMALL} easy"], format_name="sdm")
    assert [reader.parser(record).name for record in reader] == ["easy"]


@pytest.mark.parametrize(
    ("lines", "size"),
    [
        ([LINE], 9),
        ([SMALL], 4),
        (["hello"], None),
    ],
)
def test_the_first_board_tells_the_usual_size(lines: list[str], size: int | None) -> None:
    assert PuzzleReader(lines).parser.format == LineFormat(size)


def test_an_answer_is_written_in_the_alphabet_of_its_puzzle() -> None:
    hexadecimal = "0..F" * 64
    (puzzle,) = [LineFormat().parse(Record(1, hexadecimal), Hints(), "")]
    answer = LineFormat().write_answer(Record(1, hexadecimal), puzzle.grid, Hints())
    assert answer == hexadecimal + "\n"


@for_each("name", ["killer:5=r1c1-2", "my best thermo:R1C1,R1C2", "anti-knight sandwich:row1=3"])
def test_a_rule_behind_cells_is_not_taken_for_a_name(name: str) -> None:
    with pytest.raises(FormatError, match=r"^f:1:1: a rule follows these cells; give it by"):
        list(read_puzzles(["." * 16 + f" {name}"], "f", "line"))
    [puzzle] = read_puzzles(["." * 16 + " easy: begin at r1c1"])
    assert puzzle.name == "easy: begin at r1c1"
