"""Whatever is thrown at the readers, there is a puzzle or a FormatError with its place."""

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from satdoku.errors import FormatError, SatdokuError
from satdoku.notation.formats import FORMATS
from satdoku.notation.hints import Hints
from satdoku.notation.reading import PuzzleReader
from satdoku.notation.spelling import Alphabet
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from tests.crossing import crossed
from tests.each import for_each
from tests.strategies import CHARACTERS

SMALL = Puzzle(Grid(Geometry(2, 2), (1, 2, 0, 4, 0, 4, 1, 0, 2, 0, 4, 3, 4, 3, 2, 0)), "one", "two")
TEXTS = {name: entry.opening() + entry.write(SMALL) for name, entry in FORMATS.items()}
ODD = [
    "\0", "q", "!", "|", "+", "-", "--", "+--+", "#", ",", ";", ":", '"', "'", "[", "]", "{", "}",
    "\\", "9", "17", "-1", "1.5", "1e9", "9" * 5000, "null", "true", "x", "X", "é", "\uff11", "²",
    "٣", "─", "│", "\ufeff", "\ud800", "\u2028", "\t", "\r", "Grid 01", "puzzle", "[Puzzle]",
    "[State]", "#Ax", "*-*",
]  # fmt: skip
HOPELESS = [
    "hello", "hello world", "1", "12", "123", "0", ".", "..", "-", "--", "---", "|", "||", "+-+",
    ",", ",,", ";", ":", '"', "'", "[", "]", "[]", "[[]]", "[[[]]]", "{}", "{", "}", "[{}]",
    '[""]', '""', '"x"', "[1]", "[[1]]", "[null]", "[[null]]", "[true]", '{"puzzle": null}',
    '{"puzzle": []}', '{"puzzle": {}}', '{"puzzle": 1}', '{"puzzle": "", "box": 3}',
    '{"puzzle": [[1,2,3,4]], "box": "2x2"}', '{"puzzle": "................", "box": "0x0"}',
    '{"puzzle": "................", "box": [[]]}', '{"puzzle": "................", "box": "3x3"}',
    "[" * 5000, "[" * 5000 + "]" * 5000, '[["', "[[1,", "[1 2]", "[[1, 2, 3, 4], 5, 6, 7]",
    '[["1", "2"], "34"]', "[NaN]", "[[Infinity]]", '{"puzzle": NaN}', "puzzle,name",
    "puzzle,name\n,", "puzzle\n", "a,b\n1,2", '"', '","', '",",\n"', "Grid 01",
    "Grid 01\nGrid 02", "Grid\n1", "[Puzzle]", "[State]", "[Puzzle]\n[State]\n....", "#A",
    "#Ab\n#Cd\n1", "*---*", "*---*\n*---*", "*---*\n|1|\n*---*", "+---+\n+---+", "┌─┐",
    "┌─┐\n│1│\n└─┘", "1|2", "1|2\n-+-", "1 2\n3 4", "1\n2\n3", "1 2 3\n4 5 6\n7 8 9", "1234567",
    "." * 7, "." * 25, "." * 80, "." * 82, "." * 121, "." * 1297, "1" * 100000,
    " ".join("1" * 1000), "\n".join("1" * 300), "\x7fELF\x02\x01\x01", "PK\x03\x04" + "\0" * 100,
    "\0" * 81, "%PDF-1.7", "<html><body>53..7</body></html>", "p cnf 729 8829\n1 2 0",
    "s SATISFIABLE\nv 1 2 0",
]  # fmt: skip


def assert_no_surprise(text: str, name: str | None = None, hints: Hints | None = None) -> int:
    """Read a text to its end; every fault must say where it is. Returns the number of faults."""
    placed, whole = collect_errors(text, name, hints)
    for error in [*placed, *whole]:
        assert str(error).startswith("file:")
        assert "\n" not in str(error)
        assert len(str(error)) < 200
    assert all(error.line > 0 and error.column > 0 for error in placed)
    return len(placed) + len(whole)


