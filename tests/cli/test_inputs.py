import gzip
import json
import lzma
import os
import subprocess
import sys
import time
from pathlib import Path
from threading import Timer

import pytest

from tests.commands import (
    CLASHING,
    EASY,
    EASY_SOLUTION,
    SMALL,
    SMALL_SOLUTION,
    require_failure,
    run,
    start,
)
from tests.crossing import sampled
from tests.each import for_each
from tests.waiting import SOON

COMMANDS = ["solve", "check", "count", "convert"]
ANSWER = {"solve": SMALL_SOLUTION, "check": "unique", "count": "1", "convert": SMALL}


def write(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_a_board_smaller_than_usual_is_typed_like_any_other() -> None:
    for options in (["--box", "1x3"], ["--regions", "AAABBBCCC"]):
        assert run("check", "1.2..1...", *options) == (0, "unique\n", "")
        assert run("1.2..1...", *options) == (0, "132321213\n", "")
    refused = run("check", "1.2..1...")
    require_failure(refused, "'1.2..1...' is neither a file nor a puzzle")


NOTHING = "{}: no puzzle found (a puzzle has a character for every cell)"


@pytest.mark.parametrize("command", COMMANDS)
def test_typed_named_and_piped_puzzles_are_taken_alike(command: str, tmp_path: Path) -> None:
    path = write(tmp_path / "puzzle.txt", SMALL + "\n")
    for result in (run(command, SMALL), run(command, path), run(command, "-", stdin=SMALL)):
        assert result == (0, ANSWER[command] + "\n", "")
    assert run(command, stdin=SMALL) == (0, ANSWER[command] + "\n", "")
    many = run(command, SMALL, path, "-", stdin=SMALL)
    places = ["argument 1:1: ", f"{path}:1: ", "stdin:1: "] if command == "check" else [""] * 3
    assert (many.code, many.lines) == (0, [place + ANSWER[command] for place in places])


@for_each("command", COMMANDS)
@for_each(
    "name, content, message",
    [
        ("empty.txt", "", NOTHING),
        ("blank.txt", "\n \n\n", NOTHING),
        ("comment.txt", "# nothing here\n", NOTHING),
        (
            "binary.txt",
            b"\x00\x01\x02" * 50,
            "{}:1: this is binary data, not text; puzzles are text, or a table in .parquet",
        ),
        ("late.txt", f"{SMALL}\n{SMALL}\n".encode() + b"\0\1" * 8, "{}:3: this is binary data"),
        ("packed.txt", b"\x28\xb5\x2f\xfd\0\0", "{}:1: this is compressed data; name a file"),
        ("packed.txt", gzip.compress(SMALL.encode()), "{}:1: this is compressed data; name a file"),
        ("packed.gz", b"this is not gzip", "{}"),
        ("torn.gz", gzip.compress(b"hello" * 99)[:-9], "{}"),
        ("torn.xz", lzma.compress(b"hello" * 99)[:-9], "{}"),
        ("bad.txt", EASY.replace("3", "w"), "{}:1:2: 'w' is not a digit 1-9 or a blank"),
        ("words.txt", "hello world\n", "{}:1:"),
        ("half.json", '[["5","3"', "{}:1:"),
    ],
)
def test_a_bad_file_is_named_and_the_good_one_beside_it_answered(
    command: str, tmp_path: Path, name: str, content: str | bytes, message: str
) -> None:
    bad = write(tmp_path / name, content)
    good = write(tmp_path / "good.txt", SMALL + "\n")
    result = run(command, bad, good)
    assert result.code == 1
    assert result.lines[-1].endswith(ANSWER[command])
    assert any(
        line.startswith("satdoku: " + message.format(bad)) for line in result.stderr.splitlines()
    )
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_a_missing_file_and_an_empty_folder_are_named_and_the_rest_answered(
    command: str, tmp_path: Path
) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    result = run(command, tmp_path / "missing.txt", folder, SMALL)
    assert result.code == 1
    assert result.lines[0].endswith(ANSWER[command])
    assert result.stderr.splitlines()[:2] == [
        f"satdoku: there is no file {tmp_path}/missing.txt",
        f"satdoku: {folder} is a folder without files",
    ]


def test_a_folder_stands_for_its_files(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / ".git").mkdir()
    for name in ("b.txt", "a.txt", "sub/c.txt", ".hidden", ".git/x"):
        write(tmp_path / name, SMALL)
    places = [line.split(": ")[0] for line in run("check", tmp_path).lines]
    assert places == [f"{tmp_path}/{name}:1" for name in ("a.txt", "b.txt", "sub/c.txt")]
    result = run("check", tmp_path, "-o", tmp_path / "a.txt", "--force")
    require_failure(result, "is read already", code=2)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads all")
def test_a_file_that_may_not_be_read_is_named(tmp_path: Path) -> None:
    path = write(tmp_path / "secret.txt", SMALL)
    path.chmod(0)
    require_failure(run("solve", path), f"{path} cannot be read: Permission denied")


@for_each("argument", ["", "abc", "53..7", "puzzles", "53..x", "\0", "x" * 15])
def test_an_argument_that_is_nothing_is_named(argument: str) -> None:
    require_failure(run("solve", argument), "is neither a file nor a puzzle")


@for_each("argument", ["killer:5=r1c1-2", "Thermo:R1-3C2", "sandwich:row3=12", "xv:x=r1c1,r1c2"])
def test_a_rule_without_its_option_is_told(argument: str) -> None:
    result = run("check", "." * 16, "--rule", "odd:r1c1", argument)
    assert f"there is no --rule before {argument}; each rule needs its own" in result.stderr


@pytest.mark.parametrize("argument", ["puzzles.txt", "bank.xz", "folder/bank", "a/53..7"])
def test_what_looks_like_a_path_is_a_missing_file(argument: str) -> None:
    require_failure(run("solve", argument), f"there is no file {argument}")


def test_a_puzzle_may_begin_with_a_dash() -> None:
    puzzle = EASY.replace(".", "-").replace("5", "-", 1)
    assert puzzle.startswith("-")
    assert run("solve", puzzle, "--to", "line").lines == run("solve", "--", puzzle).lines
    require_failure(run("solve", "-1"), "No such option", code=2)


@for_each(
    "argument, message",
    [
        (EASY + "1", "argument:1:82: 82 cells found, expected 81 for 9x9"),
        (EASY[1:], "argument:1:81: 80 cells found, expected 81 for 9x9"),
        (EASY.replace("3", "w", 1), "argument:1:2: 'w' is not a digit 1-9 or a blank"),
        (EASY.replace("3", "q", 1), "argument:1:2: this is a board if some signs were misread"),
        ("[[1, 2], [3]]", "argument:1:"),
        ('[["5",', "argument:1:"),
        (
            "[['5', '3']]",
            "argument:1:3: this is not JSON (Expecting value; JSON has double quotes)",
        ),
        ('{"puzzle": "12"}', "argument:1:"),
        ('{"nothing": 1}', "argument:1:1: this object has no 'puzzle', only 'nothing'"),
        ("9" * 256, "argument:1:"),
        ("Z" * 300, "argument:1:"),
        ("1..2\n..q.\n....\n....", "argument:2:3: 'q' is not a digit 1-4 or a blank"),
    ],
)
def test_a_typed_puzzle_with_a_fault_is_told_its_place(argument: str, message: str) -> None:
    require_failure(run("solve", argument), message)


@pytest.mark.parametrize("command", COMMANDS)
def test_rows_without_quotes_around_them_are_explained(command: str) -> None:
    rows = [EASY[at : at + 9] for at in range(0, 81, 9)]
    message = "these 9 arguments look like the rows of one puzzle; put quotes around them all"
    require_failure(run(command, *rows), message, code=2)
    assert run(command, " ".join(rows)).code == 0
    assert run(command, *[SMALL] * 16).code == 0


def test_a_puzzle_without_a_command_is_solved(tmp_path: Path) -> None:
    path = write(tmp_path / "puzzle.txt", SMALL)
    solved = (0, f"{SMALL_SOLUTION}\n", "")
    assert run(SMALL) == run(path) == run("-", stdin=SMALL) == run(stdin=SMALL) == solved
    assert run("--to", "line", path) == run(path, "--to", "line") == solved
    assert run("--", "-" + SMALL[1:]) == solved
    assert run(SMALL, EASY).lines == [SMALL_SOLUTION, EASY_SOLUTION]


def test_what_is_no_puzzle_is_not_solved_without_a_command(tmp_path: Path) -> None:
    require_failure(run("puzle.txt"), "satdoku: there is no file puzle.txt")
    require_failure(run(tmp_path), f"{tmp_path} is a folder")
    require_failure(run("sovle", SMALL), "there is no command 'sovle'; did you mean solve?", code=2)
    require_failure(run("foo"), "'foo' is neither a command nor a file nor a puzzle", code=2)
    require_failure(run("help"), "`satdoku --help` lists the commands", code=2)
    require_failure(run("-q", "check", SMALL), "No such option", code=2)
    rows = [EASY[at : at + 9] for at in range(0, 81, 9)]
    require_failure(run(*rows), "these 9 arguments look like the rows of one puzzle", code=2)


def test_a_file_that_is_called_like_a_slip_is_solved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "slove", SMALL)
    monkeypatch.chdir(tmp_path)
    assert run("slove").stdout == f"{SMALL_SOLUTION}\n"


