"""Plain lines of a file are answered by the block, and nobody can see that in the output."""

import gzip
import lzma
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from satdoku.answering.checker import Checker
from satdoku.answering.form import Grids, Verdicts
from satdoku.answering.output.ending import Ending, Tally
from satdoku.answering.output.open_file import RECORDS_A_MEMBER
from satdoku.answering.task import Task
from satdoku.batch.row import Row
from satdoku.cli.inputs import Tasks
from satdoku.cli.running import PuzzleRun
from satdoku.errors import UnseenFileError
from satdoku.lanes.library import find_library
from satdoku.notation import plain_lines
from satdoku.notation.hints import Hints
from satdoku.notation.plain_lines import FileLines
from satdoku.solving.limits import Limits
from satdoku.solving.solvers import Settings
from tests.commands import AMBIGUOUS, CLASHING, EASY, SMALL, run
from tests.crossing import sampled

FILE = Path(__file__).parents[2] / "benchmarks" / "puzzles" / "easy.txt"
MADE = FILE.read_text("ascii").split()[:20]
MIXED = [
    *MADE * 5,
    *(AMBIGUOUS, "# a comment", "", f"{EASY} named", EASY[1:], EASY.replace("5", "!", 1)),
    *MADE * 9,
    *(CLASHING, AMBIGUOUS),
    *MADE * 3,
]
RECORDS = sum(bool(line) and not line.startswith("#") for line in MIXED)


def mixed_file(folder: Path, name: str = "mixed.txt") -> Path:
    path = folder / name
    data = "".join(f"{line}\n" for line in MIXED).encode()
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return path


def tasks_of(path: Path, by_block: bool) -> list[Task]:
    return list(
        Tasks([str(path)], None, Hints(), lambda error: pytest.fail(str(error)), by_block=by_block)
    )


def _fail(error: Exception) -> None:
    raise error


def interrupting_add(answered: int) -> Callable[[Tally, Row], None]:
    """Returns a `Tally.add` that interrupts the run after so many answers."""
    add = Tally.add

    def interrupt(self: Tally, row: Row) -> None:
        add(self, row)
        if self.total >= answered:
            raise KeyboardInterrupt

    return interrupt


def without_source(text: str) -> str:
    return text.replace("stdin:", "mixed.txt:")


@pytest.mark.parametrize("name", ["mixed.txt", "mixed.txt.gz"])
def test_blocks_hold_the_tasks_in_their_order(tmp_path: Path, name: str) -> None:
    path = mixed_file(tmp_path, name)
    single = tasks_of(path, by_block=False)
    blocks = tasks_of(path, by_block=True)
    assert max(task.puzzles for task in blocks) > 50
    flat = [one for task in blocks for one in (task.lines() if task.puzzles > 1 else [task])]
    assert [(t.record, t.number, t.place) for t in flat] == [
        (t.record, t.number, t.place) for t in single
    ]
    assert len(single) == RECORDS


