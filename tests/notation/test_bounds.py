"""Texts that never come to a puzzle end with a sentence, before they fill the memory."""

import tracemalloc
from collections.abc import Iterator
from itertools import chain, repeat

import pytest

from satdoku.errors import FormatError
from satdoku.notation.bounds import Bounds, require_few_cells
from satdoku.notation.cells import find_cells
from satdoku.notation.formats import FORMATS
from satdoku.notation.hints import Hints
from satdoku.notation.json_format import JsonFormat
from satdoku.notation.reading import PuzzleReader, read_puzzles
from satdoku.notation.record import Record
from satdoku.puzzle.puzzle import Puzzle
from tests.boards import read_grid
from tests.commands import AMBIGUOUS, EASY, SMALL, run
from tests.crossing import sampled

# Far more than are read. A real end, so that without a bound these tests fail and do not hang.
MANY = 1 << 12

EASY_ROWS = "".join(EASY[start : start + 9] + "\n" for start in range(0, 81, 9))

# Lines of which no number makes a record.
RECORDLESS = [
    "+---+---+---+", "*-----------*", "-", "Grid 01", "puzzle", "[", "[State]", "[code]"
]  # fmt: skip

# Lines that are a record each, or some of them together, and never a puzzle.
UNREADABLE = [
    "|", "> ", "```", "<xml>", "[[", "{", '{"puzzle": [', '"', "r1", "A B C", "1,", "hello"
]  # fmt: skip


def lines_of(*pieces: str) -> Iterator[str]:
    """Lines, of which the last comes again and again."""
    return (piece + "\n" for piece in chain(pieces[:-1], repeat(pieces[-1], MANY)))


# Bounds that are reached soon.
LOW = Bounds(without_data=1 << 14, record=1 << 16, long_record=1 << 16, unreadable=200)


@sampled(4, "line", ["", "   ", "# a comment", "#Aan author", *RECORDLESS])
def test_lines_without_a_puzzle_end(line: str) -> None:
    with pytest.raises(FormatError, match=r"^pipe: no puzzle found in the first [0-9,]+ lines$"):
        list(PuzzleReader(lines_of(line), "pipe", bounds=LOW))


def test_an_empty_text_is_told_as_before() -> None:
    with pytest.raises(
        FormatError, match=r"^pipe: no puzzle found \(a puzzle has a character for every cell\)$"
    ):
        list(PuzzleReader([], "pipe"))


@sampled(2, "line", ["", "# a comment", f"+{'-' * 4000}+", "Grid 01"])
def test_lines_behind_a_torn_board_end(line: str) -> None:
    # A board waits for further rows while a megabyte of borders comes.
    low = LOW._replace(record=1 << 21) if line[:1] == "+" else LOW
    reader = PuzzleReader(lines_of("5 3 . | . 7 . | . . .", line), "pipe", bounds=low)
    with pytest.raises(FormatError, match=r"^pipe: no puzzle found in the last [0-9,]+ lines$"):
        list(reader)


@sampled(4, "line", UNREADABLE)
def test_what_is_never_a_puzzle_ends(line: str) -> None:
    with pytest.raises(FormatError, match=r"^pipe: none of the first 200 puzzles can be read$"):
        list(PuzzleReader(lines_of(line), "pipe", bounds=LOW))


@sampled(3, "name", FORMATS)
def test_no_number_of_puzzles_is_too_large(name: str) -> None:
    """Of so many, the lines would be too many without a puzzle."""
    entry, puzzles = FORMATS[name], [Puzzle(read_grid(text)) for text in (SMALL, AMBIGUOUS)]
    text = "".join(entry.write(puzzle) + entry.between for puzzle in puzzles)
    lines = chain.from_iterable(repeat(text.splitlines(keepends=True), MANY >> 2))
    assert sum(1 for _ in PuzzleReader(lines, "pipe", name, bounds=LOW)) == MANY >> 1


def test_behind_a_puzzle_any_number_may_be_damaged() -> None:
    """All of them are told, as an answer for each is asked for."""
    text = chain(repeat("|||\n", 150), [EASY + "\n"], repeat("|||\n", 1000))
    assert sum(1 for _ in PuzzleReader(text, "file", "line", bounds=LOW)) == 1151


def test_the_command_line_ends_with_the_sentence() -> None:
    done = run("check", stdin=("#" * (1 << 20) + "\n") * 17)
    assert done.code == 1
    assert "stdin: no puzzle found in the first" in done.stderr


@pytest.mark.parametrize("line", [f"# {'a comment ' * 1600}\n", f"+{'-' * 16_000}+\n"])
def test_what_is_kept_of_a_torn_board_ends(line: str) -> None:
    text = ["5 3 . | . 7 . | . . .\n", *repeat(line, 1 << 7)]
    [record] = PuzzleReader(text, "pipe", "grid")
    assert record.text.count("\n") < 100


def test_a_board_goes_on_behind_a_long_comment() -> None:
    rows = EASY_ROWS.splitlines(keepends=True)
    text = [*rows[:4], *repeat("# many words\n", 2000), *rows[4:]]
    reader = PuzzleReader(text, "file")
    [puzzle] = [reader.parser(record) for record in reader]
    assert puzzle.grid.line == EASY


@sampled(2, "sign", [",", " ", "\t", ";", ", ", "|"])
def test_more_cells_than_any_puzzle_has_are_refused_at_once(sign: str) -> None:
    line = f"5{sign}" * 1_100_000
    with pytest.raises(FormatError, match="file:1:1: more than 1,000,000 cells in one puzzle"):
        list(read_puzzles([line], "file"))


def test_so_are_more_values_in_json() -> None:
    with pytest.raises(FormatError, match="more than 1,000,000 cells in one puzzle"):
        JsonFormat().parse(Record(1, "[" + "5," * 1_100_000 + "5]"), Hints(), "file")


def test_two_of_the_largest_boards_may_stand_in_quotes() -> None:
    require_few_cells(f'"{"5," * 999_999}5","{"5," * 999_999}5"', "file", 1)
    require_few_cells(f"{'5 ' * 999_999}5,{'5 ' * 999_999}5", "file", 1)
    with pytest.raises(FormatError, match="more than 3,000,000 cells"):
        require_few_cells('"5",' * 3_100_000, "file", 1)


@sampled(3, "sign", [", ", ",", " "])
def test_in_quotes_there_is_one_board(sign: str) -> None:
    field = f"5{sign}" * 1_100_000
    for line in (f'"{field}"', f'"5 5","{field}"', f'{{"puzzle": "{field}"}}'):
        with pytest.raises(FormatError, match=r"^file:1:\d+: more than 1,000,000 cells in one"):
            require_few_cells(line, "file", 1)


@pytest.mark.slow
@pytest.mark.parametrize("count", [200_001, 2_900_000])
def test_a_long_line_is_refused_in_little_more_memory_than_it_takes(count: int) -> None:
    line = "5," * count
    with pytest.raises(FormatError):
        list(read_puzzles(["5," * 90_001]))  # imports what it needs
    tracemalloc.start()
    try:
        with pytest.raises(FormatError):
            list(read_puzzles([line]))
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 4 * len(line)


def test_a_line_of_numbers_takes_little_more_memory_than_its_text() -> None:
    line = "12 " * 40_001
    with pytest.raises(FormatError, match="40001 cells found"):
        list(read_puzzles([line], "file"))  # imports what it needs
    tracemalloc.start()
    try:
        find_cells(line)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    # Nothing is kept of what is no board; with the place of each number it was 100 times.
    assert most < len(line)
