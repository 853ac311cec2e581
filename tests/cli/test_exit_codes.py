import errno
import itertools
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import pytest

from satdoku.answering.output.ending import Ending
from satdoku.cli.exit_codes import ExitCode, as_sat_competition, code_of, gravest
from tests.commands import (
    AMBIGUOUS,
    CLASHING,
    EASY,
    HARD,
    IMPOSSIBLE,
    SMALL,
    require_failure,
    run,
    start,
)
from tests.crossing import sampled
from tests.each import for_each
from tests.waiting import SOON, catches, is_running, wait_until

COMMANDS = ["solve", "check", "count", "convert"]

# A puzzle for each code. The limit is for all of them; only the hard one meets it.
LIMIT = ["--conflicts", "3"]
PUZZLES = {0: EASY, 10: AMBIGUOUS, 20: CLASHING, 124: HARD, 1: EASY[1:]}
GRAVEST_FIRST = [1, 124, 20, 10, 0]


@for_each(
    "command, puzzle, code",
    [
        *[(command, EASY, 0) for command in COMMANDS],
        *[(command, EASY[1:], 1) for command in COMMANDS],
        *[(command, "no-such-file", 1) for command in COMMANDS],
        ("solve", AMBIGUOUS, 10),
        ("check", AMBIGUOUS, 10),
        ("count", AMBIGUOUS, 0),
        ("convert", AMBIGUOUS, 0),
        *[(command, puzzle, 20) for command in COMMANDS[:2] for puzzle in (CLASHING, IMPOSSIBLE)],
        *[(command, puzzle, 0) for command in COMMANDS[2:] for puzzle in (CLASHING, IMPOSSIBLE)],
    ],
)
def test_a_puzzle_decides_the_code(command: str, puzzle: str, code: int) -> None:
    result = run(command, puzzle)
    assert result.code == code
    fault = {EASY[1:]: "argument:1:81: 80 cells", "no-such-file": "neither a file nor a puzzle"}
    assert fault.get(puzzle, "") in result.stderr
    assert (result.code == 1) is (puzzle in fault)


@pytest.mark.parametrize("command", COMMANDS[:3])
def test_a_limit_that_is_reached_is_undecided_never_none(command: str) -> None:
    result = run(command, HARD, *LIMIT)
    assert result.code == 124
    assert "no solution" not in result.stderr
    assert not result.stdout.startswith(("none", "0\n"))


@for_each("command", COMMANDS)
@for_each("wrong", [["--no-such-option"], ["--box", "3"], ["--from", "nope"], ["--alphabet", "B"]])
def test_wrong_usage_is_2_and_names_the_help(command: str, wrong: list[str]) -> None:
    result = run(command, *wrong, SMALL)
    assert (result.code, result.stdout) == (2, "")
    assert f"Try 'satdoku {command} --help'" in result.stderr
    assert wrong[0] in result.stderr


def test_an_unknown_command_is_wrong_usage() -> None:
    result = run("frobnicate", SMALL)
    assert result.code == 2
    assert "'frobnicate' is neither a command nor a file nor a puzzle" in result.stderr
    assert run("--no-such-option").code == 2
    assert run().code == 1


@pytest.mark.parametrize(("slip", "command"), [("solv", "solve"), ("hcek", "check")])
def test_a_slip_on_a_command_is_met_with_its_name(slip: str, command: str) -> None:
    message = f"satdoku: there is no command {slip!r}; did you mean {command}?\n"
    assert run(slip, SMALL) == (2, "", message)


@for_each("command", COMMANDS[:2])
@for_each("codes", list(itertools.combinations(GRAVEST_FIRST, 2)))
def test_of_two_codes_the_one_that_leaves_most_unknown_wins(
    command: str, codes: Sequence[int]
) -> None:
    for first, second in itertools.permutations(codes):
        assert run(command, *LIMIT, PUZZLES[first], PUZZLES[second], "-q").code == codes[0]


