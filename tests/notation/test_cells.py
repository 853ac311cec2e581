"""The cells of a line are told from its name, and make a board or a fault with its place."""

import re

import pytest

from satdoku.errors import FormatError
from satdoku.notation.cells import LineCells, find_cells, read_cells, spelling_of_line
from satdoku.notation.hints import Hints
from satdoku.notation.spelling import Alphabet, Spelling
from satdoku.puzzle.grid import Geometry, Grid
from tests.each import for_each
from tests.notation.samples import LINE, ROWS

SMALL = "1..4.3.1.1.32.1."
GROUPS = "1..4 .3.1 .1.3 2.1."
NUMBERS = " ".join(SMALL)


@for_each(
    "text, cells, name, comment",
    [
        (SMALL, SMALL, "", ""),
        (f"{SMALL} easy", SMALL, "easy", ""),
        (f"{SMALL},easy one", SMALL, "easy one", ""),
        (f'"{SMALL}";easy:', SMALL, "easy:", ""),
        (f"{SMALL} # by hand ", SMALL, "", "by hand"),
        (f"{SMALL} easy # by # hand", SMALL, "easy", "by # hand"),
        (f"  {SMALL}", SMALL, "", ""),
        (GROUPS, SMALL, "", ""),
        (f"{GROUPS} easy", SMALL, "easy", ""),
        (f"{GROUPS},easy", SMALL, "easy", ""),
        (" ".join(ROWS), LINE, "", ""),
        (NUMBERS, list(SMALL), "", ""),
        (",".join(SMALL), list(SMALL), "", ""),
        (f"{NUMBERS} ; easy", list(SMALL), "easy", ""),
        (f"{NUMBERS}: easy; one # c", list(SMALL), "easy; one", "c"),
        (f"7 {LINE} 1.2", LINE, "7 1.2", ""),
        (f"abcdef0123456 {LINE}", LINE, "abcdef0123456", ""),
        (" ".join(["16", ".."] * 128), ["16", ".."] * 128, "", ""),
    ],
)
def test_cells_are_found(text: str, cells: object, name: str, comment: str) -> None:
    found = find_cells(text)
    assert (found.cells, found.name, found.comment) == (cells, name, comment)
    assert found.size == {16: 4, 81: 9, 256: 16}[len(found.cells)]


@for_each("text", [SMALL, f"  {GROUPS} x", f"a {LINE}", f" {NUMBERS}", f"{LINE},x"])
def test_every_cell_is_where_it_is_said_to_be(text: str) -> None:
    found = find_cells(text)
    assert len(found.starts) == len(found.cells)
    assert [text[start] for start in found.starts] == list(found.cells)


def test_the_size_that_is_wanted_decides() -> None:
    assert find_cells("." * 49).size is None
    assert find_cells("." * 49, 7).size == 7
    assert find_cells(SMALL, 9).size is None
    assert find_cells("123 456 789", 3).cells == "123456789"
    assert find_cells("7 . 3 . .", 2).size is None


@for_each(
    "text, cells",
    [
        (SMALL[:-1], SMALL[:-1]),
        (f"{SMALL[:-1]} easy", SMALL[:-1]),
        ("1 2 3 4 5", ["1", "2", "3", "4", "5"]),
        ("1 2b " * 8, ["1", "2b"] * 8),
        ("", ""),
        ("# only", ""),
        ("12 34", "12"),
        ("12 34 56", ["12", "34", "56"]),
    ],
)
def test_what_is_no_board_is_what_looks_most_like_one(text: str, cells: str | list[str]) -> None:
    found = find_cells(text)
    assert found.cells == cells
    assert found.size is None
    assert len(found.starts) == len(cells)


def test_a_long_word_behind_others_is_a_board_only_if_it_can_be_nothing_else() -> None:
    assert find_cells(f"x {SMALL}").size is None
    assert find_cells(f"x {'.' * 64}").size is None
    assert find_cells(f"x {LINE[:-1]}a").size is None
    assert find_cells(f"x {LINE}").size == 9
    assert find_cells(f"x {'1' * 256}").size == 16


def test_unequal_words_are_no_groups() -> None:
    assert find_cells("1..4 .3.1 .1.3 2.1").size is None
    assert find_cells("1..4 .3.1 .1.3").size is None


def test_nothing_is_known_beside_the_cells_unless_said() -> None:
    assert LineCells("1", (0,), None) == LineCells("1", (0,), None, "", "")


