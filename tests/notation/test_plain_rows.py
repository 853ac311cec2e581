"""Rows of a table that look like one before them are found in its bytes."""

import json

import pytest

from satdoku.notation.hints import Hints
from satdoku.notation.plain_rows import TextRows
from satdoku.notation.reading import PuzzleReader
from tests.commands import SMALL
from tests.each import for_each

OTHER = "1.....2..3.....4"


def rows_like(text: str, hints: Hints | None = None) -> TextRows | None:
    reader = PuzzleReader(text.splitlines(keepends=True), hints=hints)
    return reader.parser.rows_like(next(iter(reader)))


def count(text: str, *further: str) -> int:
    """Return how many further rows look like the first one of a text."""
    rows = rows_like(text)
    assert rows is not None
    data = "".join(f"{row}\n" for row in further).encode()
    number, size = rows.measure(data, 100)
    assert data[:size].count(b"\n") == number
    return number


TABLE = f"id,puzzle,box,type,name\n7,{SMALL},2x2,easy,first\n"


@pytest.mark.parametrize(
    "row",
    [
        f"8,{OTHER},2x2,hard,",
        f"a b, {OTHER} ,2x2,,Größe\r",
        f"8,{OTHER.replace('.', '0')},2x2,easy,\x0c",
    ],
)
def test_a_row_may_differ_in_what_says_nothing_about_its_puzzle(row: str) -> None:
    assert count(TABLE, row, row) == 2


@for_each(
    "row",
    [
        f"8,{OTHER},1x4,hard,",
        f"8,{OTHER},,hard,",
        f"8,{OTHER},2x2,anti-knight,",
        f"8,{OTHER[1:]},2x2,hard,",
        f"8,{OTHER},2x2,hard",
        f"8,{OTHER},2x2,hard,,",
        f'8,"{OTHER}",2x2,hard,',
        f'8,{OTHER},2x2,hard,"open',
        f"# 8,{OTHER},2x2,hard,",
        f" 8,{OTHER},2x2,hard,",
        f"8,{OTHER},2x2,hard,\x1a",
        f"8,{OTHER},2x2,hard,\rx",
        "",
    ],
)
def test_other_rows_are_left_to_the_format(row: str) -> None:
    good = f"8,{OTHER},2x2,hard,"
    assert count(TABLE, good, row, good) == 1


def test_only_whole_rows_of_utf_8_are_taken() -> None:
    rows = rows_like(TABLE)
    assert rows is not None
    good = f"8,{OTHER},2x2,hard,ä\n".encode()
    assert rows.measure(good * 3, 2) == (2, 2 * len(good))
    assert rows.measure(good + good[:-1], 9) == (1, len(good))
    assert rows.measure(good + good.replace(b"hard", b"\xff"), 9) == (1, len(good))


def test_fields_in_quotes_are_read_where_the_model_has_some() -> None:
    table = f'"id";"puzzle";"a ""b"""\n"7";"{SMALL}";"x;y"\n'
    assert count(table, f'"8";"{OTHER}";"z ""z"""', f'9;"{OTHER}";', f'"9;"{OTHER}";"') == 2


OBJECT = {"id": 7, "puzzle": SMALL, "rating": 1.5, "box": "2x2"}


@for_each(
    "changes, is_like",
    [
        ({"id": "x", "rating": None, "puzzle": OTHER}, True),
        ({"id": "Größe", "rating": 1e-4}, True),
        ({"id": 'x"y'}, False),
        ({"rating": 1e22}, False),
        ({"rating": 1e-5}, False),
        ({"rating": [1]}, False),
        ({"box": "4x1"}, False),
        ({"puzzle": "x" + OTHER[1:]}, False),
        ({"more": 1}, False),
    ],
)
def test_objects_with_the_same_keys_are_alike(changes: dict[str, object], is_like: bool) -> None:
    text = json.dumps(OBJECT) + "\n"
    changed = json.dumps(OBJECT | changes, ensure_ascii=False)
    assert count(text, changed) == is_like
    compact = json.dumps(OBJECT | changes, ensure_ascii=False, separators=(",", ":"))
    assert count(text, compact) == is_like


def test_objects_are_written_as_json_writes_them() -> None:
    rows = rows_like(json.dumps(OBJECT) + "\n")
    assert rows is not None
    found = OBJECT | {"id": "Größe: 50%", "rating": 0.0}
    read = rows.read(json.dumps(found, ensure_ascii=False, separators=(",", ":")) + "\r\n")
    assert [f'{begin}"x": 1}}' for begin in read.objects()] == [json.dumps(found | {"x": 1})]
    assert json.loads(read.record(0, 1).text) == found


@pytest.mark.parametrize(
    ("text", "hints"),
    [
        (f"id,puzzle\n7,{SMALL}\n", Hints(rules=("anti-knight",))),
        (f"id,puzzle,rules\n7,{SMALL},anti-knight\n", None),
        (f"id,puzzle\n7,{SMALL[1:]}\n", None),
        (f"{SMALL} named\n", None),
        (json.dumps(OBJECT | {"box": "4x1"}) + "\n", None),
        (json.dumps({"puzzle": [[1, 0, 0, 0], *[[0] * 4] * 3]}) + "\n", None),
    ],
)
def test_no_row_is_like_one_that_is_more_than_a_plain_board(text: str, hints: Hints) -> None:
    assert rows_like(text, hints) is None
