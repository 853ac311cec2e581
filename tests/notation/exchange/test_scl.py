"""Puzzles of SudokuPad, in JSON and as links shorten it."""

import json
from typing import Any

import pytest

from satdoku.errors import RuleError
from satdoku.notation.exchange.links import read_link
from satdoku.notation.exchange.lzstring import pack
from satdoku.notation.exchange.scl import read_scl, unzip
from satdoku.notation.reading import read_puzzles
from satdoku.puzzle.puzzle import Puzzle
from tests.each import for_each
from tests.notation.exchange.boards import GRID
from tests.notation.samples import ROWS

BOXES = [
    [[row, column] for row in range(top, top + 3) for column in range(left, left + 3)]
    for top in (0, 3, 6)
    for left in (0, 3, 6)
]


def board(**more: Any) -> dict[str, Any]:
    cells = [[{} if cell == "." else {"value": int(cell)} for cell in row] for row in ROWS]
    return {"cells": cells, "regions": BOXES, **more}


def zipped(value: dict[str, Any]) -> str:
    """The text as SudokuPad shortens it, made by other means than the ones that read it."""
    letters = {"cells": "ce", "regions": "re", "value": "v", "cages": "ca", "lines": "l"}
    text = json.dumps(value, separators=(",", ":")).replace("{}", "")
    for key in (*value, "value", "unique", "title", "rules"):
        text = text.replace(f'"{key}":', f"{letters.get(key, key)}:")
    return text.replace(":true", ":t").replace(":false", ":f").replace("'", "\\'").replace('"', "'")


def read(**more: Any) -> Puzzle:
    return read_scl(board(**more)).puzzle()


def test_json_is_read() -> None:
    (puzzle,) = read_puzzles([json.dumps(board(metadata={"title": "Tea", "author": "Ann"}))])
    assert (puzzle.grid, puzzle.name, puzzle.author) == (GRID, "Tea", "Ann")
    assert puzzle.is_classic


@pytest.mark.parametrize("prefix", ["scl", "ctc"])
@pytest.mark.parametrize("write", [json.dumps, zipped])
def test_links_are_read(prefix: str, write: Any) -> None:
    cages = [{"cells": [[0, 1], [0, 2]], "unique": True}, {"value": "title: Ann's tea"}]
    packed = pack(write(board(cages=cages, **{"global": ["antiknight"]})))
    for link in (f"https://sudokupad.app/{prefix}{packed}", f"{prefix}{packed}"):
        puzzle = read_link(link).puzzle()
        assert (puzzle.grid, puzzle.name) == (GRID, "Ann's tea")
        assert puzzle.rule_texts == ["anti-knight", "extra-region:r1c2,r1c3"]


@for_each(
    "text, value",
    [
        ("{}", {}),
        ("[,,{v:1},]", [{}, {}, {"value": 1}, {}]),
        ("{a:t,b:f,c:null,v:-1.5}", {"arrows": True, "b": False, "c": None, "value": -1.5}),
        ("{te:'it\\'s \\n'}", {"text": "it's \n"}),
        ("{x:FF0011,y:#0}", {"x": "FF0011", "y": "#0"}),
        ("[['a',1],'']", [["a", 1], ""]),
    ],
)
def test_shortened_text_stands_for_json(text: str, value: object) -> None:
    assert unzip(text) == value


@for_each("text", ["", "{", "[1 2]", "'", "{v:}", "{:1}"])
def test_what_stands_for_nothing_is_a_fault(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        unzip(text)


def test_regions_may_be_irregular() -> None:
    regions = [
        [[0, c] for c in range(4)],
        [[1, c] for c in range(4)],
        [[2, 0], [2, 1], [3, 0], [3, 1]],
    ]
    value = {"cells": [[{}] * 4] * 4, "regions": regions}
    assert read_scl(value).puzzle().rule_texts == ["regions:AAAA/BBBB/CC../CC.."]


def test_drawings_and_words_are_told() -> None:
    foreign = read_scl(
        board(
            lines=[{}],
            thermos=[{}],
            overlays=[{}, {}],
            cages=[{"cells": [[0, 0]]}],
            metadata={"rules": "Odd."},
        )
    )
    assert foreign.puzzle().is_classic
    assert foreign.unread == (
        "satdoku does not read drawings (1 lines, 1 thermos, 2 overlays, 1 cages) and rules in "
        "words in this puzzle of SudokuPad"
    )
    assert read_scl(board(metadata={"rules": "Normal rules apply."})).unread == ""


@for_each(
    "more, fault",
    [
        ({"global": ["antiwhale"]}, "this puzzle has 'antiwhale', which satdoku has no rule for"),
        ({"regions": [[[0, 0]], [[0, 0]]]}, "r1c1 is in two regions"),
        ({"regions": [[[0, 0]]]}, "has 1 cells, expected 9"),
        ({"regions": 7}, "the regions are not a list"),
        ({"regions": [[[0, 9]]]}, "region 1: [0, 9] is not on a board of 9x9"),
        ({"cages": [7]}, "the cages are not a list of objects"),
        ({"cages": [{"cells": [[0]]}]}, "cage 1: '[0]' is not a row and a column"),
        ({"cages": [{"cells": [[0, 0], [0, 0]], "unique": True}]}, "cage 1: r1c1 is named twice"),
        ({"cells": [[{}] * 9] * 8}, "a board of 8 rows with another number of columns"),
        ({"cells": [[{"value": "x"}] * 9] * 9}, "'x' at r1c1 is not a digit 1-9"),
    ],
)
def test_faults_are_named(more: dict[str, Any], fault: str) -> None:
    with pytest.raises(RuleError) as caught:
        read(**more)
    assert fault in str(caught.value)
