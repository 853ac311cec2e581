"""One minimal set of givens, by deleting one after the other what is redundant.

Givens are deleted in groups: single cells, or the orbits of a symmetry. The order of the groups
decides which of many minimal sets is found: those that come first are deleted last. Tests use what
a solver decides and never a model, so the same order leads to the same set on every machine.

`find_needs` says which givens are redundant each for itself, and deletes none.
"""

from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from itertools import compress
from typing import TYPE_CHECKING, NamedTuple

from satdoku.encoding.choices import Status
from satdoku.errors import SatdokuError
from satdoku.lanes.bank import CELLS, Found, order_of, own_bank
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.assumptions.rule_solver import RuleSolver
from satdoku.solving.bulk import bulk_of
from satdoku.solving.limits import Watch, unwatched
from satdoku.solving.session import Closable

if TYPE_CHECKING:
    from satdoku.solving.assumptions.rule_solver import FixedGivens


Group = tuple[int, ...]
"""Cells whose givens are deleted together."""


class Necessity(Enum):
    """Whether givens can be deleted from a puzzle."""

    REDUNDANT = "redundant"
    NEEDED = "needed"
    UNDECIDED = "undecided"


OnTested = Callable[[int], None]
"""Is told how many cells are still to be tested, whenever that has changed."""


def untold(untested: int) -> None:
    """Ignores how many are left: for deletions that nobody is told of."""


Test = Callable[[Sequence[int], Sequence[int]], Necessity]
"""Whether the literals of the first list are enough, when those of the second are deleted.

With both lists together they are enough; the second list is empty when that is not known. What is
to be deleted next stands last in the first list, from which a test may profit.
"""

_NEED_OF = {
    Status.SATISFIABLE: Necessity.NEEDED,
    Status.UNSATISFIABLE: Necessity.REDUNDANT,
    Status.UNKNOWN: Necessity.UNDECIDED,
}

# Where givens are fixed, those that are tested next are held out, one for so many cells of the
# board: 25 on 16x16. One for 5 cells takes a tenth longer there; 8, 13 and 16 make no difference.
_CELLS_FOR_ONE_HELD_OUT = 10


class Deletion(NamedTuple):
    """The cells that keep their givens.

    `undecided` are those of them that stay only because a solver could not tell in time whether
    they are needed. When there are none, all of these givens are needed.
    """

    cells: tuple[int, ...]
    undecided: tuple[int, ...] = ()


def delete_redundant(
    rules: RuleSolver,
    solution: Grid,
    groups: Sequence[Group],
    enough: int = 0,
    most_tests: int | None = None,
    on_tested: OnTested = untold,
) -> Deletion:
    """Keeps as few of the groups as are needed for `solution` to stay the only one.

    The groups together must have no other solution. Deleting stops as soon as no more than
    `enough` cells are left, and after `most_tests` groups; those behind them stay undecided.
    """
    if rules.may_ask_lanes and most_tests is None:
        deletion = _delete_by_library(rules, solution, groups, enough)
        if deletion is not None:
            on_tested(0)
            return deletion
    with rules.excluding(solution) as other, UniquenessTest(rules, solution, other.literal) as test:
        literal_of = rules.literals(solution)
        return delete_groups(literal_of, groups, test, enough, most_tests, rules.watch, on_tested)


def _delete_by_library(
    rules: RuleSolver, solution: Grid, groups: Sequence[Group], enough: int
) -> Deletion | None:
    """The same by the compiled library; None without it, and where a test is too much for it.

    A given is needed where it found another grid, which was judged. That the solution stays the
    only one rests on its search until the end: then the solver says so.
    """
    if rules.budget is not None:
        rules.budget.require()
    given = {cell for group in groups for cell in group}
    digits = bytes(digit if cell in given else 0 for cell, digit in enumerate(solution.digits))
    # The last group is tested first.
    found = delete_many([digits], [groups[::-1]], enough)
    if not found or found[0] is None:
        return None
    literal_of = rules.literals(solution)
    kept = [literal_of[cell] for cell in found[0].deletion.cells]
    if rules.find_other(solution, kept) is Status.SATISFIABLE:
        raise SatdokuError(_WRONGLY_DELETED)
    return found[0].deletion


_WRONGLY_DELETED = (
    "this is a bug, please report it: the compiled library deleted a given that a puzzle needs;"
    " SATDOKU_LANES=0 does without the library"
)


class Deleted(NamedTuple):
    """What is left of one of many puzzles, with its only solution, a digit a byte.

    `is_compared` if a solver was asked too whether it is the only one.
    """

    deletion: Deletion
    solution: bytes
    is_compared: bool


def may_delete_many(puzzle: Puzzle) -> bool:
    """Whether a puzzle is one of those that `delete_many` is for."""
    return puzzle.is_classic and puzzle.geometry == Geometry()


def delete_many(
    puzzles: Sequence[bytes], orders: Iterable[Sequence[Group]], enough: int = 0
) -> list[Deleted | None]:
    """Deletes givens of 9x9 puzzles with one solution, side by side in the compiled library.

    A puzzle is a digit a byte; the first group of its order is tested first. Of what is left, the
    library looks for all solutions once more, and for one puzzle in a thousand a solver. None is
    where a test is too much for the library; without it there is an empty list.
    """
    bank = own_bank(is_for_one=len(puzzles) == 1)
    if bank is None:
        return []
    answers = bank.delete(b"".join(puzzles), b"".join(map(order_of, orders)), enough)
    proofs = bank.answer(bytes(answers.solutions))
    results: list[Deleted | None] = []
    for number, found in enumerate(zip(answers.found, proofs.found, strict=True)):
        if Found.OVER_BUDGET in found:
            results.append(None)
            continue
        part = slice(CELLS * number, CELLS * (number + 1))
        left, solution = bytes(answers.solutions[part]), bytes(proofs.solutions[part])
        is_chosen = found[1] == Found.CHOSEN
        if found[0] != Found.ONE or found[1] not in (Found.ONE, Found.CHOSEN):
            raise SatdokuError(_WRONGLY_DELETED)
        if is_chosen:
            bulk_of(Geometry()).compare(left, solution)
        cells = tuple(compress(range(CELLS), left))
        results.append(Deleted(Deletion(cells), solution, is_chosen))
    return results