def test_several_typed_puzzles_are_told_apart() -> None:
    talk = run("solve", SMALL, CLASHING, EASY[1:]).stderr.splitlines()
    assert talk[0].startswith("argument 2:1: no solution: ")
    assert talk[1].startswith("satdoku: argument 3:1:81: 80 cells found")
    assert run("solve", CLASHING).stderr.startswith("argument:1: no solution: ")


@pytest.mark.parametrize("text", [f"\ufeff{SMALL}\r\n{SMALL}\r\n", f"{SMALL}\r\n\r\n{SMALL}"])
def test_marks_and_line_ends_of_other_systems_are_no_part_of_a_puzzle(text: str) -> None:
    assert run("solve", stdin=text).stdout == f"{SMALL_SOLUTION}\n" * 2
    assert run("convert", stdin=text).stdout == f"{SMALL}\n" * 2


def test_empty_lines_and_comments_count_as_lines() -> None:
    text = f"# a comment\n\n{SMALL}\n\n{CLASHING}\n# another\n{EASY[1:]}\n"
    talk = run("check", stdin=text).stderr
    assert talk.startswith("satdoku: stdin:7:81: ")
    assert run("solve", stdin=text).stderr.startswith("stdin:5: no solution")


@for_each("suffix, pack", [(".gz", gzip.compress), (".xz", lzma.compress)])
@for_each("command", COMMANDS)
def test_compressed_files_are_read_by_their_suffix(
    command: str, tmp_path: Path, suffix: str, pack: object
) -> None:
    assert callable(pack)
    path = write(tmp_path / f"puzzles.txt{suffix}", pack(f"{SMALL}\n".encode()))
    assert run(command, path) == (0, ANSWER[command] + "\n", "")


