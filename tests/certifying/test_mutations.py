"""Certificates of puzzles with several rules, changed at random: none may be accepted that lies."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

import pytest

from satdoku.certifying.certificate import Certificate, ProofFormat
from satdoku.certifying.certify import certify
from satdoku.certifying.verify import verify
from satdoku.encoding.choices import Encoding
from satdoku.encoding.meanings import MARK, describe
from satdoku.errors import CertificateError, SatdokuError
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import read_rules
from satdoku.puzzle.verdict import Verdict
from tests.certifying.mutations import spoil_line, spoil_text
from tests.certifying.puzzles_with_rules import (
    SMALL,
    every_grid,
    random_puzzles,
    random_rule,
    solutions,
)

_CHANGES_OF_A_CERTIFICATE = 40

PROGRAM = "satdoku 1.2.3"
ENCODINGS = (Encoding.EXTENDED, Encoding.EFFICIENT, Encoding.MINIMAL)


def random_certificates(rng: Random) -> Iterator[Certificate]:
    for puzzle in random_puzzles(rng):
        form, encoding = rng.choice([*ProofFormat]), rng.choice(ENCODINGS)
        try:
            is_whole = rng.random() < 0.5
            made = certify(puzzle, PROGRAM, encoding=encoding, proof_format=form, is_whole=is_whole)
        except SatdokuError:
            continue  # a clause rests on more than one rule
        # Two solutions are judged, and most puzzles have them; a few of these are enough.
        if made.formula or rng.random() < 0.1:
            yield made


def with_another_puzzle(certificate: Certificate, rng: Random) -> Certificate:
    """The certificate with a given or a rule changed, and with the header of that puzzle."""
    puzzle, rules = certificate.puzzle, [*certificate.puzzle.further_rules]
    cell, digit = rng.randrange(16), rng.randint(0, 4)
    kind = rng.randrange(5)
    if kind == 0:
        puzzle = puzzle.with_grid(puzzle.grid.with_digits({cell: digit}))
    elif kind == 1:
        rules = rules[: rng.randrange(len(rules))]
    elif kind == 2:
        rng.shuffle(rules)
    else:
        rules[rng.randrange(len(rules))] = read_rules([random_rule(rng)], SMALL)[-1]
    return headed(replace(certificate, puzzle=Puzzle(puzzle.grid).with_rules(rules)))


def with_another_verdict(certificate: Certificate, rng: Random) -> Certificate:
    verdict = rng.choice((Verdict.NONE, Verdict.UNIQUE, Verdict.MULTIPLE))
    pool = [*certificate.solutions, *rng.sample(every_grid(), 2)]
    count = {Verdict.NONE: 0, Verdict.UNIQUE: 1, Verdict.MULTIPLE: 2}[verdict]
    chosen = pool[:count] if rng.random() < 0.5 else rng.sample(pool, count)
    return headed(replace(certificate, verdict=verdict, solutions=tuple(chosen)))


def with_other_meanings(certificate: Certificate, rng: Random) -> Certificate:
    lines = certificate.formula.splitlines(keepends=True)
    places = [place for place, line in enumerate(lines) if line.startswith(f"c {MARK}")]
    if not places:
        return with_other_clauses(certificate, rng)
    place, other = rng.choice(places), rng.choice(places)
    numbers = [word for word in lines[place].replace(",", " ").split() if word.isdigit()]
    if numbers and rng.random() < 0.8:
        number = rng.choice(numbers)
        lines[place] = lines[place].replace(number, str(int(number) + rng.choice((1, -1))), 1)
    else:
        first, second = lines[place].split(" ", 3), lines[other].split(" ", 3)
        lines[place] = " ".join([*first[:3], second[3]])
    return headed(replace(certificate, formula="".join(lines)))


def with_other_clauses(certificate: Certificate, rng: Random) -> Certificate:
    head, _, body = certificate.formula.partition("\np cnf ")
    clauses = body.splitlines(keepends=True)[1:]
    for _ in range(rng.choice((1, 1, 2))):
        place = rng.randrange(len(clauses) or 1)
        kind = rng.randrange(3)
        if kind == 0 and clauses:
            clauses[place] = spoil_line(rng, clauses[place].rstrip("\n")) + "\n"
        elif kind == 1:
            del clauses[place : place + 1]
        else:
            auxiliaries = [str(rng.choice((1, -1)) * rng.randint(1, 90)) for _ in range(3)]
            clauses.insert(place, " ".join([*auxiliaries[: rng.randint(1, 3)], "0\n"]))
    header = f"\np cnf {body.partition(' ')[0]} {len(clauses)}\n"
    return replace(certificate, formula=head + header + "".join(clauses))


def with_another_proof(certificate: Certificate, rng: Random) -> Certificate:
    return replace(certificate, proof=spoil_text(rng, certificate.proof))


def headed(certificate: Certificate) -> Certificate:
    """The certificate with the comments that its formula has to begin with, and a right count."""
    if not certificate.formula:
        return certificate
    lines = certificate.formula.splitlines(keepends=True)
    rest = [line for line in lines if line[0] != "c" or line.startswith(f"c {MARK}")]
    blocked = certificate.solutions[0] if certificate.solutions else None
    how = f"encoding {certificate.encoding}, at most one by pairwise"
    head = [f"c {line}\n" for line in describe(certificate.puzzle, PROGRAM, how, blocked)]
    return replace(certificate, formula="".join([*head, *rest]))


CHANGES: tuple[Callable[[Certificate, Random], Certificate], ...] = (
    with_another_puzzle,
    with_another_verdict,
    with_other_meanings,
    with_other_clauses,
    with_another_proof,
)


def changed(certificate: Certificate, rng: Random) -> Certificate | None:
    """The certificate with one to three changes; None where a change makes no puzzle."""
    for change in rng.sample(CHANGES, rng.choice((1, 1, 2, 3))):
        if not certificate.formula and change not in (with_another_puzzle, with_another_verdict):
            continue
        try:
            certificate = change(certificate, rng)
        except SatdokuError:
            return None
    return certificate


def is_accepted(certificate: Certificate) -> bool:
    try:
        verify(certificate)
    except CertificateError:
        return False
    return True


def verdict_of(puzzle: Puzzle) -> Verdict:
    """The verdict by trying all grids."""
    return (Verdict.NONE, Verdict.UNIQUE, Verdict.MULTIPLE)[min(2, len(solutions(puzzle)))]


@pytest.mark.parametrize(
    "wanted", [60, pytest.param(20_000, marks=pytest.mark.slow)], ids="{:,} changes".format
)
def test_a_changed_certificate_is_refused_or_true(wanted: int) -> None:
    rng = Random(f"{wanted} changes")
    tried = accepted = 0
    for certificate in random_certificates(rng):
        for _ in range(_CHANGES_OF_A_CERTIFICATE):
            other = changed(certificate, rng)
            if other is None or other == certificate:
                continue
            tried += 1
            if is_accepted(other):
                accepted += 1
                assert other.verdict is verdict_of(other.puzzle), (other, other.formula)
        if tried >= wanted:
            break
    assert accepted
