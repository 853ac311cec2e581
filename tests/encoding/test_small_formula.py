"""The small formula says of open candidates what a loop over them says.

Laying units side by side gathers what a loop over their cells gathers.
"""

from collections.abc import Iterable
from random import Random

from satdoku.deducing.sifter import NUMBERS
from satdoku.encoding.small_formula import FormulaBuilder, FormulaTuning, SmallFormula, UnitTables
from satdoku.puzzle.grid import Geometry, Grid
from tests.each import for_each
from tests.encoding.small_boards import (
    SHAPES,
    Candidate,
    boards_of,
    candidates_at,
    layout_of,
    open_in,
    sift_givens,
)

LINES = ["row", "column"]
EVERY_KIND = [*LINES, "box"]

shapes = for_each("geometry", SHAPES)
ways_to_build = for_each("largest", [249, -1])


def builder_of(geometry: Geometry, **tuning: int) -> FormulaBuilder:
    return FormulaBuilder(layout_of(geometry), FormulaTuning(**tuning))


def groups_in(
    geometry: Geometry, candidates: frozenset[Candidate], kinds: Iterable[str]
) -> set[frozenset[Candidate]]:
    """What is open of each cell, and of each digit in each unit of these kinds."""
    digits = range(1, geometry.size + 1)
    places = [[(cell, digit) for digit in digits] for cell in range(geometry.cell_count)]
    places += [
        [(cell, digit) for cell in unit.cells]
        for unit in geometry.units
        if unit.kind in kinds
        for digit in digits
    ]
    return {frozenset(candidates.intersection(group)) for group in places} - {frozenset()}


def read_groups(
    geometry: Geometry, formula: SmallFormula, is_clause: bool
) -> set[frozenset[Candidate]]:
    groups = formula.clauses if is_clause else formula.exclusive
    return {
        frozenset(candidates_at(geometry, formula.true_places(list(group)))) for group in groups
    }


def numbers_in(formula: SmallFormula) -> set[int]:
    return {number for group in formula.clauses for number in group}


@shapes
@ways_to_build
@for_each("share", [0, 99])
def test_groups_are_those_of_the_open_candidates(
    geometry: Geometry, largest: int, share: int
) -> None:
    builder = builder_of(geometry, largest_byte_formula=largest, hard_share=share)
    for grid in boards_of(geometry):
        formula = builder.build(sift_givens(grid))
        candidates = open_in(grid)
        count = len(candidates)
        needed, exclusive = LINES, EVERY_KIND
        if share and count <= largest:
            needed, exclusive = ["box"], LINES
        assert read_groups(geometry, formula, is_clause=True) == groups_in(
            geometry, candidates, needed
        )
        assert read_groups(geometry, formula, is_clause=False) == groups_in(
            geometry, candidates, exclusive
        )
        in_order = NUMBERS if count <= largest else range(1, count + 1)
        assert numbers_in(formula) == set(in_order[:count]) <= formula.numbers


@ways_to_build
def test_a_group_of_which_nothing_is_left_is_an_empty_clause(largest: int) -> None:
    """r1c1 sees every digit; the formula without its group could have solutions."""
    builder = builder_of(Geometry(2, 2), largest_byte_formula=largest)
    digits = [0] * 16
    digits[1], digits[4], digits[2], digits[8] = 1, 2, 3, 4
    sifted = sift_givens(Grid(Geometry(2, 2), tuple(digits)))
    clauses = builder.build(sifted).clauses
    assert [list(clause) for clause in clauses] == [[]]
    one_less = sift_givens(Grid(Geometry(2, 2), tuple(digits[:8] + [0] * 8)))
    assert [] not in [list(clause) for clause in builder.build(one_less).clauses]


@for_each("geometry", SHAPES)
def test_each_unit_has_the_numbers_of_its_cells_digit_by_digit(geometry: Geometry) -> None:
    layout = layout_of(geometry)
    every = [place for place in range(layout.width) if (place + 1) % layout.stride]
    places = sorted(Random(1).sample(every, min(len(NUMBERS), len(every)) * 2 // 3))
    numbered = layout.number(places)
    found = UnitTables(layout).split(numbered)
    for kinds, groups in zip((("row", "column"), ("box",)), found, strict=True):
        expected = [
            bytes(numbered[layout.place(cell, digit)] for cell in unit.cells).replace(b"\0", b"")
            for unit in geometry.units
            if unit.kind in kinds
            for digit in range(1, geometry.size + 1)
        ]
        assert sorted(groups) == sorted(filter(None, expected))
