"""Clauses with auxiliary variables, and who may pass as one that a rule says."""

import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from satdoku.certifying.certificate import Certificate, write_certificate
from satdoku.certifying.certify import certify
from satdoku.certifying.justify import Justifier
from satdoku.certifying.verify import verify
from satdoku.encoding.choices import Encoding
from satdoku.encoding.encode import encode
from satdoku.encoding.meanings import read_meanings, write_meanings
from satdoku.encoding.variables import Clause
from satdoku.errors import CertificateError, FormatError
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import read_rules
from satdoku.puzzle.verdict import Verdict
from tests.certifying.meanings import meanings_of
from tests.certifying.mutations import spoil_text
from tests.certifying.puzzles_with_rules import SMALL, solutions, true_literals
from tests.crossing import crossed, few_or_many, sampled
from tests.each import for_each
from tests.encoding.files.formulas import read_cnf

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
    "contain:1/1=r1c1-4,r2c1-4",
    "contain-exact:1/1/2=r1c1,r2c3,r3c2,r4c4",
    "counting-circles:r1c1,r2c3,r3c4,r4c2",
    "sandwich:row2=3",
    "x-sum:col1.up=6",
    "skyscraper:row1.left=2",
    "between:r1c1,r1c2,r2c3,r3c1",
    "lockout:2=r1c1,r2c1,r3c2,r2c2",
    "machine:r1c1,r2c2,r3c3,r4c4:[12]*3.*",
    "machine:r1c1,r2c3,r3c2,r4c4:@12>1,3>0;!1>1,4>0",
    "either:killer:3=r1c1,r1c2|thermo:r1c1,r2c2,r3c3&odd:r4c4",
    "either:sandwich:row1=3|skyscraper:row2=2|sum:5=r1c1,r2c3",
    "either:killer:5=r1c1-3|killer:7=r1c1-3",
]

IMPOSSIBLE = [
    "sum:5=r1c1-3",
    "sum:10=r1c1-3",
    "sandwich:row1=9",
    "x-sum:row1=2",
    "either:sum:5=r1c1-3|x-sum:row1=2",
    "either:killer:5=r1c1-3|killer:4=r1c1-3",
    "contain:1/1/2=r1c1-4",
    "machine:r1c1-4:1111",
    "counting-circles:r1c1-4,r2c1-4",
]


def ruled(text: str) -> Puzzle:
    return Puzzle(Grid.empty(SMALL)).with_rules(read_rules([text], SMALL))


def justifier_of(puzzle: Puzzle) -> Justifier:
    return Justifier(puzzle, meanings_of(puzzle))


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


def keeps(clauses: Sequence[Clause]) -> Callable[[set[int]], bool]:
    """Whether variables that hold keep all clauses."""
    return lambda true: all(any((abs(n) in true) == (n > 0) for n in c) for c in clauses)


@for_each(
    "geometry, text",
    [
        # A claim about one of five cells leaves four.
        (Geometry(3, 3), "sum:0=r6c1,r7c1,r7c2,-r5c1,-r6c2,-r7c3,-r8c1,-r8c2"),
        # The largest part of a row, column or box goes first, wherever the line came through it.
        (SMALL, "arrow:r1c1,r2c1=r1c2-4,r2c3-4,r3c4,r3c3,r2c2,r3c2,r4c3-4"),
        (Geometry(2, 3), "arrow:r1c4,r2c3=r1c5-6,r2c5-6,r3c5,r4c5,r3c6,r4c6,r5c5"),
    ],
)
def test_cells_that_differ_are_taken_together_as_the_formula_took_them(
    geometry: Geometry, text: str
) -> None:
    """Which of the cells of a sum go together decides how closely it is bounded."""
    puzzle = Puzzle(Grid.empty(geometry)).with_rules(read_rules([text], geometry))
    justifier = justifier_of(puzzle)
    clauses = [c for group in encode(puzzle, Encoding.EXTENDED) for c in group.clauses]
    assert all(map(justifier.is_justified, clauses))


@few_or_many("count", 12, 25)
@for_each("text", LOOSE)
def test_only_what_follows_is_justified(text: str, count: int) -> None:
    """Of the clauses of the formula, and of others like them that some solution breaks.

    The rules have many solutions, since of a puzzle with one nearly everything follows.
    """
    puzzle, rng = ruled(text), Random(text)
    clauses = [c for group in encode(puzzle, Encoding.EXTENDED) for c in group.clauses]
    justifier = justifier_of(puzzle)
    highest = max(max(map(abs, clause)) for clause in clauses)
    ours = [c for c in clauses if max(map(abs, c)) > 64 or len(c) > 2]
    assert ours
    assert all(map(justifier.is_justified, clauses))
    meanings = meanings_of(puzzle)
    wholes = [true_literals(meanings, grid.digits, puzzle) for grid in solutions(puzzle)]
    assert all(map(keeps(clauses), wholes))
    refused = 0
    for clause in rng.sample(ours, min(len(ours), count)):
        other = changed(clause, highest, rng)
        if not all(map(keeps([other]), wholes)):
            refused += 1
            assert not justifier.is_justified(other), other
    assert refused


def test_rules_that_a_certificate_does_not_have_justify_nothing() -> None:
    puzzle, other = ruled("killer:7=r1c1,r1c2,r2c2"), ruled("killer:8=r1c1,r1c2,r2c2")
    clauses = {c for group in encode(puzzle, Encoding.EXTENDED) for c in group.clauses}
    justifier = Justifier(other, meanings_of(puzzle))
    assert not all(map(justifier.is_justified, clauses))