def collect_errors(
    text: str, name: str | None, hints: Hints | None
) -> tuple[list[FormatError], list[FormatError]]:
    """The faults of records, and the one that ends the reading of the text, if there is one."""
    placed: list[FormatError] = []
    try:
        reader = PuzzleReader(text.split("\n"), "file", name, hints)
        for record in reader:
            try:
                reader.parser(record)
            except FormatError as error:
                placed.append(error)
    except FormatError as error:
        return placed, [error]
    return placed, []


@pytest.mark.parametrize("step", [1000, pytest.param(1, marks=pytest.mark.slow)])
@for_each("name", TEXTS)
def test_an_odd_piece_anywhere_is_no_surprise(name: str, step: int) -> None:
    """Each piece at every so manieth place, the next piece one further on.

    In the usual run every third piece, and in the next format the pieces after these.
    """
    text = TEXTS[name]
    for number, odd in enumerate(ODD):
        if step > 1 and (number + list(TEXTS).index(name)) % 3:
            continue
        for place in range(number % step, len(text), step):
            assert_no_surprise(text[:place] + odd + text[place:], name)
            assert_no_surprise(text[:place] + odd + text[place + 1 :])


# A search that begins anew at every character of such a line would take minutes.
REPEATED = [
    "9",
    "a",
    " ",
    "\t",
    ">",
    "> ",
    "[",
    "[]",
    "[code",
    "<div ",
    "a://",
    "?a",
    "| ",
    ",",
    "1;",
]


@crossed(4, piece=REPEATED)
def test_a_long_line_of_one_piece_is_no_surprise(piece: str) -> None:
    assert_no_surprise(piece * 1_000)
    line = piece * (3_000 // len(piece))
    assert_no_surprise(f"{line}x\nCan anybody solve this one?")


@crossed(4, text=HOPELESS, name=[None, *FORMATS])
def test_a_text_that_is_no_puzzle_is_refused(text: str, name: str | None) -> None:
    assert assert_no_surprise(text, name) > 0


@pytest.mark.parametrize("step", [4, pytest.param(1, marks=pytest.mark.slow)])
@for_each("name", TEXTS)
def test_a_torn_text_is_no_surprise(name: str, step: int) -> None:
    text = TEXTS[name]
    faults = [assert_no_surprise(text[:length], name) for length in range(0, len(text), step)]
    assert sum(faults) > 10 // step


@given(st.text(CHARACTERS, max_size=200), st.sampled_from([None, *FORMATS]))
def test_any_text_is_no_surprise(text: str, name: str | None) -> None:
    assert_no_surprise(text, name)


@given(
    st.text(alphabet='0123456789.ABGPqxX_-*|+#,;: \t\n"[]{}─│', max_size=300),
    st.sampled_from([None, *FORMATS]),
    st.sampled_from([None, Geometry(2, 2), Geometry(1, 3), Geometry(3, 3), Geometry(4, 4)]),
    st.sampled_from([None, "0", "1", "A", "numbers", "abcd"]),
)
@example("1,2\n3", "csv", None, None)
def test_any_mixture_is_no_surprise(
    text: str, name: str | None, geometry: Geometry | None, symbols: str | None
) -> None:
    try:
        hints = Hints(geometry, Alphabet(symbols) if symbols else None)
    except SatdokuError:
        return
    assert_no_surprise(text, name, hints)


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-1, 20)
    | st.floats()
    | st.text("12340.xq ", max_size=17),
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.dictionaries(st.sampled_from(["puzzle", "box", "name", "comment"]), inner, max_size=3)
    ),
    max_leaves=20,
)


@given(json_values, st.sampled_from([None, 1]))
def test_any_json_is_no_surprise(value: object, indent: int | None) -> None:
    assert_no_surprise(json.dumps(value, indent=indent), "json")
