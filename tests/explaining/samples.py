"""Puzzles for the tests of explanations: unique ones of many shapes and rules, and broken ones."""

import random
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from satdoku.errors import SatdokuError
from satdoku.explaining.board import Board, build_board, find_board
from satdoku.explaining.explain import Explanation, Scope, explain
from satdoku.explaining.step import Level, Way
from satdoku.explaining.way import find_way
from satdoku.puzzle.grid import EMPTY, Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import read_rule
from satdoku.puzzle.rules.rule import Rule, write_rule
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.limits import Budget, LimitReachedError, unwatched
from satdoku.solving.questions import check
from satdoku.solving.solvers import Settings
from tests.boards import full_grid, read_grid
from tests.puzzle.rules.instances import NAMES, SMALL, random_instance

FOLDER = Path(__file__).parents[2] / "benchmarks" / "puzzles"

# One step is a death blossom, and one a fish chain; none is a net.
BLOSSOM = "4....52.....3.....2.......85.8..1..4...7..6...4.....811....9....5..2..1...31...57"

# One step is a 3D medusa.
MEDUSA = "...3.....76.1..5...93.2.......8...433...5..1..8....7....1..6.8......8..92...3...5"

# 4 digits to 16, boxes wide, high and square.
SHAPES = [Geometry(*shape) for shape in ((2, 2), (2, 3), (3, 2), (2, 4), (3, 3), (3, 4), (4, 4))]


# What `ruled_puzzle` has made for the usual tests, after its arguments: each takes it 0.1 s.
RULED = {
    (rule, int(seed), int(fewest)): line
    for rule, seed, fewest, line in map(
        str.split,
        """\
diagonals 0 20 .1.9.5.7.....42..............6.1...31.2..95.88....34..65...........9.............
diagonals 1 40 ..6.8...31.5749.6.4.8.6..7576..1..3951...2846.4.53671.6.4..1...3..8.7...9.....32.
diagonals 2 36 ..6.95..8...7.3...5.2468.9..6...2.79.25..98.6...5364.2.54...98.2.1...6.4......3.1
diagonals 0 40 .13985.7.....428....87..1....621...31.2..956887.5.34..6543...873.1.9...4.87...3..
anti-knight 0 20 .....32....3.7651...6......762.3...5..9......5.8.........3.....3.......4....5....
anti-knight 1 20 ..5........8..95......657.88.......5...5....2........6.5..2....3..9.7.......54...
anti-knight 1 36 165.7.....78..95...3.2657.88.....19571.5..432........6.5.32....3.19.7......654.2.
anti-knight 0 40 ..5..32.62.3.7651.8.621....762.3...51.9.4876.5.8...1..654321.8.3.1.....4....54...
windoku 0 20 ...1.65..5....3....7..2...3.2.......4.5..8.1..........6.4....8...1.......8..5.3..
""".splitlines(),
    )
}


