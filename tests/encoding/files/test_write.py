import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import chain, groupby, islice
from operator import neg
from random import Random

import pytest
from pysat.formula import CNF
from pysat.solvers import Solver

from satdoku.encoding.choices import Encoding, Method
from satdoku.encoding.files.dimacs import (
    Export,
    blocks_solution,
    read_encoding,
    read_geometry,
    read_puzzle,
)
from satdoku.encoding.size import rules_size
from satdoku.encoding.variables import placement, variable_count
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from tests.boards import SHAPES, clashing_puzzle, full_grid, random_puzzle, stuck_puzzle
from tests.crossing import crossed
from tests.each import for_each
from tests.encoding.files.formulas import PROGRAM, read_back, text_of
from tests.oracle import solutions_of

SMALL = [Geometry(1, 1), Geometry(2, 1), Geometry(2, 2), Geometry(2, 3)]

every_shape = for_each("geometry", SHAPES)
every_encoding = for_each("encoding", Encoding)


def grids_of(geometry: Geometry) -> list[Grid]:
    """Empty, with some givens, full, and, where the board allows it, impossible ones."""
    rng = Random(str(geometry))
    full = full_grid(rng, geometry)
    grids = [Grid.empty(geometry), random_puzzle(rng, geometry).grid, full]
    if geometry.size > 2:
        grids += [clashing_puzzle(geometry).grid, stuck_puzzle(geometry).grid]
        grids.append(full.with_digits({0: full.digits[1]}))
    return grids


HUGE = [m for m in Method if m.value.endswith(("totalizer", "network"))]


def some_exports(geometry: Geometry, encoding: Encoding) -> Iterator[Export]:
    """By each method: formulas of every kind of tiny board, of one where they are larger.

    Beyond 4x4 it is every third method; the next encoding has the others. The methods whose
    formulas are huge have a slow test of their own for boards beyond 6x6.
    """
    grids, is_small = grids_of(geometry), geometry.size < 9
    methods = [method for method in Method if geometry.size <= 6 or method not in HUGE]
    if geometry.size > 4:
        methods = methods[list(Encoding).index(encoding) % 3 :: 3]
    for grid in grids if geometry.size < 4 else grids[1:2]:
        for method in methods:
            yield Export(Puzzle(grid), encoding, method, has_names=is_small, has_reasons=is_small)


@crossed(10, geometry=SHAPES, encoding=Encoding)
def test_the_header_counts_and_no_clause_is_idle(geometry: Geometry, encoding: Encoding) -> None:
    for export in some_exports(geometry, encoding):
        require_exact(export)


@pytest.mark.slow
@every_encoding
@pytest.mark.parametrize("method", HUGE, ids=lambda m: m.value)
@pytest.mark.parametrize("geometry", [Geometry(3, 3), Geometry(2, 5)], ids=str)
def test_so_do_those_of_huge_formulas(
    geometry: Geometry, encoding: Encoding, method: Method
) -> None:
    for grid in grids_of(geometry):
        require_exact(Export(Puzzle(grid), encoding, method))


def require_exact(export: Export) -> None:
    """Our strict reader counts the clauses and checks every literal."""
    cnf = read_back(export)
    used = set(map(abs, chain.from_iterable(cnf.clauses)))
    assert cnf.variables == max(variable_count(export.puzzle.geometry), max(used))
    sets = [frozenset(clause) for clause in cnf.clauses]
    if export.at_most_one is not Method.TEXTBOOK:  # which states some pairs twice
        assert len(set(sets)) == len(sets)
    assert all(clause.isdisjoint(map(neg, clause)) for clause in sets)
    assert list(map(len, sets)) == list(map(len, cnf.clauses))
    assert frozenset() not in sets


@crossed(5, geometry=SHAPES, encoding=Encoding)
def test_bare_rules_have_the_sizes_of_the_table(geometry: Geometry, encoding: Encoding) -> None:
    cnf = read_back(Export(Puzzle(Grid.empty(geometry)), encoding))
    plain = Encoding.EXTENDED if encoding is Encoding.REDUCED else encoding
    assert (cnf.variables, len(cnf.clauses)) == rules_size(geometry, plain, Method.PAIRWISE)


@pytest.mark.slow
@crossed(len(SMALL), geometry=SMALL, encoding=Encoding)
def test_python_sat_reads_the_same_clauses(geometry: Geometry, encoding: Encoding) -> None:
    for export in some_exports(geometry, encoding):
        found = CNF(from_string=text_of(export))
        expected = read_back(export)
        assert [tuple(clause) for clause in found.clauses] == list(expected.clauses)
        assert found.nv <= expected.variables


