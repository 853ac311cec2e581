"""Estimate numbers of solutions that are too large to count.

A probe is a random descent in the search tree: it takes the cell with the fewest candidates,
guesses one of them at random, and lets a solver propagate, until it ends. The estimate is the
product of the numbers of candidates if the probe ends at a solution, and 0 otherwise, which is
unbiased (Knuth 1975). The seed is fixed, so the same puzzle gets the same estimate on any machine.

    estimate(puzzle, counted, budget)     None if the solver cannot load the puzzle

The lower bound does not assume any distribution of the probes. By Markov's inequality the mean of a
group of probes reaches a times the number of solutions with probability 1/a at most. So the
smallest of ten means, divided by the tenth root of 100, exceeds that number in one case of 100 at
most. The upper bound is proved, see `_upper_bound`.
"""

import random
import sys
from collections.abc import Sequence
from decimal import Decimal
from math import inf, log, nextafter
from typing import NamedTuple

from satdoku.puzzle.constraints import Constraints
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.judge import find_fault
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.kept import KeptPuzzle, KeptSolvers
from satdoku.solving.limits import Budget

_GROUPS = 10
# Cells of all probes together, which is 200 probes of a 9x9 board; on larger boards probes take
# longer, and there are fewer. 200 take two seconds on an empty board, and its estimate is then off
# by a quarter at most.
_CELLS_OF_ALL_PROBES = 200 * 81
_LEAST, _MOST = 3, 30  # in each group
_SURE = 100
# Steps of the integral of the upper bound, whose error is below a part in a thousand.
_STEPS = 2_000


class Estimate(NamedTuple):
    """An estimate of the number of solutions, a lower bound (99 % sure), and an upper bound."""

    about: int
    at_least: int
    at_most: int

    def __str__(self) -> str:
        parts = f"about {brief(self.about)}", f"at least {brief(self.at_least, -1)}"
        return f"{parts[0]}, {parts[1]} (99 in 100), at most {brief(self.at_most, 1)} (proved)"

    def as_floats(self) -> dict[str, float | None]:
        """Return the numbers rounded so that the bounds hold; None for those above all floats."""
        low, high = float(min(self.at_least, _LARGEST)), _float_of(self.at_most)
        if high is not None and int(high) < self.at_most:
            high = nextafter(high, inf)
        return {
            "about": _float_of(self.about),
            "at_least": nextafter(low, 0.0) if int(low) > self.at_least else low,
            "at_most": high,
        }


_LARGEST = int(sys.float_info.max)


def _float_of(number: int) -> float | None:
    return float(number) if number <= _LARGEST else None


def brief(number: int, away: int = 0) -> str:
    """Return a number with two digits, rounded down for `away` -1 and up for 1.

    >>> brief(6_670_903), brief(6_670_903, -1), brief(6_670_903, 1), brief(12_345)
    ('6.7e6', '6.6e6', '6.7e6', '12,345')
    """
    if number < 10**6:
        return f"{number:,}"
    # Not the length of its text, as Python writes no number of more than 4,300 digits.
    zeros = Decimal(number).adjusted() - 1
    first, rest = divmod(number, 10**zeros)
    first += {-1: 0, 0: 2 * rest >= 10**zeros, 1: rest > 0}[away]
    return f"{first / 10:g}e{zeros + 1}" if first < 100 else f"1e{zeros + 2}"


