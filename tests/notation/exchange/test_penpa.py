"""Drawings of penpa-edit, made here point by point."""

import base64
import json
import zlib
from typing import Any

import pytest

from satdoku.errors import RuleError
from satdoku.notation.exchange.links import read_link
from satdoku.notation.exchange.penpa import read_penpa
from satdoku.puzzle.puzzle import Puzzle
from tests.each import for_each
from tests.notation.exchange.boards import GRID
from tests.notation.samples import LINE

WIDTH = 13
CORNERS = WIDTH * WIDTH


def index(row: int, column: int) -> int:
    """The point of a cell, by its row and column from 0."""
    return (row + 2) * WIDTH + column + 2


NUMBERS = {
    str(index(*divmod(cell, 9))): [digit, 1, "1"] for cell, digit in enumerate(LINE) if digit != "."
}


def borders(style: int = 2) -> dict[str, int]:
    """The lines between boxes: of columns from the top down, of rows from left to right."""
    found = {}
    for line in (4, 7):
        for at in range(1, 10):
            first, second = CORNERS + WIDTH * at + line, CORNERS + WIDTH * (at + 1) + line
            found[f"{first},{second}"] = style
            first = CORNERS + WIDTH * line + at
            found[f"{first},{first + 1}"] = style
    return found


def pack(*lines: str) -> str:
    packer = zlib.compressobj(wbits=-15)
    data = packer.compress("\n".join(lines).encode()) + packer.flush()
    return base64.b64encode(data).decode()


def drawing(header: str = "sudoku,9,9,38,0", margins: str = "[0,0,0,0]", **parts: Any) -> str:
    return pack(header, margins, "[]", json.dumps({"zN": NUMBERS, "zR": "zO"} | parts), "{}")


def read(**parts: Any) -> Puzzle:
    return read_penpa(drawing(**parts)).puzzle()


@pytest.mark.parametrize("lines", [{}, borders(), borders(21), borders(1)])
def test_givens_and_boxes_are_read(lines: dict[str, int]) -> None:
    puzzle = read(zE=lines)
    assert (puzzle.grid, puzzle.is_classic) == (GRID, True)


@pytest.mark.parametrize(
    "link",
    [
        "https://swaroopg92.github.io/penpa-edit/#m=solve&p={}&a=x",
        "https://opt-pan.github.io/penpa-edit/?m=edit&p={}",
    ],
)
def test_links_are_read(link: str) -> None:
    assert read_link(link.format(drawing())).puzzle().grid == GRID


def test_borders_may_be_irregular() -> None:
    lines = borders()
    # The end of the first box goes to the second one, the cell below that to the first.
    moved = {
        f"{CORNERS + WIDTH * 3 + 4},{CORNERS + WIDTH * 4 + 4}": 0,
        f"{CORNERS + WIDTH * 3 + 3},{CORNERS + WIDTH * 4 + 3}": 2,
        f"{CORNERS + WIDTH * 3 + 3},{CORNERS + WIDTH * 3 + 4}": 2,
    }
    with pytest.raises(RuleError, match="has 8 cells, expected 9"):
        read(zE={key: style for key, style in (lines | moved).items() if style})


def test_margins_are_no_cells() -> None:
    numbers = {str(3 * 15 + 3): ["5", 1, "1"], str(2 * 15 + 3): ["17", 1, "1"]}
    foreign = read_penpa(drawing("square,11,11,38", "[1,1,1,1]", zN=numbers))
    assert foreign.puzzle().givens == {0: 5}
    assert (
        foreign.unread
        == "satdoku does not read drawings (some numbers or cages) in this puzzle of penpa-edit"
    )


def test_cages_with_a_sum_are_read() -> None:
    sums = {str(4 * (CORNERS + index(0, 1))): ["9", 1]}
    cages = [[index(0, 1), index(0, 2)], [index(5, 5), index(5, 6)]]
    foreign = read_penpa(drawing(z6=cages, z1=sums))
    assert foreign.puzzle().rule_texts == ["killer:9=r1c2,r1c3"]
    assert "some numbers or cages" in foreign.unread


def test_drawings_are_told() -> None:
    foreign = read_penpa(drawing(zT=[[1, 2]], zY={"30": [2]}, zS={}))
    assert foreign.unread == (
        "satdoku does not read drawings (symbols, thermometers) in this puzzle of penpa-edit"
    )


@for_each(
    "packed, fault",
    [
        ("/////w==", "is damaged"),
        (drawing()[:40], "as if it was cut short"),
        (pack("square,9,9"), "is no drawing"),
        (pack("square,9,9", "[0,0,0,0]", "", "{"), "is no drawing"),
        (pack("square,9,9", "[0,0,0,0]", "", "7"), "is no drawing"),
        (pack("square,9,9", "7", "", "{}"), "the margins of this drawing are not four numbers"),
        (drawing("hex,9,9"), "a drawing of the kind 'hex' is no board of squares"),
        (drawing("square,9,8"), "satdoku does not read a board of 8 rows and 9 columns"),
        (drawing("square,99,99"), "satdoku reads boards of the size 1 to 36, not '99'"),
        (drawing(zN={str(index(0, 0)): ["12", 1, "1"]}), "'12' at r1c1 is not a digit 1-9"),
        (pack("a" * 5_000_000), "longer than any board"),
        ("a" * 2_000_000, "up to 1,048,576 are read"),
    ],
)
def test_faults_are_told(packed: str, fault: str) -> None:
    with pytest.raises(RuleError) as caught:
        read_penpa(packed)
    assert fault in str(caught.value)
