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
from collections.abc import Sequence
from decimal import Decimal
from math import log
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


def brief(number: int, away: int = 0) -> str:
    """Return a number with two digits, rounded down for `away` -1 and up for 1.

    >>> brief(6_670_903), brief(6_670_903, -1), brief(6_670_903, 1), brief(12_345)
    ('6.7e6', '6.6e6', '6.7e6', '12,345')
    """
    if number < 10**6:
        return f"{number:,}"
    zeros = len(str(number)) - 2
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
        start = tree.candidates(())
        if start is None:
            return Estimate(counted, counted, counted)
        at_most = max(counted, _upper_bound(puzzle.constraints, start))
        count = min(max(_LEAST, _CELLS_OF_ALL_PROBES // (_GROUPS * len(start))), _MOST)
        chance = random.Random(" ".join(map(str, puzzle.grid.digits)))
        sums = [sum(tree.probe(chance, budget) for _ in range(count)) for _ in range(_GROUPS)]
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
        self._last = puzzle.geometry.cell_count * self._size
        self._firsts = range(1, self._last + 1, self._size)

    def candidates(self, guesses: Sequence[int]) -> list[list[int]] | None:
        """Return the candidates left in each cell after some guesses; None on a conflict."""
        left = self._left_after(guesses)
        return None if left is None else [self._candidates_in(left, n) for n in self._firsts]

    def probe(self, chance: random.Random, budget: Budget) -> int:
        """Return the estimate of one probe: 0 if it ends without a solution."""
        budget.require()
        weight, guesses = 1, list[int]()
        while (left := self._left_after(guesses)) is not None:
            counts = [left.count(1, first, first + self._size) for first in self._firsts]
            fewest = min((number for number in counts if number != 1), default=1)
            if fewest == 1:
                digits = tuple(left.index(1, first) - first + 1 for first in self._firsts)
                grid = Grid(self._puzzle.geometry, digits)
                return 0 if find_fault(grid, self._puzzle) else weight
            if not fewest:
                return 0
            weight *= fewest
            narrowest = self._candidates_in(left, self._firsts[counts.index(fewest)])
            guesses.append(chance.choice(narrowest))
        return 0

    def _left_after(self, guesses: Sequence[int]) -> bytearray | None:
        """Return 1 for each candidate that is left, by its literal; None on a conflict."""
        found = self._kept.propagate(guesses)
        if found is None:
            return None
        size, last = self._size, self._last
        left = bytearray(b"\1") * (last + 1)
        for n in found:
            if -last <= n < 0:
                left[-n] = 0
            elif 0 < n <= last:
                first, is_left = n - (n - 1) % size, left[n]
                left[first : first + size] = bytes(size)
                left[n] = is_left
        return left

    def _candidates_in(self, left: bytearray, first: int) -> list[int]:
        """Return what is left of the cell whose first candidate is this one."""
        return [n for n in range(first, first + self._size) if left[n]]


def _upper_bound(constraints: Constraints, candidates: Sequence[Sequence[int]]) -> int:
    """Return a proved upper bound of the number of solutions, from the candidates of each cell.

    Imagine that a random solution is uncovered cell by cell, in random order. When a cell is
    uncovered after a share 1-x of the others, a digit is still possible there only if its places in
    the full units of the cell are all still covered. For a candidate with w such places this has
    probability x^w, so the entropy of the cell is at most the integral of ln(1 + sum of x^w). The
    entropies of all cells sum to the logarithm of the number of solutions (Radhakrishnan's proof of
    Bregman's bound).
    """
    full = [set(unit.cells) for unit in constraints.units if constraints.has_every_digit(unit)]
    open_ = {cell for cell, literals in enumerate(candidates) if len(literals) > 1}
    terms: dict[tuple[int, int, int], int] = {}
    for cell in sorted(open_):
        units = [unit for unit in full if cell in unit][:3]
        others = len(candidates[cell]) - 1
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
