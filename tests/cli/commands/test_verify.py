import json
import re
import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from satdoku.certifying import second_verifier
from tests.certifying.second import needs_compiler
from tests.commands import AMBIGUOUS, EASY, HARD, IMPOSSIBLE, require_failure, run, run_process


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    assert run("certify", HARD, AMBIGUOUS, IMPOSSIBLE, "-d", folder).code == 0
    return folder


@pytest.fixture
def certificates(made: Path, tmp_path: Path) -> Path:
    """Certificates that a test may spoil."""
    return Path(shutil.copytree(made, tmp_path / "certificates"))


def falsify(formula: Path) -> None:
    """Replace the first clause of a formula by a digit that its puzzle excludes."""
    text, count = re.subn(r"(\np cnf .*\n).*\n", r"\g<1>1 0\n", formula.read_text())
    assert count == 1
    formula.write_text(text)


def test_a_folder_is_verified_in_order(certificates: Path) -> None:
    result = run("verify", certificates)
    assert (result.code, result.stderr) == (0, "")
    patterns = [
        rf"unique, proven by \d+ lemmas over [0-9,]+ clauses: {re.escape(HARD)}",
        rf"multiple, both solutions are right: {re.escape(AMBIGUOUS)}",
        rf"none, proven by \d+ lemmas over [0-9,]+ clauses: {re.escape(IMPOSSIBLE)}",
    ]
    for number, (line, pattern) in enumerate(zip(result.lines, patterns, strict=True), 1):
        assert re.fullmatch(f"{certificates}/argument-{number:08}.json: {pattern}", line)
    assert run_process("verify", certificates) == result


def test_files_are_verified_too(certificates: Path) -> None:
    paths = sorted(certificates.glob("*.json"), reverse=True)
    result = run("verify", *paths)
    assert result.code == 0
    assert [line.split(":")[0] for line in result.lines] == list(map(str, paths))


def test_quiet_prints_nothing(certificates: Path) -> None:
    assert run("verify", "-q", certificates) == (0, "", "")
    path = certificates / "argument-00000001.drat"
    path.write_text("0\n")
    result = run("verify", "-q", certificates)
    assert result == (1, "", "")


def test_one_failure_is_told_and_the_others_are_verified(certificates: Path) -> None:
    path = certificates / "argument-00000001.cnf"
    falsify(path)
    result = run("verify", certificates)
    require_failure(result, f"{path}: the file is not the one that was certified")
    assert [line.split(": ")[1].split(",")[0] for line in result.lines] == [
        "FAILED",
        "multiple",
        "none",
    ]


@pytest.mark.parametrize(
    ("entry", "value", "words"),
    [
        ("verdict", "none", "requires 0 different solutions"),
        ("solutions", [], "requires 1 different solutions"),
        ("encoding", "extended", "the formula of this puzzle has"),
        ("box", "1x9", "the formula of this puzzle has"),
        ("program", "satdoku", "is not the name and version of a program"),
        ("program", "satdoku 0", "the formula of this puzzle has"),
        ("kind", "", "this is not a 'satdoku certificate, version 1'"),
        ("puzzle", AMBIGUOUS, "81 cells, not 16"),
    ],
)
def test_what_does_not_hold_is_told(
    entry: str, value: object, words: str, certificates: Path
) -> None:
    path = certificates / "argument-00000001.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {entry: value}))
    result = run("verify", path)
    require_failure(result, words)
    assert result.stdout == f"{path}: FAILED\n"


@pytest.mark.parametrize("name", ["argument-00000001.cnf", "argument-00000001.drat"])
def test_a_missing_file_is_named(name: str, certificates: Path) -> None:
    (certificates / name).unlink()
    require_failure(run("verify", certificates), f"{certificates / name}: ", "missing")


@pytest.mark.parametrize("name", ["argument-00000001.cnf", "argument-00000001.drat", "missing"])
def test_what_is_no_certificate_is_told(name: str, certificates: Path) -> None:
    require_failure(run("verify", certificates / name), str(certificates / name))


def test_an_empty_folder_is_told(tmp_path: Path) -> None:
    require_failure(run("verify", tmp_path), f"{tmp_path}: there is no certificate in this folder")


def test_an_impossible_name_is_told() -> None:
    require_failure(run("verify", "x" * 300), "File name too long")


def test_the_certificates_of_all_puzzles_of_a_file_are_there(
    certificates: Path, tmp_path: Path
) -> None:
    puzzles = tmp_path / "puzzles.txt"
    puzzles.write_text(f"{IMPOSSIBLE}\n{HARD}\n{AMBIGUOUS}\n{HARD}\n")
    result = run("verify", certificates, "--puzzles", puzzles)
    assert (result.code, result.stderr, len(result.lines)) == (0, "", 3)


def test_a_puzzle_without_a_certificate_that_holds_is_named(
    certificates: Path, tmp_path: Path
) -> None:
    puzzles = tmp_path / "puzzles.txt"
    puzzles.write_text(f"{HARD}\n{EASY}\n{AMBIGUOUS}\n{IMPOSSIBLE}\n")
    missing = f"{puzzles}:2: this puzzle has no certificate that holds"
    require_failure(run("verify", certificates, "--puzzles", puzzles), missing)
    (certificates / "argument-00000001.cnf").write_text("p cnf 0 0")
    result = run("verify", certificates, "--puzzles", puzzles)
    assert result.code == 1
    missing = f"satdoku: {missing}"
    assert [missing.replace(":2:", ":1:"), missing] == result.stderr.splitlines()[1:]


