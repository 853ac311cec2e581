"""Puzzles of a kind share a board, and get the same steps as with a board of their own."""

from collections.abc import Callable
from functools import partial
from operator import itemgetter

import pytest

from satdoku.encoding.variables import Placement
from satdoku.explaining.board import build_board, candidates_of, find_board, own_board
from satdoku.explaining.explain import Scope, explain
from satdoku.explaining.step import Level, Technique
from satdoku.explaining.way import Walker, find_way
from satdoku.explaining.words.steps import Teller, Wording
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle, constraints_of
from satdoku.puzzle.rules.registry import read_rule
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.limits import Budget
from tests.boards import HARD, HARD_SOLUTION, read_grid
from tests.crossing import sampled
from tests.each import for_each
from tests.explaining.samples import SHAPES, of_file, ruled_puzzle, shaped_puzzle, shared_board

RULES = ["diagonals", "anti-knight", "non-consecutive", "windoku"]
PUZZLES: list[Callable[[], Puzzle]] = [
    *(partial(itemgetter(number), of_file("easy", 3)) for number in range(3)),
    *(partial(itemgetter(number), of_file("sparse", 3)) for number in range(3)),
    *(partial(shaped_puzzle, shape, 1) for shape in SHAPES if shape.size < 10),
    *(partial(ruled_puzzle, rule, 0) for rule in RULES),
]


@sampled(2, "make", PUZZLES)
def test_a_shared_board_gives_the_same_words_as_an_own_one(make: Callable[[], Puzzle]) -> None:
    puzzle = make()
    shared, own = shared_board(puzzle), build_board(puzzle)
    assert shared.root is not None
    told = [
        list(Teller(find_way(board, Level.CHAINS, Budget())).tell(Wording.FULL))
        for board in (shared, own)
    ]
    assert told[0] == told[1]
    assert [shared.placements[n] for n in candidates_of(shared.every_candidate)] == list(
        own.placements[1:]
    )
    assert shared.number_of.keys() == own.number_of.keys()
    assert own_board(shared).truths == own.truths
    assert own_board(own) is own


def test_puzzles_of_a_kind_share_all_but_their_givens() -> None:
    one, other = map(shared_board, of_file("easy", 2))
    assert one.root is other.root
    assert one.tables is other.tables
    assert one.every_candidate != other.every_candidate
    assert shared_board(ruled_puzzle("diagonals", 0)).root is not one.root


@for_each(
    "cells, rule",
    [
        ("1234341221434321", "killer:4=r1c1,r1c2"),
        ("1234341221434321", "no-equal-lines"),
        ("1234............", "skyscraper:row1=1"),
    ],
)
def test_clashes_with_rules_are_found_on_shared_boards_too(cells: str, rule: str) -> None:
    puzzle = Puzzle.from_line(cells, Geometry(2, 2), [rule])
    first, second = (explain(puzzle) for _ in range(2))
    assert first.verdict is second.verdict is Verdict.NONE
    assert first.clashes
    assert second.clashes == first.clashes


def test_the_first_puzzle_of_a_kind_has_a_board_for_itself() -> None:
    rules = [read_rule("odd:r1c1,r2c2,r3c4", Geometry(2, 2))]
    puzzle = Puzzle(Grid.empty(Geometry(2, 2))).with_rules(rules)
    assert find_board(puzzle).root is None
    assert find_board(puzzle).root is not None


def test_what_the_givens_settle_is_not_open() -> None:
    puzzle = of_file("easy", 1)[0]
    board = shared_board(puzzle)
    assert board.root is not None
    for cell, digit in puzzle.givens.items():
        number = board.root.number_of[Placement(cell, digit)]
        assert board.givens >> number & 1
        assert not board.every_candidate & (board.links[number] | 1 << number)
    assert [truth.cell for truth in board.open_truths if truth.unit is None] == [
        cell for cell in range(81) if cell not in puzzle.givens
    ]


def test_a_board_names_digits_as_its_own_puzzle_does() -> None:
    grid = read_grid("1.....2..3.....4")
    letters = Puzzle(grid, symbols=("A", "B", "C", "D"))
    for puzzle, name in ((Puzzle(grid), "r1c2=2"), (letters, "r1c2=B")):
        board = shared_board(puzzle)
        assert board.name_of(board.number_of[Placement(1, 2)]) == name


def test_givens_that_break_a_rule_and_large_boards_get_a_board_of_their_own() -> None:
    assert shared_board(Puzzle(read_grid("11.............."))).root is None
    odd = Puzzle(read_grid("2...............")).with_rules([read_rule("odd:r1c1", Geometry(2, 2))])
    assert shared_board(odd).root is None
    assert shared_board(Puzzle(Grid.empty(Geometry(3, 4)))).root is None


@pytest.mark.slow
def test_harder_steps_are_looked_for_on_a_board_of_the_puzzle_alone() -> None:
    # With one more digit it takes half the time.
    puzzle = HARD.with_grid(HARD.grid.with_digits({60: HARD_SOLUTION.digits[60]}))
    shared_board(puzzle)
    assert explain(of_file("easy", 1)[0]).way.board.root is not None
    explanation = explain(puzzle)
    assert explanation.way.board.root is None
    assert any(step.technique is Technique.NET for step in explanation.way.steps)


@pytest.mark.slow
def test_chains_are_found_on_the_shared_board_and_go_along_to_that_of_the_puzzle() -> None:
    # With one more digit there is a chain before something harder is needed.
    puzzle = HARD.with_grid(HARD.grid.with_digits({2: HARD_SOLUTION.digits[2]}))
    shared_board(puzzle)
    shared = explain(puzzle, Scope(Level.CHAINS)).way
    assert shared.board.root is not None
    alone = find_way(build_board(puzzle), Level.ALL, Budget()).steps
    chains = [step.number for step in shared.steps if step.chain]
    assert chains == [step.number for step in alone[: len(shared.steps)] if step.chain]
    assert chains
    # The ends of their links have other numbers there.
    assert explain(puzzle, Scope(keeps_all_steps=True)).way.steps == alone


def test_a_board_outlives_the_constraints_that_it_was_made_of() -> None:
    puzzle = ruled_puzzle("windoku", 0)
    board = build_board(puzzle)
    constraints_of.cache_clear()
    assert board.tables.unit_of == build_board(puzzle).tables.unit_of


def test_a_single_step_is_made_and_proved_where_one_is_asked_for() -> None:
    puzzle = of_file("easy", 1)[0]
    way = find_way(build_board(puzzle), Level.ALL, Budget())
    with Walker(shared_board(puzzle), Level.ALL, Budget()) as walker:
        step = walker.next_step()
        assert step is not None
        assert walker.position.steps == [step]
        assert step.technique is way.steps[0].technique
        following = walker.next_step()
    assert following is not None
    assert following.number == 2
