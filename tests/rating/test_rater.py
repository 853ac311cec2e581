import re
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from satdoku.errors import SatdokuError, TooLargeError
from satdoku.lanes.bank import BEYOND, LEFT
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import read_rule, read_rules
from satdoku.puzzle.verdict import Verdict
from satdoku.rating.rater import (
    candidate_groups,
    find_crowded_out,
    rate_all,
    rate_in_python,
    ratings_of,
)
from satdoku.solving.limits import Budget, Limits
from tests.boards import HARD, clashing_puzzle, read_grid
from tests.commands import run
from tests.compiled import needs_library
from tests.crossing import sampled
from tests.each import for_each
from tests.making.requests import make, request
from tests.random_twins import random_twin
from tests.rating import oracle
from tests.rating.rules_oracle import Rule


def rate(puzzles: Sequence[Puzzle]) -> list[int | None]:
    ratings = []
    for puzzle, rated in zip(puzzles, rate_all(puzzles), strict=True):
        assert rated.puzzle is puzzle
        assert rated.rating is not None
        ratings.append(rated.rating.number)
    return ratings


def generated(count: int, geometry: Geometry | None = None, seed: str = "rated") -> list[Puzzle]:
    return [made.puzzle for made in make(request(geometry, seed=seed), count)]


@sampled(2, "shape", [(2, 2), (2, 3), (3, 3)])
def test_ratings_are_those_of_the_definition(shape: tuple[int, int]) -> None:
    geometry = Geometry(*shape)
    puzzles = generated(20 if geometry.size < 9 else 4, geometry)
    units = [unit.cells for unit in geometry.units]
    expected = [oracle.rate(units, puzzle.grid.digits) for puzzle in puzzles]
    assert rate(puzzles) == expected
    assert len(set(expected)) > 2 or geometry.size < 9


@sampled(
    2,
    "text, rating",
    [
        (".4....7......6...1..5.49........4.....8.5.31..279.1..55.....9...93.........2..8.3", 4),
        ("..5..9..62....8.3.36......5.....4.....7....62..1...75....9.5.4..8...79...9.4....7", 5),
    ],
)
def test_refutations_of_several_steps_are_those_of_the_definition(text: str, rating: int) -> None:
    assert_rated_by_definition(text, rating)


# A hidden triple solves each; the second was rated 26 and the others beyond when units crowded
# nothing out.
TRIPLES = (
    ".9.....2...5..4.......61.....6...1.8...3...7.......6..23.9.........8.4..7........",
    ".8.....2...5..4.......61.....6...1.7...9...3.......6..23.8.........7.4..9........",
)


def test_a_triple_is_no_harder_than_a_pair() -> None:
    assert rate([Puzzle(read_grid(text)) for text in TRIPLES]) == [3, 3]


@pytest.mark.slow
@for_each("text", TRIPLES)
def test_units_crowd_out_by_the_definition(text: str) -> None:
    units = [unit.cells for unit in Geometry().units]
    assert oracle.rate(units, read_grid(text).digits) == 3


def test_units_without_every_digit_crowd_out_too() -> None:
    """Three cells of an extra region of four hold three digits between them."""
    geometry = Geometry()
    region = read_rule("extra-region:r1c1,r2c4,r3c7,r5c5", geometry)
    candidates = candidate_groups(geometry, (*Puzzle(Grid.empty(geometry)).rules, region))
    few = {0: (1, 2), 12: (2, 3), 24: (1, 3)}
    position = [9 * cell + d - 1 for cell in range(81) for d in few.get(cell, range(1, 10))]
    assert find_crowded_out(candidates, tuple(position)) == {9 * 40 + d - 1 for d in (1, 2, 3)}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "rating"),
    [
        ("...41..9...3.....1.....782.....62..8...7.....92.8...5..5..8..39..2..4...4...5.78.", 7),
        ("..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9", 1),
        ("1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..", None),
        ("8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..", None),
    ],
)
def test_famous_puzzles_are_rated_by_the_definition(text: str, rating: int | None) -> None:
    assert_rated_by_definition(text, rating)


def assert_rated_by_definition(text: str, rating: int | None) -> None:
    grid = read_grid(text)
    assert rate([Puzzle(grid)]) == [rating]
    assert oracle.rate([unit.cells for unit in Geometry().units], grid.digits) == rating


