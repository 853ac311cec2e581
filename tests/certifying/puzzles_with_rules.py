"""Small puzzles with several rules at once, drawn at random, and a judge that tries every grid.

The judge takes the rules by their definitions, and auxiliaries by what they mean: no table of the
encoder and no justifier takes part, except that a state is read off the table of its machine.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random

from satdoku.certifying.justify import MachineRun, runs_of
from satdoku.encoding.meanings import Choice, Meaning, State, Worth
from satdoku.errors import SatdokuError
from satdoku.puzzle.grid import EMPTY, Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.either import EitherRule
from satdoku.puzzle.rules.registry import read_rules
from satdoku.puzzle.rules.rule import Rule
from tests.oracle import solutions_of

SMALL = Geometry(2, 2)

_TEMPLATES = (
    "killer:{sum}={line}",
    "sum:{sum}={cells}",
    "thermo:{line}",
    "odd:{cell}",
    "even:{cell}",
    "candidates:{cell}={digit}",
    "arrow:{cell}={cells}",
    "renban:{line}",
    "whispers:2={line}",
    "between:{line}",
    "lockout:2={line}",
    "zipper:{line}",
    "region-sum:{line}",
    "sum-line:5={line}",
    "sandwich:row{digit}={count}",
    "x-sum:col{digit}.up={sum}",
    "skyscraper:row{digit}={digit}",
    "hidden-skyscraper:col{digit}={digit}",
    "machine:{line}:[12]*3.*",
    "machine:{line}:.*[13][24].*",
    "counting-circles:{cells}",
    "contain:{digit}/{digit}={cells}",
    "quadruple:{digit}/{digit}={corner}",
)


class _Places(dict[str, str]):
    """Anything that a template has in braces, drawn anew each time that it is asked for."""

    def __init__(self, rng: Random) -> None:
        super().__init__()
        draw = rng.randint
        self._made: dict[str, Callable[[], str]] = {
            "sum": lambda: str(draw(3, 9)),
            "count": lambda: str(draw(0, 5)),
            "digit": lambda: str(draw(1, 4)),
            "cell": lambda: _named([(draw(1, 4), draw(1, 4))]),
            "corner": lambda: _named([(draw(1, 3), draw(1, 3))]),
            "cells": lambda: _named((draw(1, 4), draw(1, 4)) for _ in range(4)),
            "line": lambda: _named(_walk(rng, draw(2, 4))),
        }

    def __missing__(self, name: str) -> str:
        return self._made[name]()


def _named(cells: Iterator[tuple[int, int]] | list[tuple[int, int]]) -> str:
    return ",".join(dict.fromkeys(f"r{row}c{column}" for row, column in cells))


def _walk(rng: Random, length: int) -> list[tuple[int, int]]:
    """Different cells, each beside the one before; fewer where the walk runs into itself."""
    cells = [(rng.randint(1, 4), rng.randint(1, 4))]
    for _ in range(4 * length):
        row, column = (place + rng.choice((-1, 0, 1)) for place in cells[-1])
        if len(cells) < length and {row, column} <= {1, 2, 3, 4}:
            cells += [] if (row, column) in cells else [(row, column)]
    return cells


def random_rule(rng: Random) -> str:
    """A rule as `--rule` takes it; two of three are kept in one of several ways."""

    def simple() -> str:
        return rng.choice(_TEMPLATES).format_map(_Places(rng))

    if rng.random() < 1 / 3:
        return simple()
    choices = ("&".join(simple() for _ in range(rng.choice((1, 1, 2)))) for _ in range(3))
    return f"either:{'|'.join(list(choices)[: rng.choice((2, 2, 3))])}"


def random_puzzles(rng: Random) -> Iterator[Puzzle]:
    """4x4 puzzles with one to three rules, and with givens that keep rows, columns and boxes."""
    while True:
        texts = [random_rule(rng) for _ in range(rng.choice((1, 2, 3, 3)))]
        share = rng.choice((0, 0, 0.15, 0.5))
        digits = [d if rng.random() < share else EMPTY for d in rng.choice(every_grid()).digits]
        try:
            yield Puzzle(Grid(SMALL, tuple(digits))).with_rules(read_rules(texts, SMALL))
        except SatdokuError:
            continue  # the rule does not fit these cells, or each other


@cache
def every_grid() -> list[Grid]:
    """All 288 grids with boxes of 2x2."""
    return [Grid(SMALL, digits) for digits in solutions_of(2, 2, [0] * 16)]


def solutions(puzzle: Puzzle) -> list[Grid]:
    """All grids that have the givens and keep the further rules, by the definitions of these."""
    givens = puzzle.givens.items()
    return [
        grid
        for grid in every_grid()
        if all(grid.digits[cell] == digit for cell, digit in givens)
        and all(_is_kept(rule, grid.digits) for rule in puzzle.further_rules)
    ]


def _is_kept(rule: Rule, digits: Sequence[int]) -> bool:
    return not any(True for _ in rule.find_clashes(SMALL, digits))


@dataclass(frozen=True)
class GridJudge:
    """For each variable a mask with a bit for each solution of the puzzle that makes it true."""

    solutions: Sequence[Grid]
    true: Mapping[int, int]

    @classmethod
    def of(cls, puzzle: Puzzle, meanings: Mapping[int, Meaning]) -> "GridJudge":
        found = solutions(puzzle)
        true: dict[int, int] = {}
        for place, grid in enumerate(found):
            for number in true_literals(meanings, grid.digits, puzzle):
                true[number] = true.get(number, 0) | 1 << place
        return cls(found, true)

    def is_kept(self, clause: Sequence[int]) -> bool:
        """Whether all solutions satisfy a clause."""
        every = (1 << len(self.solutions)) - 1
        kept = 0
        for literal in clause:
            mask = self.true.get(abs(literal), 0)
            kept |= mask if literal > 0 else every & ~mask
        return kept == every


def true_literals(
    meanings: Mapping[int, Meaning], digits: Sequence[int], puzzle: Puzzle
) -> set[int]:
    """The variables that hold in a grid, its auxiliaries read off by what they mean."""
    runs = runs_of(puzzle.rules, SMALL)
    true = {number for number in range(1, 65) if digits[(number - 1) // 4] == (number - 1) % 4 + 1}
    return true | {n for n, meaning in meanings.items() if _is_true(meaning, digits, puzzle, runs)}


def _is_true(
    meaning: Meaning, digits: Sequence[int], puzzle: Puzzle, runs: Sequence[MachineRun]
) -> bool:
    if isinstance(meaning, Worth):
        return sum(table[digits[cell]] for cell, table in meaning.tables) >= meaning.value
    if isinstance(meaning, State):
        cells, layers = runs[meaning.machine]
        state = 0
        for cell, layer in list(zip(cells, layers, strict=True))[: meaning.behind]:
            state = layer[state][digits[cell]] if state >= 0 else -1
        return state == meaning.state
    assert isinstance(meaning, Choice)
    rule = puzzle.rules[meaning.rule]
    assert isinstance(rule, EitherRule)
    return all(_is_kept(each, digits) for each in rule.choices[meaning.choice])
