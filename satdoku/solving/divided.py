"""Search boards with hidden regions: with a solver, and with guessed divisions into regions.

A solver decides boards with many clues fast. With few clues it does not get through the many
divisions, for minutes on a 9x9 board with one clue. But a random walk soon finds a division that
fits few clues; with its regions drawn, the puzzle is a jigsaw, which a solver fills at once.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, islice
from random import Random

from satdoku.encoding.choices import Status
from satdoku.puzzle.constraints import HiddenRegions, RegionClue, digits_of
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle, find_candidates, find_missing
from satdoku.puzzle.rules.hidden_regions import HiddenRegionsRule
from satdoku.puzzle.rules.regions import ExtraRegion
from satdoku.solving.limits import Budget, LimitReachedError, Limits
from satdoku.solving.questions import Search
from satdoku.solving.solvers import Settings

# Conflicts of the solver before guesses. Half of the published puzzles take fewer, the others at
# least ten times as many: for these a failed walk of a fifth of a second hardly matters.
_PATIENCE_BEFORE_GUESSES = 3_000
# Conflicts for one jigsaw. A jigsaw that takes more usually has no solution.
_PATIENCE_FOR_GUESS = 300
# Steps of a walk: they take a second or two on 9x9. With many clues the walk stays far from any
# division that fits and ends early, since the solver is better at these.
_MOST_STEPS = 40_000
_STEPS_TO_COME_NEAR = 5_000
_FAULTS_THAT_ARE_NEAR = 3
_MOST_GUESSES = 20
# The probability of accepting a step that adds one fault; squared for two. From 0.15 to 0.25 the
# walk divided all of six boards with few clues, with half or twice as much four and five.
_CHANCE_OF_FAULT = 0.2


class DividedSearch(Search):
    """A search that guesses divisions if the solver does not decide a board soon."""

    _guesses: Iterator[Grid] | None = None
    _guessed: Grid | None = None

    def _ask(self) -> Status:
        if self._guesses is None:
            status = self._session.solve(self._budget, _PATIENCE_BEFORE_GUESSES)
            if status is not Status.UNKNOWN:
                return status
            self._guesses = self._guess()
        self._guessed = next(filter(self._is_new, self._guesses), None)
        return super()._ask() if self._guessed is None else Status.SATISFIABLE

    def _read(self) -> tuple[Grid, list[int]]:
        if self._guessed is None:
            return super()._read()
        return self._guessed, self._formula.literals_of(self._guessed)

    def _is_new(self, grid: Grid) -> bool:
        return [-literal for literal in self._formula.literals_of(grid)] not in self._blocked

    def _guess(self) -> Iterator[Grid]:
        """Yield solutions with the divisions that a walk finds, at most two for each division."""
        for jigsaw in islice(jigsaws(self.puzzle, self._budget), _MOST_GUESSES):
            limits = Limits(
                self._budget.seconds_left, _PATIENCE_FOR_GUESS, self._budget.limits.stop
            )
            try:
                with Search(jigsaw, Settings(), Budget(limits)) as search:
                    yield from islice(search, 2)
            except LimitReachedError:
                # The solver ran out of patience or of time; in the latter case, this raises the
                # error.
                self._budget.require()


def jigsaws(puzzle: Puzzle, budget: Budget) -> Iterator[Puzzle]:
    """Yield copies of the puzzle with drawn regions that fit all clues; clues become givens."""
    [hidden] = (each for each in puzzle.constraints.wider if isinstance(each, HiddenRegions))
    others = tuple(rule for rule in puzzle.rules if not isinstance(rule, HiddenRegionsRule))
    walk = Walk(puzzle, hidden.clues)
    fewest = walk.faults
    for number in range(_MOST_STEPS):
        budget.require()
        fewest = min(fewest, walk.faults)
        if number == _STEPS_TO_COME_NEAR and fewest > _FAULTS_THAT_ARE_NEAR:
            return
        if walk.faults == 0:
            numbers = walk.numbers()
            units = tuple(ExtraRegion(tuple(sorted(region))) for region in walk.regions)
            grid = puzzle.grid.with_digits(numbers)
            yield replace(puzzle, grid=grid, rules=(*others, *units))
            # Walk on to a division that differs a lot from this one.
            for _ in range(puzzle.geometry.cell_count):
                walk.step(is_free=True)
        walk.step()


class Walk:
    """A random walk through divisions of the board into regions, which counts their faults."""

    def __init__(self, puzzle: Puzzle, clues: Sequence[RegionClue]) -> None:
        self._geometry = puzzle.geometry
        self._givens = puzzle.givens
        self._clues = clues
        self._beside = [list(self._geometry.beside(c)) for c in range(self._geometry.cell_count)]
        self._allowed = _digits_allowed(puzzle)
        # A fixed seed, so that the same puzzle gets the same answer.
        self._chance = Random(0)
        self.regions = [set(row.cells) for row in self._geometry.rows]
        self._region_of = [self._geometry.row_of(c) for c in range(self._geometry.cell_count)]
        self.faults = self._count_faults()

    def numbers(self) -> dict[int, int]:
        """Return the values of the clues, as digits of their cells."""
        return {
            clue.cells[0]: self._counted(clue) - clue.offset
            for clue in self._clues
            if clue.word not in ("same", "apart")
        }

    def step(self, is_free: bool = False) -> None:
        """Swap two cells between adjacent regions; a swap that adds faults is usually undone."""
        one, other = self._swap()
        if one < 0:
            return
        faults = self._count_faults()
        # Worse steps are sometimes accepted, as the walk would otherwise get stuck in local minima.
        more = faults - self.faults
        if is_free or more <= 0 or self._chance.random() < _CHANCE_OF_FAULT**more:
            self.faults = faults
        else:
            self._exchange(other, one)

    def _swap(self) -> tuple[int, int]:
        """Swap two random cells and return them; (-1, -1) if the swap would disconnect a region."""
        one = int(self._chance.random() * len(self._region_of))
        near = [c for c in self._beside[one] if self._region_of[c] != self._region_of[one]]
        if not near:
            return -1, -1
        into = self._region_of[near[int(self._chance.random() * len(near))]]
        mine = self._region_of[one]
        edge = [
            cell
            for cell in sorted(self.regions[into])
            if any(self._region_of[c] == mine and c != one for c in self._beside[cell])
        ]
        if not edge:
            return -1, -1
        other = edge[int(self._chance.random() * len(edge))]
        self._exchange(one, other)
        if self.hangs_together(mine) and self.hangs_together(into):
            return one, other
        self._exchange(other, one)
        return -1, -1

    def _exchange(self, one: int, other: int) -> None:
        """Move each cell into the other one's region."""
        mine, into = self._region_of[one], self._region_of[other]
        self.regions[mine] ^= {one, other}
        self.regions[into] ^= {one, other}
        self._region_of[one], self._region_of[other] = into, mine

    def hangs_together(self, region: int) -> bool:
        """Whether a region is connected."""
        cells = self.regions[region]
        waiting = [next(iter(cells))]
        reached = set(waiting)
        while waiting:
            for cell in self._beside[waiting.pop()]:
                if cell in cells and cell not in reached:
                    reached.add(cell)
                    waiting.append(cell)
        return len(reached) == len(cells)

    def _count_faults(self) -> int:
        faults = 0
        known = dict(self._givens)
        for clue in self._clues:
            if clue.word == "same":
                faults += sum(self._gap(clue.cells[0], cell) for cell in clue.cells[1:])
            elif clue.word == "apart":
                faults += len(clue.cells) - len({self._region_of[cell] for cell in clue.cells})
            else:
                cell, digit = clue.cells[0], self._counted(clue) - clue.offset
                known.setdefault(cell, digit)
                # Counted by the distance to the nearest allowed digit, which guides the walk.
                near = digits_of(self._allowed[cell])
                faults += min((abs(digit - each) for each in near), default=1)
                faults += digit != known[cell]
        return faults + sum(
            1
            for one, other in combinations(known, 2)
            if known[one] == known[other] and self._see_each_other(one, other)
        )

    def _gap(self, one: int, other: int) -> int:
        """Return how many steps another cell is away from the region of a cell."""
        size = self._geometry.size
        row, column = divmod(other, size)
        return min(
            abs(cell // size - row) + abs(cell % size - column)
            for cell in self.regions[self._region_of[one]]
        )

    def _see_each_other(self, one: int, other: int) -> bool:
        board = self._geometry
        return (
            self._region_of[one] == self._region_of[other]
            or board.row_of(one) == board.row_of(other)
            or board.column_of(one) == board.column_of(other)
        )

    def _counted(self, clue: RegionClue) -> int:
        """Return the value that the current regions give a clue."""
        own = self._region_of[clue.cells[0]]
        if clue.word == "regions":
            return len({self._region_of[cell] for cell in clue.arms[1]})
        if clue.word == "count":
            return sum(self._region_of[cell] == own for cell in clue.cells)
        count = 1
        for arm in clue.arms:
            for cell in arm[1:]:
                if self._region_of[cell] != own:
                    break
                count += 1
        return count


def _digits_allowed(puzzle: Puzzle) -> list[int]:
    """Return, for each cell, the digits that the givens allow, as masks."""

    masks = dict(find_candidates(puzzle, find_missing(puzzle)))
    digits = puzzle.grid.digits
    return [1 << digit if digit else masks[cell] for cell, digit in enumerate(digits)]
