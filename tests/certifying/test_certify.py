import errno
import json
import os
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from satdoku.certifying import certify as making
from satdoku.certifying.certificate import (
    PLAIN_ENCODINGS,
    SOLUTIONS_OF,
    Certificate,
    Claim,
    read_certificate,
    write_certificate,
)
from satdoku.certifying.certify import certify
from satdoku.certifying.rup import read_hinted_proof
from satdoku.certifying.verify import verify
from satdoku.encoding.choices import Encoding
from satdoku.errors import CertificateError, SatdokuError, SolverError
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.judge import find_fault
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.classic import CLASSIC
from satdoku.puzzle.rules.registry import read_rules
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.limits import LimitReachedError, Limits
from satdoku.solving.solvers import SOLVERS, Can
from tests.boards import HARD, HARD_SOLUTION
from tests.certifying.samples import NAMES, PROGRAM, grids, hinted_sample, sample
from tests.certifying.second import needs_compiler, says
from tests.certifying.second_opinion import is_refutation, parse_proof
from tests.crossing import sampled
from tests.each import for_each
from tests.encoding.files.formulas import read_cnf
from tests.encoding.test_implied import sum_of
from tests.puzzle.rules.instances import SMALL, every_grid
from tests.solvers import INSTALLED

PROVERS = [name for name in INSTALLED if Can.PROVE in SOLVERS[name].can]

every_sample = for_each("name", NAMES)


def require_second_opinion(certificate: Certificate) -> None:
    clauses = read_cnf(certificate.formula.splitlines()).clauses
    lemmas = parse_proof(certificate.proof)
    assert lemmas is not None
    assert is_refutation(clauses, lemmas)


@every_sample
def test_the_verdict_is_the_puzzle_s(name: str) -> None:
    certificate = sample(name)
    first = name.split()[0]
    kinds = {"ambiguous": Verdict.MULTIPLE, "unique": Verdict.UNIQUE}
    expected = Verdict.UNIQUE if name == "full and right" else kinds.get(first, Verdict.NONE)
    assert certificate.verdict is expected
    assert len(set(certificate.solutions)) == SOLUTIONS_OF[expected]
    assert all(not find_fault(grid, Puzzle(grids()[name])) for grid in certificate.solutions)


@sampled(2, "name", [name for name in NAMES if "ambiguous" not in name])
def test_a_proof_with_hints_verifies(name: str, tmp_path: Path) -> None:
    certificate = hinted_sample(name)
    path = write_certificate(certificate, tmp_path, "p")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["p.cnf", "p.json", "p.lrat"]
    assert read_certificate(path) == certificate
    assert verify(certificate) == verify(read_certificate(path))
    lemmas = [step.literals for step in read_hinted_proof(certificate.proof.splitlines())]
    assert is_refutation(read_cnf(certificate.formula.splitlines()).clauses, lemmas)


def test_a_proof_with_hints_has_only_what_is_needed() -> None:
    hinted, plain = hinted_sample("unique 9x9"), sample("unique 9x9")
    assert len(hinted.proof.splitlines()) < len(plain.proof.splitlines()) + 729
    assert hinted.formula == plain.formula


def test_certifying_again_leaves_no_file_of_before(tmp_path: Path) -> None:
    """Neither another proof, nor compressed files, nor those of a puzzle that needs none."""
    for certificate, suffix in (
        (sample("unique 4x4"), ".gz"),
        (sample("unique 4x4"), ""),
        (hinted_sample("unique 4x4"), ""),
        (sample("ambiguous 4x4"), ""),
    ):
        path = write_certificate(certificate, tmp_path, "p", suffix, force=True)
        files = set(json.loads(path.read_text())["files"])
        assert {each.name for each in tmp_path.iterdir()} == {"p.json", *files}
        assert read_certificate(path) == certificate


@for_each("program", ["", "p cnf 64 1", "x p cnf 64 1", "satdoku", "satdoku 1\n"])
def test_only_a_program_with_a_version_makes_certificates(program: str) -> None:
    with pytest.raises(CertificateError, match="name and version of a program"):
        certify(HARD, program)