def of_file(name: str, number: int) -> list[Puzzle]:
    """Puzzles spread over one of the shipped collections."""
    lines = (FOLDER / f"{name}.txt").read_text().split()
    return [Puzzle(read_grid(line)) for line in lines[:: len(lines) // number][:number]]


def unique_puzzle(rng: random.Random, full: Puzzle, fewest: int = 0) -> Puzzle:
    """Drops givens of a full board in random order while the solution stays the only one."""
    puzzle = full
    for cell in rng.sample(range(len(full.grid.digits)), len(full.grid.digits)):
        if len(puzzle.givens) <= fewest:
            break
        fewer = puzzle.with_grid(puzzle.grid.with_digits({cell: EMPTY}))
        if check(fewer).verdict is Verdict.UNIQUE:
            puzzle = fewer
    return puzzle


@lru_cache(maxsize=64)
def shaped_puzzle(geometry: Geometry, seed: int, percent: int = 0) -> Puzzle:
    """A unique puzzle of a shape that keeps so many percent of its digits, or more.

    Boards above 9x9 keep 45 percent at least, to save time.
    """
    rng = random.Random(f"{geometry} {seed}")
    percent = max(percent, 45) if geometry.size > 9 else percent
    fewest = geometry.cell_count * percent // 100
    return unique_puzzle(rng, Puzzle(full_grid(rng, geometry)), fewest)


def shared_board(puzzle: Puzzle) -> Board:
    """The board that a puzzle gets where another one of its kind came before."""
    find_board(puzzle)
    return find_board(puzzle)


@lru_cache(maxsize=128)
def way_of(puzzle: Puzzle, level: Level = Level.ALL) -> Way:
    """The way of a puzzle, found once for all tests: that of a very hard one takes seconds."""
    return find_way(build_board(puzzle), level, Budget())


def basic_way(puzzle: Puzzle, most: int | None = None) -> Way:
    """The steps of the level basic, or of these the first ones, without a search for others.

    That there are no others often takes a hundred times as long to find as these.
    """

    def stop(words: str) -> None:
        if int(words.removeprefix("step ")) >= (most or 0):
            raise LimitReachedError

    watch = unwatched if most is None else stop
    return find_way(build_board(puzzle), Level.BASIC, Budget(), watch)


@lru_cache(maxsize=64)
def explained(puzzle: Puzzle, level: Level = Level.ALL) -> Explanation:
    """The explanation of a puzzle, made once for all tests, for the same reason."""
    return explain(puzzle, Scope(level))


@lru_cache(maxsize=64)
def ruled_puzzle(rule: str, seed: int, fewest: int = 20) -> Puzzle:
    """A unique puzzle of 9x9 with a further rule, of so many givens or more."""
    line = RULED.get((rule, seed, fewest))
    if line is None:
        return make_ruled_puzzle(rule, seed, fewest)
    return Puzzle(read_grid(line)).with_rules([read_rule(rule, Geometry(3, 3))])


def make_ruled_puzzle(rule: str, seed: int, fewest: int) -> Puzzle:
    rng = random.Random(f"{rule} {seed}")
    geometry = Geometry(3, 3)
    # Two random digits in the first row give different boards.
    start = {0: rng.randint(1, 5), 4: rng.randint(6, 9)}
    empty = Puzzle(read_grid("." * 81)).with_rules([read_rule(rule, geometry)])
    solution = check(empty.with_grid(empty.grid.with_digits(start)), Settings()).solution
    assert solution is not None
    return unique_puzzle(rng, empty.with_grid(solution), fewest)


def broken_puzzles(puzzle: Puzzle, rng: random.Random) -> list[Puzzle]:
    """The puzzle with each given in turn changed to another digit, where that leaves no solution
    and no two givens clash."""
    broken = []
    for cell, digit in puzzle.givens.items():
        others = [d for d in range(1, puzzle.geometry.size + 1) if d != digit]
        changed = puzzle.with_grid(puzzle.grid.with_digits({cell: rng.choice(others)}))
        outcome = check(changed)
        if outcome.verdict is Verdict.NONE and not outcome.clashes:
            broken.append(changed)
    return broken


# A number that is no part of the name of a cell, and what may take its place.
_NUMBER = re.compile(r"(?<![rc\d])\d+")
_NUMBERS = ["0", "1", "2", "3", "4", "5", "6", "7", "9", "12", "20"]


def random_puzzles(rng: random.Random, count: int) -> Iterator[Puzzle]:
    """Puzzles of 4x4 with a few givens, and rules whose cells and numbers are drawn by lot.

    Most of them have no solution or several.
    """
    for _ in range(count):
        cells = rng.sample(range(SMALL.cell_count), rng.choice([0, 0, 1, 2, 3, 4, 6, 9]))
        givens = {cell: rng.randint(1, SMALL.size) for cell in cells}
        yield _with_random_rules(Puzzle(Grid.empty(SMALL).with_digits(givens)), rng)


def _with_random_rules(bare: Puzzle, rng: random.Random) -> Puzzle:
    while True:
        names = rng.choices(NAMES, k=rng.randint(1, 3))
        rules = [_with_other_numbers(random_instance(name, rng), rng) for name in names]
        try:
            return bare.with_rules(rules)
        except SatdokuError:
            continue  # rules that cannot be beside each other


def _with_other_numbers(rule: Rule, rng: random.Random) -> Rule:
    """Return the rule with other numbers if some are found that it can have."""
    for _ in range(5):
        changed = _NUMBER.sub(lambda _: rng.choice(_NUMBERS), write_rule(rule, SMALL))
        try:
            return read_rule(changed, SMALL)
        except SatdokuError:
            continue
    return rule