@pytest.mark.parametrize("number", [4, pytest.param(8, marks=pytest.mark.slow)])
def test_other_rules_take_part_in_refutations(number: int) -> None:
    geometry = Geometry(2, 3)
    rules = [read_rule("diagonals", geometry)]
    diagonals = [[7 * n for n in range(6)], [5 * n + 5 for n in range(6)]]
    units = [*(list(unit.cells) for unit in geometry.units), *diagonals]
    board = request(geometry, "diagonals", seed="rated")
    puzzles = [made.puzzle for made in make(board, number)]
    assert all(
        puzzle.rules == Puzzle(Grid.empty(geometry)).with_rules(rules).rules for puzzle in puzzles
    )
    assert rate(puzzles) == [oracle.rate(units, puzzle.grid.digits) for puzzle in puzzles]


def test_pairs_and_cells_of_rules_take_part_too() -> None:
    """Without them the givens would leave several solutions."""
    for rule in ("anti-knight", "odd:r1c1,r2c2,r3c5"):
        puzzles = [made.puzzle for made in make(request(Geometry(2, 3), rule), 5)]
        assert all(number is not None for number in rate(puzzles))


def differ(digits: Sequence[int]) -> bool:
    return len(set(digits)) == len(digits)


SEVERAL_CELLS: dict[str, list[Rule]] = {
    "killer:9=r1c1,r1c2,r2c1": [
        Rule((0, 1, 6), lambda d: differ(d) and sum(d) == 9, amount=9, is_cage=True)
    ],
    "renban:r2c2,r3c3,r4c3": [Rule((7, 14, 20), lambda d: differ(d) and max(d) - min(d) == 2)],
    "arrow:r3c4=r4c4,r5c5": [Rule((15, 21, 28), lambda d: d[0] == d[1] + d[2])],
    "sum:1=r6c1,-r5c2,-r4c3": [Rule((30, 25, 20), lambda d: d[0] - d[1] - d[2] == 1)],
    "quadruple:2/5=r3c3": [
        Rule((14, 15, 20, 21), lambda d: 2 in d),
        Rule((14, 15, 20, 21), lambda d: 5 in d),
    ],
    "machine:r1c1,r2c2,r3c3:[1-4]*6.*": [
        Rule((0, 7, 14), lambda d: re.fullmatch("[1-4]*6.*", "".join(map(str, d))) is not None)
    ],
}


@sampled(3, "rule", SEVERAL_CELLS)
def test_rules_about_several_cells_take_part_in_every_round(rule: str) -> None:
    geometry = Geometry(2, 3)
    units = [unit.cells for unit in geometry.units]
    puzzles = [made.puzzle for made in make(request(geometry, rule, seed="sums"), 3)]
    expected = [oracle.rate(units, p.grid.digits, SEVERAL_CELLS[rule]) for p in puzzles]
    assert rate(puzzles) == expected


def as_told(rule: str) -> Rule:
    """A cage or an arrow of a 6x6 board, for the oracle."""
    cells = [6 * int(row) + int(column) - 7 for row, column in re.findall(r"r(\d)c(\d)", rule)]
    if rule.startswith("arrow"):
        return Rule(cells, lambda d: d[0] == sum(d[1:]))
    amount = int(re.findall(r":(\d+)", rule)[0])
    return Rule(cells, lambda d: differ(d) and sum(d) == amount, amount, is_cage=True)


# What a rule says of cells that see each other, the rule of 45, and what rules say together are
# needed: without these the first two had 4 and 5. With what rules say together after one step, the
# third would have 3.
MORE_THAN_ROUNDS = {
    "....................................": (
        "12=r1c1,r1c2,r2c1 9=r1c3,r1c4,r2c3 9=r1c5,r1c6,r2c6 18=r2c2,r2c4,r3c2,r3c3,r3c4 "
        "11=r2c5,r3c5,r3c6 13=r3c1,r4c1,r5c1,r6c1 13=r4c2,r5c2,r5c3 8=r4c3,r4c4,r4c5 "
        "11=r4c6,r5c6,r6c6 10=r5c4,r5c5,r6c5 12=r6c2,r6c3,r6c4",
        3,
    ),
    "................................32..": (
        "r5c3=r4c3,r4c4 r3c3=r2c2,r1c3 r2c1=r3c2,r3c1 r5c2=r6c3,r5c4 r1c1=r1c2,r2c3 r1c4=r2c5,r1c6",
        4,
    ),
    ".6...........15...4........3.......6": (
        "7=r1c4,r2c4 8=r4c5,r4c6,r5c5 9=r2c3,r3c2,r3c3 12=r1c1,r1c2,r1c3",
        4,
    ),
}


