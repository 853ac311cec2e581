"""How often a text is parsed on its way through a command: once, or not at all."""

from pathlib import Path

import pytest

from satdoku.notation.drawings import RowsFormat
from satdoku.notation.format import Format
from satdoku.notation.hints import Hints
from satdoku.notation.lines import LineFormat
from satdoku.notation.plain_lines import PlainLines
from satdoku.notation.record import Record
from satdoku.puzzle.puzzle import Puzzle
from tests.commands import EASY, run
from tests.crossing import sampled
from tests.making.requests import make, request

NAMED = f"{EASY} easy"
MANY = 200


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that formats parse while a test runs."""
    texts: list[str] = []

    def count(kind: type[Format]) -> None:
        parse = kind.parse

        def counted(self: Format, record: Record, hints: Hints, source: str) -> Puzzle:
            texts.append(record.text)
            return parse(self, record, hints, source)

        monkeypatch.setattr(kind, "parse", counted)

    count(LineFormat)
    count(RowsFormat)
    return texts


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that are read as plain lines while a test runs."""
    texts: list[str] = []
    method = PlainLines.read

    def counted(self: PlainLines, line: str) -> bytes | None:
        texts.append(line)
        return method(self, line)

    monkeypatch.setattr(PlainLines, "read", counted)
    return texts


@pytest.mark.parametrize("command", ["check", "solve", "count", "explain", "rate", "canonical"])
def test_a_typed_line_is_parsed_once(command: str, parsed: list[str]) -> None:
    assert run(command, NAMED).code == 0
    assert parsed == [NAMED]


@pytest.mark.parametrize("command", ["check", "solve"])
def test_a_typed_plain_line_needs_no_format(command: str, parsed: list[str]) -> None:
    assert run(command, EASY).code == 0
    assert parsed == []


def test_typed_rows_are_parsed_once(parsed: list[str]) -> None:
    rows = "\n".join(EASY[start : start + 9] for start in range(0, 81, 9))
    assert run("check", rows).code == 0
    assert len(parsed) == 1


@sampled(2, "to", ["line", "grid", "json", ""])
def test_named_lines_of_a_file_are_parsed_once_each(
    to: str, parsed: list[str], tmp_path: Path
) -> None:
    file = tmp_path / "puzzles.txt"
    lines = [f"{made.puzzle.grid.line} named" for made in make(request(seed="once"), 3)]
    file.write_text("\n".join(lines * 30) + "\n")
    wanted = ["--to", to] if to else []
    assert run("solve", str(file), *wanted).code == 0
    assert len(parsed) == 90


@pytest.mark.parametrize("to", ["line", "", "grid"])
def test_plain_lines_of_a_file_are_never_parsed(
    to: str, parsed: list[str], read: list[str], tmp_path: Path
) -> None:
    file = tmp_path / "puzzles.txt"
    file.write_text(f"{EASY}\n" * MANY)
    wanted = ["--to", to] if to else []
    result = run("solve", str(file), *wanted, "--jobs", "1")
    assert result.code == 0
    # The first one shows that the text is no paste.
    assert len(parsed) <= 1
    assert len(read) <= MANY + 2
