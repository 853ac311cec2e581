"""Formulas without a model, and what solvers say against them."""

import itertools
import random
from collections.abc import Iterable

from pysat.solvers import Solver

from satdoku.certifying import rup
from satdoku.certifying.rup import ProofStep

Clause = tuple[int, ...]

SOLVERS = ["cadical103", "cadical153", "cadical195", "glucose3", "glucose4", "lingeling", "maplecm"]
FOUR: list[Clause] = [(1, 2), (1, -2), (-1, 2), (-1, -2)]


def pigeonhole(pigeons: int, holes: int, first: int = 1) -> list[Clause]:
    """Each pigeon has a hole of its own: impossible with more pigeons than holes."""
    variables = [[first + p * holes + h for h in range(holes)] for p in range(pigeons)]
    pairs = itertools.combinations(range(pigeons), 2)
    return [tuple(row) for row in variables] + [
        (-variables[p][h], -variables[q][h]) for p, q in pairs for h in range(holes)
    ]


def random_formula(seed: int, variables: int, size: int) -> list[Clause]:
    """Clauses of three literals; impossible when there are enough of them."""
    chance = random.Random(seed)
    return [
        tuple(v * chance.choice((1, -1)) for v in chance.sample(range(1, variables + 1), 3))
        for _ in range(size)
    ]


def prove(formula: Iterable[Clause], solver: str = "cadical153") -> tuple[ProofStep, ...]:
    """A solver's proof that the formula has no model."""
    with Solver(solver, bootstrap_with=formula, with_proof=True) as session:
        assert session.solve() is False
        return tuple(rup.read_proof(session.get_proof()))


def read_proof(text: str, source: str = "<proof>") -> tuple[ProofStep, ...]:
    """The steps of a DRAT proof."""
    return tuple(rup.read_proof(text.split("\n"), source))
