"""A judge of steps that shares nothing with the code that finds them.

It knows the rules by their definitions only, keeps its own account of what is excluded, and finds
out by plain backtracking whether a step follows from the truths that it names.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import permutations, product

from satdoku.explaining.board import Board, Truth
from satdoku.explaining.step import Deduction, Way
from satdoku.puzzle.constraints import (
    Allowed,
    Connected,
    Constraint,
    Distinct,
    Either,
    Machine,
    Pair,
    Ranked,
    Sets,
    Some,
    Total,
)
from satdoku.puzzle.grid import EMPTY, Geometry, Unit
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.rule import Rule

Candidate = tuple[int, int]


class StepJudge:
    """What is excluded on a board, as steps are judged one after the other."""

    def __init__(self, puzzle: Puzzle, board: Board | None = None) -> None:
        self.puzzle = puzzle
        self._placements = board.placements if board else ()
        size = puzzle.geometry.size
        self._digits = range(1, size + 1)
        self._cells = range(puzzle.geometry.cell_count)
        self._excluded_with = _EXCLUDED_WITH.setdefault((puzzle.geometry, puzzle.rules), {})
        self.left = {
            (cell, digit)
            for cell in self._cells
            for digit in self._digits
            if not any(_forbids(rule, puzzle.geometry, (cell, digit)) for rule in puzzle.rules)
        }
        for cell, digit in puzzle.givens.items():
            self._place((cell, digit))

    def judge(self, way: Way) -> None:
        """Fails unless every step of a way follows, and its end is as it says."""
        self._placements = placements = way.board.placements
        for step in way.steps:
            concluded = [((placements[c].cell, placements[c].digit), False) for c in step.excludes]
            if step.places is not None:
                placed = placements[step.places]
                concluded.append(((placed.cell, placed.digit), True))
            assert concluded
            for candidate, holds in concluded:
                assert self._follows(step, candidate, holds), step
            for candidate, holds in concluded:
                if holds:
                    assert candidate in self.left
                    self._place(candidate)
                else:
                    self.left.discard(candidate)
        if way.dead_end is not None:
            assert not self.members(way.dead_end)
        assert way.is_full == all(
            sum((cell, digit) in self.left for digit in self._digits) == 1 for cell in self._cells
        )

    def members(self, truth: Truth) -> list[Candidate]:
        """What is left of a truth, which must be one that the rules warrant."""
        count = len(set(truth.unit.cells)) if truth.swapped and truth.unit else 0
        if count == 1:
            every = self._third(truth)
        elif count in (2, 3) or (count == 4 and len(truth.swapped) > 2):
            every = self._extras(truth)
        elif truth.swapped:
            every = self._beside_swapped(truth)
        elif truth.unit is None:
            every = [(truth.cell, digit) for digit in self._digits]
        else:
            cells = truth.unit.cells
            # As many cells as digits, no two with the same digit: each digit is in one of them.
            assert len(cells) == len(self._digits)
            assert all(
                self._exclude_each_other((one, truth.digit), (other, truth.digit))
                for n, one in enumerate(cells)
                for other in cells[:n]
            )
            every = [(cell, truth.digit) for cell in cells]
        return [candidate for candidate in every if candidate in self.left]

    def _beside_swapped(self, truth: Truth) -> list[Candidate]:
        """The other candidates of cells in which two digits, or two lines, can be swapped.

        They can when no given stands there, and both ways exclude the same from all other cells.
        """
        assert truth.unit is not None
        cells = truth.unit.cells
        assert len(set(cells)) == len(cells)
        assert not set(cells) & set(self.puzzle.givens)
        for way, other in self._ways(cells, truth.swapped):
            first, second = (
                {c for placed in each for c in self._excluded(placed) if c[0] not in cells}
                for each in (way, other)
            )
            assert first == second
        return [(c, d) for c in cells for d in self._digits if d not in truth.swapped]

    def _ways(
        self, cells: Sequence[int], swapped: Sequence[int]
    ) -> Iterator[tuple[list[Candidate], list[Candidate]]]:
        """Every way to fill cells with swapped digits alone, and what stands there afterwards."""
        if len(swapped) == 3:
            yield from _ways_of_lines(cells, swapped, self.puzzle.geometry)
            return
        # A rectangle is named in the order of reading, a loop in that of its links.
        ring = (*cells[:2], cells[3], cells[2]) if len(cells) == 4 else tuple(cells)
        for cell, following in zip(ring, (*ring[1:], ring[0]), strict=True):
            assert self._exclude_each_other((cell, swapped[0]), (following, swapped[0]))
        one, other = swapped
        half = len(ring) // 2
        yield (
            [*zip(ring, (one, other) * half, strict=True)],
            [*zip(ring, (other, one) * half, strict=True)],
        )

    def _extras(self, truth: Truth) -> list[Candidate]:
        """The candidates without which each open cell and each digit of a unit would have two."""
        extras = [self._placements[each] for each in truth.listed]
        without = self.left - {(cell, digit) for cell, digit in extras}
        counts = {sum((c, d) in without for d in self._digits) for c in self._cells}
        for unit in self.puzzle.geometry.units:
            counts |= {sum((c, d) in without for c in unit.cells) for d in self._digits}
        assert counts <= {1, 2}
        return [(cell, digit) for cell, digit in extras]

    def _third(self, truth: Truth) -> list[Candidate]:
        """The third candidate of a cell, without which each open cell and digit would have two.

        Only the classic rules are meant: every digit once in each row, column and box.
        """
        assert truth.unit is not None
        (cell,) = truth.unit.cells
        (third,) = [d for d in self._digits if (cell, d) in self.left and d not in truth.swapped]
        without = self.left - {(cell, third)}
        counts = {sum((c, d) in without for d in self._digits) for c in self._cells}
        for unit in self.puzzle.geometry.units:
            counts |= {sum((c, d) in without for c in unit.cells) for d in self._digits}
        assert counts <= {1, 2}
        return [(cell, third)]

    def refutes(self, truth: Truth, left: Iterable[int], supposed: int | None = None) -> bool:
        """Whether a truth alone, with these candidates left, excludes one; or, with None, all."""
        self.left = {self._placements[each] for each in left}
        if truth.wider is None and supposed is None:
            return not self.members(truth)
        cell = _cells_of(truth)[0]
        candidates = [(cell, digit) for digit in self._digits if (cell, digit) in self.left]
        if supposed is not None:
            candidates = [self._placements[supposed]]
        if truth.wider is None:
            return not self._compatible(self.members(truth), candidates[0])
        return not any(self._can_be_filled([truth], each, True) for each in candidates)

    def _follows(self, step: Deduction, candidate: Candidate, holds: bool) -> bool:
        if any(truth.wider is not None for truth in step.truths):
            return not self._can_be_filled(step.truths, candidate, not holds)
        truths = [self.members(truth) for truth in step.truths]
        if holds:
            return not self._can_choose([[c for c in t if c != candidate] for t in truths])
        return not self._can_choose([self._compatible(t, candidate) for t in truths])

    def _can_be_filled(self, truths: Sequence[Truth], supposed: Candidate, stands: bool) -> bool:
        """Whether wider truths, and others beside them, hold together with a candidate.

        Where it is supposed not to stand, whether they hold without it.
        """
        cells = sorted({cell for truth in truths for cell in _cells_of(truth)})
        open_in = {
            cell: [
                digit
                for digit in self._digits
                if (cell, digit) in self.left
                and not (stands and self._exclude_each_other((cell, digit), supposed))
                and (stands or (cell, digit) != supposed)
            ]
            for cell in cells
        }
        wider = [truth.wider for truth in truths if truth.wider is not None]
        others = [self.members(truth) for truth in truths if truth.wider is None]

        def fill(digits: dict[int, int]) -> bool:
            if len(digits) < len(cells):
                cell = cells[len(digits)]
                return any(
                    fill({**digits, cell: digit})
                    for digit in open_in[cell]
                    if not any(
                        self._exclude_each_other((cell, digit), other) for other in digits.items()
                    )
                )
            return all(_is_kept(each, digits) for each in wider) and all(
                any(digits.get(cell) == digit for cell, digit in members) for members in others
            )

        return fill({})

    def _can_choose(self, truths: list[list[Candidate]]) -> bool:
        """Whether one candidate of each truth can hold, no two of them excluding each other."""
        if not truths:
            return True
        smallest = min(truths, key=len)
        rest = [truth for truth in truths if truth is not smallest]
        return any(
            self._can_choose([self._compatible(truth, candidate) for truth in rest])
            for candidate in smallest
        )

    def _compatible(self, truth: Iterable[Candidate], chosen: Candidate) -> list[Candidate]:
        return [c for c in truth if not self._exclude_each_other(c, chosen)]

    def _place(self, candidate: Candidate) -> None:
        self.left -= self._excluded(candidate)

    def _exclude_each_other(self, one: Candidate, other: Candidate) -> bool:
        return other in self._excluded(one)

    def _excluded(self, candidate: Candidate) -> frozenset[Candidate]:
        """All candidates of the board that cannot hold together with this one."""
        if candidate not in self._excluded_with:
            geometry = self.puzzle.geometry
            beside = ((candidate[0], digit) for digit in self._digits if digit != candidate[1])
            self._excluded_with[candidate] = frozenset(beside).union(
                *(_excluded_by(rule, geometry, candidate) for rule in self.puzzle.rules)
            )
        return self._excluded_with[candidate]


def _cells_of(truth: Truth) -> Sequence[int]:
    if truth.wider is not None:
        return truth.wider.cells
    return (truth.cell,) if truth.unit is None else truth.unit.cells


def _is_kept(constraint: Constraint, digits: Mapping[int, int]) -> bool:
    """Whether digits keep a constraint, by what its shape says."""
    if isinstance(constraint, Either):
        return any(all(_is_kept(each, digits) for each in choice) for choice in constraint.choices)
    if isinstance(constraint, Some | Sets | Total | Machine):
        return _is_wider_kept(constraint, digits)
    if isinstance(constraint, Connected | Distinct):
        return _is_area_kept(constraint, digits)
    if isinstance(constraint, Ranked):
        own, *others = ([digits[cell] for cell in line] for line in constraint.lines)
        begins = [other for other in others if constraint.mask >> other[0] & 1]
        is_alone = constraint.may_tie or own not in begins
        return is_alone and sum(other < own for other in begins) == constraint.below
    if isinstance(constraint, Unit):
        return len({digits[cell] for cell in constraint.cells}) == len(constraint.cells)
    if isinstance(constraint, Pair):
        return not constraint.excludes[digits[constraint.first]] >> digits[constraint.second] & 1
    assert isinstance(constraint, Allowed)  # hidden regions are refused
    return bool(constraint.digits >> digits[constraint.cell] & 1)


def _is_area_kept(constraint: Connected | Distinct, digits: Mapping[int, int]) -> bool:
    if isinstance(constraint, Distinct):
        different = len({digits[cell] for cell in constraint.counted})
        return digits[constraint.control] + constraint.offset == different
    inside = {cell for cell in constraint.cells if constraint.mask >> digits[cell] & 1}
    beside = dict(zip(constraint.cells, constraint.beside, strict=True))
    reached: set[int] = set()
    waiting = sorted(inside)[:1]
    while waiting:
        cell = waiting.pop()
        if cell not in reached:
            reached.add(cell)
            waiting += inside.intersection(beside[cell])
    return bool(inside) and reached == inside


def _is_wider_kept(constraint: Some | Sets | Total | Machine, digits: Mapping[int, int]) -> bool:
    if isinstance(constraint, Some):
        return any(mask >> digits[cell] & 1 for cell, mask in constraint.choices)
    if isinstance(constraint, Sets):
        return sum(1 << digits[cell] for cell in constraint.cells) in constraint.sets
    if isinstance(constraint, Total):
        tables = zip(constraint.cells, constraint.worths, strict=True)
        worth = sum(table[digits[cell]] for cell, table in tables)
        return constraint.low <= worth <= constraint.high
    state = 0
    for cell, layer in zip(constraint.cells, constraint.layers, strict=True):
        state = layer[state][digits[cell]]
        if state < 0:
            return False
    return True


@cache
def _excluded_by(rule: Rule, geometry: Geometry, candidate: Candidate) -> frozenset[Candidate]:
    """The candidates of other cells that a rule does not let hold together with this one.

    The definitions of rules are slow to ask. Of rows, columns and boxes the judge has its own.
    """
    cell, digit = candidate
    if type(rule).forbids_both is Rule.forbids_both:
        return frozenset()
    others = [other for other in range(geometry.cell_count) if other != cell]
    part_of = _CLASSIC.get(rule.name)
    if part_of is not None:
        # Cells beside the board are in none of its units.
        others = [o for o in others if max(o, cell) < geometry.board_count]
        part = part_of(geometry, cell)
        return frozenset((other, digit) for other in others if part_of(geometry, other) == part)
    return frozenset(
        (other, other_digit)
        for other in others
        for other_digit in range(1, geometry.size + 1)
        if _forbids_both(rule, geometry, candidate, (other, other_digit))
    )


def _forbids(rule: Rule, geometry: Geometry, candidate: Candidate) -> bool:
    if rule.reading is None:
        return rule.forbids(geometry, *candidate)
    return _clash(rule, geometry, candidate)


def _forbids_both(rule: Rule, geometry: Geometry, one: Candidate, other: Candidate) -> bool:
    if rule.reading is None:
        return rule.forbids_both(geometry, *one, *other)
    return _clash(rule, geometry, one, other)


def _clash(rule: Rule, geometry: Geometry, *candidates: Candidate) -> bool:
    """Ask the judge: `forbids` says nothing where cells count otherwise than their digits."""
    digits = [EMPTY] * geometry.cell_count
    for cell, digit in candidates:
        digits[cell] = digit
    return any(rule.find_clashes(geometry, digits))


_CLASSIC = {"rows": Geometry.row_of, "columns": Geometry.column_of, "boxes": Geometry.box_of}


_EXCLUDED_WITH: dict[tuple[Geometry, tuple[Rule, ...]], dict[Candidate, frozenset[Candidate]]] = {}


def require_true(way: Way, solution: Sequence[int]) -> None:
    """Fails where a step places what the solution has not, or excludes what it has."""
    placements = way.board.placements
    for step in way.steps:
        for candidate in step.excludes:
            assert solution[placements[candidate].cell] != placements[candidate].digit
        if step.places is not None:
            assert solution[placements[step.places].cell] == placements[step.places].digit


def _ways_of_lines(
    cells: Sequence[int], swapped: Sequence[int], geometry: Geometry
) -> Iterator[tuple[list[Candidate], list[Candidate]]]:
    """Every way to fill two lines of three cells, and that with the lines swapped."""
    rows: dict[int, list[int]] = {}
    columns: dict[int, list[int]] = {}
    for cell in sorted(cells):
        rows.setdefault(geometry.row_of(cell), []).append(cell)
        columns.setdefault(geometry.column_of(cell), []).append(cell)
    assert sorted([len(rows), len(columns)]) == [2, 3]
    first, second = (rows if len(rows) == 2 else columns).values()
    for one, other in product(permutations(swapped), repeat=2):
        if not any(map(int.__eq__, one, other)):
            yield (
                [*zip(first, one, strict=True), *zip(second, other, strict=True)],
                [*zip(first, other, strict=True), *zip(second, one, strict=True)],
            )
