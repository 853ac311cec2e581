"""`satdoku explain`, `hint` and `candidates` as commands."""

import json
import re
from functools import partial
from pathlib import Path

import pytest

import satdoku
from satdoku.cli.terminal import ProgressLine
from tests.commands import AMBIGUOUS, CLASHING, EASY, EASY_SOLUTION, HARD, require_failure, run
from tests.each import for_each

SMALL = "1.....2..3.....4"
OPEN = "1.....2........4"


@pytest.mark.parametrize(
    ("puzzle", "code", "words"),
    [
        (EASY, 0, "Exactly one solution: 51 steps"),
        (OPEN, 10, "Several solutions. Logic ends here"),
        (CLASHING, 20, "No solution: two givens clash directly."),
    ],
)
def test_each_verdict_has_its_text_and_its_exit_code(puzzle: str, code: int, words: str) -> None:
    result = run("explain", puzzle)
    assert result.code == code
    assert words in result.stdout


def test_a_limit_ends_with_its_exit_code_and_says_so() -> None:
    result = run("explain", HARD, "--conflicts", 1, "--json")
    assert result.code == 124
    found = json.loads(result.stdout)
    assert not found["complete"]
    assert found["reason"] == "not decided within 1 conflict"


def test_a_level_ends_the_steps_but_is_no_failure() -> None:
    result = run("explain", HARD, "--level", "basic")
    assert result.code == 0
    assert "No step of the level basic leads on" in result.stdout


def test_wordings() -> None:
    brief, usual, full = (
        run("explain", SMALL, *options).lines[0] for options in (["--brief"], [], ["--full"])
    )
    assert brief.strip() == "1 r1c2=2 (hidden single)"
    assert usual.strip().startswith("1 Hidden single: box 1 still needs a 2;")
    assert full == usual
    assert "Rests on: 2 stands somewhere in box 1" in run("explain", SMALL, "--full").stdout


def test_why_answers_only_what_was_asked() -> None:
    result = run("explain", SMALL, "--why", "r1c2", "--why", "r2c1=1")
    assert result.lines == [
        "r1c2 is 2, for these reasons:",
        "1 Hidden single: box 1 still needs a 2; the 2 in r2c3 leaves only r1c2.",
        "r2c1 is not 1: it sees the 1 in r1c1.",
    ]
    found = json.loads(run("explain", SMALL, "--why", "r1c2", "--json").stdout)
    assert found["why"][0]["question"] == "r1c2"
    assert found["steps"] == []


def test_a_question_that_makes_no_sense_is_an_error() -> None:
    result = run("explain", SMALL, "--why", "r9c9")
    assert result.code == 2
    assert "'r9c9' is not a cell of a board of 4x4" in result.stderr


def test_a_file_streams_one_object_a_puzzle_whatever_the_jobs(tmp_path: Path) -> None:
    path = tmp_path / "puzzles.txt"
    path.write_text("\n".join([EASY, SMALL, OPEN, CLASHING, EASY]) + "\n")
    one = run("explain", path, "--json", "--jobs", 1)
    assert [json.loads(line)["verdict"] for line in one.lines] == [
        *("unique", "unique", "multiple", "none", "unique")
    ]
    assert [json.loads(line)["line"] for line in one.lines] == [1, 2, 3, 4, 5]
    assert run("explain", path, "--json", "--jobs", 2).stdout == one.stdout
    assert one.code == 20


def test_an_output_has_an_object_on_each_line(tmp_path: Path) -> None:
    path, output = tmp_path / "puzzles.txt", tmp_path / "out.jsonl"
    path.write_text(f"{SMALL}\n{OPEN}\n")
    assert run("explain", path, "--json", "-o", output).code == 10
    lines = output.read_text().splitlines()
    assert [json.loads(line)["verdict"] for line in lines] == ["unique", "multiple"]


def test_unreadable_puzzles_are_named_and_the_others_answered(tmp_path: Path) -> None:
    path = tmp_path / "puzzles.txt"
    path.write_text(f"{EASY}\n{EASY[:-1]}q\n{EASY}\n")
    result = run("explain", path, "--brief")
    assert result.code == 1
    assert result.stdout.count("Exactly one solution") == 2
    assert f"{path}:2:81" in result.stderr