def test_a_certificate_of_another_puzzle_is_named(certificates: Path, tmp_path: Path) -> None:
    puzzles = tmp_path / "puzzles.txt"
    puzzles.write_text(f"{HARD}\n{AMBIGUOUS}\n")
    result = run("verify", "-q", certificates, "--puzzles", puzzles)
    assert (result.code, result.stdout, result.stderr) == (1, "", "")
    result = run("verify", certificates, "--puzzles", puzzles)
    other = certificates / "argument-00000003.json"
    require_failure(result, f"{other}: its puzzle is none of those that were asked for")


def test_puzzles_that_cannot_be_read_are_named(certificates: Path, tmp_path: Path) -> None:
    (tmp_path / "puzzles.txt").write_text(f"{HARD}\n12\n")
    result = run("verify", certificates, "--puzzles", tmp_path / "puzzles.txt")
    require_failure(result, f"{tmp_path}/puzzles.txt:2")


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_limit_leaves_a_certificate_undecided(jobs: int, certificates: Path) -> None:
    path = certificates / "argument-00000001.json"
    result = run("verify", path, "--timeout", "0.0000001", "--jobs", jobs)
    assert (result.code, result.stdout) == (124, f"{path}: undecided\n")
    assert result.stderr == f"{path}: undecided: not decided within 1e-07 s\n"


def test_proofs_with_hints_are_verified_too(tmp_path: Path) -> None:
    assert run("certify", HARD, IMPOSSIBLE, "--lrat", "--compress", "-d", tmp_path).code == 0
    assert len(list(tmp_path.glob("*.lrat.gz"))) == 2
    result = run("verify", tmp_path)
    assert (result.code, result.stderr) == (0, "")
    assert [line.split(": ")[1].split(",")[0] for line in result.lines] == ["unique", "none"]


def test_wrong_usage() -> None:
    require_failure(run("verify"), code=2)


def test_verifying_starts_no_solver(certificates: Path) -> None:
    """Whoever checks need not trust a SAT solver."""
    script = (
        "import sys; from satdoku.cli.main import run;"
        f"code = run(['verify', {str(certificates)!r}]);"
        "print(code, sorted({'pysolvers', 'pysat.solvers'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "0 []", done


def test_a_certificate_in_a_folder_with_a_colon_is_named_whole(
    certificates: Path, tmp_path: Path
) -> None:
    folder = certificates.rename(tmp_path / "set 1: easy")
    puzzles = tmp_path / "puzzles.txt"
    puzzles.write_text(f"{HARD}\n{AMBIGUOUS}\n")
    result = run("verify", folder, "--puzzles", puzzles)
    other = folder / "argument-00000003.json"
    require_failure(result, f"{other}: its puzzle is none of those that were asked for")


@needs_compiler
def test_the_second_verifier_says_the_same(certificates: Path, tmp_path: Path) -> None:
    assert run("verify", certificates, "--second") == run("verify", certificates)
    assert run("verify", "-q", certificates, "--second") == (0, "", "")
    assert run("certify", HARD, "--lrat", "--compress", "-d", tmp_path).code == 0
    assert run("verify", tmp_path, "--second").code == 0
    puzzles = tmp_path / "puzzles.txt"
    puzzles.write_text(f"{HARD}\n{AMBIGUOUS}\n")
    result = run("verify", certificates, "--second", "--puzzles", puzzles)
    require_failure(result, "argument-00000003.json: its puzzle is none of those")


@needs_compiler
def test_the_second_verifier_names_faults_in_the_files_that_were_certified(
    certificates: Path, tmp_path: Path
) -> None:
    folder = certificates.rename(tmp_path / "set 1: easy")
    path = folder / "argument-00000001.json"
    formula = path.with_suffix(".cnf")
    falsify(formula)
    content = json.loads(path.read_text())
    content["files"][formula.name] = sha256(formula.read_bytes()).hexdigest()
    path.write_text(json.dumps(content))
    result = run("verify", folder, "--second")
    assert result.code == 1
    assert re.fullmatch(
        re.escape(f"satdoku: {formula}:") + r"\d+: no rule of the puzzle says this clause\n",
        result.stderr,
    )
    assert result.lines[0] == f"{path}: FAILED"
    formula.unlink()
    require_failure(run("verify", folder, "--second"), f"{formula}: ", "missing")


@needs_compiler
@pytest.mark.parametrize("jobs", [1, 2])
def test_the_second_verifier_has_limits(jobs: int, certificates: Path) -> None:
    path = certificates / "argument-00000001.json"
    result = run("verify", path, "--timeout", "0.0000001", "--second", "--jobs", jobs)
    assert (result.code, result.stdout) == (124, f"{path}: undecided\n")
    assert result.stderr == f"{path}: undecided: not decided within 1e-07 s\n"


def test_without_a_compiler_it_is_told_what_is_missing(
    certificates: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(second_verifier, "BUILT", tmp_path / "verify")
    monkeypatch.setattr(second_verifier, "_COMPILER", ("/nowhere/cc",))
    result = run("verify", certificates, "--second")
    require_failure(result, "/nowhere/cc, a C compiler, cannot be run", "docs/certificates.md")
    monkeypatch.setattr(second_verifier, "_COMPILER", ("false",))
    require_failure(run("verify", certificates, "--second"), "false cannot compile")
    # A program that was built is taken as it is, whatever it says.
    program = tmp_path / "verify"
    program.write_text("#!/bin/sh\nexit 3\n")
    program.chmod(0o755)
    path = certificates / "argument-00000001.json"
    require_failure(run("verify", path, "--second"), "the second verifier ended with 3")
