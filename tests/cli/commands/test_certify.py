import errno
import json
from pathlib import Path
from random import Random

import pytest

from satdoku.puzzle.grid import Geometry
from tests.boards import full_grid
from tests.commands import (
    AMBIGUOUS,
    CLASHING,
    EASY,
    HARD,
    IMPOSSIBLE,
    SMALL,
    require_failure,
    run,
    run_process,
)
from tests.each import for_each


@pytest.mark.parametrize(
    ("puzzle", "verdict", "solutions"),
    [
        (EASY, "unique", 1),
        (HARD, "unique", 1),
        (SMALL, "unique", 1),
        (CLASHING, "none", 0),
        (IMPOSSIBLE, "none", 0),
        (AMBIGUOUS, "multiple", 2),
    ],
)
@pytest.mark.parametrize("options", [[], ["--compress"]], ids=str)
def test_any_verdict_is_certified_and_verifies(
    puzzle: str, verdict: str, solutions: int, options: list[str], tmp_path: Path
) -> None:
    result = run("certify", puzzle, "-d", tmp_path, *options)
    path = tmp_path / "argument-00000001.json"
    assert result == (0, f"{path}: {verdict}\n", "")
    content = json.loads(path.read_text())
    assert (content["puzzle"], content["verdict"]) == (puzzle, verdict)
    assert len(content["solutions"]) == solutions
    suffix = ".gz" if options else ""
    names = [] if verdict == "multiple" else [f"{path.stem}{s}{suffix}" for s in (".cnf", ".drat")]
    assert list(content["files"]) == names
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted([*names, path.name])
    checked = run("verify", tmp_path)
    assert checked.code == 0
    assert checked.stdout.startswith(f"{path}: {verdict}, ")


def test_the_formula_is_part_of_that_of_export(tmp_path: Path) -> None:
    run("certify", EASY, "-d", tmp_path)
    lines = (tmp_path / "argument-00000001.cnf").read_text().splitlines()
    whole = run("export", EASY, "--encoding", "reduced", "--unique").stdout.splitlines()
    assert set(lines) - set(whole) == {
        "c clauses that the proof does not need are left out",
        f"p cnf 729 {len([line for line in lines if line[0] not in 'cp'])}",
    }
    assert lines[-1] == whole[-1]  # the clause that excludes the solution
    assert len(lines) < len(whole) / 2


@pytest.mark.parametrize("jobs", [[], ["--jobs", "2"]], ids=str)
def test_a_file_of_many_is_certified_in_order(jobs: list[str], tmp_path: Path) -> None:
    source, folder = tmp_path / "many.txt", tmp_path / "new" / "folder"
    source.write_text("\n".join(["# puzzles", EASY, HARD, CLASHING, "", EASY]))
    result = run("certify", source, "-d", folder, *jobs)
    assert (result.code, result.stderr) == (0, "")
    verdicts = [(2, "unique"), (3, "unique"), (4, "none"), (6, "unique")]
    assert result.lines == [f"{folder}/many-{line:08}.json: {v}" for line, v in verdicts]
    assert run("verify", folder).code == 0


def test_it_works_as_a_program(tmp_path: Path) -> None:
    done = run_process("certify", "-", "--jobs", "2", stdin=f"{EASY}\n{HARD}\n", cwd=tmp_path)
    assert (done.code, done.stderr) == (0, "")
    assert done.lines == ["stdin-00000001.json: unique", "stdin-00000002.json: unique"]
    assert run_process("verify", ".", cwd=tmp_path).code == 0


@for_each("encoding", ["minimal", "efficient", "extended", "reduced"])
@for_each("solver", ["cadical153", "glucose4"])
def test_solver_and_encoding_are_chosen(solver: str, encoding: str, tmp_path: Path) -> None:
    options = ["--solver", solver, "--encoding", encoding]
    assert run("certify", SMALL, "-d", tmp_path, *options).code == 0
    content = json.loads((tmp_path / "argument-00000001.json").read_text())
    assert content["encoding"] == encoding
    assert content["solver"].startswith(f"{solver} of python-sat")
    assert run("verify", tmp_path).code == 0


def test_a_certificate_about_sums_is_about_the_plainest_encoding_or_the_one_named(
    tmp_path: Path,
) -> None:
    for options, encoding in (((), "extended"), (("--encoding", "minimal"), "minimal")):
        rule = ("--rule", "killer:3=r1c1-2", "--force")
        assert run("certify", SMALL, "-d", tmp_path, *rule, *options).code == 0
        content = json.loads((tmp_path / "argument-00000001.json").read_text())
        assert content["encoding"] == encoding


