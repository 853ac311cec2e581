from collections.abc import Iterable
from itertools import combinations
from random import Random

import pytest

from satdoku.deducing.prune import prune
from satdoku.puzzle.constraints import digits_of, mask_of
from satdoku.puzzle.grid import EMPTY, Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle, find_candidates, find_missing
from satdoku.puzzle.rules.everywhere import AntiKing
from satdoku.puzzle.rules.regions import ExtraRegion
from tests.boards import (
    SHAPES,
    clashing_puzzle,
    full_grid,
    pigeonhole_puzzle,
    stuck_puzzle,
    thin_out,
)
from tests.crossing import few_or_many, sampled
from tests.deducing.boards import classic_puzzles, jigsaw, small_puzzles, solutions_by_lines
from tests.oracle import solutions_of


def true_candidates(puzzle: Puzzle, solutions: Iterable[Grid]) -> dict[int, int]:
    masks = {cell: 0 for cell, digit in enumerate(puzzle.grid.digits) if digit == EMPTY}
    for solution in solutions:
        for cell in masks:
            masks[cell] |= 1 << solution.digits[cell]
    return masks


def require_sound(puzzle: Puzzle, solutions: list[Grid]) -> bool:
    """Nothing went that a solution has; returns whether anything went at all."""
    pruned = prune(puzzle)
    if pruned is None:
        assert solutions == []
        return True
    found = dict(find_candidates(puzzle, find_missing(puzzle)))
    assert pruned.keys() == found.keys()
    assert all(pruned[cell] and pruned[cell] & ~found[cell] == 0 for cell in found)
    for cell, mask in true_candidates(puzzle, solutions).items():
        assert mask & ~pruned[cell] == 0, (puzzle, cell)
    return pruned != found


@few_or_many("count", 60, 10_000)
def test_no_rule_of_a_small_board_loses_a_solution(count: int) -> None:
    rng = Random(15 + count)
    effects = [require_sound(*known) for known in small_puzzles(rng, count)]
    assert len(effects) > 0.7 * count
    assert effects.count(True) > 0.3 * count


@sampled(3, "geometry", SHAPES, ids=str)
def test_no_shape_loses_a_solution(geometry: Geometry) -> None:
    rng = Random(str(geometry))
    for puzzle in classic_puzzles(rng, geometry, 60):
        shape = geometry.box_rows, geometry.box_columns
        solutions = solutions_of(*shape, puzzle.grid.digits)
        if geometry.size < 9:
            require_sound(puzzle, [Grid(geometry, digits) for digits in solutions])
        else:
            require_sound_of_some(puzzle)


def require_sound_of_some(puzzle: Puzzle) -> None:
    """As far as a hundred solutions show it: wide boards have too many."""
    geometry = puzzle.geometry
    shape = geometry.box_rows, geometry.box_columns
    solutions = solutions_of(*shape, puzzle.grid.digits)
    some = [Grid(geometry, digits) for _, digits in zip(range(100), solutions, strict=False)]
    pruned = prune(puzzle)
    if pruned is None:
        assert some == []
        return
    for cell, mask in true_candidates(puzzle, some).items():
        assert mask & ~pruned[cell] == 0


@few_or_many("count", 60, 5_000)
def test_no_jigsaw_and_no_extra_region_loses_a_solution(count: int) -> None:
    rng = Random(6 + count)
    effects = []
    for _ in range(count):
        puzzle = jigsaw(rng, Geometry(2, 3), rng.randint(12, 22))
        effects.append(require_sound(puzzle, solutions_by_lines(puzzle)))
    assert effects.count(True) > count / 2


def test_nothing_is_left_to_exclude_in_any_unit() -> None:
    """The fixpoint, looked at again by brute force: every subset of cells, every two units."""
    rng = Random(9)
    for _ in range(60):
        puzzle = jigsaw(rng, Geometry(2, 3), rng.randint(12, 20))
        pruned = prune(puzzle)
        if pruned is not None:
            require_subsets_done(puzzle, pruned)
            require_overlaps_done(puzzle, pruned)


