"""What people and programs write is read, live and to the end."""

import json
from collections.abc import Iterator

import pytest

from satdoku.errors import FormatError
from satdoku.notation.hints import Hints
from satdoku.notation.reading import PuzzleReader, read_puzzles
from satdoku.notation.spelling import Alphabet
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.puzzle import Puzzle
from tests.each import for_each
from tests.notation.samples import LINE, ROWS, SAMPLES


@for_each("text", SAMPLES.values())
def test_is_read_as_what_it_shows(text: str) -> None:
    puzzles = list(read_puzzles(text.splitlines(keepends=True)))
    assert len(puzzles) == 1
    expected = tuple(int(c) for c in LINE.replace(".", "0"))
    assert puzzles[0].grid.digits == expected
    assert puzzles[0].geometry == Geometry(3, 3)


REPEATABLE = [
    name
    for name in SAMPLES
    if not name.startswith(("a table", "py-sudoku")) and "byte order" not in name
]


@for_each("name", REPEATABLE)
def test_several_are_read_one_by_one(name: str) -> None:
    text = SAMPLES[name].rstrip("\n")
    between = "\n" if "JSON" in name or name.startswith("a line") else "\n\n"
    puzzles = list(read_puzzles((text + between + text).split("\n")))
    assert len(puzzles) == (1 if name == "Simple Sudoku" else 2)
    assert len({puzzle.grid for puzzle in puzzles}) == 1


def live(text: str, limit: int) -> Iterator[str]:
    """Lines of a stream that must not be read further than `limit` lines for now."""
    for number, line in enumerate(text.split("\n"), 1):
        assert number <= limit, "read too far ahead"
        yield line


@for_each(
    "text, lines_needed",
    [
        (f"{LINE}\n{LINE}", 1),
        (f"# c\n{LINE}\n{LINE}", 2),
        ("\n".join([*ROWS, "", *ROWS]), 10),  # a tenth row would be a fault of the board
        ("\n".join(ROWS * 3), 18),
        ("Grid 01\n" + "\n".join([*ROWS, "Grid 02", *ROWS]), 11),
        (json.dumps({"puzzle": LINE}) + "\n{}", 1),
        (f"puzzle,x\n{LINE},\n{LINE}", 2),
        (json.dumps([ROWS, ROWS], indent=1), 12),
    ],
)
def test_a_puzzle_is_given_as_soon_as_it_is_surely_whole(text: str, lines_needed: int) -> None:
    reader = PuzzleReader(live(text, lines_needed), is_at_hand=lambda: False)
    record = next(iter(reader))
    assert reader.parser(record).geometry == Geometry(3, 3)


@for_each("text", ["", "\n", "\n\n \n", "# nothing\n", "\ufeff", "-----\n"])
def test_a_text_without_puzzles_says_so(text: str) -> None:
    with pytest.raises(
        FormatError,
        match=r"^empty.txt: no puzzle found \(a puzzle has a character for every cell\)$",
    ):
        list(read_puzzles(text.split("\n"), "empty.txt"))