@pytest.mark.parametrize(("shape", "code"), [("2x3", 10), ("3x2", 0)])
def test_the_box_shape_decides(shape: str, code: int) -> None:
    puzzle = "..15........64.....1..4...423......."
    assert run("check", puzzle, "--box", shape).code == code
    assert run("check", puzzle).code == 10


@for_each("box", ["3", "3y3", "0x3", "-1x9", "axb", "3x", "1000x1000", ""])
def test_a_box_that_is_none_is_wrong_usage(box: str) -> None:
    require_failure(run("solve", SMALL, "--box", box), "--box", code=2)


def test_a_box_that_does_not_fit_the_puzzle_is_told() -> None:
    result = run("solve", EASY, "--box", "2x3")
    require_failure(result, "argument:1:37: 81 cells found, expected 36 for 6x6")
    result = run("solve", SMALL, "--box", "4x4", "--alphabet", "abc")
    require_failure(result, "the alphabet 'abc' has 3 symbols, a board of 16x16 needs 16")


@pytest.mark.parametrize("command", COMMANDS)
def test_an_alphabet_that_is_not_clear_names_the_option(command: str) -> None:
    result = run(command, "1..F" * 64)
    assert result.code == 1
    assert "--alphabet 1 or 0" in result.stderr + result.stdout