# Boards of few givens take their plain judge five seconds.
_SLOW = [text for text in MORE_THAN_ROUNDS if text.count(".") > 33]


@pytest.mark.parametrize(
    "text",
    [pytest.param(t, marks=[pytest.mark.slow] * (t in _SLOW)) for t in MORE_THAN_ROUNDS],
)
def test_rules_exclude_by_the_definition_what_their_cells_see(text: str) -> None:
    geometry = Geometry(2, 3)
    told, rating = MORE_THAN_ROUNDS[text]
    rules = [f"killer:{each}" if each[0].isdigit() else f"arrow:{each}" for each in told.split()]
    puzzle = Puzzle(read_grid(text, geometry)).with_rules(read_rules(rules, geometry))
    units = [unit.cells for unit in geometry.units]
    assert oracle.rate(units, puzzle.grid.digits, [as_told(rule) for rule in rules]) == rating
    # The order of rules, and whether columns are rows, changes nothing.
    twins = [re.sub(r"r(\d)c(\d)", r"r\2c\1", each) for each in reversed(rules)]
    tall = Geometry(3, 2)
    turned = read_grid("".join(text[n::6] for n in range(6)), tall)
    assert rate([puzzle, Puzzle(turned).with_rules(read_rules(twins, tall))]) == [rating, rating]


def test_what_rules_exclude_after_a_refutation_takes_no_step_more() -> None:
    """In one look it was left to singles, and this puzzle had 4."""
    geometry = Geometry(2, 3)
    rules = read_rules(["arrow:r5c2=r5c1,r4c1", "arrow:r5c3=r6c2,r6c3"], geometry)
    grid = read_grid(".1..6.3....2....4...5.2.......2.....", geometry)
    arrows = [as_told(rule) for rule in ("arrow:r5c2=r5c1,r4c1", "arrow:r5c3=r6c2,r6c3")]
    assert oracle.rate([unit.cells for unit in geometry.units], grid.digits, arrows) == 2
    assert rate([Puzzle(grid).with_rules(rules)]) == [2]


def test_a_choice_of_several_rules_is_refused_by_name() -> None:
    """docs/rules.md says so: what such a choice excludes, refutations do not follow."""
    grid = Grid.empty(Geometry(2, 2))
    texts = ["killer:3=r1c1,r1c2", "either:killer:3=r1c1,r1c2|sum:5=r2c1,r2c2"]
    refused = Puzzle(grid).with_rules(read_rules(texts, grid.geometry))
    with pytest.raises(SatdokuError, match=r"this puzzle has either$"):
        next(rate_all([refused]))
    large = Puzzle(Grid.empty(Geometry(5, 5)))
    with pytest.raises(TooLargeError, match="up to 16x16"):
        next(rate_all([large.with_rules(read_rules(texts[:1], large.geometry))]))


def test_symmetric_twins_have_the_same_rating() -> None:
    rng = Random(7)
    puzzles = [*generated(25), HARD]
    twins = [Puzzle(random_twin(rng, puzzle.grid)) for puzzle in puzzles]
    assert rate(twins) == rate(puzzles)


def test_company_and_order_change_no_rating() -> None:
    puzzles = [*generated(12), *generated(6, Geometry(2, 3)), HARD]
    together = rate(puzzles)
    assert together[::-1] == rate(puzzles[::-1])
    assert together == [rate([puzzle])[0] for puzzle in puzzles]


def test_a_full_grid_is_rated_as_easy() -> None:
    [made] = make(request())
    assert rate([Puzzle(made.solution)]) == [0]