@pytest.mark.parametrize("command", COMMANDS[:2])
def test_of_all_codes_an_unreadable_puzzle_wins(command: str) -> None:
    lines = "\n".join(PUZZLES.values())
    assert run(command, *LIMIT, stdin=lines).code == 1


def test_counting_ranks_the_codes_in_the_same_way() -> None:
    assert run("count", EASY, HARD, *LIMIT).code == 124
    assert run("count", EASY, HARD, EASY[1:], *LIMIT).code == 1


@pytest.mark.parametrize(("puzzle", "code"), [(EASY, 10), (AMBIGUOUS, 10), (CLASHING, 20)])
def test_sat_solvers_exit_codes(puzzle: str, code: int) -> None:
    assert run("solve", "--sat-exit-codes", puzzle).code == code


def test_errors_and_limits_keep_the_codes_that_sat_solvers_have_for_them() -> None:
    assert run("solve", "--sat-exit-codes", HARD, *LIMIT).code == 0
    assert run("solve", "--sat-exit-codes", EASY[1:]).code == 1
    assert run("solve", "--sat-exit-codes", "--any", AMBIGUOUS).code == 10
    assert run("solve", "--sat-exit-codes", "--all", CLASHING).code == 20


def test_a_mismatch_is_a_failure() -> None:
    assert code_of([Ending.UNIQUE, Ending.MISMATCH]) is ExitCode.FAILED
    assert code_of([Ending.UNIQUE, Ending.SOLVED]) is ExitCode.ANSWERED
    assert code_of([]) is ExitCode.ANSWERED


@for_each("ending", Ending)
def test_every_ending_has_a_code(ending: Ending) -> None:
    assert code_of([ending]) in ExitCode


def test_the_order_does_not_matter() -> None:
    for codes in itertools.permutations([ExitCode(code) for code in GRAVEST_FIRST]):
        for length in range(1, len(codes) + 1):
            found = gravest(codes[:length])
            assert found == min(codes[:length], key=GRAVEST_FIRST.index)


def test_codes_of_ours_beyond_sat_stay() -> None:
    assert as_sat_competition(ExitCode.FAILED) == 1
    assert as_sat_competition(ExitCode.INTERRUPTED) == 130


