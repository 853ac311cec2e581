"""Many puzzles: the same bytes with any number of jobs, and after any interruption."""

import gzip
import json
import lzma
import shutil
from collections.abc import Callable
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from satdoku.puzzle.grid import Geometry
from tests.boards import random_puzzle
from tests.cli.interrupting import interrupt_after
from tests.commands import AMBIGUOUS, CLASHING, EASY, HARD, require_failure, run
from tests.crossing import crossed, sampled

FORMS: list[tuple[str, ...]] = [
    ("solve",),
    ("solve", "--to", "json"),
    ("solve", "--to", "csv"),
    ("solve", "--any"),
    ("solve", "--json"),
    ("check",),
    ("check", "--json"),
    ("check", "--csv"),
    ("check", "--json", "--stats", "--conflicts", "5"),
]
RESUMABLE = [form for form in FORMS if "--stats" not in form]


def some_lines(count: int) -> list[str]:
    """Puzzles with 0, 1 and several solutions, of several sizes, good and bad, with empty lines."""
    rng = Random(count)
    lines = []
    for number in range(count):
        geometry = rng.choice([Geometry(2, 2), Geometry(2, 3), Geometry(3, 3)])
        cells = "".join(map(str, random_puzzle(rng, geometry, 0.4).grid.digits))
        lines.append(cells if number % 7 else cells[1:])
        lines += [""] * (number % 11 == 0) + ["# a comment"] * (number % 13 == 0)
    return [EASY, HARD, *lines]


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("puzzles") / "lines.txt"
    path.write_text("\n".join(some_lines(40)) + "\n")
    return path


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("puzzles") / "table.csv"
    rows = [f"{n},{line},x" for n, line in enumerate(some_lines(40)) if line and line[0] != "#"]
    path.write_text("\n".join(["id,puzzle,more", *rows]) + "\n")
    return path


def without_times(text: str) -> list[Any]:
    return [{**json.loads(line), "seconds": 0} for line in text.splitlines()]


@sampled(3, "source, form", [*product(["lines"], FORMS[::-1]), *product(["table"], FORMS[::3])])
def test_any_number_of_jobs_writes_the_same_bytes(
    form: tuple[str, ...], source: str, request: pytest.FixtureRequest
) -> None:
    path = request.getfixturevalue(source)
    one, two = (run(*form, path, "--jobs", jobs) for jobs in (1, 2))
    assert one.code == two.code
    if "--stats" in form:
        assert without_times(one.stdout) == without_times(two.stdout)
    else:
        assert one.stdout == two.stdout
    assert one.stderr.splitlines()[:-1] == two.stderr.splitlines()[:-1]
    if form == ("check",):
        assert run(*form, path).stdout == one.stdout


@sampled(2, "suffix", ["", ".gz", ".xz"])
def test_jobs_write_the_same_files(lines: Path, tmp_path: Path, suffix: str) -> None:
    outputs = []
    for jobs in (1, 2):
        path, rejects = tmp_path / f"{jobs}{suffix}", tmp_path / f"{jobs}.rejects"
        run("check", lines, "--csv", "-o", path, "--rejects", rejects, "--jobs", jobs)
        outputs.append((path.read_bytes(), rejects.read_bytes()))
    assert outputs[0] == outputs[1]


