"""Where a solution has several models, counted, and what is claimed of it."""

from collections.abc import Iterable, Iterator
from itertools import islice
from random import Random

from pysat.solvers import Solver

from satdoku.encoding.choices import Encoding, Method
from satdoku.encoding.constraint import may_vary, template
from satdoku.encoding.encode import auxiliaries_may_vary, encode
from satdoku.encoding.size import rules_auxiliaries_may_vary
from satdoku.encoding.variables import Clause, variable_count
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.classic import CLASSIC
from satdoku.puzzle.rules.registry import read_rule
from tests.boards import SHAPES, full_grid, thin_out
from tests.crossing import crossed
from tests.each import for_each
from tests.formulas import clauses_of_grid

encodings = for_each("encoding", Encoding)
methods = for_each("method", Method)


def models(clauses: Iterable[Clause], assumed: Iterable[int] = ()) -> Iterator[list[int]]:
    """All models, auxiliary variables included, that agree with what is assumed."""
    with Solver("glucose4", bootstrap_with=clauses) as solver:
        yield from solver.enum_models(list(assumed))


@methods
@for_each("count", [*range(2, 10), 16, 25])
def test_auxiliaries_vary_where_it_is_claimed_and_nowhere_else(method: Method, count: int) -> None:
    clauses = template(method, count).clauses
    literals = range(1, count + 1)

    def has_several(true: int) -> bool:
        """Whether there is more than one model in which no literal holds but this one."""
        assumed = [literal if literal == true else -literal for literal in literals]
        return len(list(islice(models(clauses, assumed), 2))) > 1

    assert {has_several(one) for one in literals} == {may_vary(method, count, may_be_none=False)}
    assert has_several(0) == may_vary(method, count, may_be_none=True)


@crossed(5, method=Method, encoding=Encoding)
def test_4x4_has_288_models_or_more_as_is_claimed(encoding: Encoding, method: Method) -> None:
    puzzle = Puzzle(Grid.empty(Geometry(2, 2)))
    found = list(islice(models(clauses_of_grid(puzzle.grid, encoding, method)), 289))
    assert len(found) == (289 if auxiliaries_may_vary(puzzle, encoding, method) else 288)


def some_puzzles() -> Iterator[Puzzle]:
    """Of boxes of 2x3 cells segments have three, and triads say of these that at most one holds."""
    for geometry in (Geometry(2, 2), Geometry(2, 3), Geometry(3, 2)):
        rng = Random(str(geometry))
        full = full_grid(rng, geometry)
        # In the reduced encoding, the fewer givens the longer the groups.
        shares = (0, 0.3, 0.6, 0.9, 1) if geometry.size == 4 else (0, 0.6, 0.9)
        for share in shares:
            yield Puzzle(thin_out(rng, full, round(share * geometry.cell_count)))
    empty = Grid.empty(Geometry(2, 2))
    # Of a unit with three cells one of the four digits is missing.
    short = read_rule("extra-region:r1c1,r2c3,r3c2", empty.geometry)
    yield Puzzle(empty, rules=(*CLASSIC, short))


@crossed(10, method=Method, encoding=Encoding)
def test_a_solution_has_one_model_or_more_as_is_claimed(encoding: Encoding, method: Method) -> None:
    for puzzle in some_puzzles():
        if encoding is Encoding.TRIADS and not puzzle.is_classic:
            continue
        groups = encode(puzzle, encoding, method)
        clauses = [clause for group in groups for clause in group.clauses]
        solution = next(models(clauses))[: variable_count(puzzle.geometry)]
        has_several = len(list(islice(models(clauses, solution), 2))) > 1
        assert has_several == auxiliaries_may_vary(puzzle, encoding, method), puzzle


@crossed(5, geometry=SHAPES, encoding=Encoding)
def test_the_table_claims_what_the_formulas_of_empty_boards_do(
    geometry: Geometry, encoding: Encoding
) -> None:
    puzzle = Puzzle(Grid.empty(geometry))
    for method in Method:
        claimed = rules_auxiliaries_may_vary(geometry, encoding, method)
        assert claimed == auxiliaries_may_vary(puzzle, encoding, method), method
