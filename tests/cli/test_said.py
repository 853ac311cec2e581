"""What is said again and again is said once."""

from pathlib import Path

import pytest

from satdoku.answering.output.progress import Said
from tests.commands import CLASHING, EASY, IMPOSSIBLE, SMALL, run
from tests.each import for_each

SHORT = EASY[1:]


@pytest.fixture
def damaged(tmp_path: Path) -> Path:
    path = tmp_path / "damaged.txt"
    path.write_text(f"{SHORT}\n" * 80)
    return path


@for_each("command", ["solve", "check", "count", "convert", "candidates"])
def test_the_same_message_eighty_times_is_said_once_with_a_count(
    command: str, damaged: Path
) -> None:
    fault = "80 cells found, expected 81 for 9x9"
    places = ", ".join(f"{damaged}:{line}:81" for line in range(2, 6))
    talk = run(command, damaged).stderr.splitlines()
    assert talk[:2] == [
        f"satdoku: {damaged}:1:81: {fault}",
        f"satdoku: {fault}: 79 more times, at {places}, ...",
    ]
    assert len(talk) == 2 or talk[2].startswith("80 puzzles; 80 unreadable")


def test_drawing_says_it_once_too(damaged: Path) -> None:
    first, counted, end = run("draw", damaged).stderr.splitlines()
    assert first == f"satdoku: {damaged}:1:81: 80 cells found, expected 81 for 9x9"
    assert "79 more times" in counted
    assert end == "there is nothing to draw"


def test_what_is_collected_is_said_in_a_line(damaged: Path, tmp_path: Path) -> None:
    rejects = tmp_path / "rejects.txt"
    summary, line = run("check", damaged, "--rejects", rejects).stderr.splitlines()
    assert summary.startswith("80 puzzles; 80 unreadable")
    assert line == f"{rejects} has 80 rejects, with the reasons"
    assert rejects.read_text().count("\n") == 80


def test_the_same_of_puzzles_that_can_be_read_is_said_once_too() -> None:
    talk = run("solve", stdin=f"{IMPOSSIBLE}\n" * 3 + CLASHING).stderr.splitlines()
    assert [line[: line.index(":")] for line in talk[:3]] == ["stdin", "stdin", "no solution"]
    assert talk[2].endswith("2 more times, at stdin:2, stdin:3")


def test_a_message_that_came_twice_is_said_twice_with_its_details() -> None:
    talk = run("convert", stdin=f"{SHORT}\n{SMALL}\n{EASY}1\n").stderr.splitlines()
    assert talk == [
        "satdoku: stdin:1:81: 80 cells found, expected 81 for 9x9",
        "satdoku: stdin:3:82: 82 cells found, expected 81 for 9x9",
    ]


def test_memory_for_messages_is_bounded() -> None:
    messages = Said()
    said = [messages.is_repeated(f"message {n}", "here", False) for n in range(5000)] * 1
    assert not any(said)
    assert not messages.is_repeated("message 4999", "there", False)
    assert messages.is_repeated("message 0", "there", False)
