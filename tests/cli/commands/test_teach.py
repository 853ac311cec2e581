"""`satdoku teach`: lessons as text, objects, pages and drawings."""

import json
import re
from pathlib import Path

from tests.commands import run

PUZZLE = "..2..8.7.3.....862..5.6..........9.5...39....7..62.3.......17..4.3.....9..8...1.."


def test_a_lesson_is_a_board_with_the_hints_below() -> None:
    result = run("teach", "naked-pair", PUZZLE)
    assert result.code == 0
    assert result.lines[0] == "1. Find the naked pair."
    hints = [line.strip() for line in result.lines if re.match(r" +\d\. ", line)]
    assert hints[0].startswith("1. look at ")
    assert hints[-1].startswith(f"{len(hints)}. Naked pair: ")


def test_lessons_as_objects() -> None:
    result = run("teach", "naked-pair", PUZZLE, "--count", 2, "--json")
    for each in map(json.loads, result.lines):
        assert each["puzzle"] == PUZZLE
        assert each["step"]["technique"] == "naked pair"
        assert each["hints"][-1] == each["step"]["text"]
        empty = [n for n, digit in enumerate(each["board"]) if digit == "."]
        assert len(each["candidates"]) == len(empty)


def test_puzzles_are_made_where_none_is_given() -> None:
    first = run("teach", "pointing", "--seed", "1")
    assert first == run("teach", "pointing", "--seed", "1")
    assert "1. Find the pointing." in first.stdout


def test_a_worksheet_has_the_answers_behind(tmp_path: Path) -> None:
    page, drawing = tmp_path / "w.html", tmp_path / "w.svg"
    result = run("teach", "naked-pair", PUZZLE, "-n", 2, "--html", page, "--draw", drawing)
    assert (result.code, result.stdout) == (0, "")
    asked, answers = page.read_text().split('<h2 class="answers">')
    assert asked.count("<article>") == answers.count("<article>") == 2
    assert "so they take both" in answers
    assert "so they take both" not in asked
    assert "<li>Look at " in answers
    # Boards follow the scheme of the screen, so the page has to as well.
    assert "color-scheme: light dark" in asked
    assert len(set(re.findall(r' id="([^"]+)"', page.read_text()))) == page.read_text().count(
        ' id="'
    )
    assert "Solution 1" in drawing.read_text()
    refused = run("teach", "naked-pair", PUZZLE, "--html", page)
    assert refused.code != 0


def test_what_cannot_be_taught_is_said() -> None:
    assert "did you mean naked-pair" in run("teach", "nakd-pair", PUZZLE).stderr
    none = run("teach", "jellyfish", PUZZLE)
    assert none.code == 1
    assert "no jellyfish was found" in none.stderr
    few = run("teach", "naked-pair", PUZZLE, "--count", 500)
    assert "not 500" in few.stderr
    assert (
        "--seed is for puzzles that are made" in run("teach", "x-wing", PUZZLE, "--seed", 1).stderr
    )
