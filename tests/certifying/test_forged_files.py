"""Forged certificates of every kind, by somebody who has read both verifiers: neither takes one."""

import json
import subprocess
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from satdoku.certifying.certificate import (
    Certificate,
    Claim,
    ProofFormat,
    read_certificate,
    write_certificate,
)
from satdoku.certifying.certify import certify
from satdoku.certifying.verify import verify
from satdoku.errors import SatdokuError
from satdoku.puzzle.puzzle import Puzzle
from tests.certifying.second import needs_compiler, program
from tests.crossing import crossed
from tests.each import for_each

pytestmark = needs_compiler

PROGRAM = "satdoku 1.2.3"
GRID = "1234341221434321"
OTHER = "1234341243212143"
TWELVE = Puzzle.from_line("1.....3.........")
NINE = Puzzle.from_line("1" + "." * 15, rules=["killer:5=r1c2,r2c2", "odd:r4c1", "even:r4c4"])


def accepting(path: Path) -> list[str]:
    """Which of the two verifiers accept a certificate."""
    files = [path, path.with_suffix(".cnf"), *path.parent.glob("*.[dl]rat")]
    done = subprocess.run(
        [program(), *(each for each in files if each.exists())], capture_output=True
    )
    assert done.returncode in (0, 1), done.stderr
    found = [] if done.returncode else ["the second"]
    try:
        verify(read_certificate(path))
    except SatdokuError:
        return found
    return [*found, "the first"]


