import io
import json
import re
import sys
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest

from satdoku.answering.output.ending import Ending, Tally
from satdoku.batch.row import Row
from satdoku.cli.terminal import ProgressLine, made_safe, wants_colour
from tests.commands import AMBIGUOUS, CLASHING, EASY, SMALL, run, run_process

if sys.platform == "win32":
    pytest.skip("there are no pseudo-terminals", allow_module_level=True)

from tests.crossing import few_or_many
from tests.terminals import run_in_terminal

BOARD = """\
+-----+-----+
| 1 2 | 3 4 |
| 3 4 | 1 2 |
+-----+-----+
| 4 1 | 2 3 |
| 2 3 | 4 1 |
+-----+-----+
"""
PLAIN = {"NO_COLOR": "1"}
COLOURS = re.compile(r"\033\[\d+m")
TWO_BOARDS = re.compile(r"^\+-----\+-----\+   \+-----\+-----\+$", re.M)


def without_colours(text: str) -> str:
    return COLOURS.sub("", text)


def test_a_terminal_shows_a_boxed_board_with_givens_apart_from_found_digits() -> None:
    seen = run_in_terminal("solve", SMALL)
    assert (seen.code, without_colours(seen.screen)) == (0, BOARD)
    # Givens are bold; what was found is plain, which can be read on any ground.
    styles = re.findall(
        r"(\033\[1m)?([1-4])(?:\033\[0m)?", re.sub(r"[^\033\[0-9m]", "", seen.screen)
    )
    assert [bool(style) for style, _ in styles] == [symbol != "." for symbol in SMALL]


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}], ids=str)
def test_colours_can_be_turned_off(environment: dict[str, str]) -> None:
    seen = run_in_terminal("solve", SMALL, environment=environment)
    assert (seen.code, seen.screen) == (0, BOARD)


def test_a_terminal_without_box_characters_gets_a_board_that_it_can_show() -> None:
    regions = "CCBBBB/CCCBDB/ACADDD/AAADFD/AEEEFF/EEEFFF"
    jigsaw = (".3..........6..2......4..1..6..6....", "--regions", regions)
    for command in ("solve", "candidates"):
        seen = run_in_terminal(command, *jigsaw, environment={"PYTHONIOENCODING": "ascii"})
        assert seen.code == 0
        assert "+-------+---------------+" in seen.screen
        assert "\\u" not in seen.screen


def test_an_empty_no_color_turns_nothing_off() -> None:
    assert COLOURS.search(run_in_terminal("solve", SMALL, environment={"NO_COLOR": ""}).screen)


def test_a_pipe_gets_the_shape_that_came_in() -> None:
    assert run_process("solve", SMALL).stdout == "1234341241232341\n"


def test_a_format_that_is_asked_for_is_what_a_terminal_shows() -> None:
    assert run_in_terminal("solve", SMALL, "--to", "line").screen == "1234341241232341\n"


