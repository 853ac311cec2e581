"""What formats say about themselves, so that nobody has to ask for their names."""

from satdoku.notation.csv_format import CsvFormat
from satdoku.notation.format import Format
from satdoku.notation.formats import FORMATS
from satdoku.notation.hints import Hints
from satdoku.notation.record import Record
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from tests.each import for_each

SMALL = Puzzle(Grid(Geometry(2, 2), (1, 2, 0, 4, 0, 4, 1, 0, 2, 0, 4, 3, 4, 3, 2, 0)), "one")
formats = for_each("entry", FORMATS.values())


@formats
def test_a_linewise_format_writes_a_line_for_each_puzzle(entry: Format) -> None:
    assert entry.is_linewise == (entry.write(SMALL).count("\n") == 1)


@formats
def test_a_missing_answer_keeps_the_place_of_a_line(entry: Format) -> None:
    assert entry.missing_answer().count("\n") == entry.is_linewise


def test_a_missing_answer_is_null_in_json_and_an_empty_field_in_a_table() -> None:
    assert FORMATS["line"].missing_answer() == "\n"
    assert FORMATS["rows"].missing_answer() == ""
    assert FORMATS["json"].missing_answer() == "null\n"
    assert FORMATS["csv"].missing_answer() == "\n"
    assert FORMATS["csv"].missing_answer(Record(2, "7,12..")) == "7,12..,\n"
    assert FORMATS["line"].missing_answer(Record(2, "12..")) == "\n"


def test_bare_lines_are_records_of_two_formats() -> None:
    assert [name for name, entry in FORMATS.items() if entry.has_bare_lines] == ["line", "sdm"]


@formats
def test_every_text_can_be_answered_as_a_table(entry: Format) -> None:
    record = Record(1, "7;x", "")
    if isinstance(entry, CsvFormat):
        return
    assert entry.columns is None
    assert entry.header_with(["verdict", "reason"]) == "puzzle,verdict,reason\n"
    assert entry.row_with(record, ["none", 'a "b"'], SMALL) == ('12.4.41.2.43432.,none,"a ""b"""\n')
    assert entry.row_with(record, ["unreadable"]) == '"7;x",unreadable\n'


@formats
def test_formats_are_values(entry: Format) -> None:
    assert entry == type(entry)()
    assert hash(entry) == hash(type(entry)())
    assert all(entry != other for other in FORMATS.values() if other.name != entry.name)


@formats
def test_only_tables_hold_solutions_and_have_openings(entry: Format) -> None:
    text = "[]" if entry.name in ("json", "fpuzzles") else "x"
    assert entry.parse_solution(Record(1, text), Hints(), "") is None
    assert entry.opening() == ("puzzle,name,comment\n" if entry.name == "csv" else "")
    assert entry.answer_opening() == ""


def test_a_solution_is_written_without_rules_about_values_that_are_lost() -> None:
    """The cage sums to 6 by values: 1 and 4 in a format without hot cells would break it."""
    puzzle = Puzzle.from_line("." * 16, rules=["hot:r1c1", "killer:6=r1c1,r1c2", "odd:r1c1"])
    solution = Grid(puzzle.geometry, (1, 4, 2, 3, 2, 3, 1, 4, 3, 2, 4, 1, 4, 1, 3, 2))
    text = FORMATS["fpuzzles"].write_solution(puzzle, solution)
    read = FORMATS["fpuzzles"].parse(Record(1, text), Hints(), "")
    assert [rule.name for rule in read.further_rules] == ["odd"]