FAULTS = [
    (
        LINE[:33] + "q" + LINE[34:],
        ":1:34: this is a board if some signs were misread: 'q' for 9; correct them",
    ),
    (f"{LINE}\n# c\n  {LINE[:80]}!", ":3:83: '!' is not a digit 1-9 or a blank"),
    (LINE[:-1], ":1:81: 80 cells found, expected 81 for 9x9"),
    (LINE + "1", ":1:82: 82 cells found, expected 81 for 9x9"),
    (LINE[:62], ":1:63: 62 cells found, expected 81 for 9x9"),
    (f"{LINE}\n# c\n{LINE[:62]}", ":3:63: 62 cells found, expected 81 for 9x9"),
    (f"{'1' + '.' * 15} a\n{LINE[:-1]}", ":2:81: 80 cells found, expected 81 for 9x9"),
    ("\n".join([*ROWS[:4], ROWS[4][:8], *ROWS[5:]]), ":5:9: 8 cells found in row 5, expected 9"),
    ("\n".join(ROWS[:8]), ":8:1: 8 rows found, expected 9 for 9x9"),
    ("\n".join([*ROWS[:8], "..x..a..."]), ":9:6: 'a' is not a digit 1-9 or a blank"),
    ("1 2 3 4\n3 4 1 2\n2 1 4 5\n4 3 2 1", ":3:7: '5' is not a digit 1-4 or a blank"),
    ("\n".join([" ".join(["17"] + ["."] * 15)] * 16), ":1:1: '17' is not a number 1-16 or a blank"),
    (
        "\n".join([" ".join(["10"] + ["."] * 15)] * 15),
        ":15:1: 15 rows found, expected 16 for 16x16",
    ),
    ("5" + "." * 15, "'5' is not a digit of a 4x4 board; for one of 16x16, 15 rows are missing"),
    ("1" + "." * 24, "use --box 1x5, or box=Geometry(1, 5) in Python; --regions gives it regions"),
    ("1" + "." * 25, "26 cells found, expected 81 for 9x9"),
    (f"puzzle{',a' * 16_384}\n{LINE}", ":1:1: this table has more than 16,384 columns"),
    ("[[1, 2],\n [3, 4]]", ":1:3: a board of 2x2 has no boxes but its rows or columns; "),
    ('[[1,2,3,4],[0,0,0,0],\n[0,0,"q",0],[0,0,0,0]]', ":2:6: 'q' is not a digit 1-4 or a blank"),
    ("[[1,2,3,4],[0,0,0,0],[0,0,0],[0,0,0,0]]", ": 3 cells found in row 3, expected 4"),
    ('{"puzzle": "1234"}', ": 4 cells found, expected 81 for 9x9"),
    (
        '{"puzzle": "1...", "puzzle": "2..."}',
        ":1:1: this object has the key 'puzzle' more than once",
    ),
    (
        '{"puzzle": [[1]], "rules": [{"odd": "r1c1", "odd": "r1c2"}]}',
        ":1:1: this object has the key 'odd' more than once",
    ),
    ('{"name": "x"}', ":1:1: this object has no 'puzzle', only 'name'; --column names it"),
    ("[[1,2,3,4],\n[1,2,3", ":2:7: this is not JSON"),
    (f"id,puzzle\n1,{LINE}\n2,{LINE[:-1]}q", ":3:83: 'q' is not a digit 1-9 or a blank"),
    (f"id,puzzle\n1,{LINE}\n2,", ":3:3: no puzzle in column 2"),
    (f"id,puzzle\n1,{LINE}\n2", ":3:2: no puzzle in column 2"),
    (f'id,puzzle\n1,{LINE}\n"2,{LINE}', ":3:1: this quote is not closed"),
    (f'id,puzzle\n1,{LINE}\n"2 ""a"",{LINE}', ":3:1: this quote is not closed"),
    (f'puzzle,note\n{LINE},a\n{LINE},"b', ":3:83: this quote is not closed on its line"),
    (f"1234123412341234\n1 2 {'9' * 5000}", ":2:1: 2 rows found, expected 16 for 16x16"),
    ("1..F" * 64, ":1:1: it is not clear which symbols are meant; use --alphabet 1 or 0"),
    ("a" * 81, ":1:1: 'a' is not a digit 1-9 or a blank"),
    ("\n".join(["ooooooooo"] * 9), ":1:1: 'o' is not a digit 1-9 or a blank"),
    ("." * 49, ":1:1: a board of 7x7 has no boxes but its rows or columns; if that is meant"),
    ("abcx" * 4 + "." * 609, ":1:1: it is not clear"),
]