def test_a_format_that_is_named_is_not_guessed() -> None:
    assert run("solve", "--from", "line", SMALL).stdout == SMALL_SOLUTION + "\n"
    require_failure(run("solve", "--from", "json", SMALL), "argument:1:", "this is not JSON")
    require_failure(run("solve", "--from", "nope", SMALL), "'nope' is not one of 'line'", code=2)


@pytest.mark.skipif(sys.platform == "win32", reason="named pipes are files here")
def test_a_named_pipe_is_read(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    with start("solve", path, stdout=subprocess.PIPE) as process:
        path.write_text(EASY + "\n")
        assert process.stdout is not None
        assert process.stdout.read().decode() == EASY_SOLUTION + "\n"
    assert process.returncode == 0


@sampled(2, "jobs", [[], ["--jobs", "1"], ["--jobs", "2"]], ids=" ".join)
def test_a_program_may_wait_for_each_answer(jobs: list[str]) -> None:
    """It sends a puzzle and reads the answer, for long enough to have workers started."""
    with start("solve", "-q", *jobs, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        impatience = Timer(60, process.kill)
        impatience.start()
        for _ in range(300):
            process.stdin.write(EASY.encode() + b"\n")
            process.stdin.flush()
            assert process.stdout.readline().decode() == EASY_SOLUTION + "\n"
        process.stdin.close()
        assert process.wait(SOON) == 0
        impatience.cancel()


@pytest.mark.parametrize("command", ["solve", "check", "count"])
def test_a_slow_pipe_gets_each_answer_before_the_next_puzzle(command: str) -> None:
    with start(
        command,
        "-q" if command == "solve" else "--solver=auto",
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        begin = time.monotonic()
        for _ in range(3):
            process.stdin.write(EASY.encode() + b"\n")
            process.stdin.flush()
            assert process.stdout.readline()
        assert time.monotonic() - begin < SOON
        process.stdin.close()
        assert process.wait(SOON) == 0


def test_a_column_may_be_a_key_of_an_inner_object(tmp_path: Path) -> None:
    """What stands beside the puzzle in the inner object belongs to it."""
    inner = {"Puzzle": "..15........64.....1..4...423.......", "box": "3x2", "rules": ["diagonals"]}
    path = write(tmp_path / "nested.jsonl", json.dumps({"id": 1, "data": inner}) + "\n")
    flat = write(tmp_path / "flat.jsonl", json.dumps(inner) + "\n")
    assert run("check", "--column", "data.puzzle", path) == run("check", flat)
    done = run("check", "--column", "data.quiz", path)
    assert "this object has no 'quiz', only 'Puzzle', 'box', 'rules'" in done.stderr
    done = run("check", "--column", "meta.quiz", path)
    assert "this object has no 'meta', only 'id', 'data'" in done.stderr


def test_regions_are_a_rule_like_any_other(tmp_path: Path) -> None:
    """Whoever types the line of `satdoku rules` has the same board as with --regions."""
    board, layout = "1...." * 1 + "..2.." + "." * 15, "AAABB/AABBB/CCCCC/DDDDD/EEEEE"
    rules = tmp_path / "rules.txt"
    rules.write_text(f"regions:{layout}\n")
    expected = run("count", board, "--regions", layout, "--limit", 0)
    assert (expected.code, int(expected.stdout) > 0) == (0, True)
    for said in (["--rule", f"regions:{layout}"], ["--rules", rules]):
        assert run("count", board, *said, "--limit", 0) == expected
    assert run("generate", "--rule", f"regions:{layout}", "--seed", 1, "-q").code == 0
