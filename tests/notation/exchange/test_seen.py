import pytest

from satdoku.notation.exchange.seen import is_foreign, is_link
from tests.notation.exchange.boards import empty_board, link_of
from tests.notation.samples import LINE, SAMPLES


@pytest.mark.parametrize(
    "text",
    [
        "https://f-puzzles.com/?load=N4Ig",
        "http://www.sudokuwiki.org/sudoku.htm?bd=1",
        "www.sudokuwiki.org/sudoku.htm?bd=1",
        "f-puzzles.com/?load=N4Ig",
        " sudokupad.app/abc",
        "<https://sudokupad.app/abc>",
        "app.crackingthecryptic.com/sudoku/abc",
        link_of(empty_board()).partition("load=")[2],
        "fpuzzles" + link_of(empty_board()).partition("load=")[2],
    ],
)
def test_links_and_what_they_hold_are_links(text: str) -> None:
    assert is_link(text)


@pytest.mark.parametrize("text", [*SAMPLES.values(), "", "N4Ig", "hello://", "see sudokupad.app"])
def test_no_other_text_is_a_link(text: str) -> None:
    assert not is_link(text)


def test_boards_with_objects_for_cells_are_foreign() -> None:
    assert is_foreign(empty_board())
    assert is_foreign({"cells": [[{}]]})
    assert not any(map(is_foreign, ({"puzzle": LINE}, {"grid": [[1]]}, {"cells": [[]]}, [], None)))