@every_sample
def test_it_verifies(name: str) -> None:
    certificate = sample(name)
    result = verify(certificate)
    assert result.verdict == certificate.verdict
    assert (result.proof is None) is (certificate.verdict is Verdict.MULTIPLE)


@every_sample
@sampled(2, "suffix", ["", ".gz", ".xz"])
def test_it_reads_back_from_its_files(name: str, suffix: str, tmp_path: Path) -> None:
    path = write_certificate(sample(name), tmp_path, "p", suffix)
    assert read_certificate(path) == sample(name)
    files = (
        [] if sample(name).verdict is Verdict.MULTIPLE else [f"p.cnf{suffix}", f"p.drat{suffix}"]
    )
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted([*files, "p.json"])


@for_each("name", [name for name in NAMES if "ambiguous" not in name])
def test_a_second_checker_agrees(name: str) -> None:
    require_second_opinion(sample(name))


@sampled(3, "solver", PROVERS)
def test_every_solver_that_is_offered_proves(solver: str) -> None:
    certificate = certify(HARD, PROGRAM, solver)
    assert certificate.solver.startswith(f"{solver} of python-sat ")
    assert certificate.solutions == (HARD_SOLUTION,)
    verify(certificate)
    require_second_opinion(certificate)


@for_each("solver", [name for name in INSTALLED if name not in PROVERS])
def test_a_solver_without_proofs_that_check_is_refused(solver: str) -> None:
    with pytest.raises(SolverError, match=solver):
        certify(HARD, PROGRAM, solver)


@for_each("encoding", PLAIN_ENCODINGS)
@for_each("name", ["unique 4x4", "unique 6x6", "full and wrong", "clash"])
def test_every_plain_encoding_proves(encoding: Encoding, name: str) -> None:
    certificate = sample(name, encoding)
    assert certificate.encoding == encoding.value
    verify(certificate)
    require_second_opinion(certificate)


def test_an_encoding_with_auxiliaries_is_refused() -> None:
    with pytest.raises(SolverError, match="without auxiliaries: reduced"):
        certify(HARD, PROGRAM, encoding=Encoding.TRIADS)


def test_a_limit_leaves_no_certificate() -> None:
    with pytest.raises(LimitReachedError):
        certify(HARD, PROGRAM, limits=Limits(timeout=1e-9))


def test_a_hard_puzzle_has_a_proof_of_a_few_kilobytes() -> None:
    certificate = sample("unique 9x9")
    assert 1000 < len(certificate.proof) < 20_000
    assert certificate.proof.endswith("\n0\n")
    assert "d" not in certificate.proof


def test_the_json_file_says_what_it_is_about(tmp_path: Path) -> None:
    certificate = sample("unique 4x4")
    content = json.loads(write_certificate(certificate, tmp_path, "p").read_text())
    assert re.fullmatch(r"cadical195 of python-sat \S+", content.pop("solver"))
    files = content.pop("files")
    assert content == {
        "kind": "satdoku certificate, version 1",
        "program": PROGRAM,
        "box": "2x2",
        "puzzle": "..3..4.24..3..4.",
        "verdict": "unique",
        "solutions": ["1234341241232341"],
        "encoding": "reduced",
    }
    for name, digest in files.items():
        found = subprocess.run(["sha256sum", tmp_path / name], capture_output=True, text=True)
        assert found.stdout.split()[0] == digest


def test_the_same_puzzle_has_the_same_certificate() -> None:
    assert certify(HARD, PROGRAM) == certify(HARD, PROGRAM)


@pytest.mark.parametrize("existing", ["p.cnf", "p.drat", "p.json"])
def test_existing_files_are_overwritten_by_force_only(existing: str, tmp_path: Path) -> None:
    (tmp_path / existing).write_text("old")
    with pytest.raises(SatdokuError, match=f"{existing} exists"):
        write_certificate(sample("unique 4x4"), tmp_path, "p")
    assert (tmp_path / existing).read_text() == "old"
    assert len(list(tmp_path.iterdir())) == 1
    path = write_certificate(sample("unique 4x4"), tmp_path, "p", force=True)
    assert read_certificate(path) == sample("unique 4x4")


