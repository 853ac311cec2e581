"""Links on lines, in tables, in JSON, among other text."""

import pytest

from satdoku.errors import FormatError
from satdoku.notation.formats import FORMATS
from satdoku.notation.hints import Hints
from satdoku.notation.reading import PuzzleReader, read_puzzles
from satdoku.notation.typed import is_whole
from satdoku.puzzle.geometry import Geometry
from tests.notation.exchange.boards import GRID, KNIGHT
from tests.notation.exchange.boards import KNIGHT_LINK as LINK
from tests.notation.samples import LINE


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
    with pytest.raises(
        FormatError, match=r"^file:2:1: what is packed here is damaged or cut short"
    ):
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
