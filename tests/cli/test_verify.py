import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands import AMBIGUOUS, HARD, IMPOSSIBLE, require_failure, run, run_process


@pytest.fixture
def certificates(tmp_path: Path) -> Path:
    folder = tmp_path / "certificates"
    assert run("certify", HARD, AMBIGUOUS, IMPOSSIBLE, "-d", folder).code == 0
    return folder


def test_a_folder_is_verified_in_order(certificates: Path) -> None:
    result = run("verify", certificates)
    assert (result.code, result.stderr) == (0, "")
    patterns = [
        r"unique, proven by \d+ lemmas over 2,280 clauses",
        r"multiple, both solutions are right",
        r"none, proven by \d+ lemmas over 3,787 clauses",
    ]
    for number, (line, pattern) in enumerate(zip(result.lines, patterns, strict=True), 1):
        assert re.fullmatch(f"{certificates}/argument-{number:08}.json: {pattern}", line)
    assert run_process("verify", certificates) == result


def test_files_are_verified_too(certificates: Path) -> None:
    paths = sorted(certificates.glob("*.json"), reverse=True)
    result = run("verify", *paths)
    assert result.code == 0
    assert [line.split(":")[0] for line in result.lines] == list(map(str, paths))


def test_quiet_prints_failures_only(certificates: Path) -> None:
    assert run("verify", "-q", certificates) == (0, "", "")
    path = certificates / "argument-00000001.drat"
    path.write_text("0\n")
    result = run("verify", "-q", certificates)
    assert (result.code, result.lines) == (1, [f"{path.with_suffix('.json')}: FAILED"])


def test_one_failure_is_told_and_the_others_are_verified(certificates: Path) -> None:
    path = certificates / "argument-00000001.cnf"
    path.write_text(path.read_text().replace("\n-1 0\n", "\n1 0\n"))
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
        ("verdict", "none", "goes with 0 different solutions"),
        ("solutions", [], "goes with 1 different solutions"),
        ("encoding", "extended", "the formula of this puzzle has"),
        ("box", "1x9", "the formula of this puzzle has"),
        ("program", "satdoku 0", "the formula of this puzzle has"),
        ("kind", "", "this is no 'satdoku certificate, version 1'"),
        ("puzzle", AMBIGUOUS, "16 cells"),
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
