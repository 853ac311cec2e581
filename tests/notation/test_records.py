"""Every puzzle that a reader reads, sent through every record that is written of it, and back."""

import json
from collections.abc import Iterator

import pytest

from satdoku.answering.fact_finder import Csv, Json
from satdoku.answering.form import FactsForm
from satdoku.answering.task import Task
from satdoku.errors import SatdokuError
from satdoku.notation.formats import FORMATS
from satdoku.notation.reading import PuzzleReader, read_puzzles
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.classic import Columns, Rows
from satdoku.puzzle.verdict import Outcome, Verdict
from satdoku.serving.asks import answer
from satdoku.serving.messages import puzzle_entries, read_puzzle
from satdoku.solving.questions import check
from tests.crossing import crossed
from tests.each import for_each
from tests.notation.exchange.boards import empty_board
from tests.notation.samples import SAMPLES
from tests.variants import ours

LATIN = (
    ".Shape~4x4.NoBoxes.~R1C1_1~R1C2_2~R1C3_3~R2C1_2~R2C2_1~R2C3_4~R3C1_3~R3C2_4~R3C3_1",
    ".Shape~5x5.~R1C1_1.AntiKnight",
    ".Shape~9x9.NoBoxes.Thermo~R1C1~R1C2~R1C3",
    '{"puzzle": "1...............", "rules": ["rows", "columns", "diagonals"]}',
    json.dumps({"cells": [[{"value": 1}, {}, {}, {}], *[[{}] * 4] * 3], "regions": []}),
    json.dumps(empty_board(4) | {"grid": [[{"region": None}] * 4] * 4}),
)


class Going:
    def is_set(self) -> bool:
        return False


def texts() -> Iterator[tuple[str, str]]:
    """The texts that tests read, by name; variants as JSON, which holds all rules."""
    yield from SAMPLES.items()
    yield from ((text[:30], text) for text in LATIN)
    for variant in ours():
        yield variant.name, FORMATS["json"].write(variant.puzzle)


TEXTS = dict(texts())


def read(text: str) -> Puzzle:
    (puzzle,) = read_puzzles(text.splitlines())
    return puzzle


def row(form: FactsForm, text: str) -> str:
    """What a command writes about the only puzzle of a text, with the header of a table."""
    reader = PuzzleReader(text.splitlines())
    (record,) = reader
    puzzle = reader.parser(record, reader.bare_puzzle(record))
    outcome = Outcome(puzzle, Verdict.UNDECIDED, reason="nobody asked")
    return form.opening(reader.parser) + form.of_outcome(Task(reader.parser, record, 1), outcome)


def records(text: str, puzzle: Puzzle) -> Iterator[tuple[str, Puzzle]]:
    """The puzzle as each record gives it back; formats may refuse it, but JSON holds all."""
    for form in (Json(), Csv()):
        yield form.name, read(row(form, text))
    entries = puzzle_entries(puzzle)
    yield "message", read_puzzle(entries)
    (part,) = answer({"ask": "read", "text": text}, Going())
    yield "read", read_puzzle(part)
    for name in FORMATS:
        (written,) = answer({"ask": "write", "puzzle": entries, "to": name}, Going())
        if "error" not in written:
            yield name, next(iter(read_puzzles(written["text"].splitlines(), format_name=None)))
        else:
            assert name != "json", written


def solution(puzzle: Puzzle) -> tuple[Verdict, Grid | None]:
    outcome = check(puzzle)
    return outcome.verdict, outcome.solution if outcome.verdict is Verdict.UNIQUE else None


@crossed(6, name=TEXTS)
def test_a_puzzle_comes_back_from_every_record(name: str) -> None:
    puzzle = read(TEXTS[name])
    assert json.loads(row(Json(), TEXTS[name]))["verdict"] == "undecided"
    for record, back in records(TEXTS[name], puzzle):
        is_same = back.grid.digits == puzzle.grid.digits and back.rules == puzzle.rules
        # Some programs have other words for a rule, such as extra regions for windows.
        assert is_same or solution(back) == solution(puzzle), record


@for_each("text", LATIN)
def test_a_puzzle_without_boxes_has_a_rule_that_says_so(text: str) -> None:
    puzzle = read(text)
    size = puzzle.geometry.size
    assert f"regions:{'/'.join(['.' * size] * size)}" in puzzle.rule_texts


def test_a_latin_square_of_the_library_is_written_as_one() -> None:
    latin = Puzzle(Grid.from_line("1" + "." * 15), rules=(Rows(), Columns()))
    assert latin.rule_texts == ["regions:..../..../..../...."]


@for_each("rules", [["rows"], ["columns", "anti-knight"], ["boxes"], ["rows", "boxes"]])
def test_rules_that_name_a_part_of_the_classic_ones_are_refused(rules: list[str]) -> None:
    text = json.dumps({"puzzle": "." * 16, "rules": rules})
    with pytest.raises(SatdokuError, match="are rules of every puzzle"):
        read(text)


def test_all_classic_rules_named_make_a_classic_puzzle() -> None:
    text = json.dumps({"puzzle": "." * 16, "rules": ["boxes", "rows", "columns"]})
    assert read(text).is_classic
