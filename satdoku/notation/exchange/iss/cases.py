"""Classes of ISS that stand for several rules of ours, or for a choice of them.

They are read only: what they mean is written as the rules that it became.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from satdoku.errors import RuleError, quote
from satdoku.notation.exchange.iss.items import (
    Args,
    DigitsShape,
    NumberAndCells,
    number_of,
    our_cells,
    weighted_sum,
)
from satdoku.puzzle.rules.automaton import Automaton


class ReadOnly(DigitsShape):
    """A class that is written as another."""

    def write(self, argument: str, size: int) -> list[list[str]]:
        return []


def _cells(args: Args, size: int) -> list[str]:
    return our_cells(args, size).split(",")


@dataclass(frozen=True)
class SumOfRepeated(ReadOnly):
    """The sum of a cage that names a cell twice, and so counts it twice."""

    def read(self, args: Args, size: int) -> Iterator[str]:
        total, *names = args or [""]
        cells = _cells(names, size)
        if total not in ("", "0") and len(set(cells)) < len(cells):
            yield weighted_sum(number_of(total), ((cell, 1) for cell in cells))


@dataclass(frozen=True)
class CellsBehindNumber(ReadOnly):
    """The cells behind a number, which says something else of them."""

    def read(self, args: Args, size: int) -> Iterator[str]:
        yield our_cells(args[1:], size)


@dataclass(frozen=True)
class Counts(ReadOnly):
    """How often digits stand among cells, `2319` for two 3s and one 9, then the cells."""

    def read(self, args: Args, size: int) -> Iterator[str]:
        digits = [digit for count, digit in _counts_of_digits(args) for _ in range(count)]
        if digits:
            yield f"{'/'.join(map(str, digits))}={our_cells(args[1:], size)}"


@dataclass(frozen=True)
class CountsOfNone(ReadOnly):
    """The same where a digit stands there 0 times, as in `03`: the digits left to each cell."""

    def read(self, args: Args, size: int) -> Iterator[str]:
        none = [digit for count, digit in _counts_of_digits(args) if not count]
        left = [str(digit) for digit in self.digits(size) if digit not in none]
        if none:
            cells = _cells(args[1:], size)
            yield ",".join(f"{cell}={'/'.join(left)}" for cell in dict.fromkeys(cells))


def _counts_of_digits(args: Args) -> list[tuple[int, int]]:
    clue = args[0] if args else ""
    if not clue.isdecimal() or len(clue) % 2:
        raise RuleError(f"{quote(clue)} is not counts, each with its digit")
    numbers = list(map(int, clue))
    found = list(zip(numbers[::2], numbers[1::2], strict=True))
    counted = [digit for count, digit in found if count]
    if len(set(counted)) < len(counted):
        raise RuleError(f"{clue} counts a digit twice")
    return found


@dataclass(frozen=True)
class Pointing(ReadOnly):
    """Two cells, then a line: the second says at which place of it the first one's digit stands."""

    def read(self, args: Args, size: int) -> Iterator[str]:
        cells = _cells(args, size)
        if len(cells) < 3:
            raise RuleError(f"{len(cells)} cells are no line that says where a digit stands")
        value, control, *behind = cells
        yield joined(
            [f"candidates:{control}={number}", *_clones(value, cell)]
            for number, cell in enumerate(behind, 1)
            if number in self.digits(size) and not (control == cell == value)
        )


def _clones(one: str, other: str) -> list[str]:
    # A cell that points to itself says nothing more.
    return [f"clone:{one}={other}"] if one != other else []


@dataclass(frozen=True)
class Lunchbox(ReadOnly):
    """A sum, then cells: what stands between the least and the greatest digit of them has it."""

    def read(self, args: Args, size: int) -> Iterator[str]:
        total, cells = number_of(args[0] if args else ""), _cells(args[1:], size)
        if len(cells) > size:
            raise RuleError(f"{len(cells)} cells cannot hold {size} digits once")
        ends = list(combinations(range(len(cells)), 2))
        # Where nothing fits, the whole line says so to a solver, or to one of several choices.
        fitting = [
            (one, other) for one, other in ends if self._fits(total, other - one - 1, size)
        ] or [(0, len(cells) - 1)]
        if len(cells) < 3:
            if total or len(cells) < 2:
                raise RuleError(f"nothing between {len(cells)} cells sums to {total}")
            return
        yield joined(self._choice(total, cells, one, other) for one, other in fitting)

    def _choice(self, total: int, cells: list[str], one: int, other: int) -> list[str]:
        """The rules where these two places hold the least and the greatest digit."""
        between, outside = cells[one + 1 : other], cells[:one] + cells[other + 1 :]
        line = ",".join([cells[one], *between, *outside, cells[other]])
        rules = [f"sum:{total}={','.join(between)}"] if between else []
        return [*rules, f"between:{line}"]

    def _fits(self, total: int, count: int, size: int) -> bool:
        """Whether `count` different digits, none of them least or greatest, can have the sum."""
        digits = self.digits(size)[1:-1]
        return count <= len(digits) and (
            sum(digits[:count]) <= total <= sum(digits[len(digits) - count :])
        )


@dataclass(frozen=True)
class LineOfSums(NumberAndCells):
    """A sum and a line, where this is no loop."""

    def read(self, args: Args, size: int) -> Iterator[str]:
        if not is_loop(args):
            yield from super().read(args, size)


# ISS itself takes up to 30; each is an automaton with as many states.
_LARGEST_SUM = 30


@dataclass(frozen=True)
class LoopOfSums(ReadOnly):
    """A loop that falls into parts with the same sum, of which the first may begin anywhere.

    By how much of the sum stands before its first cell: one automaton for each.
    """

    def read(self, args: Args, size: int) -> Iterator[str]:
        if not is_loop(args):
            return
        total, cells = number_of(args[0]), our_cells(args[1:-1], size)
        if not 1 <= total <= _LARGEST_SUM:
            raise RuleError(f"parts of a loop that sum to {total} are not read")
        digits = self.digits(size)
        yield joined(
            [f"machine:{cells}:{_from_within(total, begun, digits)}"] for begun in range(total)
        )


def _from_within(total: int, begun: int, digits: range) -> Automaton:
    """What reads a loop that begins within a part, whose first digits stand at the loop's end.

    These sum to `begun`. A state is how much the sum has grown since the loop began, counted from 0
    again with each part: so it ends as it begins.
    """
    return Automaton(
        [
            [(d, (grown + d) % total) for d in digits if (begun + grown) % total + d <= total]
            for grown in range(total)
        ],
        [0],
    )


def is_loop(args: Args) -> bool:
    """Whether the last argument says that a line is a loop."""
    return bool(args) and args[-1] == "LOOP"


def joined(choices: "Sequence[list[str]] | Iterator[list[str]]") -> str:
    """The argument of our rule `either`; no rule of these has a sign that parts choices."""
    return "|".join("&".join(rules) for rules in choices)