def delete_groups(
    literal_of: Sequence[int],
    groups: Sequence[Group],
    test: Test,
    enough: int = 0,
    most_tests: int | None = None,
    watch: Watch = unwatched,
    on_tested: OnTested = untold,
) -> Deletion:
    """Keeps as few of the groups as the test needs; `literal_of` has a literal for every cell.

    The test must be monotone: what is enough stays enough with more givens.
    """
    kept = list(groups[: _count_needed(literal_of, groups, test)])
    needed: list[int] = []
    undecided: list[int] = []
    literals = [literal_of[cell] for group in kept for cell in group]
    on_tested(len(literals))
    while kept and len(needed) + len(literals) > enough:
        if most_tests is not None:
            if most_tests == 0:
                undecided += (cell for group in kept for cell in group)
                break
            most_tests -= 1
        group = kept.pop()
        mine = literals[-len(group) :]
        del literals[-len(group) :]
        watch(f"{len(needed):,} givens are needed, {len(literals):,} are still to be tested")
        need = test([*needed, *literals], mine)
        if need is not Necessity.REDUNDANT:
            needed += mine
        if need is Necessity.UNDECIDED:
            undecided += group
        on_tested(len(literals))
    is_kept = {*needed, *literals}
    cells = (cell for cell, literal in enumerate(literal_of) if literal in is_kept)
    return Deletion(tuple(cells), tuple(sorted(undecided)))


class UniquenessTest(Closable):
    """The test for one solution; `other` is the literal that excludes the known one."""

    def __init__(self, rules: RuleSolver, solution: Grid, other: int) -> None:
        self._rules = rules
        self._solution = solution
        self._other = other
        self._held_out = solution.geometry.cell_count // _CELLS_FOR_ONE_HELD_OUT
        self._fixes = rules.can_fix_givens
        self._fixed: FixedGivens | None = None

    def __call__(self, kept: Sequence[int], deleted: Sequence[int]) -> Necessity:
        if self._fixes and deleted:
            return _NEED_OF[self._fix(kept).find_other(kept, deleted)]
        # Where only one cell was deleted, another solution has another digit in it. That is one
        # literal, which is decided sooner than a clause of all 81 cells.
        difference = -deleted[0] if len(deleted) == 1 else self._other
        return _NEED_OF[self._rules.decide([difference, *kept])]

    def _fix(self, kept: Sequence[int]) -> "FixedGivens":
        """A solver in which some of the literals to be kept are fixed, and no others.

        Those that stand last are left out, because they are the next to be deleted.
        """
        if self._fixed is None or not self._fixed.fixed.issubset(kept):
            self.close()
            self._fixed = self._rules.fix(self._solution, kept[: -self._held_out])
        return self._fixed

    def close(self) -> None:
        if self._fixed is not None:
            self._fixed.close()
            self._fixed = None


def _count_needed(literal_of: Sequence[int], groups: Sequence[Group], test: Test) -> int:
    """The length of the shortest beginning of the groups that is enough.

    With 81 cells that is six tests, which delete about 35 givens.
    """
    low, high = -1, len(groups)
    while high - low > 1:
        middle = (low + high) // 2
        literals = [literal_of[cell] for group in groups[:middle] for cell in group]
        if test(literals, ()) is Necessity.REDUNDANT:
            high = middle
        else:
            low = middle
    return high


def find_needs(rules: RuleSolver, solution: Grid, cells: Sequence[int]) -> dict[int, Necessity]:
    """For each given cell of a puzzle with one solution: can this given alone be deleted?

    Two givens may each be redundant and yet not both: deleting one can make the other needed.
    """
    literal_of = rules.literals(solution)
    literals = [literal_of[cell] for cell in cells]
    needs = dict.fromkeys(_find_needed(rules, solution, cells), Necessity.NEEDED)
    # All cells are tested one by one, for which no grid has to be excluded.
    with UniquenessTest(rules, solution, other=0) as test:
        for place in reversed(range(len(cells))):
            if cells[place] not in needs:
                rest = [*literals[place + 1 :], *literals[:place]]
                needs[cells[place]] = test(rest, [literals[place]])
    return {cell: needs[cell] for cell in cells}


def _find_needed(rules: RuleSolver, solution: Grid, cells: Sequence[int]) -> list[int]:
    """Cells for which the compiled library found two grids without their given, both judged.

    Of all others a solver says what they are.
    """
    bank = own_bank(is_for_one=True) if rules.may_ask_lanes else None
    if bank is None:
        return []
    if rules.budget is not None:
        rules.budget.require()
    given = set(cells)
    digits = bytes(digit if cell in given else 0 for cell, digit in enumerate(solution.digits))
    found = bank.answer(
        b"".join([digits[:cell] + b"\0" + digits[cell + 1 :] for cell in cells])
    ).found
    return [cell for cell, each in zip(cells, found, strict=True) if each == Found.SEVERAL]
