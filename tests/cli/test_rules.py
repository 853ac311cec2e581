from pathlib import Path

import pytest

from satdoku.puzzle.rules.registry import RULES
from tests.commands import run


def test_every_rule_is_listed_with_its_example_and_its_sentence() -> None:
    result = run("rules")
    lines = result.stdout.splitlines()
    assert [line.split()[0].partition(":")[0] for line in lines] == list(RULES)
    assert all(len(line.split("  ", 1)[1].strip()) > 15 for line in lines)
    assert "anti-knight                  no two cells a knight's move apart" in result.stdout


@pytest.mark.parametrize("form", ["--csv", "--json"])
@pytest.mark.parametrize("board", [["1x7", "--regions", "random"], ["3x2"]], ids=" ".join)
def test_what_generate_writes_of_unusual_boards_is_read_again(
    board: list[str], form: str, tmp_path: Path
) -> None:
    made = run("generate", "--seed", "3", form, "--box", *board)
    path = tmp_path / "made.txt"
    path.write_text(made.stdout)
    assert run("check", path) == (0, "unique\n", "")
