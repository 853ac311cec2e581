"""A puzzle that a format can hold, written and read back, has the same solutions."""

import json
import random
import re
from collections import defaultdict
from contextlib import suppress
from itertools import permutations
from pathlib import Path

from satdoku.errors import SatdokuError
from satdoku.notation.formats import FORMATS
from satdoku.notation.reading import read_puzzles
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.judge import find_fault
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import RULES, read_rule
from tests.crossing import few_or_many

SMALL = Geometry(2, 2)
HOLDERS = [name for name in FORMATS if name not in ("line", "sdm", "euler")]
SHAPES = ("regions:AABB/ABBC/ADCC/DDDC", "no-boxes", "digits:0-3", "digits:3-6")


def latin_squares() -> list[Grid]:
    found: list[tuple[tuple[int, ...], ...]] = [()]
    for _ in range(4):
        found = [
            (*above, row)
            for above in found
            for row in permutations(range(1, 5))
            if all(len({*column}) == len(above) + 1 for column in zip(*above, row, strict=True))
        ]
    return [Grid(SMALL, tuple(sum(rows, ()))) for rows in found]


SQUARES = latin_squares()


def arguments() -> dict[str, list[str]]:
    """Arguments of each rule, for boards of any size."""
    found = defaultdict(list, {name: [kind.example] for name, kind in RULES.items()})
    path = Path(__file__).parents[1] / "data" / "variants.json"
    for variant in json.loads(path.read_text()):
        for rule in variant["rules"]:
            name, _, argument = rule.partition(":")
            found[name].append(argument)
    return found


ARGUMENTS = arguments()
CELLS = re.compile(r"r\d+c\d+(?:-\d+)?(?:,r\d+c\d+(?:-\d+)?)*")
NUMBER = re.compile(r"(?<![a-z\d])\d+")


def random_path(rng: random.Random, length: int) -> str:
    """Cells of a line on the board, or cells anywhere; none is in it twice."""
    cells = [(rng.randrange(4), rng.randrange(4))]
    reach = rng.choice((1, 1, 1, 4))
    while len(cells) < length:
        row, column = cells[-1]
        others = [
            (r, c)
            for r in range(max(0, row - reach), min(4, row + reach + 1))
            for c in range(max(0, column - reach), min(4, column + reach + 1))
            if (r, c) not in cells
        ]
        if not others:
            break
        cells.append(rng.choice(others))
    return ",".join(f"r{row + 1}c{column + 1}" for row, column in cells)


def random_rule(rng: random.Random) -> str:
    if rng.random() < 0.1:
        return rng.choice(SHAPES)
    name = rng.choice(list(ARGUMENTS))
    argument = rng.choice(ARGUMENTS[name])
    argument = CELLS.sub(lambda m: random_path(rng, m[0].count(",") + rng.randint(0, 2)), argument)
    argument = re.sub(r"(row|col)\d+", lambda m: f"{m[1]}{rng.randint(1, 4)}", argument)
    argument = NUMBER.sub(lambda m: str(rng.choice((*range(11), m[0]))), argument)
    return f"{name}:{argument}" if argument else name


def random_puzzle(rng: random.Random) -> Puzzle | None:
    """A board with rules; None if some make no sense."""
    try:
        rules = [read_rule(random_rule(rng), SMALL) for _ in range(rng.choice((1, 1, 2, 3)))]
        return Puzzle(Grid.empty(SMALL)).with_rules(rules)
    except SatdokuError:
        return None


@few_or_many("count", few=25, many=4_000)
def test_what_a_format_holds_has_the_same_solutions_when_it_is_read(count: int) -> None:
    rng = random.Random(count)
    grids = SQUARES if count > 100 else rng.sample(SQUARES, 100)
    tried = 0
    while tried < count:
        if (puzzle := random_puzzle(rng)) is None:
            continue
        tried += 1
        solutions = None
        for name in HOLDERS:
            with suppress(SatdokuError):
                text = FORMATS[name].write(puzzle)
                again = only_puzzle(text)
                if set(again.rules) != set(puzzle.rules):
                    solutions = solved(puzzle, grids) if solutions is None else solutions
                    assert solved(again, grids) == solutions, f"{name}: {text}"


def only_puzzle(text: str) -> Puzzle:
    try:
        (puzzle,) = read_puzzles(text.split("\n"))
    except SatdokuError as error:
        raise AssertionError(f"{error}: {text}") from error
    return puzzle


def solved(puzzle: Puzzle, grids: list[Grid]) -> list[Grid]:
    return [grid for grid in grids if not find_fault(Grid(puzzle.geometry, grid.digits), puzzle)]
