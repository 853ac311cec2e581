"""All formats together: what is written is read back, and is told from the other formats."""

import pickle
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satdoku.errors import SatdokuError
from satdoku.notation.formats import FORMATS, format_named
from satdoku.notation.hints import Hints
from satdoku.notation.reading import PuzzleReader
from satdoku.notation.spelling import Alphabet
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from tests.each import for_each
from tests.strategies import BOX_SHAPES, geometries, puzzles, some_hints

HOLDS_NAME = {
    "line", "json", "csv", "sdk", "jigsaw", "candidates",
    "fpuzzles", "link:fpuzzles", "link:sudokupad", "link:sudokumaker",
}  # fmt: skip
HOLDS_COMMENT = HOLDS_NAME
# A comment is written as the author, which these hold in its place.
HOLDS_AUTHOR = {"fpuzzles", "link:fpuzzles", "link:sudokupad", "link:sudokumaker"}
# What is answered as a bare line of cells.
ANSWERED_AS_LINE = {
    "csv", "jigsaw", "candidates", "link:fpuzzles", "link:sudokupad", "iss", "link:iss",
    "link:sudokumaker",
}  # fmt: skip


def write_file(name: str, originals: list[Puzzle], hints: Hints) -> list[str]:
    """A file of puzzles, line by line."""
    written = FORMATS[name]
    texts = [written.write(puzzle, hints.spelling, n) for n, puzzle in enumerate(originals, 1)]
    text = written.opening() + written.between.join(texts)
    assert text.endswith("\n")
    return text.split("\n")


def read_all(lines: list[str], name: str | None, hints: Hints) -> list[Puzzle]:
    reader = PuzzleReader(lines, "file", name, hints)
    return [reader.parser(record) for record in reader]


def keep_held(name: str, puzzle: Puzzle) -> Puzzle:
    """The puzzle with what the format can hold."""
    return Puzzle(
        puzzle.grid,
        puzzle.name if name in HOLDS_NAME else "",
        puzzle.comment if name in HOLDS_COMMENT else "",
    )


@pytest.mark.parametrize("name", FORMATS)
@given(data=st.data())
@settings(max_examples=settings().max_examples // 4)
def test_what_is_written_is_read_back(name: str, data: st.DataObject) -> None:
    geometry = data.draw(geometries(min(16, FORMATS[name].largest_size)))
    hints = data.draw(some_hints(geometry))
    originals = data.draw(st.lists(puzzles(geometry), min_size=1, max_size=3))
    lines = write_file(name, originals, hints)
    again = read_all(lines, name, hints)
    if name == "euler":
        assert [puzzle.name for puzzle in again] == [
            f"Grid {n:02}" for n in range(1, len(originals) + 1)
        ]
        again = [Puzzle(puzzle.grid) for puzzle in again]
    if name in HOLDS_AUTHOR:
        again = [replace(puzzle, comment=puzzle.author) for puzzle in again]
    if name == "ss":
        originals, again = originals[:1], again[:1]
    assert again == [keep_held(name, puzzle) for puzzle in originals]


@pytest.mark.parametrize("name", FORMATS)
@given(data=st.data())
@settings(max_examples=settings().max_examples // 4)
def test_what_is_written_is_recognised(name: str, data: st.DataObject) -> None:
    """Detection may call a format by another name, but finds the same digits."""
    geometry = data.draw(geometries(min(16, FORMATS[name].largest_size)))
    hints = data.draw(some_hints(geometry))
    originals = data.draw(st.lists(puzzles(geometry), min_size=1, max_size=3))
    again = read_all(write_file(name, originals, hints), None, hints)
    count = 1 if name == "ss" else len(originals)
    assert [p.grid for p in again][:count] == [p.grid for p in originals][:count]


@for_each("shape", BOX_SHAPES)
@for_each("name", ["grid", "ss"])
def test_a_framed_board_shows_its_boxes(name: str, shape: tuple[int, int]) -> None:
    geometry = Geometry(*shape)
    digits = tuple((cell * 7) % geometry.size + 1 for cell in range(geometry.cell_count))
    puzzle = Puzzle(Grid(geometry, digits))
    text = FORMATS[name].write(puzzle)
    assert read_all(text.split("\n"), None, Hints()) == [puzzle]


def test_json_tells_a_box_shape_that_is_not_the_usual_one() -> None:
    puzzle = Puzzle(Grid.empty(Geometry(3, 2)))
    text = FORMATS["json"].write(puzzle)
    assert read_all([text], None, Hints()) == [puzzle]


@for_each("name", FORMATS)
@for_each("shape", [(2, 3), (3, 3), (4, 4)])
def test_an_answer_has_the_shape_of_its_puzzle(name: str, shape: tuple[int, int]) -> None:
    geometry = Geometry(*shape)
    if geometry.size > FORMATS[name].largest_size:
        return
    puzzle = Puzzle(Grid.empty(geometry).with_digits({0: 1, 5: 6}), "one", "two")
    solution = Grid(
        geometry, tuple(cell % geometry.size + 1 for cell in range(len(puzzle.grid.digits)))
    )
    lines = write_file(name, [puzzle], Hints())
    reader = PuzzleReader(lines, "", name)
    (record,) = reader
    answer = reader.parser.format.write_answer(record, solution, reader.hints)
    if name == "csv":
        assert answer.startswith(record.text + ",")
        answer = answer.removeprefix(record.text + ",")
    if name == "json":
        assert '"solution": [[1, 2, 3' in answer
    elif name == "fpuzzles":
        assert '"solution": [1, 2, 3' in answer
    else:
        again = read_all(
            answer.split("\n"), "line" if name in ANSWERED_AS_LINE else name, Hints(geometry)
        )
        assert [p.grid for p in again] == [solution]


def test_letters_are_answered_with_letters() -> None:
    text = "1..G" * 64
    reader = PuzzleReader([text])
    (record,) = reader
    grid = reader.parser(record).grid
    assert reader.parser.format.write_answer(record, grid, reader.hints) == text + "\n"


def test_separated_digits_are_answered_with_separated_digits() -> None:
    lines = ["1 . 3 .", ". 3 . 1", "2 1 . .", ". . 1 2"]
    reader = PuzzleReader(lines)
    (record,) = reader
    grid = reader.parser(record).grid
    answer = reader.parser.format.write_answer(record, grid, reader.hints)
    assert answer.split("\n")[:-1] == lines


def test_an_unknown_format_is_answered_with_the_known_ones() -> None:
    with pytest.raises(SatdokuError, match="there is no format 'excel'; there are line, rows"):
        format_named("excel")


@for_each("name", FORMATS)
def test_every_format_describes_itself_in_one_line(name: str) -> None:
    assert FORMATS[name].name == name
    assert 10 < len(FORMATS[name].description) < 80


def test_parsers_travel_to_other_processes() -> None:
    lines = ["id,puzzle", "7," + "1234341221434321"]
    hints = Hints(Geometry(2, 2), Alphabet("1"), "puzzle")
    reader = PuzzleReader(lines, "a.csv", None, hints)
    records = list(reader)
    parser, copies = pickle.loads(pickle.dumps((reader.parser, records)))
    assert [parser(record) for record in copies] == [reader.parser(record) for record in records]
