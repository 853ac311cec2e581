"""Tables of puzzles, with the columns that they have and those that they are given."""

from random import Random

import pytest

from satdoku.errors import FormatError
from satdoku.notation.csv_format import CsvFormat
from satdoku.notation.hints import Hints
from satdoku.notation.reading import PuzzleReader, read_puzzles
from satdoku.notation.record import Record
from satdoku.notation.spelling import Alphabet, Spelling
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.classic import CLASSIC
from satdoku.puzzle.rules.rule import write_rule
from tests.each import for_each
from tests.puzzle.rules.instances import random_instances

GRID = Grid(Geometry(2, 2), (1, 2, 0, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1))
FULL = GRID.with_digits({2: 3})
TEXT = "12.4341221434321"
SOLVED = "1234341221434321"


def format_of(*lines: str, hints: Hints | None = None, name: str | None = None) -> CsvFormat:
    found = PuzzleReader(lines, "f", name, hints).parser.format
    assert isinstance(found, CsvFormat)
    return found


def is_table(*lines: str, hints: Hints | None = None) -> bool:
    return isinstance(PuzzleReader(lines, "f", None, hints).parser.format, CsvFormat)


@for_each(
    "lines, is_csv",
    [
        ((f"{TEXT},{SOLVED}",), True),
        ((f"1,{TEXT}",), True),
        ((f"{TEXT},",), True),
        ((f"{TEXT}, ",), True),
        ((f"{TEXT},,",), False),
        ((f"{TEXT},easy",), False),
        ((f"{TEXT},easy,hard",), False),
        ((TEXT,), False),
        (("puzzle", TEXT), True),
        (("puzzle",), False),
        (("id,puzzle",), True),
        (("id,puzzle", "hello"), True),
        (("number,content", f"1,{TEXT}"), True),
        (("number,content", "1,2"), False),
        (("# c", "", "id;puzzle", f"1;{TEXT}"), True),
    ],
)
def test_a_table_is_told_by_its_header_or_by_further_columns(
    lines: tuple[str, ...], is_csv: bool
) -> None:
    assert is_table(*lines) == is_csv


def test_two_words_alone_are_no_board() -> None:
    with pytest.raises(FormatError, match="f:1:1: no board found"):
        is_table("number,content")


def test_a_column_that_the_user_names_makes_a_table() -> None:
    assert is_table(TEXT, hints=Hints(column="1"))
    assert is_table(f"{TEXT} easy", hints=Hints(solution_column="1"))


@for_each(
    "lines, expected",
    [
        ((f"{TEXT},{SOLVED}",), CsvFormat()),
        ((f"1,{TEXT}",), CsvFormat(puzzle_column=1)),
        ((f"1;{TEXT};x",), CsvFormat(delimiter=";", puzzle_column=1)),
        (("id,puzzle,name", f"1,{TEXT},x"), CsvFormat("id,puzzle,name", ",", 1, None, 2, width=3)),
        (("Comment;Quiz", f"x;{TEXT}"), CsvFormat("Comment;Quiz", ";", 1, None, None, 0, width=2)),
        (("number,content", f"1,{TEXT}"), CsvFormat("number,content", ",", 1, width=2)),
        (("id,text,board", f"1,{TEXT},{TEXT}"), CsvFormat("id,text,board", ",", 2, width=3)),
        (("id,name", "1,x"), CsvFormat("id,name", ",", 0, None, 1, width=2)),
    ],
)
def test_the_columns_are_found(lines: tuple[str, ...], expected: CsvFormat) -> None:
    assert format_of(*lines, name="csv") == expected


def test_a_header_alone_is_a_table_without_puzzles() -> None:
    assert format_of("id,puzzle", name="csv") == CsvFormat("id,puzzle", ",", 1, width=2)
    with pytest.raises(FormatError, match="f: no puzzle found"):
        list(PuzzleReader(["id,puzzle"], "f"))


@for_each("column, index", [("b", 1), (" B ", 1), ("1", 0), ("3", 2), ("2", 3), ("4", 3)])
def test_a_column_has_a_name_or_a_number_and_names_win(column: str, index: int) -> None:
    hints = Hints(column=column, solution_column=column)
    found = format_of("a,b,c,2", f"{TEXT},{TEXT},{TEXT},{TEXT}", hints=hints)
    assert found.puzzle_column == found.solution_column == index


@for_each("column", ["d", "0", "4", "-1", "²", "9" * 30])
def test_a_column_that_is_not_there_is_a_fault_of_the_first_line(column: str) -> None:
    with pytest.raises(FormatError) as caught:
        format_of("# c", "a,b,c", f"{TEXT},1,2", hints=Hints(column=column))
    assert str(caught.value) == f"f:2:1: there is no column {column!r}, only a, b, c"
    with pytest.raises(FormatError, match=r"f:1:1: there is no column .*, only 1 to 2"):
        format_of(f"{TEXT},1", hints=Hints(solution_column=column))


