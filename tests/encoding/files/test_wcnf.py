"""WCNF, written, read, and asked of RC2, the MaxSAT solver of python-sat."""

from random import Random

import pytest
from pysat.examples.rc2 import RC2
from pysat.formula import WCNF

from satdoku.encoding.choices import Encoding, Method
from satdoku.encoding.files.dimacs import (
    Export,
    WcnfReader,
    read_encoding,
    read_geometry,
    read_puzzle,
)
from satdoku.encoding.files.kinds import FormulaKind
from satdoku.encoding.variables import decode
from satdoku.errors import DimacsError
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.judge import find_fault
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import read_rule
from tests.boards import SHAPES, clashing_puzzle, random_puzzle, stuck_puzzle
from tests.crossing import crossed
from tests.each import for_each
from tests.encoding.files.formulas import PROGRAM, text_of
from tests.oracle import solutions_of

ENCODINGS = [encoding for encoding in Encoding if encoding is not Encoding.REDUCED]
SIZE = "c 2 variables, 1 soft clauses (the givens), 2 hard clauses (the rules)\n"
WHOLE = SIZE + "1 2 0\nh 1 2 0\nh -1 -2 0\n"

every_encoding = for_each("encoding", ENCODINGS)


def reader_of(text: str) -> WcnfReader:
    return WcnfReader(text.splitlines(keepends=True), "p.wcnf")


def fewest_dropped(puzzle: Puzzle) -> int:
    """How many givens the nearest grid breaks, by looking at every grid of 4x4."""
    return min(
        sum(solution[cell] != digit for cell, digit in puzzle.givens.items())
        for solution in solutions_of(2, 2, [0] * 16)
        if not find_fault(
            Grid(puzzle.geometry, solution), puzzle.with_grid(Grid.empty(puzzle.geometry))
        )
    )


def require_optimum(text: str, puzzle: Puzzle) -> int:
    """What RC2 says of the file, whose model is a grid that obeys the rules."""
    with RC2(WCNF(from_string=text)) as solver:
        model = solver.compute()
        grid = decode(puzzle.geometry, model)
        assert not find_fault(grid, puzzle.with_grid(Grid.empty(puzzle.geometry)))
        dropped = sum(grid.digits[cell] != digit for cell, digit in puzzle.givens.items())
        assert solver.cost == dropped
        return dropped


@crossed(4, seed=range(6), encoding=ENCODINGS)
def test_the_least_cost_is_the_least_number_of_givens_to_drop(
    encoding: Encoding, seed: int
) -> None:
    rng = Random(f"{encoding} {seed}")
    givens = {cell: rng.randint(1, 4) for cell in rng.sample(range(16), rng.randint(1, 16))}
    puzzle = Puzzle(Grid.empty(Geometry(2, 2)).with_digits(givens))
    text = text_of(Export(puzzle, encoding, rng.choice(list(Method))), FormulaKind.WCNF)
    assert require_optimum(text, puzzle) == fewest_dropped(puzzle)


def test_rules_are_hard() -> None:
    """A given that a rule forbids is dropped as well."""
    empty = Puzzle(Grid.empty(Geometry(2, 2)))
    rules = [read_rule(name, empty.geometry) for name in ("diagonals", "odd:r1c1")]
    puzzle = empty.with_rules(rules).with_grid(empty.grid.with_digits({0: 2, 5: 1, 15: 1}))
    assert (
        require_optimum(text_of(Export(puzzle), FormulaKind.WCNF), puzzle)
        == fewest_dropped(puzzle)
        > 1
    )


@pytest.mark.parametrize("make", [clashing_puzzle, stuck_puzzle])
def test_an_impossible_board_of_9x9_drops_one_given(make: object) -> None:
    assert callable(make)
    puzzle = make(Geometry(3, 3))
    assert require_optimum(text_of(Export(puzzle), FormulaKind.WCNF), puzzle) == 1


@crossed(4, geometry=SHAPES, encoding=ENCODINGS)
def test_it_reads_back_with_its_puzzle(encoding: Encoding, geometry: Geometry) -> None:
    puzzle = random_puzzle(Random(1), geometry)
    export = Export(puzzle, encoding, Method.LADDER, has_names=True, has_reasons=True)
    reader = reader_of(text_of(export, FormulaKind.WCNF))
    assert reader.comments[0] == PROGRAM
    assert read_geometry(reader, "p.wcnf") == geometry
    assert read_puzzle(reader, geometry, "p.wcnf") == puzzle
    assert read_encoding(reader) == (encoding, Method.LADDER)
    hard = [clause for clause, _ in reader.numbered_clauses()]
    written = [clause for group in export.groups() for clause in group.clauses]
    # A board of one cell says that it has a digit, and needs no givens.
    soft = len(puzzle.givens) if geometry.size > 1 else 0
    assert hard == written[soft:]
    assert reader.cost(set()) == soft
    assert reader.cost({clause[0] for clause in written[:soft]}) == 0


def test_only_variables_of_cells_are_shown_where_there_are_others() -> None:
    export = Export(Puzzle(Grid.empty(Geometry(2, 2))), at_most_one=Method.SEQUENTIAL)
    shown = f"\nc p show {' '.join(map(str, range(1, 65)))} 0\n"
    assert shown in text_of(export, FormulaKind.WCNF)


@for_each(
    "text, line, words",
    [
        ("", 0, "no comment before the clauses"),
        ("p wcnf 2 3 4\n4 1 2 0\n", 0, "no comment before the clauses"),
        (WHOLE.replace("h -1 -2 0\n", ""), 0, "promises 1 soft and 2 hard clauses.* has 1 and 1"),
        (WHOLE + "1 1 0\n", 0, "has 2 and 2"),
        (WHOLE + "h 1 3 0\n", 5, "variable 3 is out of range"),
        (WHOLE + "h 1 2\n", 5, "not a clause with its weight"),
        (WHOLE + "0 1 0\n", 5, "not a clause with its weight"),
        (WHOLE + "1.5 1 0\n", 5, "not a clause with its weight"),
        (WHOLE + f"{'9' * 5000} 1 0\n", 5, "not a clause with its weight"),
    ],
)
def test_damage_is_named_with_its_line(text: str, line: int, words: str) -> None:
    with pytest.raises(DimacsError, match=words) as caught:
        list(reader_of(text).numbered_clauses())
    assert caught.value.line == line


def test_weights_add_up() -> None:
    reader = reader_of(WHOLE.replace("\n1 2 0", "\n7 2 0"))
    assert [clause for clause, _ in reader.numbered_clauses()] == [(1, 2), (-1, -2)]
    assert (reader.cost({1}), reader.cost({2})) == (7, 0)