@pytest.mark.parametrize(
    ("puzzle", "verdict"),
    [
        (Puzzle(Grid.empty(Geometry(2, 2))), Verdict.MULTIPLE),
        (clashing_puzzle(Geometry(2, 2)), Verdict.NONE),
        (Puzzle(read_grid("12.. ..3. .... ...4")), Verdict.NONE),
        # Refutations leave one candidate in each cell at once, and these clash.
        (Puzzle(read_grid("2..1...3...4......41.3....2.....1.5.")), Verdict.NONE),
    ],
)
def test_without_one_solution_there_is_no_rating(puzzle: Puzzle, verdict: Verdict) -> None:
    [first, rated, last] = rate_all([HARD, puzzle, HARD])
    assert rated.rating is None
    assert rated.outcome.verdict is verdict
    assert first.rating is not None
    assert first.rating == last.rating


def test_a_limit_leaves_the_question_of_one_solution_open() -> None:
    [rated] = rate_all([HARD], Limits(conflicts=0))
    assert rated.rating is None
    assert rated.outcome.verdict is Verdict.UNDECIDED


class _SetLater:
    """A stop that is set when it was asked so often."""

    def __init__(self, times: int) -> None:
        self.times = times

    def is_set(self) -> bool:
        self.times -= 1
        return self.times < 0


@pytest.mark.parametrize("lanes", ["0", "1"])
@pytest.mark.parametrize("times", [0, 1, 20])
def test_a_stop_leaves_all_others_undecided(
    times: int, lanes: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SATDOKU_LANES", lanes)
    puzzles = generated(2) * 15
    rated = list(rate_all(puzzles, Limits(stop=_SetLater(times))))
    assert [each.puzzle for each in rated] == puzzles
    answered = [each.outcome.verdict is not Verdict.UNDECIDED for each in rated]
    assert sum(answered) <= times
    assert answered == sorted(answered, reverse=True)
    others = [each for each in rated if each.outcome.verdict is Verdict.UNDECIDED]
    assert {each.outcome.reason for each in others} == {"stopped on request"}


@needs_library
@pytest.mark.parametrize("count", [12, pytest.param(3000, marks=pytest.mark.slow)])
def test_the_compiled_library_finds_the_same_ratings(count: int) -> None:
    """Also of boards with several solutions or none, which have no rating."""
    puzzles = generated(count, seed="compiled")
    rng = Random(2)
    boards = [bytes(puzzle.grid.digits) for puzzle in puzzles]
    for board in boards[:: 3 if count > 100 else 10]:
        changed = bytearray(board)
        place = rng.choice([cell for cell, digit in enumerate(board) if digit])
        changed[place] = rng.randint(0, 9)
        boards.append(bytes(changed))
    every = [Puzzle(Grid(Geometry(), tuple(board))) for board in boards]
    found = [number for number, _ in ratings_of(b"".join(boards))]
    # What contradicts itself is left to Python.
    assert LEFT not in found[:count]
    for puzzle, number in zip(every, found, strict=True):
        assert (number if number < BEYOND else None) == rate_in_python(puzzle, Budget())


@needs_library
def test_a_wrong_rating_of_the_compiled_library_ends_the_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("satdoku.rating.rater.is_sample", lambda board: True)
    [puzzle] = generated(1)
    assert rate([puzzle])
    monkeypatch.setattr("satdoku.rating.rater.find_ratings", lambda boards: b"\x20")
    with pytest.raises(SatdokuError, match="this is a bug"):
        rate([puzzle])


@needs_library
def test_lines_of_a_file_are_rated_alike_with_and_without_the_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = ["".join(map(str, puzzle.grid.digits)).replace("0", ".") for puzzle in generated(8)]
    several = "".join(map(str, HARD.grid.digits)).replace("0", ".")
    lines += [several, several.replace("8", ".", 1), lines[0][:80] + "5", "." * 81]
    path = tmp_path / "bank.txt"
    path.write_text("\n".join(lines) + "\n")
    commands = [["rate", path, "-q", *rest] for rest in ([], ["--table"], ["--json"])]
    found = [run(*command) for command in commands]
    monkeypatch.setenv("SATDOKU_LANES", "0")
    without = [run(*command) for command in commands]
    assert [(each.code, each.stdout) for each in found] == [
        (each.code, each.stdout) for each in without
    ]