@crossed(len(SMALL), geometry=SMALL, encoding=Encoding)
def test_the_bytes_are_the_same_each_time(geometry: Geometry, encoding: Encoding) -> None:
    for export in islice(some_exports(geometry, encoding), 0, None, 4):
        assert text_of(export) == text_of(export)


@pytest.mark.slow
def test_the_bytes_do_not_depend_on_the_process() -> None:
    script = (
        "import hashlib, sys; from satdoku.cli.main import run; from io import StringIO;"
        "sys.stdout = out = StringIO(); run(['export', '--rules-only', '2x3', '--annotate']);"
        "sys.__stdout__.write(hashlib.sha256(out.getvalue().encode()).hexdigest())"
    )
    hashes = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={"PYTHONHASHSEED": seed, "PATH": ""},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(hashes) == 1


@crossed(len(SMALL), geometry=SMALL, encoding=Encoding)
def test_no_comment_begins_like_a_header(geometry: Geometry, encoding: Encoding) -> None:
    """But for `c p show` with the cell variables, where there are others."""
    for export in some_exports(geometry, encoding):
        cnf = read_back(export)
        shown = [comment for comment in cnf.comments if comment.startswith("p")]
        has_auxiliaries = cnf.variables > variable_count(geometry)
        cells = " ".join(map(str, range(1, variable_count(geometry) + 1)))
        assert shown == ([f"p show {cells} 0"] if has_auxiliaries else [])


@pytest.mark.parametrize(
    ("encoding", "method", "has_several"),
    [
        (Encoding.EXTENDED, Method.PAIRWISE, False),
        (Encoding.EXTENDED, Method.SEQUENTIAL, False),
        (Encoding.EXTENDED, Method.TOTALIZER, True),
        (Encoding.TRIADS, Method.SEQUENTIAL, True),
        (Encoding.TRIADS, Method.PAIRWISE, False),
    ],
)
def test_a_comment_tells_where_a_solution_may_have_several_models(
    encoding: Encoding, method: Method, has_several: bool
) -> None:
    export = Export(Puzzle(Grid.empty(Geometry(2, 3))), encoding, method)
    told = ["several models" in comment for comment in read_back(export).comments]
    assert told.count(True) == has_several
    assert not has_several or read_back(export).comments[told.index(True) + 1].startswith("p show")


@every_shape
def test_names_are_those_of_the_variables(geometry: Geometry) -> None:
    cnf = read_back(Export(Puzzle(Grid.empty(geometry)), Encoding.TRIADS, has_names=True))
    names = [c.split()[1:] for c in cnf.comments if c.startswith("varname ")]
    assert [int(number) for number, _ in names] == list(range(1, cnf.variables + 1))
    for number, name in names[: variable_count(geometry)]:
        cell, digit = placement(geometry, int(number))
        row, column = divmod(cell, geometry.size)
        assert name == f"r{row + 1}c{column + 1}={digit}"
    auxiliaries = [name for _, name in names[variable_count(geometry) :]]
    assert auxiliaries == [f"aux{n}" for n in range(1, len(auxiliaries) + 1)]


@crossed(len(SMALL), geometry=SMALL, encoding=Encoding)
def test_comments_lead_back_to_the_puzzle(geometry: Geometry, encoding: Encoding) -> None:
    for grid in grids_of(geometry):
        cnf = read_back(Export(Puzzle(grid), encoding, Method.LADDER))
        assert cnf.comments[0] == PROGRAM
        assert read_geometry(cnf, "f.cnf") == geometry
        assert read_puzzle(cnf, geometry, "f.cnf") == Puzzle(grid)
        assert read_encoding(cnf) == (encoding, Method.LADDER)
        assert not blocks_solution(cnf)


def test_a_comment_names_the_encoding_used_where_minimal_does_not_fit() -> None:
    puzzle = Puzzle(Grid.empty(Geometry.parse("board:4x4:boxes=2x2:beside=D*4x4")))
    cnf = read_back(Export(puzzle, Encoding.MINIMAL))
    assert any(each.startswith("encoding efficient, ") for each in cnf.comments)


def test_comments_say_the_formula_of_the_variables() -> None:
    text = text_of(Export(Puzzle(Grid.empty(Geometry(2, 3)))))
    assert "\nc variable (row - 1) * 36 + (column - 1) * 6 + digit: " in text
    assert text.count("\nc ") == 3


