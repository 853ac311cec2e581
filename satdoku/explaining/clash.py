"""Why a puzzle has no solution: givens that clash, rules that clash, and repairs.

A set of givens clashes if no solution of the empty board agrees with all of them.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from satdoku.encoding.variables import Placement
from satdoku.errors import SatdokuError, TooLargeError
from satdoku.explaining.board import build_board
from satdoku.explaining.prover import Asker
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.judge import find_clashes
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.rule import Rule
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.assumptions import SmallestHittingSets, shrink
from satdoku.solving.kept import KeptSolvers
from satdoku.solving.limits import Budget, LimitReachedError, Watch, unwatched
from satdoku.solving.questions import check_within


class SmallestClash(NamedTuple):
    """Cells whose givens have no solution together; empty if the rules alone exclude every grid.

    If `is_proven`, no smaller set clashes; else every clashing set has at least `at_least` givens.
    """

    cells: tuple[int, ...]
    is_proven: bool
    at_least: int


# Conflict limit of the searches for clashes and for repairs. A classic board takes some hundred. A
# nearly full board with a violated rule would take too long: a dozen givens clash, or have to
# change. A limit in conflicts (some seconds) gives the same answer on every machine.
_MOST_CONFLICTS = 50_000


def find_smallest_clash(
    puzzle: Puzzle, budget: Budget, watch: Watch = unwatched
) -> SmallestClash | None:
    """Return the fewest givens that clash; None if a limit is reached before any set is found.

    The puzzle must have no solution. A solver finds sets of givens whose removal leaves a solution;
    a clashing set has a given of each of them, so the search tries smallest hitting sets. At the
    conflict limit, the best set found is returned unproven. Givens that clash directly are the
    smallest set of a classic board; further rules may exclude a single one of them, or every grid.
    """
    direct = min((clash.cells for clash in find_clashes(puzzle)), key=_size, default=None)
    if direct is not None and puzzle.is_classic:
        return SmallestClash(direct, True, len(direct))
    cells = sorted(puzzle.givens)
    best = None if direct is None else [n for n, cell in enumerate(cells) if cell in direct]
    at_least = 0
    try:
        board = build_board(puzzle.with_grid(Grid.empty(puzzle.geometry)), budget)
        with budget.part(_MOST_CONFLICTS) as own, Asker(board, own) as asker:
            givens = _Givens(asker, puzzle, cells)
            minimal = givens.minimal()
            best = minimal if best is None else min(best, minimal, key=_size)
            # If the rules alone left no grid, the minimal set would be empty.
            at_least = min(1, len(best))
            with SmallestHittingSets(len(cells), own) as hitting:
                while at_least < len(best):
                    chosen = hitting.smallest()
                    at_least = hitting.at_least
                    watch(f"the smallest clash has {at_least} to {len(best)} givens")
                    if chosen is None:
                        break
                    # This hitting set is a lower bound on every clashing set. So if it clashes, no
                    # smaller set does.
                    if not givens.have_solution(chosen):
                        best = chosen
                        break
                    hitting.add(givens.to_drop(chosen))
    except (LimitReachedError, TooLargeError) as error:
        if best is None:
            if isinstance(error, TooLargeError):
                raise
            return None
        return SmallestClash(tuple(cells[n] for n in best), False, at_least)
    return SmallestClash(tuple(cells[n] for n in best), True, len(best))


def _size(cells: Sequence[int]) -> tuple[int, Sequence[int]]:
    """Return the key of the smallest set of cells, the first of several."""
    return len(cells), cells


class _Givens:
    """The givens of a puzzle, by index, as assumptions about an empty board."""

    def __init__(self, asker: Asker, puzzle: Puzzle, cells: Sequence[int]) -> None:
        self._asker = asker
        # A given that a rule forbids in its cell is no candidate; no grid has it.
        never = asker.new_variable()
        asker.session.add_clause([-never])
        number_of, digits = asker.board.number_of, puzzle.grid.digits
        self._literals = [number_of.get(Placement(cell, digits[cell]), never) for cell in cells]
        self._place_of = {literal: place for place, literal in enumerate(self._literals)}

    def have_solution(self, places: Sequence[int]) -> bool:
        return self._asker.has_solution([self._literals[place] for place in places])

    def minimal(self) -> list[int]:
        """Return a minimal clashing set; fast, but not always the smallest."""
        if self.have_solution(range(len(self._literals))):
            raise SatdokuError("the puzzle has a solution, so its givens do not clash")

        def clash(rest: Sequence[int], _: int) -> Sequence[int] | None:
            return None if self.have_solution(rest) else self._core()

        # The core is a clashing set, usually much smaller than all givens.
        return sorted(shrink(self._core(), clash))

    def to_drop(self, kept: Sequence[int]) -> list[int]:
        """Return a minimal set of givens whose removal leaves a solution.

        The last query to the solver assumed `kept` and found a solution.
        """
        keep = self._kept_by_model()

        def may_stay(_: Sequence[int], place: int) -> Sequence[int] | None:
            if not self.have_solution([*sorted(keep), place]):
                return None
            keep.update(self._kept_by_model())
            return self._all_but(keep)

        return shrink(reversed(self._all_but(keep)), may_stay)

    def _all_but(self, keep: set[int]) -> list[int]:
        return [place for place in range(len(self._literals)) if place not in keep]

    def _core(self) -> list[int]:
        return sorted(self._place_of[literal] for literal in self._asker.session.core())

    def _kept_by_model(self) -> set[int]:
        model = set(self._asker.session.model())
        return {place for literal, place in self._place_of.items() if literal in model}


def find_clashing_rules(
    puzzle: Puzzle,
    budget: Budget,
    watch: Watch = unwatched,
    solvers: KeptSolvers | None = None,
) -> tuple[Rule, ...]:
    """Return a minimal set of further rules that together exclude every grid.

    For puzzles without a solution even when all givens are removed; givens are ignored here. The
    set is nearly always the smallest. The rules that shape the board are always kept: regions, and
    the rule that names its digits. Empty if these alone leave no grid, or if a limit is reached
    first. `solvers` are asked, new ones by default.
    """
    rules = _Rules(puzzle, budget)
    core = rules.loose
    try:
        with _asking(solvers) as asked:
            kept = asked.of(puzzle, budget) if core else None
            if kept is not None:
                return kept.clashing_rules()
        # Deletion by halves, quarters, ..., single rules: most rules are removed in large groups.
        width = max(1, len(core) // 2)
        while width:
            at = 0
            while at < len(core):
                watch(f"{len(core)} rules clash")
                rest = core[:at] + core[at + width :]
                if rules.have_solution(rest):
                    at += width
                else:
                    core = rest
            width //= 2
    except LimitReachedError:
        return ()
    return core


class RuleRepair(NamedTuple):
    """A rule without which the puzzle has a solution, and the same rule with other numbers.

    `unique` are the changed rules with which there is one solution, `several` those with which
    there are more. The nearest numbers come first.
    """

    rule: Rule
    unique: tuple[Rule, ...] = ()
    several: tuple[Rule, ...] = ()


# The fields of rules that hold the number of a clue: a sum, or a number beside the board.
_NUMBERS = ("total", "number")
_MOST_NUMBERS = 100


def find_rule_repairs(
    puzzle: Puzzle, budget: Budget, solvers: KeptSolvers | None = None
) -> tuple[RuleRepair, ...]:
    """Return the repairs of a puzzle without solutions that drop or change a single rule.

    Empty for boards that no kept solver supports. At the conflict limit, only the repairs found so
    far. Raise LimitReachedError if the budget ends first. `solvers` are asked, new ones by default.
    """
    found: list[RuleRepair] = []
    if puzzle.is_classic or next(find_clashes(puzzle), None) is not None:
        return ()
    try:
        with budget.part(_MOST_CONFLICTS) as own, _asking(solvers) as asked:
            kept = asked.of(puzzle, own)
            for rule in [] if kept is None else kept.rules_to_drop():
                found.append(_repair_rule(puzzle, rule, own, asked))
    except LimitReachedError:
        budget.require()
    return tuple(found)


@contextmanager
def _asking(solvers: KeptSolvers | None) -> Iterator[KeptSolvers]:
    """Yield these solvers, or new ones: the clash that is found depends on earlier questions."""
    if solvers is not None:
        yield solvers
        return
    with KeptSolvers() as own:
        yield own


def _repair_rule(puzzle: Puzzle, rule: Rule, budget: Budget, solvers: KeptSolvers) -> RuleRepair:
    unique: list[Rule] = []
    several: list[Rule] = []
    for other in _with_other_numbers(rule, puzzle.geometry):
        rules = tuple(other if each == rule else each for each in puzzle.rules)
        outcome = solvers.decide(replace(puzzle, rules=rules), budget)
        if outcome.verdict is Verdict.UNDECIDED:
            raise LimitReachedError(outcome.reason)
        if outcome.solution is not None:
            (several if outcome.second is not None else unique).append(other)
    return RuleRepair(rule, tuple(unique), tuple(several))


def number_in(rule: Rule) -> int | None:
    """Return the number of a rule's clue, such as the sum of a cage; None if it has none."""
    name = _field_of(rule)
    return None if name is None else getattr(rule, name)