class Interrupted:
    """A run whose output was torn at some byte, as it lies there after a crash."""

    def __init__(self, folder: Path, source: Path, form: tuple[str, ...], suffix: str = "") -> None:
        self.whole, self.path = folder / f"whole{suffix}", folder / f"torn{suffix}"
        self.source, self.form = source, form
        assert run(*form, source, "-o", self.whole).code == 1
        assert not self.sidecar.exists()
        self.begin()

    @property
    def sidecar(self) -> Path:
        return self.path.with_name(self.path.name + ".resume")

    def begin(self) -> None:
        """Leaves a torn output and what stands beside it."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("satdoku.answering.output.ending.Tally.add", interrupt_after(20))
            assert run(*self.form, self.source, "-o", self.path, "--jobs", 1).code == 130
        assert self.sidecar.exists()

    def tear(self, size: int) -> None:
        self.path.write_bytes(self.whole.read_bytes()[:size])

    def resume(self, *options: object) -> Any:
        return run(*self.form, self.source, "-o", self.path, "--resume", *options)


@sampled(3, "form", RESUMABLE, ids=" ".join)
def test_an_interrupted_run_says_how_to_go_on_and_does(
    lines: Path, tmp_path: Path, form: tuple[str, ...]
) -> None:
    torn = Interrupted(tmp_path, lines, form)
    assert 0 < len(torn.path.read_text().splitlines()) <= 21
    assert torn.resume("--jobs", 2).code in (0, 1, 20)
    assert torn.path.read_bytes() == torn.whole.read_bytes()
    assert not torn.sidecar.exists()


def test_an_interrupted_run_that_cannot_go_on_says_what_there_is(tmp_path: Path) -> None:
    lines, path = tmp_path / "lines.txt", tmp_path / "prose.txt"
    lines.write_text(f"{EASY}\n" * 4)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("satdoku.answering.output.ending.Tally.add", interrupt_after(2))
        result = run("explain", "--brief", lines, "-o", path, "--jobs", 1)
    assert result.code == 130
    assert f"2 puzzles are answered; {path} has these answers alone\n" in result.stderr
    assert path.read_text()


@sampled(2, "suffix", ["", ".gz", ".xz"])
def test_a_torn_file_is_completed_wherever_it_was_torn(
    lines: Path, tmp_path: Path, suffix: str
) -> None:
    torn = Interrupted(tmp_path, lines, ("check", "--csv"), suffix)
    kept = shutil.copy(torn.sidecar, tmp_path / "kept")
    whole = torn.whole.read_bytes()
    for size in [0, 1, 36, len(whole) // 3, len(whole) - 1, len(whole)]:
        torn.tear(size)
        shutil.copy(kept, torn.sidecar)
        torn.resume("-q", "--jobs", 1)
        assert torn.path.read_bytes() == whole, size


def test_what_was_answered_is_not_answered_again(lines: Path, tmp_path: Path) -> None:
    torn = Interrupted(tmp_path, lines, ("check",))
    torn.path.write_text("unique: kept\n" * 10)
    assert "10 more answered before" in torn.resume().stderr
    content = torn.path.read_text().splitlines()
    assert content == ["unique: kept"] * 10 + torn.whole.read_text().splitlines()[10:]


@crossed(4, form=RESUMABLE, suffix=["", ".gz"])
def test_a_finished_run_is_complete_with_the_code_of_its_content(
    lines: Path, tmp_path: Path, form: tuple[str, ...], suffix: str
) -> None:
    path, source = tmp_path / f"out{suffix}", tmp_path / "source.txt"
    for content in (lines.read_text(), EASY, f"{EASY}\n{AMBIGUOUS}\n{EASY}\n"):
        source.write_text(content)
        code = run(*form, source, "-o", path, "--force", "-q").code
        before = path.read_bytes()
        again = run(*form, source, "-o", path, "--resume")
        assert (again.code, again.stderr) == (code, f"{path} is already complete\n")
        assert path.read_bytes() == before


@sampled(3, "form", RESUMABLE, ids=" ".join)
def test_a_resumed_run_has_the_code_of_the_whole_output(
    tmp_path: Path, form: tuple[str, ...]
) -> None:
    source, path = tmp_path / "source.txt", tmp_path / "out"
    source.write_text(f"{CLASHING}\n" + f"{EASY}\n" * 29)
    expected = run(*form, source).code
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("satdoku.answering.output.ending.Tally.add", interrupt_after(20))
        assert run(*form, source, "-o", path, "--jobs", 1).code == 130
    assert run(*form, source, "-o", path, "--resume").code == expected == 20


@crossed(4, form=RESUMABLE, suffix=["", ".gz"])
def test_an_output_with_more_answers_than_the_input_has_puzzles_is_refused(
    lines: Path, tmp_path: Path, form: tuple[str, ...], suffix: str
) -> None:
    torn = Interrupted(tmp_path, lines, form, suffix)
    kept = shutil.copy(torn.sidecar, tmp_path / "kept")
    content = torn.whole.read_bytes()
    tail = run(*form, EASY).stdout.splitlines()[-1] + "\n"
    more = content + (gzip.compress(tail.encode()) if suffix else tail.encode())
    for has_sidecar in (True, False):
        torn.path.write_bytes(more)
        torn.sidecar.unlink(missing_ok=True)
        if has_sidecar:
            shutil.copy(kept, torn.sidecar)
        require_failure(torn.resume(), f"{torn.path} cannot be resumed: it has more answers")
        assert torn.path.read_bytes() == more


def test_a_file_of_somebody_else_is_no_finished_output(lines: Path, tmp_path: Path) -> None:
    count = len(lines.read_text().splitlines())
    for form in RESUMABLE:
        diary = tmp_path / "diary"
        diary.write_text("dear diary\n" * count)
        require_failure(run(*form, lines, "-o", diary, "--resume"), f"{diary} cannot be resumed")
        assert diary.read_text() == "dear diary\n" * count


@pytest.mark.parametrize("left", [0, 1, 5])
def test_an_output_with_too_few_answers_and_nothing_beside_it_is_refused(
    lines: Path, tmp_path: Path, left: int
) -> None:
    path = tmp_path / "out"
    run("check", lines, "-o", path)
    path.write_text("".join(f"{line}\n" for line in path.read_text().splitlines()[:left]))
    result = run("check", lines, "-o", path, "--resume", "--jobs", 1)
    require_failure(result, f"{path} cannot be resumed: there is no out.resume beside it")


def test_to_resume_what_is_not_there_is_to_begin(lines: Path, tmp_path: Path) -> None:
    path = tmp_path / "new.txt"
    run("check", lines, "-o", path, "--resume")
    assert path.read_text() == run("check", lines).stdout


def test_other_options_are_refused(lines: Path, tmp_path: Path) -> None:
    torn = Interrupted(tmp_path, lines, ("check",))
    before = torn.path.read_bytes()
    for options, message in (
        (["--json"], "the form of the output was verdicts, now it is json"),
        (["--conflicts", "9"], "--conflicts was not given, now it is 9"),
        (["--timeout", "9"], "--timeout was not given, now it is 9.0"),
        (["--solver", "glucose4"], "--solver was"),
        (["--box", "2x3"], "--box was not given, now it is 2x3"),
        (["--rule", "anti-king"], "--rule was not given, now it is anti-king"),
        (["--rejects", "bad.txt"], "the file of rejects was not given, now it is bad.txt"),
    ):
        require_failure(torn.resume(*options), f"{torn.path} cannot be resumed: {message}")
        assert torn.path.read_bytes() == before
    assert torn.resume("--jobs", 2, "--progress").code == 1


def test_other_input_is_refused(lines: Path, tmp_path: Path) -> None:
    source = Path(shutil.copy(lines, tmp_path / "source.txt"))
    torn = Interrupted(tmp_path, source, ("check",))
    other = run("check", lines, "-o", torn.path, "--resume")
    require_failure(other, f"the input was {source}, now it is {lines}")
    source.write_text(source.read_text() + EASY + "\n")
    require_failure(torn.resume(), f"{source} has changed since; --force begins it anew")


@pytest.mark.parametrize(
    "arguments", [["solve", EASY], ["solve", "-"], ["solve", "FILE", "--to", "rows"]], ids=" ".join
)
def test_what_cannot_be_resumed_is_wrong_usage(
    lines: Path, tmp_path: Path, arguments: list[str]
) -> None:
    named = [str(lines) if argument == "FILE" else argument for argument in arguments]
    result = run(*named, "-o", tmp_path / "out", "--resume", stdin=EASY)
    require_failure(result, "--resume needs files as input", "as --json has", code=2)
    require_failure(run("check", lines, "--resume"), "--resume needs --output", code=2)


def test_a_file_in_the_way_names_both_ways_out(lines: Path, tmp_path: Path) -> None:
    torn = Interrupted(tmp_path, lines, ("check",))
    result = run("check", lines, "-o", torn.path)
    require_failure(result, "exists; --force overwrites it, --resume goes on with it")


@pytest.mark.parametrize(("suffix", "pack"), [(".gz", gzip.compress), (".xz", lzma.compress)])
def test_compressed_tables_are_answered_like_plain_ones(
    table: Path, tmp_path: Path, suffix: str, pack: Callable[[bytes], bytes]
) -> None:
    packed = tmp_path / f"table.csv{suffix}"
    packed.write_bytes(pack(table.read_bytes()))
    assert run("check", "--csv", packed).stdout == run("check", "--csv", table).stdout