def require_subsets_done(puzzle: Puzzle, pruned: dict[int, int]) -> None:
    for unit in puzzle.constraints.units:
        cells = [cell for cell in unit.cells if cell in pruned]
        for count in range(1, len(cells)):
            for subset in combinations(cells, count):
                digits = mask_of(d for cell in subset for d in digits_of(pruned[cell]))
                assert digits.bit_count() >= count
                if digits.bit_count() == count:
                    assert not any(pruned[c] & digits for c in cells if c not in subset)


def require_overlaps_done(puzzle: Puzzle, pruned: dict[int, int]) -> None:
    constraints = puzzle.constraints
    for unit in constraints.units:
        if not constraints.has_every_digit(unit):
            continue
        for digit in range(1, puzzle.geometry.size + 1):
            places = {c for c in unit.cells if pruned.get(c, 0) >> digit & 1}
            for other in constraints.units:
                if places and places <= set(other.cells):
                    elsewhere = set(other.cells) - set(unit.cells)
                    assert not any(pruned.get(c, 0) >> digit & 1 for c in elsewhere)


@sampled(2, "geometry", [Geometry(4, 4), Geometry(5, 5), Geometry(4, 8)], ids=str)
def test_what_is_pruned_once_stays_as_it_is(geometry: Geometry) -> None:
    """Looked at from the start, nothing more is found: no change was overlooked on the way."""
    rng = Random(str(geometry))
    for _ in range(5):
        share = rng.uniform(0.4, 0.6)
        grid = thin_out(rng, full_grid(rng, geometry), round(share * geometry.cell_count))
        pruned = prune(Puzzle(grid))
        assert pruned is not None
        assert prune(Puzzle(grid), pruned) == pruned


def test_clashing_givens_and_cells_without_candidates_have_no_solution() -> None:
    for geometry in (Geometry(2, 2), Geometry(3, 3), Geometry(5, 6)):
        assert prune(clashing_puzzle(geometry)) is None
        assert prune(stuck_puzzle(geometry)) is None


def test_too_few_digits_for_some_cells_are_seen_where_no_solver_sees_them() -> None:
    assert prune(pigeonhole_puzzle(12, 26)) is None


def test_a_full_grid_has_nothing_to_prune() -> None:
    assert prune(Puzzle(full_grid(Random(1), Geometry(3, 3)))) == {}


def test_an_empty_board_keeps_every_candidate() -> None:
    pruned = prune(Puzzle(Grid.empty(Geometry(2, 3))))
    assert pruned is not None
    assert {mask.bit_count() for mask in pruned.values()} == {6}


def test_an_extra_region_splits_like_any_unit_but_need_not_hold_every_digit() -> None:
    """Two cells of the region hold 1 and 2, so the third cannot; but 4 may be in none of them."""
    geometry = Geometry(2, 2)
    puzzle = Puzzle(Grid.empty(geometry)).with_rules([ExtraRegion((0, 5, 10))])
    masks = dict.fromkeys(range(16), mask_of({1, 2, 3, 4}))
    masks[0] = masks[5] = mask_of({1, 2})
    pruned = prune(puzzle, masks)
    assert pruned is not None
    assert digits_of(pruned[10]) == [3, 4]


def test_pairs_exclude_what_goes_with_no_digit_of_the_other_cell() -> None:
    """Anti-king: a cell with 1 or 2 leaves both to its diagonal neighbour; one with 1 does not."""
    puzzle = Puzzle(Grid.empty(Geometry(1, 5))).with_rules([AntiKing()])
    masks = dict.fromkeys(range(25), mask_of({1, 2, 3, 4, 5}))
    masks[0] = mask_of({1})
    pruned = prune(puzzle, masks)
    assert pruned is not None
    assert 1 not in digits_of(pruned[6])


def test_the_caller_may_end_the_work_at_any_pause() -> None:
    class EnoughError(Exception):
        pass

    calls = []

    def pause() -> None:
        calls.append(1)
        if len(calls) == 7:
            raise EnoughError

    with pytest.raises(EnoughError):
        prune(Puzzle(Grid.empty(Geometry(3, 3))), pause=pause)
    assert len(calls) == 7
