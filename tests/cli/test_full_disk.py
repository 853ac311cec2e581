"""Files that may not grow: a sentence, and nothing half written in place of a good file."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.commands import EASY, HARD, require_failure, run
from tests.crossing import crossed
from tests.each import for_each

resource = pytest.importorskip("resource", reason="limits of POSIX")

GOOD = "what was there"


@contextmanager
def no_file_longer_than(size: int) -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    with pytest.MonkeyPatch.context() as patch:
        # Python would write half of a compiled module, and fail to import it ever after.
        patch.setattr("sys.dont_write_bytecode", True)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)


@for_each(
    "words",
    [
        "convert MANY --to json -o OUT.json",
        f"export {EASY} -o OUT.cnf",
        f"export {EASY} -o OUT.cnf.gz",
        f"draw {EASY} -o OUT.svg",
        f"draw {EASY} -o OUT.png",
    ],
)
def test_a_good_file_stays(words: str, tmp_path: Path) -> None:
    many, out = tmp_path / "many.txt", tmp_path / f"out{words.rpartition('OUT')[2]}"
    many.write_text(f"{EASY}\n" * 40)
    out.write_text(GOOD)
    line = words.replace("MANY", str(many)).replace("OUT", str(tmp_path / "out"))
    with no_file_longer_than(600):
        found = run(*line.split(), "--force")
    require_failure(found, f"{out} cannot be written: File too large")
    assert out.read_text() == GOOD
    assert sorted(path.name for path in tmp_path.iterdir()) == ["many.txt", out.name]


# A command for each option that writes a file; MANY is a file of puzzles.
WRITERS = [
    f"explain {EASY} -o OUT",
    f"augment {EASY} -o OUT",
    "augment MANY -o OUT",
    f"candidates {EASY} -o OUT",
    f"canonical {EASY} -o OUT",
    f"check {EASY} -o OUT",
    "check MANY -o OUT",
    f"check {EASY} --draw OUT.svg",
    f"check {EASY} --html OUT.html",
    "check MANY --junit OUT.xml",
    f"convert {EASY} -o OUT",
    f"count {EASY} -o OUT",
    "check MANY --csv -o OUT.gz",
    f"draw {EASY} -o OUT.svg",
    f"explain {EASY} --html OUT.html",
    f"explain {EASY} --draw OUT.svg",
    f"explain {EASY} --report -o OUT",
    f"export {EASY} -o OUT.cnf",
    "generate --seed 1 -n 2 -o OUT",
    "grade MANY MANY -o OUT",
    "judge MANY MANY -o OUT",
    f"minimize {EASY} -o OUT",
    f"rate {EASY} -o OUT",
    f"solve {EASY} -o OUT",
    "explain MANY --json -o OUT",
    "solve MANY -o OUT.xz",
    "teach --html OUT.html x-wing",
]


@crossed(6, words=WRITERS)
def test_where_nothing_can_be_written_all_stays(words: str, tmp_path: Path) -> None:
    many = tmp_path / "many.txt"
    many.write_text(f"{EASY}\n" * 2)
    out = tmp_path / next(word for word in words.split() if word.startswith("OUT"))
    line = words.replace("MANY", str(many)).replace("OUT", str(tmp_path / "OUT")).split()
    for is_there in (False, True):
        if is_there:
            out.write_text(GOOD)
        with no_file_longer_than(0):
            found = run(*line, *["--force"] * is_there)
        require_failure(found, "cannot be written: File too large")
        assert sorted(tmp_path.iterdir()) == ([out, many] if is_there else [many])
    assert out.read_text() == GOOD


def test_certificates_and_answers_are_whole_or_absent(tmp_path: Path) -> None:
    folder, answers = tmp_path / "certificates", tmp_path / "answers.csv"
    with no_file_longer_than(600):
        require_failure(run("certify", EASY, "-d", folder), "cannot be written: File too large")
        assert [*folder.iterdir()] == []
        many = [EASY, HARD] * 5
        found = run("check", *many, "--csv", "-o", answers)
    require_failure(found, "cannot be written: File too large")
    # Whole rows, so that `--resume` can go on.
    assert answers.read_text().endswith("\n")


def test_a_table_is_whole_or_absent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One of its groups does not fit, or its end, without which nothing can be read."""
    pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr("satdoku.answering.output.parquet._ROWS_A_GROUP", 10)
    bank, out = tmp_path / "bank.csv", tmp_path / "out.parquet"
    bank.write_text("puzzle\n" + f"{EASY}\n" * 50)
    command = ["check", bank, "-o", out, "--force", "--jobs", 1]
    assert run(*command).code == 0
    whole = out.stat().st_size
    out.write_text(GOOD)
    for size in (100, whole // 2, whole - 1):
        with no_file_longer_than(size):
            found = run(*command)
        require_failure(found, f"{out} cannot be written: File too large")
        assert out.read_text() == GOOD
        assert sorted(path.name for path in tmp_path.iterdir()) == ["bank.csv", "out.parquet"]


def test_a_full_disk_is_told_once_however_many_files_are_written(tmp_path: Path) -> None:
    many, folder = tmp_path / "many.txt", tmp_path / "formulas"
    many.write_text(f"{EASY}\n" * 20)
    with no_file_longer_than(600):
        found = run("export", many, "-d", folder)
    require_failure(found, "many-00000001.cnf cannot be written: File too large")
    assert found.stderr.count("\n") == 1
    assert [*folder.iterdir()] == []
