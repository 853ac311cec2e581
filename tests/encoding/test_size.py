"""Sizes that are told before encoding: what encoding makes, and quick where that is much."""

from collections.abc import Iterator
from random import Random

import pytest

from satdoku.encoding import encode
from satdoku.encoding.choices import Encoding, Method
from satdoku.encoding.constraint import AtMostOne, Constraint, Reason, Why
from satdoku.encoding.encode import (
    CELLS_HAVE_DIGITS,
    UNITS_HAVE_DIGITS,
    RuleSizes,
    Size,
    Statement,
    digits_in,
    measure,
)
from satdoku.encoding.size import estimate_clauses, require_possible, rules_size
from satdoku.encoding.variables import Auxiliaries
from satdoku.errors import SatdokuError, TooLargeError
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.everywhere import AntiKnight, NonConsecutive
from satdoku.puzzle.rules.registry import read_rule
from satdoku.puzzle.symmetry import pattern_grid
from tests.boards import SHAPES, thin_out
from tests.crossing import crossed

FULL = [encoding for encoding in Encoding if encoding is not Encoding.REDUCED]


def puzzle_with(share: float, geometry: Geometry) -> Puzzle:
    """A board on which this share of the cells is open."""
    empty = round(geometry.cell_count * share)
    return Puzzle(thin_out(Random(1), pattern_grid(geometry), empty))


@crossed(5, geometry=SHAPES[:-1], encoding=Encoding)
def test_size_by_arithmetic_is_size_by_encoding(geometry: Geometry, encoding: Encoding) -> None:
    for method in (
        Method if geometry.size < 9 else (Method.PAIRWISE, Method.TEXTBOOK, Method.PRODUCT)
    ):
        encoded = measure(Puzzle(Grid.empty(geometry)), encoding, method)
        assert rules_size(geometry, encoding, method) == encoded, method


def odd_digits_once(puzzle: Puzzle, auxiliaries: Auxiliaries) -> Iterator[Constraint]:
    """Of the odd digits a cell has at most one."""
    geometry = puzzle.geometry
    for cell in range(geometry.cell_count):
        reason = Reason(Why.CELL_ONCE, geometry, cell=cell)
        yield AtMostOne(reason, digits_in(geometry, cell)[::2])


def count_odd_digits_once(amounts: RuleSizes) -> Size:
    geometry = amounts.geometry
    return Size(at_most_one={(geometry.size + 1) // 2: geometry.cell_count})


@pytest.mark.parametrize("method", [Method.PAIRWISE, Method.TEXTBOOK, Method.SEQUENTIAL])
def test_an_encoding_that_is_added_is_counted_as_it_is_written(
    method: Method, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is a list of statements, the usual ones or new, and nothing else has to be touched."""
    statements = (
        CELLS_HAVE_DIGITS,
        Statement(odd_digits_once, count_odd_digits_once),
        UNITS_HAVE_DIGITS,
    )
    meaning = encode._MEANINGS[Encoding.MINIMAL]._replace(statements=statements)
    monkeypatch.setitem(encode._MEANINGS, Encoding.MINIMAL, meaning)
    for geometry in (Geometry(2, 2), Geometry(2, 3), Geometry(1, 5)):
        written = measure(Puzzle(Grid.empty(geometry)), Encoding.MINIMAL, method)
        assert rules_size(geometry, Encoding.MINIMAL, method) == written


def test_an_encoding_without_statements_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(encode._MEANINGS, Encoding.MINIMAL)
    with pytest.raises(SatdokuError, match="encoding minimal"):
        rules_size(Geometry(), Encoding.MINIMAL, Method.PAIRWISE)
    with pytest.raises(SatdokuError, match="encoding minimal"):
        measure(Puzzle(Grid.empty(Geometry())), Encoding.MINIMAL)


@crossed(2, encoding=FULL, method=[Method.PAIRWISE, Method.PRODUCT])
def test_of_full_encodings_it_is_exact_for_classic_puzzles(
    encoding: Encoding, method: Method
) -> None:
    for geometry in (Geometry(2, 3), Geometry(3, 3), Geometry(4, 4)):
        puzzle = puzzle_with(0.5, geometry)
        assert estimate_clauses(puzzle, encoding, method) == measure(puzzle, encoding, method)[1]


@pytest.mark.parametrize("share", [0.3, 0.6, 0.9, 1.0])
@pytest.mark.parametrize("method", [Method.PAIRWISE, Method.PRODUCT])
def test_of_reduced_it_is_within_a_quarter(share: float, method: Method) -> None:
    for geometry in (Geometry(3, 3), Geometry(4, 4)):
        puzzle = puzzle_with(share, geometry)
        true = measure(puzzle, Encoding.REDUCED, method).clauses
        assert 0.75 * true <= estimate_clauses(puzzle, Encoding.REDUCED, method) <= 1.3 * true


@pytest.mark.parametrize("encoding", [*FULL[:3], Encoding.REDUCED], ids=lambda e: e.value)
def test_sums_are_counted_too(encoding: Encoding) -> None:
    geometry = Geometry()
    cages = [f"killer:45=r{row}c1-9" for row in range(1, 10)]
    lines = [f"sandwich:c{column}=10" for column in range(1, 10)]
    empty = Puzzle(Grid.empty(geometry))
    puzzle = empty.with_rules([read_rule(text, geometry) for text in cages + lines])
    true = measure(puzzle, encoding).clauses
    assert true > 1.3 * measure(empty, encoding).clauses
    assert 0.75 * true <= estimate_clauses(puzzle, encoding) <= 1.3 * true


@pytest.mark.parametrize("encoding", [*FULL[:3], Encoding.REDUCED], ids=lambda e: e.value)
def test_other_rules_are_counted_too(encoding: Encoding) -> None:
    puzzle = puzzle_with(0.7, Geometry()).with_rules([AntiKnight(), NonConsecutive()])
    true = measure(puzzle, encoding).clauses
    assert 0.75 * true <= estimate_clauses(puzzle, encoding) <= 1.3 * true


def test_billions_are_refused_with_a_hint() -> None:
    puzzle = puzzle_with(0.3, Geometry(15, 15))
    words = (
        r"225x225 board would have about 4\.9 billion clauses and take 109 GB; "
        r"--encoding reduced would make about \d+ million; "
        r"--at-most-one product would make about \d+ million$"
    )
    with pytest.raises(TooLargeError, match=words):
        require_possible(puzzle, Encoding.EXTENDED, Method.PAIRWISE)
    require_possible(puzzle, Encoding.REDUCED, Method.PAIRWISE)


def test_what_would_not_help_is_not_hinted_at() -> None:
    """All is open on an empty board, so nothing would be reduced."""
    with pytest.raises(TooLargeError) as caught:
        require_possible(Puzzle(Grid.empty(Geometry(15, 15))), Encoding.MINIMAL, Method.PAIRWISE)
    assert "reduced" not in str(caught.value)
