"""The five jobs that people bring, each as they would type it."""

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import satdoku
from tests.commands import EASY, HARD, SATDOKU, require_program, run, run_process
from tests.waiting import catches, peak_memory, wait_until

NINE_LINES = """\
005300000
800000020
070010500
400005300
010070006
003200080
060500009
004000030
000009700
"""
NINE_SOLVED = """\
145327698
839654127
672918543
496185372
218473956
753296481
367542819
984761235
521839764
"""
MOST_BYTES = 256 * 2**20


@pytest.fixture(scope="module")
def euler(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of several puzzles in the format of Project Euler 96."""
    lines = []
    for number, puzzle in enumerate([EASY, HARD, EASY[::-1], NINE_LINES.replace("\n", "")], 1):
        cells = puzzle.replace(".", "0")
        lines += [f"Grid {number:02}", *(cells[at : at + 9] for at in range(0, 81, 9))]
    path = tmp_path_factory.mktemp("euler") / "sudoku.txt"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_a_leetcode_board_is_solved_in_place_in_one_line() -> None:
    board = [list(EASY[at : at + 9]) for at in range(0, 81, 9)]
    satdoku.solve_in_place(board)
    assert [tuple(map(int, row)) for row in board] == satdoku.solve(EASY).rows
    assert "".join(board[0]) == "534678912"


def test_valid_or_invalid_is_said_in_words_with_the_reason() -> None:
    assert run("check", EASY).stdout == "unique\n"
    clash = run("check", "55" + EASY[2:])
    assert clash.stdout == "none: r1c1 and r1c2 are both 5, in row 1\n"
    assert (run("check", EASY).code, clash.code) == (0, 20)


def test_the_hard_puzzle_is_solved() -> None:
    assert run_process("solve", HARD) == (
        0,
        "812753649943682175675491283154237896369845721287169534521974368438526917796318452\n",
        "",
    )


def test_a_euler_file_is_solved_in_one_command(euler: Path) -> None:
    result = run("solve", euler)
    assert result.code == 0
    assert len(re.findall(r"^Grid 0\d$", result.stdout, re.M)) == 4
    assert len(re.findall(r"^[1-9]{9}$", result.stdout, re.M)) == 4 * 9


def test_the_sum_of_the_corners_by_a_shell_recipe(euler: Path) -> None:
    require_program("awk")
    recipe = (
        f"'{sys.executable}' -m satdoku solve '{euler}' --to line -q"
        " | awk '{ sum += substr($0, 1, 3) } END { print sum }'"
    )
    done = subprocess.run(["sh", "-c", recipe], capture_output=True, text=True, check=True)
    corners = [int(line[:3]) for line in run("solve", euler, "--to", "line").lines]
    assert corners[:2] == [534, 812]
    assert done.stdout == f"{sum(corners)}\n"


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux tells the memory")
def test_nine_lines_in_nine_lines_out_in_little_memory() -> None:
    """The peak is read while the program runs: afterwards the system would add that of its parent,
    as which this process, full of tests, was copied for a moment."""
    process = subprocess.Popen([*SATDOKU, "solve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    with process.stdin, process.stdout:
        # All but the last line: then it is at work, and waits.
        process.stdin.write(NINE_LINES[:-11].encode())
        process.stdin.flush()
        wait_until(lambda: catches(process.pid, signal.SIGTERM))
        process.stdin.write(NINE_LINES[-11:].encode())
        process.stdin.close()
        peak = 0
        while process.poll() is None:
            peak = max(peak, peak_memory(process.pid))
        written = process.stdout.read().decode()
    assert (process.returncode, written) == (0, NINE_SOLVED)
    assert 0 < peak < MOST_BYTES


def test_nine_lines_from_a_file_and_from_a_redirection_are_the_same(tmp_path: Path) -> None:
    path = tmp_path / "nine_rows.txt"
    path.write_text(NINE_LINES)
    assert run_process("solve", path) == (0, NINE_SOLVED, "")
    with path.open() as stream:
        done = subprocess.run([*SATDOKU, "solve"], stdin=stream, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, NINE_SOLVED, "")
