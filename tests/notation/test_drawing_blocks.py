"""Boards are cut out of a stream as soon as they are whole."""

from collections.abc import Iterator

import pytest

from satdoku.notation.drawings import Block, Line, split_blocks
from satdoku.notation.record import Record

FOUR = ["1234", "3412", "2143", "4321"]
OTHER = ["4321", "2143", "3412", "1234"]
NINE = ["123456789"] * 9


def records(*lines: str, size: int | None = None) -> list[tuple[int, str, str]]:
    """Line, name and rows of each record, the rows with a slash between them."""
    found = split_blocks(lines, size)
    return [(each.line, each.name, each.text.replace("\n", "/")) for each in found]


WHOLE = "/".join(FOUR)


def test_a_board_ends_with_its_last_row() -> None:
    assert records(*FOUR, *OTHER) == [(1, "", WHOLE), (5, "", "/".join(OTHER))]


def test_a_board_is_given_away_before_the_next_line_but_an_empty_one_is_read() -> None:
    def lines() -> Iterator[str]:
        yield from FOUR
        yield ""
        pytest.fail("read too far")

    assert next(split_blocks(lines())).line == 1


def test_boards_side_by_side_are_given_away_when_the_next_one_is_whole() -> None:
    def lines() -> Iterator[str]:
        yield from FOUR
        yield from OTHER
        pytest.fail("read too far")

    assert next(split_blocks(lines())).line == 1


@pytest.mark.parametrize("behind", [["1234"], ["+--+--+", "12"], ["what is this"]])
def test_a_row_too_many_is_a_fault_of_the_whole_board(behind: list[str]) -> None:
    assert records("Grid 3", *FOUR, *behind, "", *OTHER) == [
        (2, "Grid 3", "/".join([*FOUR, *behind])),
        (7 + len(behind), "", "/".join(OTHER)),
    ]


def test_a_row_too_many_is_added_to_the_last_of_several_boards() -> None:
    assert records(*FOUR, *OTHER, "1234") == [(1, "", WHOLE), (5, "", "/".join([*OTHER, "1234"]))]


def test_titles_are_names_of_what_stands_below() -> None:
    assert records("Grid 01", *FOUR, " Grid 02 ", "", *OTHER, *FOUR) == [
        (2, "Grid 01", WHOLE),
        (8, "Grid 02", "/".join(OTHER)),
        (12, "", WHOLE),
    ]


def test_a_title_or_an_empty_line_ends_a_board_that_is_not_whole() -> None:
    assert records(*FOUR[:3], "Grid 2", *OTHER) == [
        (1, "", "/".join(FOUR[:3])),
        (5, "Grid 2", "/".join(OTHER)),
    ]
    assert records(*FOUR[:3], "", *OTHER) == [
        (1, "", "/".join(FOUR[:3])),
        (5, "", "/".join(OTHER)),
    ]


def test_the_name_of_a_torn_board_is_not_that_of_the_next() -> None:
    assert [name for _, name, _ in records("Grid 1", *FOUR[:3], "", *OTHER)] == ["Grid 1", ""]


def test_borders_and_comments_belong_to_a_board() -> None:
    frame = "+--+--+"
    assert records(frame, "12|34", "34|12", frame, "# c", "21|43", "43|21", frame) == [
        (1, "", f"{frame}/12|34/34|12/{frame}/# c/21|43/43|21"),
    ]


def test_empty_lines_may_stand_between_bands() -> None:
    assert records(*FOUR[:2], "", *FOUR[2:], *OTHER) == [
        (1, "", "1234/3412//2143/4321"),
        (6, "", "/".join(OTHER)),
    ]
    assert records("1234", "", "3412", " ", "2143", "", "4321") == [
        (1, "", "1234//3412/ /2143//4321")
    ]


def test_bands_of_different_heights_are_no_board() -> None:
    assert records("1234", "", *FOUR[1:], "") == [(1, "", "1234"), (3, "", "/".join(FOUR[1:]))]
    found = records(*FOUR[:2], "", "2143", "", "4321")
    assert found == [(1, "", "1234/3412//2143"), (6, "", "4321")]


def test_three_rows_of_a_torn_board_take_none_of_the_next() -> None:
    assert records(*NINE[:3], "", *NINE, *NINE) == [
        (1, "", "/".join(NINE[:3])),
        (5, "", "/".join(NINE)),
        (14, "", "/".join(NINE)),
    ]


def test_a_row_of_another_length_behind_an_empty_line_begins_another_board() -> None:
    assert records("Grid 7", *NINE[:3], "", *FOUR) == [
        (2, "Grid 7", "/".join(NINE[:3])),
        (6, "", WHOLE),
    ]


def test_a_torn_board_with_two_gaps_keeps_what_is_before_the_last() -> None:
    assert records(*NINE[:3], "", *NINE[:3], "", *FOUR) == [
        (1, "", "/".join([*NINE[:3], "", *NINE[:3]])),
        (9, "", WHOLE),
    ]


def test_dashes_are_rows_where_they_are_blanks() -> None:
    assert records("1-3-", "----", "-1-3", "3-1-", *OTHER)[0] == (1, "", "1-3-/----/-1-3/3-1-")
    assert records("----", "----", "----", "----", *OTHER)[0] == (1, "", "----/----/----/----")
    assert records("1.3.", "----", ".1.3", "3.1.", "1..3", *OTHER)[0][2].endswith("1..3")


def test_lone_dashes_are_no_board() -> None:
    assert records("-----") == []
    assert records("---", "", *FOUR) == [(3, "", WHOLE)]
    assert records("--", "----", "----") == []


def test_the_size_that_is_known_decides() -> None:
    assert [text for _, _, text in records(*NINE[:8], size=4)] == ["/".join(NINE[:4])] * 2
    assert records(*NINE, size=4)[-1] == (5, "", "/".join(NINE[:5]))


def test_most_rows_decide_and_the_longer_ones_if_they_are_as_many() -> None:
    block = Block(None)
    for number, text in enumerate(["12", "123", "123", "12"], 1):
        block.add(Line.read(number, text))
    assert block.size == 3
    block.add(Line.read(5, "12"))
    assert block.size == 2
    assert block.row_count == 5


def test_lines_of_dashes_count_by_their_dashes() -> None:
    block = Block(None)
    for number, text in enumerate(["--", "---", "---", "--"], 1):
        block.add(Line.read(number, text))
    assert block.size == 3
    assert block.row_count == 2
    assert not block.is_complete
    block.add(Line.read(5, "- | - -"))
    assert block.is_complete


def test_an_empty_block_is_nothing() -> None:
    block = Block(None)
    assert (block.size, block.row_count, block.has_rows, block.has_lines) == (0, 0, False, False)
    assert not block.is_complete
    assert not block.may_go_on_behind_gap()
    assert list(block.records()) == []


def test_a_record_has_no_empty_lines_at_its_end() -> None:
    assert records("1234", "3412", "") == [(1, "", "1234/3412")]
    assert Record(1, "1234") in list(split_blocks(["1234", "", ""]))