@for_each(
    "arguments, words",
    [
        (["explain", "-o", "x.parquet"], "these answers are prose"),
        (["candidates", "-o", "x.parquet"], "these answers are prose"),
        (["candidates", "--witnesses"], "--witnesses needs --json"),
        (["candidates", "--flat", "--json"], "exclude each other"),
        (["candidates", "--flat", "--why", "all"], "--flat and --why exclude each other"),
        (["explain", "--assume-unique", "--level", "singles"], "singles assume nothing"),
    ],
)
def test_options_that_make_no_sense_are_refused(arguments: list[str], words: str) -> None:
    result = run(*arguments, SMALL)
    assert result.code == 2
    assert words in result.stderr


def test_hints_say_more_when_asked() -> None:
    lines = run("hint", SMALL, "--more", "--more").lines
    assert len(lines) == 3
    assert run("hint", SMALL).lines == lines[:1] == ["look at box 1"]
    assert run("hint", SMALL, "--more").lines == lines[:2]


def test_hints_name_wrong_entries_first() -> None:
    result = run("hint", SMALL, "--board", "13....2..3.....4")
    assert result.lines == ["r1c2 is not 3"]


@pytest.mark.parametrize(
    ("puzzle", "code", "words"),
    [
        (EASY_SOLUTION, 0, "the board is full and right"),
        (AMBIGUOUS, 10, "several solutions: two of them differ in"),
        (CLASHING, 20, "no solution: r1c1 and r1c2 are both 5"),
    ],
)
def test_a_puzzle_without_a_next_step_says_why(puzzle: str, code: int, words: str) -> None:
    result = run("hint", puzzle)
    assert result.code == code
    assert result.stdout.startswith(words)


def test_a_step_of_a_puzzle_with_several_solutions_has_their_exit_code() -> None:
    for options in ([], ["--all"], ["--json"]):
        assert run("hint", OPEN, *options).code == run("explain", OPEN).code == 10


@pytest.mark.parametrize("puzzle", [SMALL, AMBIGUOUS, CLASHING])
def test_a_hint_as_an_object_has_the_exit_code_of_one_in_words(puzzle: str) -> None:
    assert run("hint", "--json", puzzle).code == run("hint", puzzle).code


def test_an_object_has_nothing_that_more_could_add() -> None:
    result = run("hint", SMALL, "--json", "--more")
    assert result.code == 2
    assert "both show all that --more adds" in result.stderr


def test_a_hint_is_for_one_puzzle() -> None:
    result = run("hint", SMALL, OPEN)
    assert result.code == 1
    assert "a hint is for one puzzle, not for 2" in result.stderr


def test_a_board_of_another_size_is_refused() -> None:
    result = run("hint", SMALL, "--board", EASY)
    assert result.code == 2
    assert "--board:1:17: 81 cells found, expected 16 for 4x4" in result.stderr


def test_true_candidates_are_drawn_listed_and_written_flat() -> None:
    assert run("candidates", OPEN).lines[1] == "|  1   2  |  4   3  |"
    flat = run("candidates", OPEN, "--flat")
    assert flat.code == 10
    assert flat.lines[0].startswith("1....2.....4..3.")
    assert len(flat.lines[0]) == 64
    found = json.loads(run("candidates", OPEN, "--json", "--witnesses").stdout)
    assert found["candidates"][:4] == [[1], [2], [4], [3]]
    assert found["witnesses"]["r1c1=1"] == 0


def test_true_candidates_of_a_unique_puzzle_are_its_solution() -> None:
    result = run("candidates", EASY, "--flat")
    assert result.code == 0
    assert result.lines[0].replace(".", "") == EASY_SOLUTION


def test_a_puzzle_without_solution_has_no_candidates() -> None:
    result = run("candidates", CLASHING, "--flat")
    assert result.code == 20
    assert set(result.lines[0]) == {"."}


def test_why_candidates_are_excluded() -> None:
    lines = run("candidates", OPEN, "--why", "r1c2=4", "--why", "r3c2=4").lines[7:]
    assert lines == [
        "r1c2 is not 4, for these reasons:",
        "1 Hidden single: box 1 still needs a 2; the 2 in r2c3 leaves only r1c2.",
        "r3c2 can be 4: some solution has it there.",
    ]
    every = run("candidates", OPEN, "--why", "all")
    assert every.code == 10
    assert every.lines[-8] == "r1c2: not 3/4 by step 1"
    found = json.loads(run("candidates", OPEN, "--why", "all", "--json").stdout)
    assert found["excluded"]["r1c2=4"] == found["steps"][0]["n"] == 1
    assert run("candidates", OPEN, "--why", "r9c9").code == 2


