"""Instances of every rule in the registry, made from the rule's own example."""

import re
from collections.abc import Iterator
from functools import cache
from random import Random

from satdoku.errors import SatdokuError
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.rules.classic import CLASSIC, Columns, Rows
from satdoku.puzzle.rules.registry import RULES, read_rule
from satdoku.puzzle.rules.rule import Rule
from tests.oracle import solutions_of

SMALL = Geometry(2, 2)
LINES_ONLY: tuple[Rule, ...] = (Rows(), Columns())
# Without the rules that make no sense on a board of 4x4.
NAMES = [name for name, kind in RULES.items() if kind.example_board == SMALL]

VALUES = ("doublers", "negators", "schrodinger", "hot", "cold")
"""The rules that make cells count otherwise; others are refused beside them if they say nothing."""

PAIRED = [name for name in NAMES if name not in VALUES]
"""The rules that can be used with each other."""

WITHOUT_CERTIFICATES = frozenset(
    ("hidden-regions", "connected", "count-distinct", "full-rank", *VALUES)
)
"""The rules whose clauses nobody has justified yet."""

_CELL = re.compile(r"r\d+c\d+")


@cache
def every_grid(base: tuple[Rule, ...]) -> tuple[Grid, ...]:
    """All grids of 4x4 with boxes (288), or all Latin squares (576), by plain backtracking."""
    shape = (2, 2) if base == CLASSIC else (1, 4)
    return tuple(Grid(SMALL, digits) for digits in solutions_of(*shape, [0] * 16))


def example_of(name: str, geometry: Geometry = SMALL) -> Rule:
    """The rule with its example as argument."""
    kind = RULES[name]
    return read_rule(f"{name}:{kind.example}" if kind.example else name, geometry)


def random_instance(name: str, rng: Random, geometry: Geometry = SMALL) -> Rule:
    """The rule with its example at other cells: named cells are drawn anew, letters shuffled."""
    example = RULES[name].example
    if not example:
        return example_of(name, geometry)
    parts = re.split(f"({_CELL.pattern})", example)
    while len(parts) > 1:
        names = map(geometry.name_of, rng.sample(range(geometry.cell_count), geometry.cell_count))
        text = "".join(next(names) if _CELL.fullmatch(part) else part for part in parts)
        try:
            return read_rule(f"{name}:{text}", geometry)
        except SatdokuError:
            continue  # such as a circle that four cells have to lie around, at the border
    letters = list(example.replace("/", ""))
    rng.shuffle(letters)
    text = "".join(letters) if len(letters) == geometry.cell_count else example
    return read_rule(f"{name}:{text}", geometry)


def random_instances(rng: Random, count: int) -> Iterator[Rule]:
    """Instances of rules drawn by lot, on 4x4."""
    for _ in range(count):
        yield random_instance(rng.choice(PAIRED), rng)


def fits(name: str, geometry: Geometry) -> bool:
    """Whether a rule without an argument makes sense on a board."""
    try:
        return bool(read_rule(name, geometry))
    except SatdokuError:
        return False