def _field_of(rule: Rule) -> str | None:
    return next((name for name in _NUMBERS if type(getattr(rule, name, None)) is int), None)


def _with_other_numbers(rule: Rule, geometry: Geometry) -> Iterator[Rule]:
    """Yield the rule with each other number that makes sense on the board, the nearest first."""
    name = _field_of(rule)
    if name is None:
        return
    usual: int = getattr(rule, name)
    for number in sorted(range(_MOST_NUMBERS), key=lambda each: (abs(each - usual), each)):
        changed: dict[str, Any] = {name: number}
        other: Rule = replace(rule, **changed)
        if number != usual and _makes_sense(other, geometry):
            yield other


def _makes_sense(rule: Rule, geometry: Geometry) -> bool:
    try:
        rule.require_fit(geometry)
    except SatdokuError:
        return False
    return not rule.why_impossible(geometry)


class _Rules:
    """The further rules of a puzzle, tested in groups on the empty board."""

    def __init__(self, puzzle: Puzzle, budget: Budget) -> None:
        self._bare = puzzle.with_grid(Grid.empty(puzzle.geometry))
        self._budget = budget
        self._grids: list[Grid] = []
        geometry = puzzle.geometry
        self.loose = tuple(
            rule
            for rule in puzzle.further_rules
            if not (rule.stands_in_for_boxes or rule.symbols(geometry) or rule.makes_values)
        )

    def have_solution(self, kept: Sequence[Rule]) -> bool:
        """Return whether some grid keeps these rules and the shape of the board."""
        dropped = {rule for rule in self.loose if rule not in kept}
        rules = tuple(rule for rule in self._bare.rules if rule not in dropped)
        puzzle = replace(self._bare, rules=rules)
        # A grid that was found for other rules often satisfies these too.
        if any(next(find_clashes(puzzle, grid), None) is None for grid in self._grids):
            return True
        outcome = check_within(puzzle, self._budget)
        if outcome.solution is not None:
            self._grids.append(outcome.solution)
            return True
        if outcome.verdict is not Verdict.NONE:
            raise LimitReachedError(outcome.reason)
        return False