def test_rectangles_are_allowed_on_demand_and_say_what_they_assume() -> None:
    puzzle = (Path(__file__).parents[3] / "benchmarks/puzzles/stubborn.txt").read_text().split()[5]
    assert "Unique rectangle" not in run("explain", puzzle).stdout
    text = run("explain", puzzle, "--assume-unique").stdout
    assert "Unique rectangle: were only" in text
    assert "assuming that there is one" in text
    found = json.loads(run("explain", puzzle, "--assume-unique", "--json").stdout)
    assumed = {step["technique"] for step in found["steps"] if "assumes_unique" in step}
    known = {"unique rectangle", "hidden rectangle", "BUG+1", "BUG+n"}
    assert "unique rectangle" in assumed <= known


def test_the_work_on_a_single_puzzle_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "satdoku.cli.running.ProgressLine",
        partial(ProgressLine, seconds_before=0, seconds_between=0),
    )
    assert "\rstep 12\033[K" in run("explain", SMALL, "--progress").stderr
    assert "\r3 solutions are listed" in run("explain", OPEN, "--progress").stderr
    assert "\rthe fewest clues are 0 to " in run("explain", "." * 16, "--progress").stderr
    broken = "1.....2..3..4..4"
    assert "\rchanging r1c1\033[K" in run("explain", broken, "--progress").stderr
    assert " candidates are not settled" in run("candidates", OPEN, "--progress").stderr
    assert run("explain", SMALL).stderr == ""


@pytest.mark.parametrize("command", ["explain", "candidates"])
def test_options_that_make_no_sense_are_not_offered(command: str) -> None:
    help_text = run(command, "--help").stdout
    assert "--json" in help_text
    assert "--csv" not in help_text
    assert "--rejects" not in help_text


def test_a_dash_is_stdout_or_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It never becomes the name of a file."""
    monkeypatch.chdir(tmp_path)
    page = run("explain", SMALL, "--html", "-", "-o", "steps.txt")
    assert page.stdout.startswith("<!")
    assert "Exactly one solution" in Path("steps.txt").read_text()
    require_failure(run("explain", SMALL, "--html", "-"), "--html - needs --output", code=2)
    require_failure(run("check", SMALL, "--rejects", "-"), "--rejects - needs --output", code=2)
    assert not Path("-").exists()


def test_a_report_in_a_line_a_plot_and_an_object(tmp_path: Path) -> None:
    plot = tmp_path / "way.svg"
    result = run("explain", "--report", EASY, "--plot", plot)
    assert re.match(r"\d+ steps?; \d+ bottlenecks?.*; \d+% of the way", result.lines[0])
    drawn = plot.read_text()
    assert drawn.startswith("<svg")
    [found] = map(json.loads, run("explain", "--report", "--json", EASY).lines)
    assert len(found["report"]["points"]) == found["rating"]["steps"]
    # Each bottleneck has a mark besides its colour, and so has the legend.
    assert drawn.count("<path") == len(found["report"]["bottlenecks"]) + 1
    assert run("explain", "--plot", plot, EASY).code == 2
    assert run("explain", "--report", "--why", "r1c3", EASY).code == 2
    assert "0 steps, which do not fill" in run("explain", "--report", "1" + "." * 15).stdout
    given = ["--rule", "candidates:r1c1=3"]
    assert "1 step, which does not fill" in run("explain", "--report", "." * 16, *given).stdout


def test_candidates_are_counted_and_cells_that_are_always_equal_listed() -> None:
    given = ".2.4.4.221434321"
    solutions = list(satdoku.solutions(given))
    found = json.loads(run("candidates", given, "--json", "--count", 2, "--equal").stdout)
    assert found["cap"] == 2
    for cell, (name, numbers) in enumerate(found["numbers"].items()):
        digits = [str(grid.digits[cell]) for grid in solutions]
        assert numbers == {each: min(2, digits.count(each)) for each in digits}, name
    for names in found["equal"]:
        cells = [4 * (int(name[1]) - 1) + int(name[3]) - 1 for name in names]
        assert all(len({grid.digits[cell] for cell in cells}) == 1 for grid in solutions)
    assert found["equal"]
    told = run("candidates", given, "--count", 2, "--equal").stdout
    assert "hold the same digit" in told
    assert ": " in told