def annotated(text: str) -> Iterator[tuple[str, list[str]]]:
    """Each reason with the clauses below it."""
    body = text.split("\np cnf ", 1)[1].splitlines()[1:]
    reason = ""
    for is_comment, lines in groupby(body, lambda line: line.startswith("c ")):
        if is_comment:
            reason = list(lines)[-1].removeprefix("c ")
        else:
            yield reason, list(lines)


@every_encoding
def test_annotations_group_the_clauses_under_their_rules(encoding: Encoding) -> None:
    grid = grids_of(Geometry(2, 3))[1]
    export = Export(Puzzle(grid), encoding, has_reasons=True)
    groups = dict(annotated(text_of(export)))
    expected: dict[str, list[str]] = {}
    for group in export.groups():
        lines = [" ".join(map(str, (*clause, 0))) for clause in group.clauses]
        expected.setdefault(str(group.reason), []).extend(lines)
    assert groups.keys() == expected.keys()
    cell, digit = next(iter(grid.givens.items()))
    name = grid.geometry.name_of(cell)
    assert groups[f"{name} is given as {digit}"] == [f"{cell * 6 + digit} 0"]


def test_annotations_state_the_rules_of_a_small_board() -> None:
    groups = dict(annotated(text_of(Export(Puzzle(Grid.empty(Geometry(2, 2))), has_reasons=True))))
    assert groups["r1c1 has a digit"] == ["1 2 3 4 0"]
    assert groups["1 stands somewhere in box 1"] == ["1 5 17 21 0"]
    # What row 1 and column 1 say of box 1 is not said again.
    assert groups["1 stands at most once in box 1"] == ["-1 -21 0", "-5 -17 0"]


def test_annotations_are_comments_only() -> None:
    grid = grids_of(Geometry(2, 3))[1]
    plain, annotated = (
        read_back(Export(Puzzle(grid), has_reasons=has_reasons)) for has_reasons in (False, True)
    )
    assert plain.clauses == annotated.clauses
    assert len(annotated.comments) > len(plain.comments)


@crossed(3, seed=range(12), geometry=[Geometry(2, 2), Geometry(2, 3), Geometry(3, 2)])
def test_a_blocked_solution_leaves_a_model_exactly_when_there_is_another(
    geometry: Geometry, seed: int
) -> None:
    rng = Random(f"{geometry} {seed}")
    grid = random_puzzle(rng, geometry, 0.3, 0.8).grid
    found = solutions_of(geometry.box_rows, geometry.box_columns, grid.digits)
    solution, another = next(found, None), next(found, None)
    if solution is None:
        return
    encoding, method = rng.choice(list(Encoding)), rng.choice(list(Method))
    cnf = read_back(Export(Puzzle(grid), encoding, method, blocked=Grid(geometry, solution)))
    assert blocks_solution(cnf)
    with Solver("minisat22", bootstrap_with=cnf.clauses) as solver:
        assert solver.solve() is (another is not None)


@every_encoding
def test_blocking_a_full_grid_contradicts_it(encoding: Encoding) -> None:
    grid = full_grid(Random(1), Geometry(2, 3))
    cnf = read_back(Export(Puzzle(grid), encoding, blocked=grid))
    assert len(cnf.clauses[-1]) == 36
    with Solver("minisat22", bootstrap_with=cnf.clauses) as solver:
        assert not solver.solve()


@pytest.mark.parametrize("geometry", [Geometry(4, 4), Geometry(2, 5)], ids=str)
def test_large_boards_write_their_puzzle_as_numbers(geometry: Geometry) -> None:
    grid = random_puzzle(Random(3), geometry).grid
    cnf = read_back(Export(Puzzle(grid), Encoding.REDUCED, blocked=full_grid(Random(3), geometry)))
    assert re.fullmatch(r"sudoku [0-9.]+( [0-9.]+)*", cnf.comments[1])
    assert read_puzzle(cnf, geometry, "f.cnf") == Puzzle(grid)


def test_a_large_formula_is_streamed() -> None:
    """300,000 clauses of 20x20 need hardly more memory than the 384 of 4x4."""
    script = (
        "import resource, sys; from satdoku.cli.main import run;"
        "sys.stdout = open('/dev/null', 'w')"
        "\nfor box in ('2x2', '4x5'):"
        "\n    run(['export', '--rules-only', box])"
        "\n    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)"
    )
    pytest.importorskip("resource")
    command = [sys.executable, "-c", script]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    small, large = map(int, said.split())
    assert large - small < 20_000, f"{large - small} KB"