def write(made: Certificate, folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    return write_certificate(made, folder, "forged")


def forged(made: Certificate, folder: Path, **entries: Any) -> Path:
    """The files of a certificate, with some entries of its JSON in place of its own."""
    path = write(made, folder)
    path.write_text(json.dumps({**json.loads(path.read_text()), **entries}))
    return path


@cache
def certified(claim: Claim = Claim.VERDICT, puzzle: Puzzle = TWELVE, **how: Any) -> Certificate:
    return certify(puzzle, PROGRAM, claim=claim, **how)


@for_each(
    "entries",
    [
        {"rules": ["rows", "columns", "boxes", "digits:1024-1027"]},
        {"rules": ["rows", "columns", "boxes", "digits:999999990-999999993"]},
        {"rules": ["rows", "columns", "boxes", "sum:2=r1c1,r1c1"]},
        {"rules": ["rows", "columns", "boxes", "killer:2=r1c1,r1c1"]},
        {"rules": ["rows", "columns", "boxes", "sum:4294967297=r1c1"]},
        {"rules": ["rows", "regions:AAAA/AAAA/AAAA/AAA\u00c1"]},
        {"rules": [], "kind": "satdoku certificate, version 1"},
        {"rules": "rows", "kind": "satdoku certificate, version 1"},
        {"assumed": ["killer:3=r1c1,r1c2"]},
        {"rules ": ["rows", "even:r1c1"]},
        {"puzzle": ["." * 16, GRID]},
        {"puzzle": "." * 15},
        {"puzzle": "." * 17},
        {"puzzle": "." * 16 + "\0"},
        {"verdict": ["multiple", "none"]},
        {"verdict": "none"},
        {"claim": "count"},
        {"claim": "verdict"},
        {"box": "1x8"},
        {"box": "02x2"},
        {"box": "2x2147483650"},
        {"solutions": [GRID, GRID]},
        {"solutions": [GRID, OTHER, OTHER]},
        {"solutions": [GRID, OTHER[:-1] + "\u0663"]},
        {"kind": "satdoku certificate, version 4294967298"},
    ],
)
def test_what_the_json_of_two_solutions_must_not_say(
    entries: dict[str, Any], tmp_path: Path
) -> None:
    rules = ["rows", "columns", "boxes", "odd:r1c1"]
    puzzle = Puzzle.from_line("." * 16, rules=rules[3:])
    made = certified(puzzle=puzzle)
    fair = forged(made, tmp_path / "fair", solutions=[GRID, OTHER])
    assert accepting(fair) == ["the second", "the first"]
    assert not accepting(forged(made, tmp_path, **{"solutions": [GRID, OTHER], **entries}))


def without(text: str, line: str) -> str:
    assert f"\n{line}\n" in f"\n{text}"
    return f"\n{text}".replace(f"\n{line}\n", "\n", 1)[1:]


def with_fewer_clauses(formula: str) -> str:
    head, _, rest = formula.partition("p cnf ")
    numbers, _, clauses = rest.partition("\n")
    variables, count = numbers.split()
    return f"{head}p cnf {variables} {int(count) - 1}\n{clauses}"


def miscounted(made: Certificate) -> Certificate:
    """All solutions but one are listed, and the others are excluded."""
    last = made.formula.splitlines()[-1]
    formula = with_fewer_clauses(without(made.formula, last))
    told = f"{len(made.solutions)} solution"
    formula = formula.replace(told, f"{len(made.solutions) - 1} solution")
    return replace(made, solutions=made.solutions[:-1], formula=formula)


def of_a_solution_less(made: Certificate) -> Certificate:
    """A witness is kept back, and the last clause has its candidates as well."""
    kept = made.solutions[:-1]
    seen = {cell * 4 + digit for grid in kept for cell, digit in enumerate(grid.digits)}
    *lines, _ = made.formula.splitlines()
    absent = [str(number) for number in range(1, 65) if number not in seen]
    formula = "\n".join([*lines, " ".join([*absent, "0"])]) + "\n"
    return replace(made, solutions=kept, formula=formula)


def with_a_wrong_witness(made: Certificate) -> Certificate:
    first, *others = made.solutions
    wrong = first.with_digits({0: first.digits[1], 1: first.digits[0]})
    return replace(made, solutions=(wrong, *others))


@for_each(
    "claim, forge",
    [
        (Claim.COUNT, miscounted),
        (Claim.COUNT, with_a_wrong_witness),
        (Claim.CANDIDATES, of_a_solution_less),
        (Claim.CANDIDATES, with_a_wrong_witness),
    ],
)
def test_solutions_that_are_kept_back_or_made_up(
    claim: Claim, forge: Callable[[Certificate], Certificate], tmp_path: Path
) -> None:
    made = certified(claim)
    assert accepting(write(made, tmp_path / "fair"))
    assert not accepting(forged(forge(made), tmp_path))


def some_proof(proof: str) -> Callable[[Certificate], Certificate]:
    return lambda made: replace(made, proof=proof)


def some_formula(change: Callable[[str], str]) -> Callable[[Certificate], Certificate]:
    def forge(made: Certificate) -> Certificate:
        formula = change(made.formula)
        assert formula != made.formula
        return replace(made, formula=formula)

    return forge


def first_line_of(formula: str) -> str:
    return next(line for line in formula.splitlines() if line[0] not in "cp")


FORGERIES: list[tuple[ProofFormat, Callable[[Certificate], Certificate]]] = [
    # The contradiction is claimed before it follows, whatever the hints say.
    (ProofFormat.DRAT, some_proof("0\n")),
    (ProofFormat.LRAT, some_proof("100000 0 1 2 3 0\n")),
    (ProofFormat.LRAT, some_proof("100000 0 99999 0\n")),
    (ProofFormat.LRAT, some_proof("100000 0 100000 0\n")),
    (ProofFormat.LRAT, some_proof("100000 0 -1 0\n")),
    (ProofFormat.LRAT, some_proof("1 0 1 0\n")),
    (ProofFormat.LRAT, some_proof("100000 5 0 1 0\n100000 -5 0 1 0\n100001 0 100000 0\n")),
    (ProofFormat.LRAT, some_proof("4294967297 0 1 0\n")),
    # Clauses are deleted that stand in the way.
    (ProofFormat.LRAT, some_proof("100000 d 1 2 3 4 5 0\n100001 0 1 0\n")),
    (ProofFormat.DRAT, lambda made: some_proof(f"d {first_line_of(made.formula)}\n0\n")(made)),
    # Numbers that are others in 32 bits, or none.
    (ProofFormat.DRAT, some_proof("4294967297 0\n0\n")),
    (ProofFormat.DRAT, some_proof("-4294967295 0\n0\n")),
    (ProofFormat.DRAT, some_proof("-2147483648 0\n0\n")),
    (ProofFormat.DRAT, some_proof("+1 0\n0\n")),
    # Proofs that are cut, binary, or empty.
    (ProofFormat.DRAT, some_proof("1 0\0\n0\n")),
    (ProofFormat.DRAT, some_proof("a\2\0a\0")),
    (ProofFormat.DRAT, some_proof("")),
    (ProofFormat.DRAT, some_proof("1")),
    # A clause is added, left out of the count, cut, or spelled so that others read another one.
    (ProofFormat.DRAT, some_formula(lambda text: f"{text}0\n")),
    (ProofFormat.DRAT, some_formula(lambda text: text[:-1])),
    (ProofFormat.DRAT, some_formula(lambda text: text[: len(text) // 2])),
    (ProofFormat.DRAT, some_formula(with_fewer_clauses)),
    (ProofFormat.DRAT, some_formula(lambda text: text.replace("\n1 0\n", "\n1 0\0\n"))),
    (ProofFormat.DRAT, some_formula(lambda text: text.replace("\n1 0\n", "\n4294967297 0\n"))),
    (ProofFormat.DRAT, some_formula(lambda text: text.replace("\n1 0\n", "\n1 0 0\n"))),
    (ProofFormat.DRAT, some_formula(lambda text: text.replace("\n1 0\n", "\n2 0\n"))),
    # Auxiliaries that mean something else: other cells, another total, another digit.
    (ProofFormat.DRAT, some_formula(lambda text: text.replace("r1c2,r2c2*", "r1c2,r2c3*"))),
    (ProofFormat.DRAT, some_formula(lambda text: text.replace("*1,0,0,0", "*1,1,0,0"))),
    (ProofFormat.DRAT, some_formula(lambda text: text.replace("*1,0,0,0", "*4294967297,0,0,0"))),
]


@crossed(3, number=range(len(FORGERIES)))
def test_formulas_and_proofs_that_are_changed(number: int, tmp_path: Path) -> None:
    proof_format, forge = FORGERIES[number]
    made = certified(Claim.COUNT, NINE, proof_format=proof_format)
    assert accepting(write(made, tmp_path / "fair"))
    assert not accepting(forged(forge(made), tmp_path))


@for_each(
    "rules",
    [
        # The rules of another puzzle: swapped, moved, exchanged, or fewer.
        ["killer:5=r1c2,r2c2", "even:r4c1", "odd:r4c4"],
        ["killer:5=r1c2,r2c3", "odd:r4c1", "even:r4c4"],
        ["killer:6=r1c2,r2c2", "odd:r4c1", "even:r4c4"],
        ["killer:5=r1c2,r2c2", "odd:r4c1"],
        ["odd:r4c1", "even:r4c4"],
    ],
)
def test_a_formula_that_says_other_rules(rules: list[str], tmp_path: Path) -> None:
    made = certified(Claim.COUNT, NINE)
    every = ["rows", "columns", "boxes", *rules]
    assert not accepting(forged(made, tmp_path, rules=every))


@pytest.mark.parametrize("claim", [Claim.COUNT, Claim.CANDIDATES])
def test_a_claim_that_is_taken_for_another(claim: Claim, tmp_path: Path) -> None:
    made = certified(claim)
    other = Claim.COUNT if claim is Claim.CANDIDATES else Claim.CANDIDATES
    assert not accepting(forged(made, tmp_path, claim=other.value))
