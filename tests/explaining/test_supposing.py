"""Arguments of steps with several rules: what follows from a digit that is excluded."""

import re
from collections.abc import Iterator

import pytest

from satdoku.explaining.board import Board, candidates_of
from satdoku.explaining.explain import Scope, explain
from satdoku.explaining.step import Deduction, Level, Technique
from satdoku.explaining.supposing import Argument, Supposing, arguments_of
from satdoku.explaining.words import supposed
from satdoku.explaining.words.steps import Teller
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import read_rules
from tests.each import for_each
from tests.explaining.judging import StepJudge

SMALL = Geometry(2, 2)
RULES = [
    ("arrow:r1c1=r2c3,r3c4", "arrow:r1c4=r2c3,r4c3"),
    ("renban:r1c1-3", "sum:9=r2c2,r3c3,r4c4", "quadruple:1/2=r2c2"),
    ("arrow:r4c2=r3c2,r4c3", "sum:5=r2c2,r1c1", "arrow:r1c2=r3c2,r4c4"),
    ("sum:6=r1c2,r3c4,r1c1", "sum:7=r4c4,r4c2,r1c3", "sum:7=r3c3,r2c1"),
    ("sum:8=r1c1,r2c3,r3c4,r4c2", "sum:9=r1c2,r2c1,r3c3,r4c4"),
    # A cell of which the truths name some digits only, so that these are no cases.
    ("sum:5=r2c1,r1c4", "contain-exact:2/2=r4c3,r1c4,r2c4,r2c2"),
    ("renban:r1c1,r2c2,r3c3", "greater:r1c1,r2c2", "sum:9=r1c1,r3c3,r4c4"),
]


def together(puzzle: Puzzle) -> Iterator[tuple[Board, Deduction, str]]:
    """Yield the steps of several rules with their board and their text."""
    way = explain(puzzle, Scope(Level.BASIC)).way
    for step, text in zip(way.steps, Teller(way).tell(), strict=True):
        if step.technique is Technique.TOGETHER:
            yield way.board, step, text


def require(judge: StepJudge, board: Board, argument: Argument, left: int) -> None:
    """Fail unless each event of an argument follows, and its end is a contradiction."""
    for event in argument.events:
        assert not event.left & ~left
        members = candidates_of(event.left)
        for candidate in candidates_of(event.gone | event.own):
            assert judge.refutes(event.truth, members, candidate)
        left &= ~event.gone
    assert left == argument.left
    if argument.dead_end is not None:
        assert judge.refutes(argument.dead_end, candidates_of(left))
    cell = [board.placements[each].cell for each, _ in argument.cases]
    if argument.cases:
        mask = board.digits_in(left)[cell[0]]
        assert {board.placements[each].digit for each, _ in argument.cases} == {
            digit for digit in range(1, 5) if mask >> digit & 1
        }
    for each, case in argument.cases:
        require(judge, board, case, left & ~board.links[each])


@pytest.mark.parametrize("rules", RULES)
def test_a_second_judge_finds_every_event_of_an_argument(rules: tuple[str, ...]) -> None:
    puzzle = Puzzle(Grid.empty(SMALL)).with_rules(read_rules(rules, SMALL))
    for board, step, _ in together(puzzle):
        judge, left = StepJudge(puzzle, board), step.before
        rounds = arguments_of(board, step, 7)
        for arguments in rounds:
            for candidate, argument in arguments.items():
                require(judge, board, argument, left & ~board.links[candidate])
            left &= ~sum(1 << each for each in arguments)
        argued = {each for found in rounds for each in found}
        assert argued <= {*step.excludes}
        with Supposing(board, step) as supposing:
            for each in {*step.excludes} - argued:
                longer = supposing.argue(each, left)
                assert longer is None or longer.length > 7


@for_each(
    "limit, most, words",
    [
        ("_MOST_LINES", 1, "In the same way, "),
        ("_MOST_APPLIED", 2, "By more cases than can be told"),
    ],
)
def test_what_is_not_argued_is_told_apart(
    monkeypatch: pytest.MonkeyPatch, limit: str, most: int, words: str
) -> None:
    monkeypatch.setattr(supposed, limit, most)
    found = 0
    for rules in RULES[:4]:
        puzzle = Puzzle(Grid.empty(SMALL)).with_rules(read_rules(rules, SMALL))
        for board, step, text in together(puzzle):
            if words in text:
                found += 1
                result = {
                    (cell, int(digit))
                    for cell, digits in re.findall(r"(r\dc\d)≠([\d/]+)", text)
                    for digit in digits.split("/")
                }
                gone = [board.placements[each] for each in step.excludes]
                assert {(SMALL.name_of(cell), digit) for cell, digit in gone} <= result, text
    assert found


def test_where_no_argument_is_short_its_first_case_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The digits of the cases, told and untold, are those that the cell has left."""
    monkeypatch.setattr(supposed, "_MOST_APPLIED", 0)
    found = 0
    for rules in RULES:
        puzzle = Puzzle(Grid.empty(SMALL)).with_rules(read_rules(rules, SMALL))
        for _, _, text in together(puzzle):
            case = re.search(
                r"If (\S+) is (\d), \S+ is ([\d, or]+)\.\n +With (\d) there, .*\n"
                r" +With ([\d, or]+) there, nothing is left either \(by cases not told here\)\.\n"
                r" +So \1≠\2",
                text,
            )
            if case:
                found += 1
                digits = [sorted(re.findall(r"\d", each)) for each in (case[3], case[4] + case[5])]
                assert digits[0] == digits[1], text
    assert found