@pytest.fixture
def waiting() -> Iterator[list[subprocess.Popen[bytes]]]:
    """Each command, waiting for input that does not come."""
    processes = [
        start(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for command in COMMANDS
    ]
    yield processes
    for process in processes:
        process.kill()
        process.communicate()


ENDS = [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated")]


@pytest.mark.skipif(sys.platform == "win32", reason="there are no signals between processes")
@pytest.mark.parametrize(("number", "code", "word"), ENDS)
def test_a_signal_ends_every_command(
    waiting: list[subprocess.Popen[bytes]], number: int, code: int, word: str
) -> None:
    for process in waiting:
        wait_until(partial(catches, process.pid, signal.SIGTERM))
        process.send_signal(number)
        assert process.wait(SOON) == code
        assert process.stderr is not None
        assert process.stderr.read() == f"\nsatdoku: {word}\n".encode()


@pytest.mark.skipif(sys.platform == "win32", reason="there are no signals between processes")
@sampled(2, "number, code, word, jobs", [(*ENDS[-1], 2), (*ENDS[0], 1)])
def test_a_signal_in_a_long_run_says_how_to_go_on(
    tmp_path: Path, jobs: int, number: int, code: int, word: str
) -> None:
    puzzles, output = tmp_path / "many.txt", tmp_path / "out.jsonl"
    puzzles.write_text((EASY + "\n") * 20_000)
    command = ["check", puzzles, "--json", "-o", output, "--encoding", "extended", "--jobs", jobs]
    process = start(*command, stderr=subprocess.PIPE, start_new_session=True)
    assert process.stderr is not None
    while not (output.exists() and output.stat().st_size > 10_000):
        assert process.poll() is None
        time.sleep(0.01)
    begin = time.monotonic()
    os.killpg(process.pid, number)
    assert process.wait(SOON) == code
    assert time.monotonic() - begin < SOON
    lines = output.read_bytes().count(b"\n")
    said = process.stderr.read().decode()
    process.stderr.close()
    assert said == (
        f"{lines:,} puzzles are answered; --resume goes on with {output}\n\nsatdoku: {word}\n"
    )


STRUCK = """
import os, signal
from satdoku.__main__ import main
from satdoku.answering.output.open_file import FileSink
write, texts = FileSink.write, []
def write_and_strike(sink, text, rows=1):
    write(sink, text, rows)
    texts.append(text)
    if len(texts) == 4:
        os.kill(os.getpid(), signal.SIGTERM)
FileSink.write = write_and_strike
main()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there are no signals between processes")
def test_a_signal_between_the_writing_of_a_row_and_its_count_waits(tmp_path: Path) -> None:
    puzzles, output = tmp_path / "many.txt", tmp_path / "out.jsonl"
    puzzles.write_text((EASY + "\n") * 9)
    words = ["check", str(puzzles), "--json", "-o", str(output), "--encoding", "extended"]
    command = [sys.executable, "-c", STRUCK, *words, "--jobs", "1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = output.read_bytes().count(b"\n")
    assert 0 < lines < 9
    assert done.stderr.startswith(f"{lines} puzzles are answered; --resume goes on")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no signals between processes")
@pytest.mark.parametrize(("number", "code", "word"), ENDS)
def test_a_signal_takes_an_external_solver_and_its_files_along(
    tmp_path: Path, number: int, code: int, word: str
) -> None:
    script, note, scratch = tmp_path / "solver.sh", tmp_path / "pid", tmp_path / "scratch"
    script.write_text(f"echo $$ > {note}\nsleep 1000\n")
    scratch.mkdir()
    environment = os.environ | {"TMPDIR": str(scratch)}
    command = ["solve", EASY, "--with", f"sh {script} {{cnf}}"]
    process = start(*command, env=environment, stderr=subprocess.PIPE)
    while not (note.exists() and note.read_text().strip()):
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(number)
    assert process.wait(SOON) == code
    assert process.stderr is not None
    assert process.stderr.read() == f"\nsatdoku: {word}\n".encode()
    process.stderr.close()
    wait_until(lambda: not is_running(int(note.read_text())))
    assert not list(scratch.iterdir())


@pytest.mark.skipif(sys.platform == "win32", reason="there are no broken pipes")
@sampled(
    3,
    "arguments",
    [
        ["solve"],
        ["solve", "--jobs", "2"],
        ["solve", "-n", "1"],
        ["check", "--json"],
        ["count"],
        ["convert"],
    ],
    ids=" ".join,
)
def test_a_reader_that_leaves_ends_the_run_quietly(tmp_path: Path, arguments: list[str]) -> None:
    puzzles = tmp_path / "many.txt"
    puzzles.write_text((EASY + "\n") * 3_000)
    process = start(*arguments, puzzles, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline()
    process.stdout.close()
    assert process.wait(SOON) == 141
    assert process.stderr is not None
    assert process.stderr.read() == b""
    process.stderr.close()


def test_a_full_disk_is_one_sentence() -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full")
    for command in COMMANDS:
        with open("/dev/full", "w") as full:
            process = start(command, EASY, stdout=full, stderr=subprocess.PIPE)
        said = process.communicate(timeout=SOON)[1]
        assert process.returncode == 1
        assert said == b"satdoku: the output cannot be written: No space left on device\n"


def test_too_many_open_files_are_not_blamed_on_the_output(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*arguments: object, **options: object) -> None:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    monkeypatch.setattr("satdoku.cli.running.run", fail)
    require_failure(run("check", EASY), "satdoku: too many files are open")


def test_the_program_exits_as_run_returns() -> None:
    for code, puzzle in PUZZLES.items():
        process = start("check", puzzle, *LIMIT, stdout=subprocess.DEVNULL)
        assert process.wait(SOON) == code
