"""Draw random clues from a solution: cages, lines, arrows, marks, numbers outside.

Each clue is tried at possible places, and kept if the rule's own definition accepts the solution.
So this module knows no rule's meaning, except that of cages.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations
from typing import cast

from satdoku.errors import SatdokuError
from satdoku.making.full_grid import Chance, is_whole, random_grid
from satdoku.making.minimizer import without_spare
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.arguments import OutsideLine, write_cells
from satdoku.puzzle.rules.dots import MarksRule
from satdoku.puzzle.rules.order import all_edges
from satdoku.puzzle.rules.outside import OutsideRule
from satdoku.puzzle.rules.registry import RULES, require_rule_name
from satdoku.puzzle.rules.rule import Rule, adapt
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.limits import Budget, LimitReachedError
from satdoku.solving.questions import check
from satdoku.solving.solvers import Settings

# The sizes of cages, as setters draw them: mostly two and three cells, few of five. Larger cages
# say little.
_CAGE_SIZES = (2, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4, 5)
# Attempts to partition the board; most of them find a cage for every cell. A hundred failures in a
# row were never seen: the limit only prevents an endless loop.
_MOST_PARTITIONS = 100
# Two cells are no line, and solutions rarely have longer lines of rising digits or of jumps.
_LEAST_LINE, _MOST_LINE = 3, 6
# Longer shafts are rare: the digits of an arrow sum to at most the highest digit.
_MOST_SHAFT = 4


class _Drawing:
    """The solution that clues are drawn from, and the random choices of their places."""

    def __init__(self, board: Puzzle, grid: Grid, chance: Chance) -> None:
        self.geometry = board.geometry
        self.chance = chance
        self._board, self._digits = board, grid.digits
        self._free = set(range(board.geometry.board_count))

    def kept(self, name: str, argument: str) -> Rule | None:
        """Return the rule with this argument if it is valid here and the solution keeps it."""
        rule = self._parsed(name, argument)
        try:
            rule.require_fit(self.geometry)
        except SatdokuError:
            return None
        return None if any(rule.find_clashes(self.geometry, self._digits)) else rule

    def _parsed(self, name: str, argument: str) -> Rule:
        """Return the rule with this argument, adapted to the rules of the board."""
        rule = require_rule_name(name).parse(argument, self.geometry)
        return adapt([rule], self._board.rules)[0]

    def cages(self, name: str) -> Iterator[list[Rule]]:
        """Yield a partition into cages; then the same with one cage split in two, and so on."""
        attempts = (self._partition() for _ in range(_MOST_PARTITIONS))
        cages = next(filter(None, attempts), [])
        while cages:
            yield [self._cage(name, cells) for cells in sorted(map(sorted, cages))]
            cages = self._finer(cages)

    def _cage(self, name: str, cells: Sequence[int]) -> Rule:
        named = write_cells(cells, self.geometry)
        # The text of a rule states sums of the digits' numbers, which may start at 0.
        number_in = self._parsed(name, named).number_in
        total = sum(number_in(self._digits, cell) for cell in cells)
        # Below 0, as with negators, a cage has no sum.
        return self._certain(name, f"{total}={named}" if total >= 0 else named)

    def _partition(self) -> list[list[int]]:
        """Return a partition into cages of different digits; empty if a cell fits into no cage."""
        cage_of: dict[int, list[int]] = {}
        for first in self.chance.shuffled(range(self.geometry.board_count)):
            if first in cage_of:
                continue
            wanted = self.chance.choose(_CAGE_SIZES)
            cage = [first]
            while len(cage) < wanted:
                near = {n for cell in cage for n in self.geometry.beside(cell)}
                fitting = [c for c in sorted(near - cage_of.keys()) if self._is_new_in(cage, c)]
                if not fitting:
                    break
                cage.append(self.chance.choose(fitting))
            if len(cage) == 1:
                # A cage of one cell would be a given, so the cell joins another cage.
                others = [cage_of[n] for n in self.geometry.beside(first) if n in cage_of]
                fitting_cages = [each for each in others if self._is_new_in(each, first)]
                if not fitting_cages:
                    return []
                cage = min(fitting_cages, key=len)
                cage.append(first)
            cage_of.update(dict.fromkeys(cage, cage))
        return list({id(cage): cage for cage in cage_of.values()}.values())

    def _finer(self, cages: list[list[int]]) -> list[list[int]]:
        """Return the cages with one of the largest split in two; empty if none can be split."""
        for cage in sorted(self.chance.shuffled(cages), key=len, reverse=True):
            for first, second in self.chance.shuffled(list(combinations(sorted(cage), 2))):
                rest = [cell for cell in cage if cell not in (first, second)]
                is_split = second in self.geometry.beside(first) and len(rest) > 1
                if is_split and is_whole(self.geometry, rest):
                    return [*(each for each in cages if each is not cage), [first, second], rest]
        return []

    def _is_new_in(self, cage: Sequence[int], cell: int) -> bool:
        digits = self._digits
        return cell not in cage and all(digits[cell] != digits[other] for other in cage)

    def lines(self, name: str) -> Iterator[Rule]:
        """Yield disjoint lines, whose steps may be diagonal."""
        for first in self._starts():
            length = _LEAST_LINE + self.chance.below(_MOST_LINE - _LEAST_LINE + 1)
            line = self._grown([first], length, lambda line: self._line(name, line) is not None)
            found = self._line(name, line) if len(line) >= _LEAST_LINE else None
            if found is not None:
                self._free -= set(line)
                yield found

    def _line(self, name: str, line: Sequence[int]) -> Rule | None:
        return self.kept(name, write_cells(line, self.geometry))

    def arrows(self, name: str) -> Iterator[Rule]:
        """Yield disjoint arrows with a circle of one cell."""
        for circle in self._starts():
            line = [circle]
            while len(line) <= _MOST_SHAFT and not self._arrow(name, line):
                longer = self._grown(line, len(line) + 1, lambda line: True)
                if len(longer) == len(line):
                    break
                line = longer
            found = self._arrow(name, line)
            if found is not None:
                self._free -= set(line)
                yield found

    def _arrow(self, name: str, line: Sequence[int]) -> Rule | None:
        # A shaft of one cell would only say that two cells are equal.
        if len(line) < _LEAST_LINE:
            return None
        circle, *shaft = (self.geometry.name_of(cell) for cell in line)
        return self.kept(name, f"{circle}={','.join(shaft)}")

    def _starts(self) -> Iterator[int]:
        """Yield free cells in a random order, until as many starts were used as the board has rows.

        More lines would clutter the board. A start counts as used if there are fewer free cells
        when the next one is requested.
        """
        starts = self.chance.shuffled(range(self.geometry.board_count))
        before = len(self._free)
        found = 0
        for cell in starts:
            if found == self.geometry.size:
                return
            if cell in self._free:
                yield cell
                found += len(self._free) < before
                before = len(self._free)

    def _grown(
        self, line: Sequence[int], length: int, is_kept: Callable[[Sequence[int]], bool]
    ) -> list[int]:
        """Return the line, extended cell by cell up to a length, each beside the one before."""
        grown = list(line)
        while len(grown) < length:
            near = self.chance.shuffled(self._around(grown[-1]))
            free = (cell for cell in near if cell in self._free and cell not in grown)
            further = next((cell for cell in free if is_kept([*grown, cell])), None)
            if further is None:
                break
            grown.append(further)
        return grown

    def _around(self, cell: int) -> list[int]:
        """Return the cells a king's move away, since lines may be diagonal."""
        size = self.geometry.size
        row, column = divmod(cell, size)
        return [
            r * size + c
            for r in range(max(0, row - 1), min(size, row + 2))
            for c in range(max(0, column - 1), min(size, column + 2))
            if (r, c) != (row, column)
        ]

    def marks(self, name: str) -> Iterator[Rule]:
        """Yield the marks that the solution allows, and the rule that all of them are shown."""
        name_of = self.geometry.name_of
        edges = [f"{name_of(cell)},{name_of(other)}" for cell, other in all_edges(self.geometry)]
        kinds = cast(type[MarksRule], require_rule_name(name)).kinds
        marks = (f"{word}={edge}" for edge in edges for word in kinds)
        found = [mark for mark in marks if self.kept(name, mark) is not None]
        yield self._certain(name, "/".join([*found, "all"]))

    def outside(self, name: str) -> Iterator[Rule]:
        """Yield a number at each end of each row and column; at one end if both always agree."""
        size = self.geometry.size
        kind = cast(type[OutsideRule], require_rule_name(name))
        ends = (False,) if kind.is_same_from_both_ends else (False, True)
        # No clue exceeds the sum of a line, or the number of ends of lines.
        numbers = range(max(size * (size + 1) // 2, 4 * size) + 1)
        for is_row in (True, False):
            for number in range(size):
                for end in ends:
                    line = OutsideLine(is_row, number, end)
                    clues = (self.kept(name, f"{line}={clue}") for clue in numbers)
                    yield from (clue for clue in clues if clue is not None)

    def _certain(self, name: str, argument: str) -> Rule:
        rule = self.kept(name, argument)
        if rule is None:
            raise SatdokuError(f"this is a bug, please report it: {name}:{argument} is not kept")
        return rule


_CAGES = "cages"
# One method for each value of `Rule.drawn_at_random`. Cages come in several sets, see `draw_clues`.
_WAYS: Mapping[str, Callable[[_Drawing, str], Iterator[Rule]]] = {
    "lines": _Drawing.lines,
    "arrows": _Drawing.arrows,
    "marks": _Drawing.marks,
    "outside": _Drawing.outside,
}


def require_drawn(names: Iterable[str]) -> None:
    """Raise an error for rules whose clues cannot be drawn."""
    for name in names:
        if not _way_of(name):
            known = ", ".join(sorted(each for each in RULES if _way_of(each)))
            raise SatdokuError(f"no clues of the rule {name} are drawn, but of these: {known}")


def _way_of(name: str) -> str:
    return require_rule_name(name).drawn_at_random


def _cages_of(names: Iterable[str]) -> list[str]:
    return [name for name in names if _way_of(name) == _CAGES]


def draw_clues(names: Sequence[str], board: Puzzle, grid: Grid, chance: Chance) -> Iterator[Puzzle]:
    """Yield the board with clues of these kinds that the solution keeps.

    If there are cages, boards with more and smaller cages follow, which say more.
    """
    drawing = _Drawing(board, grid, chance)
    cages = _cages_of(names)
    lines = [name for name in names if name not in cages]
    others = [rule for name in lines for rule in _WAYS[_way_of(name)](drawing, name)]
    if not cages:
        yield board.with_rules(others)
        return
    for sets in zip(*map(drawing.cages, cages), strict=False):
        yield board.with_rules([*chain(*sets), *others])


def sample_board(names: Sequence[str], board: Puzzle) -> Puzzle:
    """Return the board with some clues of these kinds, to find out which formats support them."""
    chance = Chance("", 0)
    grid = random_grid(board.geometry, chance)
    return next(draw_clues(names, board, grid, chance), board)


# Sets of clues that are tried without givens. On 9x9 one set of cages in five, split as far as
# possible, has one solution without any given; on 4x4 one grid in a hundred has no such set. After
# this many failures the puzzle gets givens.
_MOST_DRAWINGS = 40


def find_board(
    names: Sequence[str],
    board: Puzzle,
    grid: Grid,
    chance: Chance,
    may_need_no_givens: bool,
    budget: Budget,
) -> tuple[Puzzle, bool]:
    """Return the board with clues of these kinds, and whether they suffice without givens.

    Cages are drawn until they suffice; with other clues alone this is not expected.
    """
    ruled = board
    for _ in range(_MOST_DRAWINGS if _cages_of(names) else 1):
        for ruled in draw_clues(names, board, grid, chance):
            if not may_need_no_givens:
                return ruled, False
            outcome = check(ruled, Settings(limits=budget.rest()))
            if outcome.verdict is Verdict.UNDECIDED:
                raise LimitReachedError(outcome.reason)
            if outcome.verdict is Verdict.UNIQUE:
                return ruled, True
    return ruled, False


def drop_spare_clues(puzzle: Puzzle, board: Puzzle, chance: Chance, budget: Budget) -> Puzzle:
    """Return the puzzle without redundant drawn clues; the rules of the board stay."""
    drawn = [rule for rule in puzzle.rules if rule not in board.rules]
    return without_spare(puzzle, chance.shuffled(drawn), budget)
