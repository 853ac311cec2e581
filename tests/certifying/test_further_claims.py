"""Certificates of all solutions or candidates: both verifiers accept them, and no forgery."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from satdoku.certifying import certify as making
from satdoku.certifying.certificate import (
    Certificate,
    Claim,
    ProofFormat,
    read_certificate,
    write_certificate,
)
from satdoku.certifying.certify import certify
from satdoku.certifying.verify import verify
from satdoku.errors import CertificateError, SatdokuError
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.verdict import Verdict
from tests.certifying.puzzles_with_rules import random_puzzles, solutions
from tests.certifying.second import known_rules, needs_compiler, says
from tests.commands import run
from tests.crossing import crossed
from tests.each import for_each

FURTHER = (Claim.COUNT, Claim.CANDIDATES)
PROGRAM = "satdoku 1"
SEVERAL = Puzzle.from_line("1.....3.........")


def is_accepted(certificate: Certificate, folder: Path) -> bool:
    """What both verifiers say of a certificate, which is the same."""
    try:
        verify(read_certificate(write_certificate(certificate, folder, "p", force=True)))
        is_right = True
    except CertificateError:
        is_right = False
    assert says(certificate, folder)[0] == is_right
    return is_right


@needs_compiler
@for_each("seed", range(3))
def test_they_agree_with_a_list_of_all_grids(seed: int, tmp_path: Path) -> None:
    for puzzle, _ in zip(random_puzzles(Random(seed)), range(1), strict=False):
        expected = solutions(puzzle)
        names = " ".join(str(rule) + rule.name for rule in puzzle.rules)
        for claim in FURTHER:
            made = certify(puzzle, PROGRAM, claim=claim)
            if claim is Claim.COUNT:
                assert sorted(made.solutions, key=str) == sorted(expected, key=str)
            else:
                assert set(made.solutions) <= set(expected)
                assert candidates(made) == candidates(replace(made, solutions=tuple(expected)))
            assert verify(made).solutions == len(made.solutions)
            if "achine" not in names and {rule.name for rule in puzzle.rules} <= known_rules():
                assert is_accepted(made, tmp_path), puzzle.rules


def candidates(certificate: Certificate) -> set[tuple[int, int]]:
    return {place for grid in certificate.solutions for place in enumerate(grid.digits)}


def changed_clause(made: Certificate, change: Callable[[list[str]], list[str]]) -> Certificate:
    """The certificate with another last clause."""
    *before, last = made.formula.splitlines()
    return replace(made, formula="\n".join([*before, " ".join(change(last.split()))]) + "\n")


def without_a_solution(made: Certificate) -> Certificate:
    """All as if there were a solution less; its clause stays away as well."""
    *lines, _ = made.formula.splitlines()
    count, was = len(made.solutions) - 1, len(made.solutions)
    text = "\n".join(lines).replace(f"the last {was} clauses", f"the last {count} clauses")
    head, _, size = next(line for line in lines if line.startswith("p cnf")).rpartition(" ")
    text = text.replace(f"{head} {size}", f"{head} {int(size) - 1}") + "\n"
    return replace(made, solutions=made.solutions[:-1], formula=text)


FORGERIES: dict[str, Callable[[Certificate], Certificate]] = {
    "a solution less": without_a_solution,
    "a solution less in the list": lambda c: replace(c, solutions=c.solutions[1:]),
    "a solution twice": lambda c: replace(c, solutions=(*c.solutions[1:], c.solutions[1])),
    "solutions in another order": lambda c: replace(c, solutions=c.solutions[::-1]),
    "another verdict": lambda c: replace(c, verdict=Verdict.UNIQUE),
    "no solution": lambda c: replace(c, verdict=Verdict.NONE, solutions=()),
    "no formula": lambda c: replace(c, formula="p cnf 64 0\n"),
    "no proof": lambda c: replace(c, proof=""),
    "a literal less": lambda c: changed_clause(c, lambda words: words[1:]),
    "a literal more": lambda c: changed_clause(c, lambda words: ["64", *words]),
    "an empty clause": lambda c: changed_clause(c, lambda words: ["0"]),
}


@needs_compiler
@crossed(2, name=FORGERIES, claim=FURTHER)
def test_forgeries_are_refused(name: str, claim: Claim, tmp_path: Path) -> None:
    made = certify(SEVERAL, PROGRAM, claim=claim)
    assert is_accepted(made, tmp_path)
    if claim is Claim.CANDIDATES and name in ("solutions in another order", "no proof"):
        return  # they show the same, and propagation alone refutes this formula
    assert not is_accepted(FORGERIES[name](made), tmp_path)


@needs_compiler
def test_a_claim_is_not_taken_for_another(tmp_path: Path) -> None:
    count, possible = (certify(SEVERAL, PROGRAM, claim=claim) for claim in FURTHER)
    assert not is_accepted(replace(count, claim=Claim.CANDIDATES), tmp_path)
    assert not is_accepted(replace(possible, claim=Claim.COUNT), tmp_path)
    only = certify(Puzzle.from_line("..3..4.24..3..4."), PROGRAM, claim=Claim.COUNT)
    path = write_certificate(only, tmp_path, "q")
    changes: list[dict[str, Any]] = [
        {"claim": "verdict"},
        {"claim": "all"},
        {"kind": "satdoku certificate, version 2"},
        {"kind": "satdoku certificate, version 4"},
        {"rules": []},
    ]
    for change in changes:
        content = json.loads(path.read_text("utf-8")) | change
        other = tmp_path / "r.json"
        other.write_text(json.dumps(content), "utf-8")
        for second in ([], ["--second"]):
            assert run("verify", other, *second).code == 1, change


def test_every_format_and_the_commands(tmp_path: Path) -> None:
    for option, told in (
        ("--count", "multiple, 12 listed and no other, proven by "),
        ("--candidates", "multiple, no candidate but those of "),
    ):
        folder = tmp_path / option
        for more in ([], ["--lrat", "--force"], ["--compress", "--force"]):
            assert run("certify", SEVERAL.grid.line, option, "-d", folder, *more).code == 0
            assert told in run("verify", folder).stdout
        again = run("certify", SEVERAL.grid.line, option, "-d", folder, "--resume")
        assert again.code == 0
        assert "1 certificate kept" in again.stderr
        other = run("certify", SEVERAL.grid.line, "-d", folder, "--resume")
        assert "makes another claim than is asked for now" in other.stderr
    both = run("certify", SEVERAL.grid.line, "--count", "--candidates", "-d", tmp_path)
    assert both.code == 2
    assert "a certificate makes one claim" in both.stderr


def test_too_many_solutions_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(making, "MOST_SOLUTIONS", 11)
    with pytest.raises(SatdokuError, match="more than 11 solutions"):
        certify(SEVERAL, PROGRAM, claim=Claim.COUNT)
    monkeypatch.setattr(making, "MOST_SOLUTIONS", 12)
    made = certify(SEVERAL, PROGRAM, claim=Claim.COUNT, proof_format=ProofFormat.LRAT)
    assert len(made.solutions) == verify(made).solutions == 12