def test_a_file_gets_no_boards(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    assert run_in_terminal("solve", SMALL, "-o", path).screen == ""
    assert path.read_text() == "1234341241232341\n"


def test_check_shows_two_solutions_side_by_side_with_marks() -> None:
    seen = run_in_terminal("check", AMBIGUOUS)
    screen = without_colours(seen.screen)
    assert seen.code == 10
    assert screen.startswith("multiple: two of them differ in 4 cells")
    assert len(TWO_BOARDS.findall(screen)) == 3
    assert screen.count("*") == 2 * 4
    assert "\033[7m" in seen.screen


@pytest.mark.parametrize("as_variable", [False, True])
def test_a_narrow_terminal_shows_one_above_the_other(as_variable: bool) -> None:
    if as_variable:
        seen = run_in_terminal("check", AMBIGUOUS, environment={"COLUMNS": "28"})
    else:
        seen = run_in_terminal("check", AMBIGUOUS, columns=28)
    screen = without_colours(seen.screen)
    assert not TWO_BOARDS.search(screen)
    assert len(re.findall(r"^\+-----\+-----\+$", screen, re.M)) == 6


@pytest.mark.parametrize(("columns", "is_wide"), [(28, False), (29, True)])
def test_two_boards_stand_side_by_side_as_soon_as_they_fit(columns: int, is_wide: bool) -> None:
    screen = without_colours(run_in_terminal("check", AMBIGUOUS, columns=columns).screen)
    assert bool(TWO_BOARDS.search(screen)) is is_wide


def test_check_draws_nothing_for_many_puzzles_nor_under_quiet() -> None:
    seen = run_in_terminal("check", AMBIGUOUS, AMBIGUOUS)
    assert "+--" not in seen.screen
    assert run_in_terminal("check", AMBIGUOUS, "-q").screen == ""


def test_an_unreadable_puzzle_is_told_once_on_a_terminal(tmp_path: Path) -> None:
    source = tmp_path / "puzzles.txt"
    source.write_text(f"{SMALL}\n12\n")
    fault = "2 cells found, expected 16 for 4x4"
    assert run("check", source).stdout.endswith(f"unreadable: {fault}\n")
    screen = run_in_terminal("check", source).screen
    assert screen.count(fault) == 1
    assert re.search(rf"unreadable\n.*{source.name}:2:3: {fault}\n", screen)
    rejects = tmp_path / "rejects.txt"
    screen = run_in_terminal("check", source, "--rejects", rejects).screen
    assert f"unreadable: {fault}\n" in screen


@pytest.mark.parametrize("command", ["count", "rate", "minimize", "explain", "candidates"])
def test_a_fault_is_told_once_on_a_terminal_by_every_command(command: str, tmp_path: Path) -> None:
    source = tmp_path / "puzzles.txt"
    source.write_text(f"{SMALL}\n12\n")
    for options, fault in (
        ([], "2 cells found, expected 16 for 4x4"),
        (["--rule", "odd:r9c9"], "the rule odd: r9c9 is not on a board of 4x4"),
    ):
        screen = run_in_terminal(command, source, *options).screen
        assert screen.count(fault) == 1
        assert re.search(r"^unreadable$", screen, re.M)
        assert f"unreadable: {fault}\n" in run(command, source, *options).stdout


def test_json_is_the_same_on_a_terminal() -> None:
    seen = run_in_terminal("check", AMBIGUOUS, "--json", "--no-stats")
    assert seen.screen == run("check", AMBIGUOUS, "--json", "--no-stats").stdout


def test_without_a_solution_a_terminal_says_why() -> None:
    seen = run_in_terminal("solve", CLASHING)
    assert seen.code == 20
    assert seen.screen == "argument:1: no solution: r1c1 and r1c2 are both 5, in row 1\n"


def test_several_solutions_on_a_terminal_have_a_line_between() -> None:
    screen = run_in_terminal("solve", AMBIGUOUS, "-n", "2", environment=PLAIN).screen
    assert len(screen.split("\n\n")) == 2


def test_a_person_at_the_keyboard_is_told_how_to_end() -> None:
    seen = run_in_terminal("solve", typed=SMALL + "\n", environment=PLAIN)
    assert seen.code == 0
    assert "Type or paste puzzles; an empty line ends an incomplete one" in seen.screen
    assert seen.screen.endswith(f"stdin:1\n{BOARD}\n")


def test_boards_of_a_file_are_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "two.txt"
    path.write_text(f"{SMALL} easy\n\n{SMALL}\n")
    seen = run_in_terminal("solve", path, pipes=("stderr",), environment=PLAIN)
    assert seen.screen == f"{path}:1: easy\n{BOARD}\n{path}:3\n{BOARD}\n"
    seen = run_in_terminal("solve", path, "-n", "1", pipes=("stderr",), environment=PLAIN)
    assert seen.screen == f"{path}:1: easy\n{BOARD}\n{path}:3\n{BOARD}\n"


@few_or_many("count", 40, 400)
def test_a_terminal_gets_a_progress_bar(
    count: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a second of work as it is, of less at once."""
    path = tmp_path / "many.txt"
    path.write_text((EASY + "\n") * count)
    if count < 400:
        at_once = partial(ProgressLine, seconds_before=0, seconds_between=0)
        monkeypatch.setattr("satdoku.cli.running.ProgressLine", at_once)
    slowly = ["check", path, "--jobs", 1, "--encoding", "extended"]
    screen = run_in_terminal(*slowly, pipes=("stdout",)).screen
    bar = rf"\r\[#+-+\] +\d+% [\d,]+/~?{count}  [\d,.]+/s  0:\d\d left  \d+ unique"
    assert re.search(bar, screen)
    *_, last = re.split(r"\r\033\[K", screen)
    told = rf"{count} puzzles: {count} unique; 0 unreadable; 0:\d\d, [\d,.]+/s\n"
    assert re.fullmatch(told, last)


@pytest.mark.parametrize("option", ["--no-progress", "--quiet"])
def test_the_bar_can_be_turned_off(
    option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "satdoku.cli.running.ProgressLine",
        partial(ProgressLine, seconds_before=0, seconds_between=0),
    )
    terminal = SimpleNamespace(isatty=lambda: True)
    monkeypatch.setattr("satdoku.cli.running.sys", SimpleNamespace(stderr=terminal))
    monkeypatch.setattr("satdoku.cli.running.is_pipe", lambda output: False)
    answers = tmp_path / "answers.txt"
    assert "\r2 " in run("check", SMALL, SMALL, "-o", answers).stderr
    screen = run("check", SMALL, SMALL, "-o", answers, "--force", option).stderr
    assert "\r" not in screen
    assert screen.count("\n") == (option == "--no-progress")


def test_a_pipe_gets_a_bar_only_if_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "satdoku.cli.running.ProgressLine",
        partial(ProgressLine, seconds_before=0, seconds_between=0),
    )
    assert "\r" not in run("check", SMALL, SMALL).stderr
    assert re.search(r"\r2 .*/s  2 unique\033\[K", run("check", SMALL, SMALL, "--progress").stderr)


def test_what_is_at_work_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    progress = ProgressLine(is_wanted=True, seconds_before=0)
    progress.show_work("local search is at work")
    assert capsys.readouterr().err == "\rlocal search is at work\033[K"
    progress.clear()
    assert capsys.readouterr().err == "\r\033[K"


@pytest.mark.parametrize(("is_wanted", "seconds_before"), [(False, 0), (True, 3600)])
def test_no_work_is_shown_unwanted_or_at_once(
    is_wanted: bool, seconds_before: float, capsys: pytest.CaptureFixture[str]
) -> None:
    ProgressLine(is_wanted, seconds_before).show_work("local search is at work")
    assert capsys.readouterr().err == ""


def test_words_about_the_work_are_not_shown_too_often(capsys: pytest.CaptureFixture[str]) -> None:
    progress = ProgressLine(is_wanted=True, seconds_before=0)
    for number in (1, 2, 3):
        progress.show_work(f"step {number}")
    assert capsys.readouterr().err.startswith("\rstep 1\033[K")
    ProgressLine(is_wanted=True, seconds_before=3600).show_work("step 1")
    ProgressLine(is_wanted=False, seconds_before=0).show_work("step 1")
    assert capsys.readouterr().err == ""


def test_in_a_pipe_work_is_told_by_ever_fewer_lines(capsys: pytest.CaptureFixture[str]) -> None:
    progress = ProgressLine(is_wanted=False, is_told=True, seconds_quiet=0)
    for number in range(1000):
        progress.tell_work(f"{number} puzzles tried")
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "0 puzzles tried"
    assert len(lines) < 50
    ProgressLine(is_wanted=False, is_told=True).tell_work("too early")
    ProgressLine(is_wanted=False, seconds_quiet=0).tell_work("not wanted")
    assert capsys.readouterr().err == ""


def test_how_rare_a_wish_is_stands_in_a_log_unless_nothing_is_to_be_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("satdoku.cli.running.ProgressLine", partial(ProgressLine, seconds_quiet=0))
    asked = ("generate", "--seed", "needs", "--needs", "naked-pair", "--hardest", "naked-pair")
    told = run(*asked)
    # Which of them are told depends on how long each puzzle takes, and its givens.
    known = "[0-9]+ (puzzles? tried for puzzle 1|givens are needed, [0-9]+ are still to be tested)"
    assert told.stderr
    assert all(re.fullmatch(known, line) for line in told.stderr.splitlines())
    for silent in ("--quiet", "--no-progress"):
        assert run(*asked, silent) == (0, told.stdout, "")


def test_a_known_number_of_answers_is_the_end_of_the_bar(
    capsys: pytest.CaptureFixture[str],
) -> None:
    progress = ProgressLine(is_wanted=True, seconds_before=0)
    progress.expect(4)
    tally = Tally()
    tally.add(Row("", Ending.UNIQUE))
    progress.show(tally, 0)
    assert "25% 1/4 " in capsys.readouterr().err


@pytest.mark.parametrize(("shares", "clearings"), [(True, 3), (False, 1)])
def test_the_bar_makes_room_for_each_answer_on_the_same_terminal(
    shares: bool, clearings: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("satdoku.cli.running.is_screen", lambda output: shares)
    monkeypatch.setattr(
        "satdoku.cli.running.ProgressLine",
        partial(ProgressLine, seconds_before=0, seconds_between=0),
    )
    result = run("check", SMALL, SMALL, SMALL, "--progress")
    assert result.stderr.count("\r\033[K") == clearings


@pytest.mark.parametrize("command", ["check -v", "explain", "solve --to sdk", "convert --to sdk"])
def test_nothing_in_a_puzzle_reaches_the_terminal_as_an_escape_sequence(
    command: str, tmp_path: Path
) -> None:
    path = tmp_path / "evil\x1b]0;file\x07.json"
    path.write_text(json.dumps({"puzzle": "1.....2..3.....4", "name": "N\x1b]0;evil\x07\x9b5n"}))
    seen = run_in_terminal(*command.split(), path, "no\x1b]0;such\x07file")
    assert "x1b]0;" in seen.screen
    assert not re.search(r"\x1b(?!\[[0-9;]*m|\[K)|\x07|\x9b", seen.screen)


def test_a_line_that_the_terminal_cuts_off_is_told() -> None:
    """It keeps 4,095 characters of a line, and links may be longer."""
    seen = run_in_terminal("check", typed=f"https://f-puzzles.com/?load={'N4Ig' * 1200}\n")
    assert (
        "the terminal passes only 4,095 characters of a line; give a longer puzzle" in seen.screen
    )
    assert "the packed text is damaged" in seen.screen


@pytest.mark.parametrize("command", ["", "check", "generate"])
def test_help_fits_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    # Examples, codes and lists of values are lines of their own, and are not cut.
    whole = re.compile(r" +(?:satdoku |--|\d+ |Of several codes)")
    lines = run(*command.split(), "--help").lines
    assert [line for line in lines if len(line) > 40 and not whole.match(line)] == []


def test_what_an_encoding_lacks_is_written_in_ascii() -> None:
    stream = io.TextIOWrapper(io.BytesIO(), "cp1252", newline="\r\n")
    safe = made_safe(stream)
    safe.write("r1c1≠5, ┌─┐, é, \ud83d\n")
    safe.flush()
    assert stream.buffer.getvalue() == b"r1c1!=5, +-+, \xe9, \\ud83d\n"


def test_older_consoles_of_windows_get_no_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "satdoku.cli.terminal.sys", SimpleNamespace(platform="win32", stdout=Screen())
    )
    for name in ("NO_COLOR", "TERM", "WT_SESSION", "ANSICON", "ConEmuANSI"):
        monkeypatch.delenv(name, raising=False)
    assert not wants_colour()
    monkeypatch.setenv("WT_SESSION", "1")
    assert wants_colour()


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True