def estimate(puzzle: Puzzle, counted: int, budget: Budget) -> Estimate | None:
    """Estimate the number of solutions, of which `counted` are known.

    None if a solver cannot load the rules. Raise LimitReachedError if the budget ends first.
    """
    # New solvers, as the learned clauses of a used one would change its propagation.
    with KeptSolvers() as solvers:
        kept = solvers.of(puzzle, budget)
        if kept is None:
            return None
        tree = _Tree(puzzle, kept)
        root = tree.root()
        if root is None:
            return Estimate(counted, counted, counted)
        at_most = max(counted, _upper_bound(puzzle.constraints, root.left))
        count = min(max(_LEAST, _CELLS_OF_ALL_PROBES // (_GROUPS * len(root.left))), _MOST)
        chance = random.Random(" ".join(map(str, puzzle.grid.digits)))
        sums = [sum(tree.probe(root, chance, budget) for _ in range(count)) for _ in range(_GROUPS)]
    # Not as floats, which end at 1.8e308: a large board has more solutions.
    about = sum(sums) // (count * _GROUPS)
    at_least = int(Decimal(min(sums)) / count / Decimal(_SURE) ** (1 / Decimal(_GROUPS)))
    about, at_least = (min(max(counted, each), at_most) for each in (about, at_least))
    return Estimate(about, at_least, at_most)


class _Tree:
    """The search tree of a puzzle: guesses and the candidates after them."""

    def __init__(self, puzzle: Puzzle, kept: KeptPuzzle) -> None:
        self._puzzle = puzzle
        self._kept = kept
        self._size = puzzle.geometry.size
        self._cells = puzzle.geometry.cell_count

    def root(self) -> "_Node | None":
        """Return the node without guesses; None on a conflict."""
        full = (1 << self._size) - 1
        return self._node([], _Node((), [full] * self._cells))

    def _node(self, guesses: Sequence[int], before: "_Node") -> "_Node | None":
        """Return the node of some guesses, of which `before` has all but the last one."""
        found = self._kept.propagate(guesses)
        if found is None:
            return None
        size, last = self._size, self._cells * self._size
        # The solver derives literals guess by guess, so those of `before` come first again.
        known = len(before.derived)
        left = list(before.left)
        for n in found[known:] if found[:known] == before.derived else found:
            if -last <= n < 0:
                left[(-n - 1) // size] &= ~(1 << (-n - 1) % size)
            elif 0 < n <= last:
                left[(n - 1) // size] &= 1 << (n - 1) % size
        return _Node(found, left)

    def probe(self, root: "_Node", chance: random.Random, budget: Budget) -> int:
        """Return the estimate of one probe: 0 if it ends without a solution."""
        budget.require()
        weight, guesses = 1, list[int]()
        node: _Node | None = root
        while node is not None:
            widths = list(map(int.bit_count, node.left))
            width = min((each for each in widths if each != 1), default=1)
            if width == 1:
                digits = tuple(map(int.bit_length, node.left))
                return (
                    0 if find_fault(Grid(self._puzzle.geometry, digits), self._puzzle) else weight
                )
            if not width:
                return 0
            weight *= width
            cell = widths.index(width)
            digit = chance.choice([d for d in range(self._size) if node.left[cell] >> d & 1])
            guesses.append(cell * self._size + digit + 1)
            node = self._node(guesses, node)
        return 0


class _Node(NamedTuple):
    """The literals that the solver derived from some guesses, and a mask of digits per cell."""

    derived: Sequence[int]
    left: Sequence[int]


def _upper_bound(constraints: Constraints, left: Sequence[int]) -> int:
    """Return a proved upper bound of the number of solutions, from a mask of digits per cell.

    Imagine that a random solution is uncovered cell by cell, in random order. When a cell is
    uncovered after a share 1-x of the others, a digit is still possible there only if its places in
    the full units of the cell are all still covered. For a candidate with w such places this has
    probability x^w, so the entropy of the cell is at most the integral of ln(1 + sum of x^w). The
    entropies of all cells sum to the logarithm of the number of solutions (Radhakrishnan's proof of
    Bregman's bound).
    """
    full = [set(unit.cells) for unit in constraints.units if constraints.has_every_digit(unit)]
    open_ = {cell for cell, mask in enumerate(left) if mask.bit_count() > 1}
    terms: dict[tuple[int, int, int], int] = {}
    for cell in sorted(open_):
        units = [unit for unit in full if cell in unit][:3]
        others = left[cell].bit_count() - 1
        # A place in two of three units counts once, and only for one digit.
        shared = [sum(other in unit for unit in units) for other in open_ - {cell}]
        places, double = len(units), sum(number > 1 for number in shared)
        if max(shared, default=0) > 2:
            places, double = 1, 0
        term = others, places, min(double, others)
        terms[term] = terms.get(term, 0) + 1
    total = sum(number * _entropy(*term) for term, number in terms.items())
    return int(Decimal(total * (1 + 1e-9)).exp()) + 1


def _entropy(others: int, places: int, double: int) -> float:
    """Return the integral of ln(1 + sum of x^w) from 0 to 1, rounded up by an upper sum."""
    steps = (n / _STEPS for n in range(1, _STEPS + 1))
    fewer = max(0, places - 1)
    return sum(log(1 + double * x**fewer + (others - double) * x**places) for x in steps) / _STEPS
