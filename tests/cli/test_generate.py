import csv
import io
import json
from pathlib import Path

import pytest

import satdoku
from satdoku.puzzle.verdict import Verdict
from tests.boards import read_grid
from tests.cli.interrupting import interrupt_after
from tests.commands import EASY_SOLUTION, run
from tests.oracle import count_solutions


def is_unique(line: str) -> bool:
    return count_solutions(3, 3, [int(c) for c in line.replace(".", "0")], 2) == 1


def test_without_options_there_is_one_puzzle_and_its_seed() -> None:
    first = run("generate")
    assert first.code == 0
    [line] = first.lines
    assert is_unique(line)
    word, seed = first.stderr.split()
    assert word == "seed"
    assert run("generate", "--seed", seed) == (0, first.stdout, "")


def test_jobs_change_nothing() -> None:
    one = run("generate", "-n", 40, "--seed", "jobs", "--jobs", 1)
    assert len(one.lines) == 40
    assert run("generate", "-n", 40, "--seed", "jobs", "--jobs", 2) == one


def test_json_has_the_facts() -> None:
    result = run("generate", "-n", 2, "--seed", 4, "--json", "--with-solution")
    for index, line in enumerate(result.lines):
        facts = json.loads(line)
        grid = read_grid(facts["puzzle"])
        assert facts["index"] == index
        assert facts["seed"] == "4"
        assert facts["givens"] == len(grid.givens)
        assert facts["minimal"] is True
        assert facts["rules"] == []
        assert facts["rating"] == satdoku.rate(grid).number
        assert read_grid(facts["solution"]) == satdoku.solve(grid)


def test_csv_is_one_table() -> None:
    result = run("generate", "-n", 3, "--seed", 4, "--csv", "--rule", "diagonals", "--box", "2x3")
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    assert [row["index"] for row in rows] == ["0", "1", "2"]
    assert {row["rules"] for row in rows} == {"diagonals"}


def test_further_rules_come_with_the_puzzle() -> None:
    result = run("generate", "--seed", 1, "--box", "2x3", "--random-regions")
    puzzle = satdoku.parse(result.stdout)
    assert puzzle.regions is not None
    assert satdoku.check(puzzle).verdict is Verdict.UNIQUE


def test_formats_are_those_of_convert() -> None:
    line = run("generate", "-n", 2, "--seed", 1)
    for name in ("grid", "sdk", "ss"):
        written = run("generate", "-n", 2, "--seed", 1, "--to", name)
        assert written == run("convert", "--to", name, "-", stdin=line.stdout)


def test_a_file_is_written_whole(tmp_path: object) -> None:
    path = f"{tmp_path}/puzzles.txt"
    assert run("generate", "-n", 3, "--seed", 1, "-o", path) == (0, "", "")
    with open(path) as lines:
        assert lines.read() == run("generate", "-n", 3, "--seed", 1).stdout


def test_an_interruption_leaves_the_seed_and_says_that_nothing_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "puzzles.txt"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("satdoku.output.tally.Tally.add", interrupt_after(3))
        result = run("generate", "-n", 9, "--jobs", 1, "-o", path)
        seed, kept, end = [line for line in result.stderr.splitlines() if line]
    assert result.code == 130
    assert seed.startswith("seed ")
    assert kept == f"nothing is kept: {path} appears when all 9 puzzles are made"
    assert end == "satdoku: interrupted"
    assert not path.exists()


def test_wishes_reach_the_puzzle() -> None:
    mask = "".join("#" if c % 9 != 4 and c % 4 != 1 else "." for c in range(81))
    [line] = run("generate", "--seed", 1, "--mask", mask).lines
    assert [c == "." for c in line] == [c == "." for c in mask]
    [line] = run("generate", "--seed", 1, "--from", EASY_SOLUTION).lines
    assert str(satdoku.solve(line).digits) == str(read_grid(EASY_SOLUTION).digits)
    [line] = run("generate", "--seed", 1, "-k", "30-31", "--symmetry", "rotate180").lines
    assert 81 - line.count(".") in (30, 31)
    [line] = run("generate", "--seed", 1, "--difficulty", "medium").lines
    assert satdoku.rate(line).number in (2, 3)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["-k", "16"], "at least 17 are needed"),
        (["-k", "x"], "neither a number nor a range"),
        (["--mask", "#"], "81 cells, not 1"),
        (["--from", "1"], "1"),
        (["--rating", "3-2"], "no rating is between 3 and 2"),
        (["--rating", "3", "--difficulty", "hard"], "exclude each other"),
        (["--technique", "singles", "--rating", "4"], "no rating of 4 or more"),
        (["--technique", "singles", "--minimal"], "cannot be asked to be minimal"),
        (["--json", "--csv"], "exclude each other"),
        (["--symmetry", "rotate90", "-k", "26"], "symmetry rotate90 has 26 cells"),
    ],
)
def test_what_cannot_be_is_refused_as_wrong_usage(options: list[str], reason: str) -> None:
    result = run("generate", *options)
    assert result.code == 2
    assert result.stdout == ""
    assert reason in result.stderr


def test_what_was_not_found_is_undecided_and_the_rest_is_written() -> None:
    result = run("generate", "--seed", 1, "-k", 17, "--conflicts", 300)
    assert result.code == 124
    assert result.stdout == ""
    assert "puzzle 1: not found: not decided within 300 conflicts" in result.stderr
