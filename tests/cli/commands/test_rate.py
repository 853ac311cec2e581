"""`satdoku rate`."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from satdoku.rating.rating import Rating
from tests.boards import HARD_SOLUTION, TOO_HARD
from tests.commands import AMBIGUOUS, CLASHING, EASY, HARD, require_failure, run

LINES = [EASY, HARD, AMBIGUOUS, CLASHING, EASY[1:]]


def test_a_number_and_a_level_for_each_puzzle() -> None:
    result = run("rate", stdin="\n".join(LINES))
    assert result.lines[:2] == ["0 easy", "- beyond"]
    assert [line.partition(":")[0] for line in result.lines[2:]] == [
        *("multiple", "none", "unreadable")
    ]
    assert result.code == 1


def test_exit_codes_tell_of_puzzles_without_one_solution() -> None:
    codes = [run("rate", line).code for line in LINES[:4]]
    assert codes == [0, 0, 10, 20]
    assert run("rate", HARD, "--conflicts", 1).code == 124


def test_json_and_tables_have_both() -> None:
    [found] = map(json.loads, run("rate", HARD, "--json").lines)
    assert (found["level"], found["rating"], found["verdict"]) == ("beyond", None, "unique")
    table = "\n".join(["id,rating,puzzle", *(f"{n},x,{line}" for n, line in enumerate(LINES))])
    rows = list(csv.DictReader(run("rate", "--csv", stdin=table).lines))
    assert [row["rating"] for row in rows] == ["x"] * 5
    assert [(row["level"], row["rating_found"]) for row in rows] == [
        *(("easy", "0"), ("beyond", ""), ("", ""), ("", ""), ("", ""))
    ]


def test_steps_are_those_of_the_explanation() -> None:
    [found] = map(json.loads, run("rate", EASY, "--steps", "--json").lines)
    [explained] = map(json.loads, run("explain", EASY, "--json").lines)
    shown = explained["rating"]
    assert (found["steps"], found["largest"]) == (shown["steps"], shown["biggest"])
    assert run("rate", EASY, "--steps").stdout == "0 easy, 51 steps, the largest of size 1\n"


def test_estimates_are_called_so_and_are_asked_for() -> None:
    assert (
        run("rate", EASY, "--estimate").stdout
        == "0 easy, estimated for SE 1.18: ER 1.2, EP 1.2, ED 1.2\n"
    )
    lines = "\n".join([EASY, HARD, AMBIGUOUS, "1.....2..3.....4"])
    result = run("rate", "--estimate", "--steps", "--csv", stdin=lines)
    rows = list(csv.DictReader(result.lines))
    assert [row["estimated_er"] for row in rows] == ["1.2", "", "", ""]
    assert rows[0]["steps"] == "51"
    assert "classic 9x9 puzzles only" in result.stderr
    assert "estimated_er" not in run("rate", EASY, "--json").stdout


def test_a_table_counts_what_was_rated() -> None:
    result = run("rate", "--table", *LINES[:4], EASY)
    assert result.lines == ["0 easy                 2   66.7%", "- beyond               1   33.3%"]
    assert result.code == 20
    for option in ("--json", "--csv", "--steps", "--estimate"):
        require_failure(run("rate", EASY, "--table", option), "--table", code=2)


def test_any_jobs_and_limits_give_the_same(tmp_path: Path) -> None:
    path = tmp_path / "puzzles.txt"
    path.write_text("\n".join(LINES * 3) + "\n")
    one = run("rate", path, "--jobs", 1)
    assert run("rate", path, "--jobs", 2).stdout == one.stdout
    assert run("rate", path, "--timeout", 1000).stdout == one.stdout


def test_boards_that_are_too_large_are_refused_by_size() -> None:
    result = run("rate", " ".join(["."] * 36 * 36))
    assert result.code == 124
    assert "computed up to 25x25, not for 36x36" in result.stderr


def test_a_timeout_ends_the_rating_of_a_large_board() -> None:
    board = " ".join(str(digit or ".") for digit in TOO_HARD.grid.digits)
    result = run("rate", board, "--box", "1x25", "--timeout", 0.2)
    assert (result.code, result.stdout) == (124, "undecided: not decided within 0.2 s\n")


def test_ratings_are_sorted_with_those_beyond_last() -> None:
    from satdoku.answering.rater import write_rating

    assert write_rating(Rating(None)) == "- beyond"


def test_an_estimate_and_a_rating_say_what_they_are() -> None:
    result = run("rate", EASY, "--estimate", "--estimate-version", "1.2.1", "--json")
    [found] = map(json.loads, result.lines)
    assert (found["estimated_version"], found["definition"]) == ("1.2.1", "satdoku 1")
    refused = run("rate", EASY, "--estimate-version", "1.2.1")
    assert refused.code == 2
    assert "nothing is estimated without" in refused.stderr


@pytest.mark.slow
def test_the_longest_story_is_told_with_the_steps() -> None:
    # Of the hardest puzzles one that is explained soon.
    puzzle = f"{HARD[:3]}{HARD_SOLUTION.digits[3]}{HARD[4:]}"
    [found] = map(json.loads, run("rate", puzzle, "--steps", "--json").lines)
    [shown] = map(json.loads, run("explain", puzzle, "--json").lines)

    def length(story: dict[str, Any]) -> int:
        return 1 + sum(length(each) if "suppose" in each else 1 for each in story["then"])

    stories = [
        story
        for step in shown["steps"]
        for story in (step["story"], *step.get("further_stories", ()))
        if story
    ]
    assert found["level"] == "beyond"
    assert found["story"] == max(map(length, stories))


def test_a_puzzle_that_cannot_be_rated_is_a_row_among_others() -> None:
    puzzles = [
        {"puzzle": "." * 16, "rules": ["either:odd:r1c1|even:r1c1"]},
        {"puzzle": "1.....2..3.....4"},
    ]
    result = run("rate", stdin="".join(f"{json.dumps(each)}\n" for each in puzzles))
    assert result.code == 1
    refused, rated = result.lines
    assert refused.startswith("unreadable: ratings do not support several choices")
    assert rated == "0 easy"