def test_a_solver_without_proofs_that_check_is_refused(tmp_path: Path) -> None:
    for solver in ("minicard", "auto", "kissat404"):
        result = run("certify", SMALL, "-d", tmp_path / "out", "--solver", solver)
        message = f"{solver} cannot write proofs that check; these can: cadical103, "
        require_failure(result, message, code=2)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_two_workers_certify_each_puzzle_once(tmp_path: Path) -> None:
    """Slow records among many quick ones, so that pieces are handed on."""
    slow = " ".join(map(str, full_grid(Random(1), Geometry(4, 4)).digits))
    text = "".join((slow if number % 29 == 7 else SMALL) + "\n" for number in range(100))
    path = tmp_path / "mixed.txt"
    path.write_text(text)
    result = run("certify", path, "--from", "line", "-d", tmp_path / "out", "--jobs", "2")
    assert (result.code, result.stderr) == (0, "")
    names = [f"mixed-{number:08}.json" for number in range(1, 101)]
    assert sorted(found.name for found in (tmp_path / "out").glob("*.json")) == names
    assert [line.split("/")[-1].split(":")[0] for line in result.lines] == names


@pytest.mark.parametrize(
    "arguments",
    [["--solver", "secret"], ["--encoding", "triads"], ["--jobs", "0"], ["--timeout", "0"]],
    ids=str,
)
def test_wrong_usage(arguments: list[str], tmp_path: Path) -> None:
    result = run("certify", SMALL, "-d", tmp_path / "out", *arguments)
    require_failure(result, "satdoku: ", code=2)
    assert list(tmp_path.iterdir()) == []


def test_a_limit_leaves_no_certificate(tmp_path: Path) -> None:
    result = run("certify", HARD, "-d", tmp_path, "--timeout", "0.000001")
    require_failure(result, "argument:1: undecided", code=124)
    assert result.stdout == ""
    assert list(tmp_path.iterdir()) == []


def test_a_bad_puzzle_among_good_ones_is_told(tmp_path: Path) -> None:
    source = tmp_path / "many.txt"
    source.write_text(f"{EASY}\n{EASY[:-1]}q\n{EASY}\n")
    result = run("certify", source, "-d", tmp_path / "out")
    require_failure(result, f"{source}:2:81: 'q'")
    assert len(result.lines) == 2
    assert len(list((tmp_path / "out").glob("*.json"))) == 2


def test_existing_certificates_are_overwritten_by_force_only(tmp_path: Path) -> None:
    run("certify", SMALL, "-d", tmp_path)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    require_failure(run("certify", SMALL, "-d", tmp_path), "exists; --force overwrites it")
    assert {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()} == before
    assert run("certify", SMALL, "-d", tmp_path, "--force").code == 0


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for target in (tmp_path / "file", tmp_path / "file" / "below"):
        result = run("certify", SMALL, "-d", target)
        require_failure(result, f"the folder {target} cannot be made")


def test_standard_input_may_not_overwrite_the_certificates_of_a_file(tmp_path: Path) -> None:
    for name, arguments in (("stdin.txt", ["-"]), ("argument.txt", [SMALL])):
        (tmp_path / name).write_text(SMALL)
        words = ["certify", tmp_path / name, *arguments, "-d", tmp_path / "out", "--force"]
        require_failure(run(*words, stdin=AMBIGUOUS), "the same file names", code=2)
    assert not (tmp_path / "out").exists()


def test_files_whose_puzzles_would_get_the_same_names_are_refused(tmp_path: Path) -> None:
    for name in ("p.txt", "p.sdm"):
        (tmp_path / name).write_text(SMALL)
    result = run("certify", tmp_path / "p.txt", tmp_path / "p.sdm", "-d", tmp_path / "out")
    require_failure(result, "the same file names", code=2)


def test_quiet_says_nothing_to_stderr(tmp_path: Path) -> None:
    result = run("certify", EASY[:-1] + "q", "-d", tmp_path, "-q")
    assert (result.code, result.stdout, result.stderr) == (1, "", "")


def test_a_full_disk_ends_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As with every other command: proofs that cannot be kept are not worked out."""

    def refuse(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("satdoku.files._replacement", refuse)
    path = tmp_path / "three.txt"
    path.write_text(f"{EASY}\n" * 3)
    result = run("certify", path, "-d", tmp_path / "certificates", "-j", 1)
    require_failure(result, "cannot be written: No space left on device")
    assert result.stderr.count("\n") == 1
