"""A parser understands plain lines as their format does, and everything else by its format."""

import pickle

from satdoku.notation.formats import FORMATS
from satdoku.notation.hints import Hints
from satdoku.notation.lines import LineFormat
from satdoku.notation.parser import Parser
from satdoku.notation.reading import PuzzleReader
from satdoku.notation.record import Record
from satdoku.puzzle.grid import Geometry
from tests.commands import EASY, SMALL
from tests.each import for_each

LINES = [SMALL, EASY, SMALL.replace(".", "0"), ".2...6" * 6, "." * 64]


@for_each("line", LINES)
def test_a_plain_line_is_what_its_format_reads(line: str) -> None:
    record = Record(1, line)
    expected = LineFormat().parse(record, Hints(), "")
    assert Parser()(record) == expected
    assert Parser(LineFormat())(record) == expected
    assert pickle.loads(pickle.dumps(Parser(source="f")))(record) == expected


def test_without_a_format_answers_are_lines() -> None:
    assert Parser().format == LineFormat()
    for entry in FORMATS.values():
        assert Parser(entry).format is entry


def test_hints_leave_a_plain_line_to_the_format() -> None:
    parser = Parser(LineFormat(), "f", Hints(Geometry(1, 4)))
    assert parser.plain_board(Record(1, SMALL)) is None
    assert parser(Record(1, SMALL)).geometry == Geometry(1, 4)
    assert Parser(FORMATS["csv"]).plain_board(Record(1, SMALL)) is None


def test_what_was_read_to_know_a_format_is_not_read_again() -> None:
    reader = PuzzleReader([f"{SMALL} first", f"{SMALL} second", f"{SMALL} third"], "f")
    first, second, third = reader
    bare = reader.bare_puzzle(first)
    assert bare is not None
    assert reader.parser(first, bare) == reader.parser(first)
    assert reader.bare_puzzle(second) == reader.parser(second)
    assert reader.bare_puzzle(third) is None


@for_each("line", LINES[:4])
def test_a_typed_line_gets_further_rules_as_its_format_gives_them(line: str) -> None:
    hints = Hints(rules=("anti-knight",))
    typed = Parser(source="f", hints=hints)(Record(1, line))
    assert typed == Parser(LineFormat(), "f", hints)(Record(1, line))
    assert [rule.name for rule in typed.further_rules] == ["anti-knight"]


def test_rules_say_nothing_of_cells_but_those_of_digits() -> None:
    assert not Hints(rules=("anti-knight",)).tell_cells
    assert Hints(rules=("digits:0-3",)).tell_cells
    assert Hints(geometry=Geometry(2, 2), rules=("anti-knight",)).tell_cells