# The most sets of givens to try, and the most choices of digits for each: as many as a person would
# read. If two or more givens have to change, there may be thousands. `is_complete` is False if any
# were left out.
_MOST_SETS = 20
_MOST_DIGITS = 50


class Change(NamedTuple):
    """A given that is changed to another digit."""

    cell: int
    before: int
    after: int


@dataclass
class Repairs:
    """The repairs of a puzzle with the fewest changes.

    `unique` are the repairs that give one solution, `others` counts those that give several.
    `dropped` are the sets of cells whose givens can be removed to get a solution. `changed` is how
    many givens each repair changes, 0 if none was found.
    """

    changed: int = 0
    unique: list[tuple[Change, ...]] = field(default_factory=list)
    others: int = 0
    dropped: list[tuple[int, ...]] = field(default_factory=list)
    is_complete: bool = True


def find_repairs(puzzle: Puzzle, budget: Budget, watch: Watch = unwatched) -> Repairs:
    """Return all repairs by a single change; if there are none, some with the fewest changes.

    At the conflict limit the search stops with the repairs found so far.
    """
    repairs = Repairs()
    try:
        board = build_board(puzzle.with_grid(Grid.empty(puzzle.geometry)), budget)
        with budget.part(_MOST_CONFLICTS) as own, Asker(board, own) as asker:
            if not asker.has_solution([]):
                return repairs  # the rules exclude every grid, whatever the givens
            mending = _Mending(asker, puzzle, repairs)
            for cell in puzzle.givens:
                watch(f"changing {puzzle.geometry.name_of(cell)}")
                mending.drop((cell,), puzzle.geometry.size)
            if not repairs.dropped:
                for cells in mending.smallest_sets(own, watch):
                    mending.drop(cells, _MOST_DIGITS)
                    if len(repairs.dropped) == _MOST_SETS:
                        repairs.is_complete = False
                        break
    except LimitReachedError:
        repairs.is_complete = False
    return repairs