@sampled(
    2,
    "arguments",
    [
        ["solve", "--jobs", "1"],
        ["solve", "--to", "line", "--jobs", "2"],
        ["check", "--jobs", "1"],
        ["check", "-H", "--jobs", "1"],
    ],
)
def test_the_output_is_that_of_single_lines(
    tmp_path: Path, arguments: Sequence[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    mixed_file(tmp_path)
    monkeypatch.chdir(tmp_path)
    # With so short a timeout lines are answered one by one.
    single = run(*arguments, "--timeout", 59, "-", stdin=(tmp_path / "mixed.txt").read_text())
    read = run(*arguments, "mixed.txt")
    assert read.code == single.code
    assert read.stdout == without_source(single.stdout)
    assert read.stderr.partition("puzzles:")[0] == without_source(
        single.stderr.partition("puzzles:")[0]
    )


def test_rejects_and_counts_are_those_of_single_lines(tmp_path: Path) -> None:
    path, rejects = mixed_file(tmp_path), tmp_path / "rejects.txt"
    result = run("solve", path, "--rejects", rejects)
    assert f"{RECORDS} puzzles: {RECORDS - 5:,} unique, 2 multiple, 1 none; 2 unr" in result.stderr
    lines = rejects.read_text().splitlines()
    assert [line.split("\t")[1].rpartition(":")[2] for line in lines] == [
        str(number)
        for number, line in enumerate(MIXED, 1)
        if line in (AMBIGUOUS, CLASHING, EASY[1:], EASY.replace("5", "!", 1))
    ]


@pytest.mark.parametrize(
    ("name", "answered"), [("answers.txt", 1), ("answers.txt", 120), ("answers.txt.gz", 250)]
)
def test_a_run_is_resumed_in_the_middle_of_a_block(
    tmp_path: Path, name: str, answered: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, whole = mixed_file(tmp_path), tmp_path / name
    assert run("solve", path, "-o", whole).code == 1
    expected = whole.read_bytes()
    whole.unlink()
    with monkeypatch.context() as patched:
        patched.setattr(Tally, "add", interrupting_add(answered))
        assert run("solve", path, "-o", whole).code == 130
    assert run("solve", path, "-o", whole, "--resume").code == 1
    assert gzip.decompress(whole.read_bytes()) if name.endswith(".gz") else True
    assert whole.read_bytes() == expected


def test_members_of_a_compressed_output_do_not_depend_on_blocks(tmp_path: Path) -> None:
    path = tmp_path / "many.txt"
    path.write_text("".join(f"{line}\n" for line in MADE) * (RECORDS_A_MEMBER // len(MADE) + 9))
    by_block, by_line = tmp_path / "block.gz", tmp_path / "line.gz"
    assert run("solve", path, "-o", by_block).code == 0
    assert run("solve", "-", "-o", by_line, "--to", "line", stdin=path.read_text()).code == 0
    assert by_block.read_bytes() == by_line.read_bytes()


def test_a_block_whose_worker_died_is_answered_all_the_same(tmp_path: Path) -> None:
    path = tmp_path / "plain.txt"
    path.write_text("".join(f"{line}\n" for line in [*MADE * 5, AMBIGUOUS, *MADE]))
    _, _, block, *_ = tasks_of(path, by_block=True)
    assert block.puzzles > 50
    for form in (Grids(), Verdicts()):
        checker = Checker(form)
        [row] = checker.answers([block])
        assert checker.give_up(block, "killed") == row
        singles = list(checker.answers(block.lines()))
        assert row.text == "".join(single.text for single in singles)
        assert row.records == len(singles)
        assert row.ending is Ending.UNIQUE


def test_what_needs_more_than_solutions_is_asked_line_by_line() -> None:
    assert Checker(Grids()).takes_blocks
    assert Checker(Verdicts()).takes_blocks
    assert not Checker(Verdicts(has_places=True)).takes_blocks
    assert not Checker(Grids("grid")).takes_blocks
    assert not Checker(Grids(), is_any=True).takes_blocks


@pytest.mark.parametrize(("seconds", "takes"), [(59.0, False), (60.0, True)])
def test_a_timeout_below_a_minute_goes_line_by_line(seconds: float, takes: bool) -> None:
    """docs/bulk.md says so."""
    checker = Checker(Grids(), settings=Settings(limits=Limits(timeout=seconds)))
    assert checker.takes_blocks is takes


@pytest.mark.parametrize("suffix", ["gz", "xz"])
def test_what_stands_before_damage_is_answered_and_the_damage_told(
    suffix: str, tmp_path: Path
) -> None:
    """The end of a file that was cut short passed for Ctrl-C."""
    rng = Random(1)
    lines = "".join(f"{''.join(rng.choices('12345678.', k=81))}\n" for _ in range(400))
    path = tmp_path / f"cut.{suffix}"
    data = lines.encode()
    packed = gzip.compress(data) if suffix == "gz" else lzma.compress(data)
    path.write_bytes(packed[:9000])
    result = run("check", path, "-j", 1)
    assert result.code == 1
    assert "damaged data" in result.stderr
    assert f"cut.{suffix}:{len(result.lines) + 1}: " in result.stderr
    assert len(result.lines) > 100


def test_pipes_are_read_by_the_block_too(tmp_path: Path) -> None:
    path = mixed_file(tmp_path)
    expected = run("solve", path, "--jobs", "1")
    for arguments in (["-"], ["-", "--timeout", "60"], ["-", "--timeout", "5"]):
        piped = run("solve", "--jobs", "1", *arguments, stdin=path.read_bytes())
        assert (piped.code, piped.stdout) == (expected.code, expected.stdout)


# Enough lines behind one another for a block that names its place in the file.
LARGE = [*MADE * 100, MADE[0][:-1] + "!", *MADE * 30]


def large_file(folder: Path) -> Path:
    path = folder / "large.txt"
    path.write_text("".join(f"{line}\n" for line in LARGE))
    return path


def tasks_by_place(path: Path) -> list[Task]:
    hints = Hints()
    tasks = Tasks([str(path)], None, hints, _fail, by_block=True, by_row=True)
    return list(tasks)


@pytest.mark.skipif(find_library() is None, reason="the compiled library counts the lines")
def test_large_blocks_name_their_lines_by_their_place(tmp_path: Path) -> None:
    path = large_file(tmp_path)
    tasks = tasks_by_place(path)
    named = [task for task in tasks if isinstance(task.rows, FileLines)]
    assert named
    assert all(not task.record.text and len(task.text) == 82 * task.puzzles for task in named)
    flat = [one for task in tasks for one in (task.lines() if task.puzzles > 1 else [task])]
    assert [(one.record.line, one.text, one.number) for one in flat] == [
        (number, line, number) for number, line in enumerate(LARGE, 1)
    ]
    checker = Checker(Grids())
    rows = list(checker.answers(tasks))
    assert [row.text for row in checker.answers([task.with_text() for task in tasks])] == [
        row.text for row in rows
    ]
    assert sum(row.records for row in rows) == len(LARGE)


@pytest.mark.skipif(find_library() is None, reason="the compiled library counts the lines")
def test_lines_are_not_read_from_a_file_that_has_changed(tmp_path: Path) -> None:
    path = large_file(tmp_path)
    named = next(t for t in tasks_by_place(path) if isinstance(t.rows, FileLines))
    path.write_text(path.read_text().replace(MADE[0], MADE[1]).replace("1", "2"))
    with pytest.raises(UnseenFileError, match=r"large.txt has changed while it was read"):
        named.block()
    path.unlink()
    with pytest.raises(UnseenFileError, match=r"large.txt cannot be read"):
        named.block()


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks by place begin after some hundred lines, as they usually do after some thousand."""
    for name, count in {"_FIRST_LINES": 16, "_MOST_LINES": 64, "_MOST_OF_FILE": 128}.items():
        monkeypatch.setattr(plain_lines, name, count)


NOT_PLAIN = ["# a comment", "", f"{EASY} named", EASY[1:], AMBIGUOUS, f"{EASY}\r", "5" * 81]


@pytest.mark.skipif(find_library() is None, reason="the compiled library counts the lines")
@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("jobs", [1, 2])
@sampled(2, "line", NOT_PLAIN)
def test_lines_that_nobody_looked_at_are_answered_as_all_others(
    tmp_path: Path, line: str, jobs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = [*MADE * 40, line, *MADE * 20, AMBIGUOUS, *MADE]
    Path("mixed.txt").write_text("\n".join(lines))
    files = ["before.txt", "mixed.txt", "behind.txt"]
    for name in (files[0], files[2]):
        Path(name).write_text("nothing to solve\n")
    trusted: list[FileLines | None] = []
    next_lines = plain_lines.Blocks._next_lines

    def noting(self: plain_lines.Blocks, plain: plain_lines.PlainLines) -> FileLines | None:
        trusted.append(next_lines(self, plain))
        return trusted[-1]

    monkeypatch.setattr(plain_lines.Blocks, "_next_lines", noting)
    read = run("solve", *files, "--jobs", jobs, "--rejects", "found")
    assert trusted[0] is not None
    monkeypatch.setattr(PuzzleRun, "trusts_files", False)
    looked = run("solve", *files, "--jobs", jobs, "--rejects", "expected")
    assert (read.code, read.stdout) == (looked.code, looked.stdout)
    assert Path("found").read_text() == Path("expected").read_text()
    without_time = [text.stderr.replace("found", "expected") for text in (read, looked)]
    assert len({re.sub("; 0:.*", "", text) for text in without_time}) == 1


@pytest.mark.skipif(find_library() is None, reason="the compiled library counts the lines")
@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("answered", [20, 700, 1000])
def test_a_run_is_resumed_before_and_after_lines_of_another_kind(
    tmp_path: Path, answered: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mixed.txt").write_text("\n".join([*MADE * 40, "# a comment", *MADE * 20]))
    assert run("solve", "mixed.txt", "-o", "whole").code == 0
    expected = Path("whole").read_text()
    assert len(expected.splitlines()) == 60 * len(MADE)
    with monkeypatch.context() as patched:
        patched.setattr(Tally, "add", interrupting_add(answered))
        assert run("solve", "mixed.txt", "-o", "torn").code == 130
    assert answered <= len(Path("torn").read_text().splitlines()) < 60 * len(MADE)
    result = run("solve", "mixed.txt", "-o", "torn", "--resume")
    assert (result.code, Path("torn").read_text()) == (0, expected)


@pytest.mark.skipif(find_library() is None, reason="the compiled library answers the blocks")
def test_the_docs_name_the_commands_that_answer_lines_in_blocks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    docs = Path(__file__).parents[2] / "docs"
    text = (docs / "bulk.md").read_text("utf-8")
    said = re.search(r"are read, answered and written in blocks by (.*?),\s+from files", text, re.S)
    assert said is not None
    begin, asked = Tasks.__init__, dict[str, bool]()
    (path := tmp_path / "bank.txt").write_text(f"{SMALL}\n")
    for command in ("check", "solve", "count", "rate", "canonical", "minimize", "candidates"):

        def noting(self: Tasks, *given: Any, name: str = command, **further: Any) -> None:
            begin(self, *given, **further)
            asked[name] = self._by_block

        monkeypatch.setattr(Tasks, "__init__", noting)
        run(command, path)
    assert {name for name, is_by_block in asked.items() if is_by_block} == {
        *re.findall("`(.*?)`", said[1])
    }
    assert len(asked) == 7
