"""Clauses that the second verifier accepts hold in every solution, whoever wrote them."""

from pathlib import Path
from random import Random

import pytest
from pysat.solvers import Solver

from satdoku.certifying.certificate import Certificate
from satdoku.encoding.choices import Encoding
from satdoku.encoding.encode import encode
from satdoku.encoding.meanings import write_meanings
from satdoku.encoding.variables import Clause
from satdoku.puzzle.judge import find_fault
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.classic import CLASSIC
from satdoku.puzzle.verdict import Verdict
from tests.certifying.meanings import meanings_of
from tests.certifying.second import accepted_clauses, needs_compiler
from tests.certifying.test_second import random_puzzle
from tests.certifying.test_second_mutations import spoil_comments
from tests.crossing import few_or_many
from tests.puzzle.rules.instances import every_grid

pytestmark = needs_compiler


def changed(rng: Random, clause: Clause, highest: int) -> Clause:
    """A clause with a literal less, negated, exchanged or more."""
    literals = list(clause)
    for _ in range(rng.choice((1, 1, 2))):
        place, other = rng.randrange(len(literals)), rng.choice((1, -1)) * rng.randint(1, highest)
        kind = rng.randrange(4)
        if kind == 0 and len(literals) > 1:
            del literals[place]
        elif kind == 1:
            literals[place] *= -1
        elif kind == 2:
            literals[place] = other
        else:
            literals.insert(place, other)
    return tuple(literals)


def formula_of(rng: Random, puzzle: Puzzle) -> tuple[str, list[Clause], int]:
    """A formula with clauses of the encoder and others, in which comments may be changed.

    Returns the clauses too, and how many of the first ones have to be accepted.
    """
    meanings = meanings_of(puzzle)
    ours = [c for group in encode(puzzle, Encoding.EXTENDED) for c in group.clauses]
    highest = max([64, *meanings])
    wide = [c for c in ours if max(map(abs, c)) > 64 or len(c) > 2]
    others = [changed(rng, rng.choice(wide or ours), highest) for _ in range(100)]
    comments = "".join(f"c {each}\n" for each in write_meanings(meanings, puzzle.geometry))
    clauses, required = [*ours, *others], len(ours)
    # What states of machines are is read off the clauses, so those that come first matter.
    if rng.random() < 0.5:
        clauses, required = rng.sample(clauses, len(clauses) * 3 // 4), 0
    if rng.random() < 0.3:
        comments, required = spoil_comments(rng, comments), 0
    lines = [" ".join(map(str, (*clause, 0))) + "\n" for clause in clauses]
    return comments + f"p cnf {highest} {len(clauses)}\n" + "".join(lines), clauses, required


def check_clauses(rng: Random, folder: Path, is_sanitized: bool = False) -> int:
    puzzle = random_puzzle(rng)
    formula, clauses, required = formula_of(rng, puzzle)
    certificate = Certificate(
        puzzle, Verdict.NONE, (), "extended", "x", "satdoku 1", formula, "0\n"
    )
    accepted = accepted_clauses(certificate, folder, is_sanitized)
    assert len(accepted) in (0, len(clauses))
    assert all(accepted[:required])
    assert accepted or not required
    kept = [clause for clause, is_accepted in zip(clauses, accepted, strict=False) if is_accepted]
    with Solver("cadical153", bootstrap_with=kept) as solver:
        for grid in every_grid(CLASSIC):
            if not find_fault(grid, puzzle) and all(
                given in (0, digit)
                for given, digit in zip(puzzle.grid.digits, grid.digits, strict=True)
            ):
                literals = [4 * cell + digit for cell, digit in enumerate(grid.digits)]
                assert solver.solve(literals), (puzzle.rules, grid)
    return len(kept)


@few_or_many("count", 2, 10)
def test_clauses_that_it_accepts_hold_in_every_solution(count: int, tmp_path: Path) -> None:
    accepted = sum(check_clauses(Random(seed), tmp_path) for seed in range(count))
    assert accepted > 80 * count


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 2000, 250))
def test_of_a_quarter_million_clauses_all_that_it_accepts_hold(first: int, tmp_path: Path) -> None:
    seeds = range(first, first + 250)
    accepted = sum(check_clauses(Random(seed), tmp_path, is_sanitized=True) for seed in seeds)
    assert accepted > 80 * len(seeds)