def test_a_folder_that_is_not_there_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(SatdokuError, match="cannot be written"):
        write_certificate(sample("unique 4x4"), tmp_path / "missing", "p")


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_disk_that_fills_up_leaves_nothing(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever of the three files it is that does not fit."""
    written = []

    def replace_or_fail(path: Path, target: Path) -> None:
        written.append(target)
        if len(written) == number:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        os.replace(path, target)

    monkeypatch.setattr(Path, "replace", replace_or_fail)
    with pytest.raises(SatdokuError, match="No space left"):
        write_certificate(sample("unique 4x4"), tmp_path, "p")
    assert list(tmp_path.iterdir()) == []


def test_a_solution_that_is_not_the_only_one_has_no_proof() -> None:
    certificate = sample("ambiguous 4x4")
    with pytest.raises(CertificateError):
        verify(replace(certificate, verdict=Verdict.UNIQUE, solutions=certificate.solutions[:1]))


def test_sums_that_only_together_are_impossible_have_a_short_proof() -> None:
    """Four diagonals need more nines than there are; each of them can be."""
    nine = Geometry(3, 3)
    starts = ("r1c8.dl", "r1c9.dl", "r9c2.ur", "r9c3.ur")
    rules = read_rules([f"little-killer:{start}=50" for start in starts], nine)
    puzzle = Puzzle(Grid.empty(nine)).with_rules(rules)
    # Without joint sums, the verdict alone takes as many conflicts.
    certificate = certify(puzzle, PROGRAM, limits=Limits(conflicts=20_000))
    assert verify(certificate).clauses < 100


@needs_compiler
@sampled(12, "seed", range(48))
def test_both_verifiers_accept_joint_sums(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = Random(seed)
    digits = rng.choice(every_grid(CLASSIC)).digits
    texts = [sum_of(rng, digits) for _ in range(rng.randint(2, 4))]
    rules = read_rules(["diagonals"] * (seed % 2) + texts, SMALL)
    puzzle = Puzzle(Grid.empty(SMALL)).with_rules(rules)
    monkeypatch.setattr(making, "_PATIENCE", 0)
    joint = certify(puzzle, PROGRAM, claim=Claim.COUNT, is_whole=True)
    monkeypatch.undo()
    plain = certify(puzzle, PROGRAM, claim=Claim.COUNT, is_whole=True)
    assert verify(joint).clauses > verify(plain).clauses
    assert says(joint, tmp_path)[0]


def test_clauses_of_joint_sums_that_no_verifier_can_justify_are_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Two of the clauses about these sums together hold, but verifiers do not find out why.
    sums = ["sum:12=r1c2,r2c3,r3c4,r4c5,r5c6", "sum:6=r1c3,r2c2,r3c1", "sum:8=r1c2,r2c1"]
    impossible = ["greater:r6c1,r6c2", "greater:r6c2,r6c1"]
    six = Geometry(2, 3)
    puzzle = Puzzle(Grid.empty(six)).with_rules(read_rules([*sums, *impossible], six))
    prove = making._prove
    monkeypatch.setattr(
        making, "_prove", lambda *args: None if args[-1] is not None else prove(*args)
    )
    certificate = certify(puzzle, PROGRAM, is_whole=True)
    assert verify(certificate).verdict is Verdict.NONE


@pytest.mark.skipif(not shutil.which("drat-trim"), reason="drat-trim is not on the PATH")
@pytest.mark.parametrize("name", [name for name in NAMES if "ambiguous" not in name])
def test_drat_trim_accepts_it(name: str, tmp_path: Path) -> None:
    write_certificate(sample(name), tmp_path, "p")
    command = ["drat-trim", "p.cnf", "p.drat"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert "s VERIFIED" in done.stdout or "trivial UNSAT" in done.stdout, done.stdout


@pytest.mark.skipif(not shutil.which("lrat-check"), reason="lrat-check is not on the PATH")
@pytest.mark.parametrize("name", [name for name in NAMES if "ambiguous" not in name])
def test_lrat_check_accepts_it(name: str, tmp_path: Path) -> None:
    write_certificate(hinted_sample(name), tmp_path, "p")
    command = ["lrat-check", "p.cnf", "p.lrat"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert "c VERIFIED" in done.stdout, done.stdout
    assert done.returncode == 0, done.stdout