def test_a_long_line_is_found_as_a_short_one_is() -> None:
    numbers = [str(n % 225 + 1) for n in range(225 * 225)]
    text = "  ".join(numbers)
    found = find_cells(f"{text} ; large # by hand")
    assert (found.cells, found.size, found.name, found.comment) == (
        numbers,
        225,
        "large",
        "by hand",
    )
    starts = [match.start() for match in re.finditer(r"\d+", text)]
    assert list(found.starts) == starts
    assert (found.starts[224], found.starts[-1], len(found.starts)) == (
        starts[224],
        starts[-1],
        50625,
    )
    assert find_cells(" ".join([*numbers[:-1], "q1"])).size is None


def read(text: str, hints: Hints | None = None, usual_size: int | None = None) -> Grid:
    hints = hints or Hints()
    return read_cells(find_cells(text, hints.size), hints, "f", (7, 10), usual_size)


def test_a_board_has_the_digits_of_its_cells() -> None:
    assert read(f"{SMALL} x").digits == tuple(int(cell) for cell in SMALL.replace(".", "0"))
    assert read("." * 36, Hints(Geometry(3, 2))).geometry == Geometry(3, 2)
    assert read("AB..", Hints(Geometry(1, 2), Alphabet("A"))).digits == (1, 2, 0, 0)


@for_each(
    "text, hints, usual_size, message",
    [
        ("  12q4.3.1.1.32.1.", Hints(), None, "f:7:14: 'q' is not a digit 1-4"),
        ("12!4", Hints(), None, "f:7:12: '!' is not a digit or a blank"),
        ("1 2 !+! 4", Hints(), None, "f:7:14: '!+!' is not a digit or a blank"),
        (SMALL[:-1], Hints(), None, "f:7:25: 15 cells found, expected 16 for 4x4"),
        (SMALL + "1", Hints(), None, "f:7:26: 17 cells found, expected 16 for 4x4"),
        (SMALL + "5", Hints(), None, "f:7:27: 17 cells found, expected 81 for 9x9"),
        ("1 2 34 56 7", Hints(), None, "f:7:21: 5 cells found, expected 81 for 9x9"),
        ("1 2 3 44", Hints(), None, "f:7:18: 4 cells found, expected 81 for 9x9"),
        ("", Hints(), None, "f:7:10: 0 cells found, expected 81 for 9x9"),
        ("." * 62, Hints(), None, "f:7:72: 62 cells found, expected 64 for 8x8"),
        ("." * 62, Hints(), 9, "f:7:72: 62 cells found, expected 81 for 9x9"),
        ("." * 80, Hints(), 9, "f:7:90: 80 cells found, expected 81 for 9x9"),
        ("." * 82, Hints(), 9, "f:7:91: 82 cells found, expected 81 for 9x9"),
        ("." * 62, Hints(), 4, "f:7:72: 62 cells found, expected 64 for 8x8"),
        ("." * 81, Hints(Geometry(2, 3)), 9, "f:7:46: 81 cells found, expected 36 for 6x6"),
        ("  " + "." * 16, Hints(Geometry(2, 3)), None, "f:7:28: 16 cells found, expected 36"),
    ],
)
def test_a_fault_has_its_place(
    text: str, hints: Hints, usual_size: int | None, message: str
) -> None:
    with pytest.raises(FormatError) as caught:
        read(text, hints, usual_size)
    assert str(caught.value).startswith(message)


def test_a_wrong_box_shape_is_a_fault_of_the_first_cell() -> None:
    with pytest.raises(
        FormatError, match=r"f:7:12: a board of 4x4 found, but boxes of 2x3 make 6x6"
    ):
        read_cells(find_cells("  " + SMALL), Hints(Geometry(2, 3)), "f", (7, 10))


def test_boards_are_written_as_they_were_read() -> None:
    assert spelling_of_line("1..G" * 64 + " name", Hints(), 16) == Spelling(Alphabet("1"))
    assert spelling_of_line("1 16 " * 128, Hints(), 16) == Spelling(Alphabet("numbers"))
    assert spelling_of_line("A" * 100, Hints(alphabet=Alphabet("A")), 10).alphabet == Alphabet("A")
    assert spelling_of_line("ABCD" * 4, Hints(alphabet=Alphabet("A")), 4).alphabet == Alphabet("A")
    assert spelling_of_line("1234" * 4, Hints(), 4) == Spelling()
    assert spelling_of_line("1..9A" * 20, Hints(), 10) == Spelling(Alphabet("1"))