@for_each("text, message", FAULTS)
def test_a_fault_is_named_with_its_place(text: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        list(read_puzzles(text.split("\n"), "puzzles.txt"))
    assert message in str(caught.value)


def read_with_faults(text: str, hints: Hints | None = None) -> list[Puzzle | str]:
    """What each record gives: a puzzle, or the place of its fault."""
    reader = PuzzleReader(text.split("\n"), "", None, hints)
    results: list[Puzzle | str] = []
    for record in reader:
        try:
            results.append(reader.parser(record))
        except FormatError as error:
            results.append(f"{error.line}:{error.column}")
    return results


@for_each(
    "parts, fault",
    [
        ([LINE, LINE[:-1], LINE], "2:81"),
        (["\n".join(ROWS), "\n" + "\n".join(ROWS[:8]) + "\n", "\n".join(ROWS)], "18:1"),
        (["\n".join(ROWS), "\n".join([*ROWS[:3], "12", *ROWS[4:]]), "\n".join(ROWS)], "13:3"),
        (["\n".join(ROWS), "\n".join(["12", *ROWS[1:]]), "\n".join(ROWS)], "10:3"),
        (["\n".join(ROWS), "\n" + "\n".join(ROWS[:3]) + "\n", "\n".join(ROWS)], "13:1"),
        (["Grid 1\n" + "\n".join(ROWS), "Grid 2\n.", "Grid 3\n" + "\n".join(ROWS)], "12:1"),
        ([json.dumps(ROWS), '["1234"]', json.dumps(ROWS)], "2:3"),
        ([json.dumps({"puzzle": LINE}), '{"puz', json.dumps({"puzzle": LINE})], "2:2"),
        ([json.dumps([ROWS]), "[[]]", json.dumps([[list(row) for row in ROWS]])], "2:4"),
        ([json.dumps({"puzzle": LINE}), "puzzle", json.dumps({"puzzle": LINE})], "2:1"),
    ],
)
def test_a_fault_does_not_hurt_what_follows(parts: list[str], fault: str) -> None:
    first, middle, last = read_with_faults("\n".join(parts))
    assert isinstance(first, Puzzle)
    assert isinstance(last, Puzzle)
    assert last.grid == first.grid
    assert middle == fault


def test_boxes_that_are_drawn_decide() -> None:
    text = "1 2|3 4|5 6\n" * 3 + "---+---+---\n" + "1 2|3 4|5 6\n" * 3
    (puzzle,) = read_puzzles(text.split("\n"))
    assert puzzle.geometry == Geometry(3, 2)
    with pytest.raises(FormatError, match="the text shows boxes of 3x2, but --box says 2x3"):
        list(read_puzzles(text.split("\n"), hints=Hints(Geometry(2, 3))))


def test_boxes_that_cannot_be_are_refused() -> None:
    text = "1 2|3 4|5 6\n" * 2 + "---+---+---\n" + "1 2|3 4|5 6\n" * 2
    with pytest.raises(FormatError, match="1:1: the borders show boxes of 2x2"):
        list(read_puzzles((text + "---+---+---\n" + "1 2|3 4|5 6\n" * 2).split("\n")))


def test_the_box_must_fit_the_size() -> None:
    with pytest.raises(FormatError, match="36 for 6x6"):
        list(read_puzzles([LINE], hints=Hints(Geometry(2, 3))))
    assert next(read_puzzles(["." * 36], hints=Hints(Geometry(3, 2)))).geometry == Geometry(3, 2)
    assert next(read_puzzles(["." * 49], hints=Hints(Geometry(1, 7)))).geometry == Geometry(1, 7)
    assert next(read_puzzles(["."], hints=Hints(Geometry(1, 1)))).geometry == Geometry(1, 1)


@pytest.mark.parametrize(
    ("row", "first_digits"),
    [
        ("1..G", (1, 0, 0, 16)),
        ("0..F", (1, 0, 0, 16)),
        ("A..P", (1, 0, 0, 16)),
        ("a..p", (1, 0, 0, 16)),
    ],
)
def test_letters_are_understood_where_they_are_clear(
    row: str, first_digits: tuple[int, ...]
) -> None:
    for text in (row * 64, "\n".join([row * 4] * 16), "\n".join([" ".join(row * 4)] * 16)):
        (puzzle,) = read_puzzles(text.split("\n"))
        assert puzzle.grid.digits[:4] == first_digits


def test_small_puzzles_a_line_are_told_from_rows_of_a_large_one() -> None:
    assert len(list(read_puzzles(["1..4.3.1.1.32.1."] * 16))) == 16
    assert len(list(read_puzzles(["1..4.3.1.1.32.1."] * 40))) == 40
    assert len(list(read_puzzles(["1..4.3.1.1.32.G."] * 16))) == 1
    assert len(list(read_puzzles(["." * 16] * 16))) == 1
    assert len(list(read_puzzles([" ".join("." * 100)] * 100))) == 1


@pytest.mark.parametrize("end", ["\n", "\r\n", ""])
def test_line_ends_are_no_cells_and_cells_are_no_line_ends(end: str) -> None:
    line = "1234....4321...X"
    puzzles = list(read_puzzles([line + end] * 3))
    assert [puzzle.grid.digits[-1] for puzzle in puzzles] == [0] * 3


def test_a_line_keeps_its_name_and_comment() -> None:
    for text in (
        f"{LINE} easy # mine",
        f"{LINE},easy#mine",
        f"{LINE};easy # mine",
        f"{LINE}: easy #mine",
    ):
        (puzzle,) = read_puzzles([text], format_name="line")
        assert (puzzle.name, puzzle.comment) == ("easy", "mine")


@pytest.mark.parametrize("word", ["puzzle", "my puzzle", "a hard sudoku of mine", "grid 3"])
def test_a_comment_that_speaks_of_puzzles_is_no_header(word: str) -> None:
    (puzzle,) = read_puzzles([f"{LINE} # {word}"])
    assert (puzzle.comment, puzzle.geometry) == (word, Geometry())
    assert len(list(read_puzzles([f"{LINE} # {word}"] * 2))) == 2


def test_a_leading_number_is_a_name() -> None:
    (puzzle,) = read_puzzles([f"0000183b305c {LINE.replace('.', '0')} 1.2"])
    assert puzzle.name == "0000183b305c 1.2"


def test_later_states_in_a_simple_sudoku_file_are_no_puzzles() -> None:
    state = SAMPLES["Simple Sudoku"].replace("8..", "81.", 1)
    marks = "*-----*\n" + "| 8 12 3 | 4 5 67 | 89 1 2 |\n" * 9 + "*-----*\n"
    texts = SAMPLES["Simple Sudoku"], state, marks
    assert len(list(read_puzzles("\n".join(texts).split("\n")))) == 1


def test_columns_are_found_by_name_and_number() -> None:
    text = ["a,b,c", f"{'1' * 81},{LINE},{LINE}"]
    for hints in (
        Hints(column="b", solution_column="c"),
        Hints(column="2", solution_column="3"),
    ):
        reader = PuzzleReader(text, hints=hints)
        (record,) = reader
        grid = reader.parser(record).grid
        assert grid.digits[0] == 8
        assert reader.parser.format.parse_solution(record, hints, "") == grid
    with pytest.raises(FormatError, match="there is no column 'd', only a, b, c"):
        list(PuzzleReader(text, hints=Hints(column="d")))
    with pytest.raises(FormatError, match="there is no column '4', only a, b, c"):
        list(PuzzleReader(text, hints=Hints(column="4")))


def test_a_puzzle_names_its_digits_as_its_text_does() -> None:
    (hexadecimal,) = read_puzzles(["0..F" * 64])
    assert [hexadecimal.name_of_digit(digit) for digit in (1, 16)] == ["0", "F"]
    (numbers,) = read_puzzles([" ".join(["16"] + ["."] * 255)])
    assert numbers.name_of_digit(16) == "16"
    (letters,) = read_puzzles(["A..............."], hints=Hints(Geometry(2, 2), Alphabet("A")))
    assert letters.name_of_digit(4) == "D"


def test_puzzles_are_equal_however_their_digits_are_named() -> None:
    (letters,) = read_puzzles(["A..............."], hints=Hints(Geometry(2, 2), Alphabet("A")))
    (digits,) = read_puzzles(["1..............."])
    assert letters == digits


NINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
FOUR, SIX = "1.....2..3.....4", "1" + "." * 35


@for_each(
    "lines",
    [[FOUR, NINE], [NINE, FOUR], [FOUR, FOUR, NINE], [FOUR, "", NINE, FOUR], [FOUR, SIX, NINE]],
)
def test_puzzles_of_several_sizes_are_all_read(lines: list[str]) -> None:
    found = list(read_puzzles(lines, "bank.txt"))
    assert [len(puzzle.grid.digits) for puzzle in found] == [len(line) for line in lines if line]


@pytest.mark.parametrize("end", ["\r", "\r\n", "\n", "\r\r\n"])
def test_lines_end_as_any_machine_has_it(end: str) -> None:
    """Lone carriage returns are those of old Macs; a puzzle behind one must not become a name."""
    for text in ([LINE, LINE], ROWS, [f'["{LINE}",', f'"{LINE}"]']):
        lines = [end.join(text)] if end == "\r" else [line + end for line in text]
        wanted = list(read_records("\n".join(text).split("\n")))
        assert list(read_records(lines)) == wanted


def read_records(lines: list[str]) -> list[tuple[int, str]]:
    return [(record.line, record.text) for record in PuzzleReader(lines)]


@pytest.mark.parametrize(
    "text",
    ["c satdoku 0.2\nc sudoku 1.....2..3.....4\n", "c talk\np cnf 3 1\n1 0\n", "* #variable= 64\n"],
)
def test_a_formula_is_told(text: str) -> None:
    with pytest.raises(FormatError, match="this is a formula and no puzzle; satdoku decode"):
        list(read_puzzles(text.splitlines()))


@for_each(
    "text, told",
    [
        (LINE.replace(".", "x", 1), True),
        ("\n".join(ROWS).replace(".", "X", 1), True),
        (" ".join(LINE.replace(".", "x", 1)), True),
        (LINE.replace(".", "x"), False),
        (f"{LINE} x-wing, 2 x", False),
        (f"puzzle,name\n{LINE.replace('.', 'x', 1)},", False),
        (f"# x\n{LINE}", False),
    ],
)
def test_x_beside_another_sign_for_an_empty_cell_is_told(text: str, told: bool) -> None:
    reader = PuzzleReader(text.splitlines(keepends=True))
    (record,) = reader
    said = reader.unread(record)
    assert (said.lower() == "x is read as an empty cell, just as '.'") == told