FORGED = [
    ("killer:7=r1c1,r1c2,r2c2", "killer:6=r1c1,r1c2,r2c2"),
    ("killer:7=r1c1,r1c2,r2c2", "killer:7=r1c1,r1c2,r2c1"),
    ("arrow:r1c1=r2c3,r3c4", "arrow:r1c1=r2c3,r4c4"),
    ("renban:r1c1,r2c1,r2c2", "renban:r1c1,r2c1,r1c2"),
    ("sandwich:row2=3", "sandwich:row2=2"),
    ("sandwich:row2=3", "sandwich:row3=3"),
    ("x-sum:col1=6", "x-sum:col1.up=6"),
    ("skyscraper:row1=2", "skyscraper:row1=3"),
    ("between:r1c1,r1c2,r2c3", "between:r1c1,r1c2,r2c4"),
    ("lockout:2=r1c1,r2c1,r3c2", "lockout:1=r1c1,r2c1,r3c2"),
    ("machine:r1c1,r2c2,r3c3:[12]*3.*", "machine:r1c1,r2c2,r3c3:[12]*4.*"),
    ("counting-circles:r1c1,r2c3,r3c4", "counting-circles:r1c1,r2c3,r3c2"),
    ("contain-exact:1/2=r1c1,r2c2,r3c3", "contain-exact:1/3=r1c1,r2c2,r3c3"),
    ("either:killer:3=r1c1,r1c2|odd:r1c1", "either:killer:5=r1c1,r1c2|odd:r1c1"),
    ("either:killer:3=r1c1,r1c2|odd:r1c1", "either:killer:3=r1c1,r1c2|even:r1c1"),
]


@sampled(3, "text, forged", FORGED)
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


def certified(text: str) -> Certificate:
    """A certificate, with all clauses, of a puzzle with as many givens as it needs."""
    puzzle = ruled(text)
    solution = solutions(puzzle)[-1]
    for count in range(4, 16):
        givens = dict(enumerate(solution.digits[:count]))
        given = puzzle.with_grid(puzzle.grid.with_digits(givens))
        certificate = certify(given, "satdoku 1", is_whole=True)
        if certificate.verdict is Verdict.UNIQUE:
            return certificate
    raise AssertionError


def spoilt_meaning(line: str, rng: Random) -> str:
    """A comment on auxiliaries with another number, cell or word in it."""
    places = [found.span() for found in re.finditer("[0-9]+", line)]
    first, last = rng.choice(places)
    return f"{line[:first]}{int(line[first:last]) + rng.choice((1, -1, 2))}{line[last:]}"


@crossed(2, text=[*LOOSE, *IMPOSSIBLE])
def test_what_is_said_of_auxiliaries_is_checked(text: str) -> None:
    """A changed meaning is refused, or it says as well what all clauses need."""
    puzzle, rng = ruled(text), Random(text)
    meanings = meanings_of(puzzle)
    clauses = [c for group in encode(puzzle, Encoding.EXTENDED) for c in group.clauses]
    lines = [*write_meanings(meanings, SMALL)]
    told = {n: each for line in lines for n, each in read_meanings(line, SMALL)}
    assert told == meanings
    grids = [grid.digits for grid in solutions(puzzle)[:15]]
    for _ in range(3 if lines else 0):
        changed = [*lines]
        place = rng.randrange(len(lines))
        changed[place] = spoilt_meaning(lines[place], rng)
        try:
            other = {n: each for line in changed for n, each in read_meanings(line, SMALL)}
        except FormatError:
            continue
        if all(map(Justifier(puzzle, other).is_justified, clauses)):
            # Then whatever keeps the rules keeps the clauses still: the verdict is right.
            said = [true_literals(other, grid, puzzle) for grid in grids]
            assert all(map(keeps(clauses), said))


@for_each("text", IMPOSSIBLE)
def test_sums_that_cannot_be_have_certificates(text: str) -> None:
    certificate = certify(ruled(text), "satdoku 1")
    assert verify(certificate).verdict is Verdict.NONE


@crossed(2, text=LOOSE)
def test_spoilt_formulas_are_refused_or_say_nothing_wrong(text: str) -> None:
    certificate, rng = certified(text), Random(text)
    puzzle = certificate.puzzle
    meanings = meanings_of(puzzle)
    wholes = [true_literals(meanings, grid.digits, puzzle) for grid in solutions(puzzle)]
    for _ in range(2):
        formula = spoil_text(rng, certificate.formula)
        spoilt = replace(certificate, formula=formula)
        try:
            verify(spoilt)
        except CertificateError:
            continue
        *clauses, _ = read_cnf(formula.splitlines()).clauses
        assert all(map(keeps(clauses), wholes))


@pytest.mark.skipif(not shutil.which("drat-trim"), reason="drat-trim is not on the PATH")
@pytest.mark.parametrize("text", LOOSE)
def test_drat_trim_verifies_the_proof(text: str, tmp_path: Path) -> None:
    write_certificate(certified(text), tmp_path, "p")
    command = ["drat-trim", "p.cnf", "p.drat"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    # A formula without a search is refuted when it is read.
    assert "s VERIFIED" in done.stdout or "trivial UNSAT" in done.stdout
