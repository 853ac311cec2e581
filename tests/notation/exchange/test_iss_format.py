"""Strings of ISS in files, and how they are told from boards."""

import pytest

from satdoku.errors import FormatError
from satdoku.notation.exchange.seen import is_iss
from satdoku.notation.formats import FORMATS
from satdoku.notation.hints import Hints
from satdoku.notation.reading import PuzzleReader, read_puzzles
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from tests.each import for_each
from tests.notation.samples import SAMPLES

CAGES = ".Cage~3~R1C1~R1C2.Cage~5~R3C1~R4C1"


def test_a_string_may_have_many_lines() -> None:
    lines = ["# mine", "  .Shape~4x4", "# cages", "  .Cage~3~R1C1~R1C2", "", " .AntiKing"]
    (puzzle,) = read_puzzles(lines)
    assert puzzle.rule_texts == ["killer:3=r1c1,r1c2", "anti-king"]


def test_several_strings_begin_with_their_shapes() -> None:
    found = list(read_puzzles([".Shape~4x4.AntiKing", ".Shape~6x6", ".AntiKnight"]))
    assert [p.rule_texts for p in found] == [["anti-king"], ["anti-knight"]]
    (one,) = read_puzzles([".AntiKing", ".Shape~4x4"])
    assert one.geometry.size == 4


@for_each("text", [*SAMPLES.values(), ".X.V", ".AB.", "..~..", ".Cages~1", "..."])
def test_boards_are_no_strings(text: str) -> None:
    assert not is_iss(text)


@pytest.mark.parametrize("text", [CAGES, ".~R1C1_5", "..Thermo~R1C1", ".AntiKnight.AntiKing"])
def test_strings_are_told_by_their_first_class(text: str) -> None:
    assert is_iss(text)


def test_a_fault_has_its_place() -> None:
    with pytest.raises(FormatError, match=r"^file:2:1: Whale 1: satdoku has no rule for 'Whale'"):
        list(read_puzzles(["", f"{CAGES}.Whale~R1C1"], "file"))


@pytest.mark.parametrize("name", ["iss", "link:iss"])
def test_answers_are_in_the_digits_of_the_string(name: str) -> None:
    (puzzle,) = read_puzzles([".Shape~4x4~0-3.~R1C1_0"])
    text = FORMATS[name].write(puzzle)
    reader = PuzzleReader(text.split("\n"))
    (record,) = reader
    solution = Grid(Geometry(2, 2), (1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1))
    answer = reader.parser.format.write_answer(record, solution, Hints())
    assert answer == "0123230110323210\n"
