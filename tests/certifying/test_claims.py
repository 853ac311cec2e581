"""Clauses with auxiliary variables, and who may pass as one that a rule says."""

from dataclasses import replace
from random import Random

import pytest
from pysat.solvers import Solver

from satdoku.certifying.certify import certify
from satdoku.certifying.justify import Justifier
from satdoku.certifying.verify import verify
from satdoku.encoding.choices import Encoding
from satdoku.encoding.constraint import Clause
from satdoku.encoding.encode import encode
from satdoku.errors import CertificateError
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import read_rules
from satdoku.puzzle.verdict import Verdict

SMALL = Geometry(2, 2)

LOOSE = [
    "killer:7=r1c1,r1c2,r2c2",
    "renban:r1c1,r2c1,r2c2",
    "sum:9=r1c1,r2c2,r3c3,r4c4",
    "sum:6=r1c1,2*r2c2,-r3c4",
    "arrow:r1c1=r2c3,r3c4",
    "arrow:r1c1,r1c2=r2c3,r3c4,r4c1,r4c2",
    "region-sum:r1c1,r2c1,r3c3",
    "zipper:r1c1,r2c2,r3c3",
    "quadruple:1/2=r2c2",
    "quadruple:1/1=r2c2",
]


def ruled(text: str) -> Puzzle:
    return Puzzle(Grid.empty(SMALL)).with_rules(read_rules([text], SMALL))


def changed(clause: Clause, highest: int, rng: Random) -> Clause:
    """A clause that is weaker or stronger than another, or says something else."""
    literals = list(clause)
    place = rng.randrange(len(literals))
    kind = rng.randrange(3)
    if kind == 0 and len(literals) > 1:
        del literals[place]
    elif kind == 1:
        literals[place] = -literals[place]
    else:
        literals[place] = rng.choice((1, -1)) * rng.randint(1, highest)
    return tuple(literals)


@pytest.mark.parametrize("text", LOOSE)
def test_only_what_follows_is_justified(text: str) -> None:
    """Asked of a solver, for the clauses of the formula and for others like them.

    The rules have many solutions, since of a puzzle with one nearly everything follows.
    """
    puzzle, rng = ruled(text), Random(text)
    clauses = [c for group in encode(puzzle, Encoding.EXTENDED) for c in group.clauses]
    justifier = Justifier(puzzle)
    ours = [c for c in clauses if max(map(abs, c)) > 64 or len(c) > 2]
    assert ours
    assert all(map(justifier.is_justified, clauses))
    refused = 0
    with Solver("minicard", bootstrap_with=clauses) as solver:
        for clause in rng.sample(ours, min(len(ours), 60)):
            other = changed(clause, justifier.highest, rng)
            follows = not solver.solve(assumptions=[-literal for literal in set(other)])
            if not follows:
                refused += 1
                assert not justifier.is_justified(other), other
    assert refused


def test_rules_that_a_certificate_does_not_have_justify_nothing() -> None:
    puzzle, other = ruled("killer:7=r1c1,r1c2,r2c2"), ruled("killer:8=r1c1,r1c2,r2c2")
    clauses = {c for group in encode(puzzle, Encoding.EXTENDED) for c in group.clauses}
    justifier = Justifier(other)
    assert not all(map(justifier.is_justified, clauses))


FORGED = [
    ("killer:7=r1c1,r1c2,r2c2", "killer:6=r1c1,r1c2,r2c2"),
    ("killer:7=r1c1,r1c2,r2c2", "killer:7=r1c1,r1c2,r2c1"),
    ("arrow:r1c1=r2c3,r3c4", "arrow:r1c1=r2c3,r4c4"),
    ("renban:r1c1,r2c1,r2c2", "renban:r1c1,r2c1,r1c2"),
]


@pytest.mark.parametrize(("text", "forged"), FORGED)
def test_a_certificate_of_another_rule_is_refused(text: str, forged: str) -> None:
    # A given that no solution has makes a puzzle without one, of which the proof is all there is.
    puzzle = ruled(text)
    given = puzzle.with_grid(Grid(SMALL, (4, 3, *(0,) * 13, 1)))
    certificate = certify(given, "satdoku 1")
    if certificate.verdict is Verdict.MULTIPLE:
        given = puzzle.with_grid(Grid(SMALL, (4, 4, *(0,) * 14)))
        certificate = certify(given, "satdoku 1")
    assert verify(certificate).verdict is certificate.verdict
    other = replace(certificate, puzzle=ruled(forged).with_grid(given.grid))
    with pytest.raises(CertificateError):
        verify(other)


def test_a_formula_whose_auxiliaries_are_changed_is_refused() -> None:
    puzzle = ruled("killer:7=r1c1,r1c2,r2c2")
    certificate = certify(puzzle.with_grid(Grid(SMALL, (4, 4, *(0,) * 14))), "satdoku 1")
    for old, new in (("-65 ", "-66 "), ("p cnf 68", "p cnf 67"), ("\n65 ", "\n-65 ")):
        if old in certificate.formula:
            with pytest.raises(CertificateError):
                verify(replace(certificate, formula=certificate.formula.replace(old, new, 1)))


@pytest.mark.parametrize("rule", ["sum:5=r1c1-3", "sum:10=r1c1-3"])
def test_no_certificate_is_written_that_would_not_verify(rule: str) -> None:
    puzzle = Puzzle(Grid.empty(Geometry(2, 2)))
    puzzle = puzzle.with_rules(read_rules([rule], puzzle.geometry))
    with pytest.raises(CertificateError, match="no certificate can be written"):
        certify(puzzle, "satdoku 0")
