"""Texts of other encodings, with old endings, and compressed by others are read as plain ones."""

import gzip
import json
import subprocess
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest

from satdoku.cli.exit_codes import ExitCode
from satdoku.cli.sources import Patience
from satdoku.notation.plain_lines import Flow
from satdoku.solving.limits import LimitReachedError
from tests.commands import EASY, SATDOKU, SMALL, run, start
from tests.each import for_each
from tests.waiting import SOON


@for_each("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig"])
def test_a_text_may_have_two_or_four_bytes_a_character(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "puzzles.txt"
    path.write_bytes(f"{SMALL}\r\n{SMALL}\r\n".encode(encoding))
    done = run("check", str(path))
    assert (done.code, len(done.lines)) == (run("check", SMALL).code, 2)


@pytest.mark.parametrize("end", [b"\x1a", b"\0", b"\n\x1a\n", b"\n\0\0\n"])
def test_what_old_programs_end_a_file_with_is_no_fault(tmp_path: Path, end: bytes) -> None:
    path = tmp_path / "puzzle.txt"
    path.write_bytes(SMALL.encode() + end)
    done = run("check", str(path))
    assert (done.code, done.stderr) == (run("check", SMALL).code, "")


def test_zero_bytes_in_place_of_text_are_unreadable(tmp_path: Path) -> None:
    zeros = "\0" * 81
    for number, (text, place) in enumerate(
        [
            (f"{EASY}\n{zeros}\n{EASY}\n", 2),
            (f"{EASY}\r\n{EASY}\r\n{zeros}", 3),
            (f"{EASY}\n{EASY[:7]}{zeros}\n{EASY}\n", 2),
            (f"{EASY}\n{EASY[:7]}\0{EASY[8:]}\n{EASY}\n", 2),
            ("1.....2..3.....4\n1.....2\0.3.....4\n1.....2..3.....4\n", 2),
            (f"id,puzzle\n1,{EASY}\n{zeros}\n2,{EASY}\n", 3),
            (f'{{"puzzle": "{EASY}"}}\n{zeros}\n{{"puzzle": "{EASY}"}}\n', 2),
        ]
    ):
        path = tmp_path / f"{number}.txt"
        path.write_text(text, newline="")
        done = run("check", path, "--rejects", rejects := tmp_path / f"rejects{number}")
        assert f"{path}:{place}:1: zero bytes are in place of text" in rejects.read_text()
        assert "3 puzzles: 2 unique; 1 unreadable" in done.stderr
        assert done.code == 1
    path.write_text(f"{zeros}\n{EASY}\n")
    assert f"{path}:1: zero bytes are in place of text" in run("check", path).stderr


def test_zero_bytes_are_told_as_one_lost_character(tmp_path: Path) -> None:
    path, out, rejects = (tmp_path / name for name in ("in.txt", "out.txt", "rejects.txt"))
    path.write_text(f"{EASY}\n{EASY[:7]}\0\0{EASY[8:]}\n", newline="")
    run("check", "--csv", path, "-o", out, "--rejects", rejects)
    for written in (out, rejects):
        assert f"{EASY[:7]}\ufffd{EASY[8:]}" in written.read_text()


@pytest.mark.parametrize("lost", ["\0\0" + EASY[9:], "\0" * 74, "\0" + EASY[8:20] + "\0" * 99])
def test_where_records_are_written_as_they_came_zero_bytes_stay(tmp_path: Path, lost: str) -> None:
    path, out = tmp_path / "in.txt", tmp_path / "out.txt"
    path.write_text(f"{EASY}\n{EASY[:7]}{lost}\n", newline="")
    assert run("canonical", "--unique", path, "-o", out).code == 1
    assert out.read_bytes() == path.read_bytes()


@pytest.mark.parametrize("command", [["check", "--csv"], ["solve"], ["canonical", "--unique"]])
def test_bytes_that_are_no_utf_8_stay_in_tables(tmp_path: Path, command: list[str]) -> None:
    path, out = tmp_path / "latin.csv", tmp_path / "out.csv"
    rows = [b"not\xe9,puzzle", b"caf\xe9," + SMALL.encode(), b"\xff\xc3\xa9," + EASY.encode()]
    path.write_bytes(b"\n".join([*rows, b""]))
    done = run(*command, path, "-o", out)
    assert f"{path}:2: this text is not UTF-8; such bytes stay in CSV" in done.stderr
    found = out.read_bytes().splitlines()
    assert [line[: len(row)] for line, row in zip(found, rows, strict=True)] == rows
    in_a_pipe = subprocess.run([*SATDOKU, *command, path, "-q"], capture_output=True)
    assert in_a_pipe.stdout == out.read_bytes()
    objects = [json.loads(line) for line in run("check", "--json", path).lines]
    assert [each["not\ufffd"] for each in objects] == ["caf\ufffd", "\ufffdé"]


def test_a_file_of_zstandard_is_read_by_what_there_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    path = tmp_path / "puzzles.txt.zst"
    path.write_bytes(pyarrow.compress(f"{SMALL}\n{SMALL}\n".encode(), codec="zstd", asbytes=True))
    assert (lines := run("check", str(path)).lines) == run("check", stdin=f"{SMALL}\n{SMALL}").lines
    assert len(lines) == 2
    path.write_bytes(b"no compressed data")
    assert "damaged data" in run("check", str(path)).stderr
    for module in ("zstandard", "compression.zstd", "pyarrow"):
        monkeypatch.setitem(sys.modules, module, None)
    needed = f"{path} needs pip install zstandard, or the program zstd and a pipe"
    assert needed in run("check", str(path)).stderr
    for command in ("check", "convert"):
        refused = run(command, SMALL, "-o", str(path), "--force")
        assert needed in refused.stderr, refused


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_time_counts_from_the_first_byte_of_a_puzzle_on() -> None:
    clock = Clock()
    patience = Patience(5, clock)

    def slow_lines() -> Iterator[str]:
        for line in ("\n", "12..\n", "..34\n", "\n", "43..\n", "..21\n"):
            yield line
            clock.now += 3

    lines = iter(patience.lines(slow_lines()))
    assert [next(lines) for _ in range(3)] == ["\n", "12..\n", "..34\n"]
    assert patience.take() == 3
    # What follows is another puzzle, and its time begins with its own first sign.
    assert [next(lines) for _ in range(2)] == ["\n", "43..\n"]
    clock.now += 3
    with pytest.raises(LimitReachedError, match="within 5 s"):
        next(lines)


def test_a_puzzle_whose_last_line_came_too_late_is_not_taken() -> None:
    clock = Clock()
    patience = Patience(5, clock)
    list(patience.lines(["12..\n"]))
    clock.now += 5
    with pytest.raises(LimitReachedError):
        patience.take()


def test_without_a_limit_or_a_puzzle_a_pipe_may_be_silent() -> None:
    clock = Clock()
    for patience in (Patience(None, clock), Patience(5, clock)):
        flow = Flow(BytesIO(b"12..\n..34\n"), wait=patience.wait)
        lines = iter(flow)
        clock.now += 1000
        assert next(lines) == b"12..\n"
        patience.wait(flow, has_begun=False)
        assert patience.take() == 0


def test_time_counts_while_a_line_is_not_ended() -> None:
    clock = Clock()
    patience = Patience(5, clock)
    flow = Flow(BytesIO(), wait=patience.wait)
    patience.wait(flow, has_begun=True)
    clock.now += 6
    with pytest.raises(LimitReachedError):
        patience.wait(flow, has_begun=True)


@pytest.mark.parametrize("command", ["check", "explain"])
@pytest.mark.parametrize("text", [SMALL[:7], "\n".join([SMALL[:4], SMALL[4:8], ""])])
def test_a_pipe_that_stalls_within_a_puzzle_ends_at_the_limit(command: str, text: str) -> None:
    limit = ("--timeout", "0.2")
    with start(
        command, *limit, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdin.write(text)
        process.stdin.flush()
        try:
            assert process.wait(SOON) == ExitCode.UNDECIDED
        finally:
            process.kill()
        assert "stdin: not read to the end of a puzzle within 0.2 s" in process.stderr.read()


@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_no_puzzle_between_lone_carriage_returns_is_lost(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"old.txt{suffix}"
    lines = [SMALL + "\r", SMALL + "\n", *[SMALL + "\n"] * 300, SMALL + "\r\n", SMALL + "\r", SMALL]
    with (gzip.open if suffix else open)(path, "wb") as stream:
        stream.write("".join(lines).encode())
    done = run("solve", path, "--to", "line")
    assert len(done.lines) == len(lines)
    assert len(set(done.lines)) == 1


@pytest.mark.parametrize(
    ("content", "help_"),
    [
        (b"%PDF-1.4\n1 0 obj\n", "this is a PDF file; copy the puzzle from it as text"),
        (b"\x89PNG\r\n\x1a\n\0\0", "this is a picture; type the puzzle"),
        (b"PK\3\4\x14\0", "this is an archive, as .xlsx and .docx are"),
    ],
)
def test_of_a_file_that_is_no_text_is_said_what_helps(
    tmp_path: Path, content: bytes, help_: str
) -> None:
    path = tmp_path / "puzzle"
    path.write_bytes(content)
    assert help_ in run("check", path).stderr


@for_each("end", ["", ".gz"])
def test_what_stands_before_damage_in_a_short_table_is_read(end: str, tmp_path: Path) -> None:
    """Rules that a short text states may stand below its puzzle, so it is read ahead."""
    text = "id,puzzle\n" + "".join(f"{number},{EASY}\n" for number in range(300))
    path = tmp_path / f"bank.csv{end}"
    path.write_bytes(gzip.compress(text.encode())[:-200] if end else text.encode() + b"\0\1" * 8)
    result = run("check", path)
    assert result.code == 1
    assert len(result.lines) > 100
    assert set(result.lines) == {"unique"}
    assert f"{path}:{len(result.lines) + 2}" in result.stderr
    stated = tmp_path / f"stated.txt{end}"
    text = f"anti-knight\n{'.' * 81}\n" + "# of many\n" * 50
    stated.write_bytes(gzip.compress(text.encode())[:-9] if end else text.encode() + b"\0\1" * 8)
    result = run("check", stated)
    assert (result.code, result.stdout) == (1, "")