def test_the_header_and_comments_are_no_records() -> None:
    lines = ["# c", "id,puzzle", "", f"1,{TEXT}", " # d", f"2,{TEXT}"]
    assert list(PuzzleReader(lines)) == [Record(4, f"1,{TEXT}"), Record(6, f"2,{TEXT}")]
    assert list(PuzzleReader([f"1,{TEXT}"])) == [Record(1, f"1,{TEXT}")]


def parse(table: CsvFormat, row: str) -> Puzzle:
    return table.parse(Record(7, row), Hints(), "f")


def test_name_and_comment_are_columns() -> None:
    table = CsvFormat("puzzle,name,comment", ",", 0, None, 1, 2)
    assert parse(table, f'{TEXT}, a ,"b, c"') == Puzzle(GRID, "a", "b, c")
    assert parse(table, f"{TEXT},a") == Puzzle(GRID, "a")
    assert parse(CsvFormat(), f"{TEXT},a") == Puzzle(GRID)


@for_each(
    "row, message",
    [
        (f"1, {TEXT[:-1]}q", "f:7:19: 'q' is not a digit 1-4"),
        (f'1,"{TEXT[:-1]}q"', "f:7:19: 'q' is not a digit 1-4"),
        (f"1,{TEXT[:-1]}", "f:7:18: 15 cells found, expected 16"),
        ("1", "f:7:2: no puzzle in column 2"),
        ("1 ", "f:7:2: no puzzle in column 2"),
        ("1,", "f:7:3: no puzzle in column 2"),
        ("1,  ,2", "f:7:3: no puzzle in column 2"),
        (f'1,"{TEXT}', "f:7:3: this quote is not closed on its line"),
    ],
)
def test_a_fault_has_its_place(row: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        parse(CsvFormat(puzzle_column=1), row)
    assert str(caught.value).startswith(message)


def test_a_known_solution_is_read_where_a_column_was_named() -> None:
    table = CsvFormat(solution_column=1)
    assert table.parse_solution(Record(1, f"{TEXT},{SOLVED}"), Hints(), "") == FULL
    assert table.parse_solution(Record(1, f"{TEXT}, "), Hints(), "") is None
    assert table.parse_solution(Record(1, TEXT), Hints(), "") is None
    assert CsvFormat().parse_solution(Record(1, f"{TEXT},{SOLVED}"), Hints(), "") is None
    with pytest.raises(FormatError, match=r"^f:7:33: the known solution: 'q' is not a digit 1-4"):
        table.parse_solution(Record(7, f"{TEXT},{SOLVED[:-1]}q"), Hints(), "f")


def test_a_table_is_written_with_quotes_where_they_are_needed() -> None:
    assert CsvFormat().opening() == "puzzle,name,comment\n"
    assert CsvFormat().write(Puzzle(GRID, "a, b", 'c "d"')) == f'{TEXT},"a, b","c ""d"""\n'
    letters = CsvFormat().write(Puzzle(GRID), Spelling(Alphabet("A")))
    assert letters == "AB.DCDABBADCDCBA,,\n"


def test_answers_are_a_further_column() -> None:
    table = CsvFormat("id;solution", ";", 1)
    assert table.answer_opening() == "id;solution;solution_found\n"
    record = Record(2, f"1;{TEXT} ")
    assert table.write_answer(record, FULL, Hints()) == f"1;{TEXT};{SOLVED}\n"
    letters = table.write_answer(record, FULL, Hints(alphabet=Alphabet("A")))
    assert letters == f"1;{TEXT};ABCDCDABBADCDCBA\n"
    assert CsvFormat().answer_opening() == ""


def test_answers_have_the_letters_of_their_puzzles() -> None:
    grid = Grid(Geometry(2, 5), tuple(cell % 10 + 1 for cell in range(100)))
    record = Record(1, f"1, {'1........A' * 10}")
    answer = CsvFormat(puzzle_column=1).write_answer(record, grid, Hints())
    assert answer == f"{record.text},{'123456789A' * 10}\n"


def test_an_open_quote_does_not_take_the_answer() -> None:
    row = CsvFormat().row_with(Record(1, f'{TEXT},"a'), ["unreadable"])
    assert row == f'{TEXT},"a",unreadable\n'
    assert CsvFormat().missing_answer(Record(1, f'{TEXT},"a"')) == f'{TEXT},"a",\n'


def test_only_tables_with_a_header_have_names() -> None:
    assert CsvFormat("a,verdict").header_with(["verdict", "reason"]) == (
        "a,verdict,verdict_found,reason\n"
    )
    assert CsvFormat().header_with(["verdict"]) == ""
    assert CsvFormat("a;b", ";").columns == ("a;b", ";")


@for_each("seed", range(30))
def test_rules_stand_in_a_column_of_their_own(seed: int) -> None:
    """In the words of --rule, with a space between two, as `generate --csv` writes them."""
    # A puzzle has one set of regions, so that there is one instance of each kind.
    drawn = {type(rule): rule for rule in random_instances(Random(seed), 3)}
    # Digits from 0 would be written as such, and TEXT is not; rows alone are no list of rules.
    rules = [rule for rule in drawn.values() if rule.name != "digits" and rule not in CLASSIC]
    words = " ".join(write_rule(rule, GRID.geometry) for rule in rules)
    lines = ["puzzle,rules", f'{TEXT},"{words}"', f"{TEXT},", TEXT]
    found = list(read_puzzles(lines, "f"))
    assert set(found[0].rules) == set(Puzzle(GRID).with_rules(rules).rules)
    assert [puzzle.is_classic for puzzle in found[1:]] == [True, True]


def test_regions_stand_in_a_column_too() -> None:
    (found,) = read_puzzles(["id,Regions,puzzle", f"1,AABB/ABBC/ADCC/DDDC,{TEXT}"])
    assert found.regions is not None
    assert found.regions.argument(GRID.geometry) == "AABB/ABBC/ADCC/DDDC"


def test_the_column_of_rules_may_be_named_after_the_one_in_each_row() -> None:
    for head in ("puzzle,rule", "puzzle,RULE", "puzzle,rules"):
        [puzzle] = read_puzzles([head, f"{TEXT},anti-knight"])
        assert puzzle.rule_texts == ["anti-knight"]
    # Beside a column of that name the other one is not read, and says nothing or is refused.
    [puzzle] = read_puzzles(["puzzle,rule,rules", f"{TEXT},none,anti-king"])
    assert puzzle.rule_texts == ["anti-king"]


def test_a_rule_that_falls_apart_at_its_commas_is_refused() -> None:
    """`killer:5=r1c1` alone would be another puzzle."""
    rule = "killer:5=r1c1,r1c2"
    with pytest.raises(FormatError, match=r"f:2:\d+: this row has more fields than columns; put"):
        list(read_puzzles(["puzzle,rules", f"{TEXT},{rule}"], "f"))
    [puzzle, classic] = read_puzzles(["puzzle,rules", f'{TEXT},"{rule}",', f"{TEXT},,"], "f")
    assert (puzzle.rule_texts, classic.rule_texts) == ([rule], [])


def test_columns_of_rules_under_other_names_are_not_passed_over() -> None:
    for head in ("puzzle,killer", "puzzle,Cages", "puzzle,jigsaw", "puzzle,rule,rules"):
        with pytest.raises(
            FormatError, match=rf"f:2:{len(TEXT) + 2}: this puzzle has '\w+' beside"
        ):
            list(read_puzzles([head, f"{TEXT},5=r1c1-2,"], "f"))
        found = list(read_puzzles([head, *(f"{TEXT},{no}" for no in ("", "3", "No", "-"))]))
        assert all(puzzle.is_classic for puzzle in found)


def test_a_fault_in_rules_has_its_place() -> None:
    with pytest.raises(FormatError, match=r"^f:2:18: there is no rule 'anti-kniht'"):
        list(read_puzzles(["puzzle,rules", f"{TEXT},anti-kniht"], "f"))


@pytest.mark.parametrize("column", ["rules", "regions"])
def test_regions_tell_the_size_of_boards_that_have_no_boxes(column: str) -> None:
    letters = "AAAABBBACBBBDDACBCDDDACCCCDDEEEEEEFEFFFFFFGGGGGGG"
    rule = letters if column == "regions" else f"regions:{letters}"
    cells = "." * 7 + "7" + "." * 41
    lines = [f"puzzle,solution,{column}", f"{cells},{cells},{rule}"]
    reader = PuzzleReader(lines, "f", hints=Hints(solution_column="solution"))
    [record] = reader
    puzzle = reader.parser(record)
    assert puzzle.geometry.size == 7
    assert puzzle.regions is not None
    assert puzzle.regions.letters == letters
    assert reader.parser.format.parse_solution(record, reader.hints, "f") == puzzle.grid


def test_capitals_in_names_matter_where_both_are_there() -> None:
    lines = ("Board,board", f"1,{TEXT}")
    assert format_of(*lines, hints=Hints(column="board")).puzzle_column == 1
    assert format_of(*lines, hints=Hints(column="BOARD")).puzzle_column == 0


def test_a_box_stands_in_a_column_too() -> None:
    cells = "." * 36
    lines = ["puzzle,box", f"{cells},3x2", f"{cells},", f"{cells},shelf 3", f"{cells}, 2x3 "]
    shapes = [str(puzzle.geometry) for puzzle in read_puzzles(lines, "f")]
    assert shapes == ["3x2", "2x3", "2x3", "2x3"]
    with pytest.raises(
        FormatError, match=r"^f:2:1: the text shows boxes of 3x2, but --box says 2x3"
    ):
        list(read_puzzles(lines, "f", hints=Hints(Geometry(2, 3))))


LAYOUT = "A" * 8 + "B" + "A" + "B" * 8 + "".join(sign * 9 for sign in "CDEFGHI")


@for_each(
    "lines",
    [
        [f"easy,1{'.' * 80},{LAYOUT}"],
        ["title,puzzle,layout", f"easy,1{'.' * 80},{LAYOUT}", f"hard,2{'.' * 80},{LAYOUT}"],
        ["puzzle;x;y", f"1{'.' * 80};{LAYOUT};9"],
    ],
)
def test_a_column_that_shows_regions_is_one(lines: list[str]) -> None:
    """It was passed over, and the puzzle with boxes in its place was answered."""
    for puzzle in read_puzzles(lines):
        assert puzzle.regions is not None


def test_a_board_shows_no_regions_of_itself() -> None:
    (puzzle,) = read_puzzles(["puzzle,name", "1111112222223344,"])
    assert puzzle.regions is None


def records_of(*lines: str) -> list[tuple[int, str]]:
    return [(record.line, record.text) for record in PuzzleReader(lines, "f")]


def test_a_shorter_row_is_filled_up_and_a_longer_one_is_refused_with_its_place() -> None:
    table = format_of("id,puzzle,note", f"2,{TEXT}")
    record = Record(2, f"2,{TEXT}")
    assert table.row_with(record, ["unique"]) == f"2,{TEXT},,unique\n"
    assert table.fields_of(record) == {"id": "2", "puzzle": TEXT, "note": ""}
    longer = Record(3, f'3,{TEXT},"b, c",EXTRA')
    with pytest.raises(FormatError, match=r"f:3:27: 4 fields where the header has 3$"):
        table.parse(longer, Hints(), "f")
    assert table.row_with(longer, ["unreadable"]) == f'3,{TEXT},"b, c",unreadable\n'
    ended = Record(4, f"4,{TEXT},b,,")
    assert table.parse(ended, Hints(), "f") == Puzzle(GRID)
    assert table.row_with(ended, ["unique"]) == f"4,{TEXT},b,unique\n"


def test_a_longer_first_row_is_not_read_as_pasted_text() -> None:
    assert is_table("id,puzzle", f"1,{TEXT},more", f"2,{TEXT}")
    assert is_table("id;puzzle", '1;"open', f"2;{TEXT}")


def test_a_quoted_line_break_is_a_part_of_its_row() -> None:
    rows = ('1,"so\n\n# ""it"" is",' + TEXT, f'2,x,"{TEXT}"', '3,"a', 'b",' + TEXT)
    lines = ["id,note,puzzle", *"\n".join(rows).split("\n")]
    found = records_of(*lines)
    assert found == [(2, rows[0]), (5, rows[1]), (6, f"{rows[2]}\n{rows[3]}")]
    table = format_of(*lines)
    assert table.fields_of(Record(2, rows[0]))["note"] == 'so\n\n# "it" is'
    assert table.row_with(Record(2, rows[0]), ["y"]) == f'1,"so  # ""it"" is",{TEXT},y\n'


def test_a_stray_quote_takes_no_other_row() -> None:
    lines = ("id,note,puzzle", f'1,"a,{TEXT}', f"2,b,{TEXT}", f'3,"c,{TEXT}', f"4,d,{TEXT}")
    assert [line for line, _ in records_of(*lines)] == [2, 3, 4, 5]
    never = ("id,note,puzzle", f'1,"a,{TEXT}', "x", "y")
    assert [line for line, _ in records_of(*never)] == [2, 3, 4]
    behind = ("id,note,puzzle", f'1,"a,{TEXT}', f'"x,{TEXT}')
    assert [line for line, _ in records_of(*behind)] == [2, 3]


def test_bars_separate_the_columns_below_a_header_with_a_usual_name() -> None:
    table = format_of("id|puzzle|note", f"1|{TEXT}|a, b")
    assert (table.delimiter, table.puzzle_column) == ("|", 1)
    row = table.row_with(Record(2, f"1|{TEXT}"), ["a|b"])
    assert row == f'1|{TEXT}||"a|b"\n'
    assert not is_table("Sudoku | hard", "1 2 | . 4", "3 4 | 1 2", "2 1 | 4 3", "4 3 | 2 1")