class _Mending:
    """The search for solutions that keep all but some of the givens."""

    def __init__(self, asker: Asker, puzzle: Puzzle, repairs: Repairs) -> None:
        self._asker = asker
        self._puzzle = puzzle
        self._repairs = repairs
        # A given that a rule forbids in its cell has no literal; every repair changes it.
        self._literal = {
            cell: asker.board.number_of.get(Placement(cell, digit))
            for cell, digit in puzzle.givens.items()
        }

    def drop(self, cells: tuple[int, ...], most_digits: int) -> None:
        """Add the repairs that drop or change these givens, if the others have a solution."""
        kept = self._kept(set(cells))
        if kept is None or not self._asker.has_solution(kept):
            return
        self._repairs.changed = len(cells)
        self._repairs.dropped.append(cells)
        switch = self._asker.new_variable()
        for _ in range(most_digits):
            # Each round finds other digits for these cells.
            if not self._asker.has_solution([*kept, switch]):
                return
            grid = self._asker.read()
            digits = [self._asker.candidate(cell, grid.digits[cell]) for cell in cells]
            self._asker.session.add_clause([-switch, *(-digit for digit in digits)])
            self._add(cells, grid, [*kept, *digits])
        self._repairs.is_complete = False

    def smallest_sets(self, budget: Budget, watch: Watch) -> Iterator[tuple[int, ...]]:
        """Yield the smallest sets of givens whose removal leaves a solution."""
        cells = sorted(self._puzzle.givens)
        with SmallestHittingSets(len(cells), budget) as hitting:
            forced = [n for n, cell in enumerate(cells) if self._literal[cell] is None]
            for place in forced:
                hitting.add([place])
            size = 0
            while (chosen := hitting.smallest()) is not None and (size in (0, len(chosen))):
                watch(f"changing {hitting.at_least} givens or more")
                dropped = {cells[place] for place in chosen}
                kept = self._kept(dropped) or []
                if self._asker.has_solution(kept):
                    size = len(chosen)
                    hitting.exclude(chosen)
                    yield tuple(sorted(dropped))
                else:
                    core = set(self._asker.session.core())
                    hitting.add([n for n, cell in enumerate(cells) if self._literal[cell] in core])

    def _kept(self, dropped: set[int]) -> list[int] | None:
        """Return the literals of all givens not dropped; None if one of them has no literal."""
        literals = [lit for cell, lit in self._literal.items() if cell not in dropped]
        known = [literal for literal in literals if literal is not None]
        return known if len(known) == len(literals) else None

    def _add(self, cells: Sequence[int], grid: Grid, fixed: Sequence[int]) -> None:
        """Keep the change to this grid if it gives one solution; only count it if several."""
        other = self._asker.require_other_than(self._asker.literals_of(grid).values())
        if self._asker.has_solution([*fixed, other]):
            self._repairs.others += 1
            return
        before = self._puzzle.grid.digits
        self._repairs.unique.append(
            tuple(Change(cell, before[cell], grid.digits[cell]) for cell in cells)
        )
