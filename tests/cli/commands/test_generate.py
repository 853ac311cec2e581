import csv
import io
import json
from pathlib import Path

import pytest

import satdoku
from satdoku.answering.maker import Maker, Number
from satdoku.batch.row import Row
from satdoku.making.request import Request
from satdoku.puzzle.verdict import Verdict
from tests.boards import read_grid
from tests.commands import EASY_SOLUTION, require_failure, run
from tests.crossing import sampled
from tests.each import for_each
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
    result = run("generate", "--seed", 1, "--box", "2x3", "--regions", "random")
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


def test_wishes_reach_the_puzzle() -> None:
    mask = "".join("#" if c % 9 != 4 and c % 4 != 1 else "." for c in range(81))
    [line] = run("generate", "--seed", 2, "--mask", mask).lines
    assert [c == "." for c in line] == [c == "." for c in mask]
    [line] = run("generate", "--seed", 1, "--from", EASY_SOLUTION).lines
    assert str(satdoku.solve(line).digits) == str(read_grid(EASY_SOLUTION).digits)
    [line] = run("generate", "--seed", 1, "-k", "30-31", "--symmetry", "rotate180").lines
    assert 81 - line.count(".") in (30, 31)
    [line] = run("generate", "--seed", 1, "--difficulty", "medium").lines
    assert satdoku.rate(line).number in (2, 3)


@for_each(
    "options, reason",
    [
        (["-k", "16"], "at least 17 are needed"),
        (["-k", "x"], "neither a number nor a range"),
        (["-k", "24-20"], "24-20 begins with its greater number; write 20-24"),
        (["--mask", "#"], "81 cells, not 1"),
        (["--from", "1"], "1"),
        (["--rating", "3-2"], "3-2 begins with its greater number; write 2-3"),
        (["--rating", "3", "--difficulty", "hard"], "exclude each other"),
        (["--technique", "singles", "--rating", "4"], "no rating of 4 or more"),
        (["--technique", "singles", "--minimal"], "cannot be asked to be minimal"),
        (["--json", "--csv"], "exclude each other"),
        (["--seed", "a\nb", "--csv"], "several lines"),
        (["--rule", "diagonals", "--to", "line"], "cannot hold the rule diagonals"),
        (["--regions", "random", "--to", "grid"], "cannot hold the rule regions"),
        (["--fewest", "-k", "20"], "the fewest givens exclude a number of givens"),
        (["--time-limit", "0"], "0"),
        (["--resume"], "--resume needs --output"),
        (["--symmetry", "rotate90", "-k", "26"], "symmetry rotate90 has 26 cells"),
    ],
)
def test_what_cannot_be_is_refused_as_wrong_usage(options: list[str], reason: str) -> None:
    result = run("generate", *options)
    assert result.code == 2
    assert result.stdout == ""
    assert reason in result.stderr


def test_what_was_not_found_is_undecided_and_keeps_its_place() -> None:
    options = ["--seed", 1, "-k", 17, "--conflicts", 300]
    result = run("generate", *options)
    assert result.code == 124
    assert result.stdout == "\n"
    assert "puzzle 1: not found: not decided within 300 conflicts" in result.stderr
    facts = json.loads(run("generate", *options, "--json").stdout)
    assert facts["puzzle"] is None
    assert facts["reason"] == "not decided within 300 conflicts"
    [row] = csv.DictReader(io.StringIO(run("generate", *options, "--csv").stdout))
    assert (row["index"], row["puzzle"], row["seed"]) == ("0", "", "1")


def test_the_fewest_givens_come_with_the_puzzle_that_they_are_the_fewest_of() -> None:
    facts = json.loads(run("generate", "--seed", 1, "--fewest", "--json", "--box", "2x2").stdout)
    assert facts["within"] == "".join(map(str, satdoku.solve(facts["puzzle"]).digits))
    rows = run("generate", "--seed", 1, "--fewest", "--csv", "--box", "2x2").lines
    assert rows[0].endswith(",seed,within")


@pytest.mark.slow
def test_no_twins_whatever_the_jobs() -> None:
    options = ["-n", 30, "--seed", 1, "--box", "2x2", "--distinct", "isomorphic"]
    one = run("generate", *options, "--jobs", 1)
    forms = {satdoku.canonical(line).grid for line in one.lines}
    assert len(forms) == len(one.lines) == 30
    assert "puzzles were left out as made before" in one.stderr
    assert run("generate", *options, "-j", 2).stdout == one.stdout


def test_where_nothing_new_comes_the_run_ends_and_says_so() -> None:
    options = ["--box", "1x2", "-k", 1, "--seed", 1, "--distinct", "exact"]
    result = run("generate", "-n", 9, *options, "--jobs", 1)
    assert result.code == 124
    assert len(set(result.lines)) == len(result.lines) == 8
    assert "only 8 puzzles differ" in result.stderr


def test_where_none_is_found_the_run_ends_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("satdoku.making.generator._MOST_IN_VAIN", 100)
    options = ["-n", 9, "--seed", 1, "--distinct", "exact", "--jobs", 1]
    result = run("generate", *options, "--conflicts", 1)
    assert (result.code, result.stdout) == (124, "")
    assert "only 0 puzzles differ: the last 100 were not found\n" in result.stderr
    make = Maker._make

    def fail(maker: Maker, record: Number) -> Row:
        if record.number % 2:
            raise KeyError("planted")
        return make(maker, record)

    monkeypatch.setattr(Maker, "_make", fail)
    result = run("generate", *options, "--box", "1x2", "-k", 1, "--timeout", 1000)
    assert (result.code, len(result.lines)) == (1, 8)
    assert "only 8 puzzles differ: the last 100 were made before or not found\n" in result.stderr


def test_twins_are_refused_where_nobody_knows_them() -> None:
    result = run("generate", "--rule", "anti-king", "--distinct", "isomorphic")
    assert (result.code, result.stdout) == (2, "")
    assert "twins are found for rows, columns and boxes only" in result.stderr


def test_large_boards_say_what_is_not_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Request, "conflicts_a_given", 1)
    result = run("generate", "--seed", 1, "--box", "3x4", "--json", "--jobs", 1)
    facts = json.loads(result.stdout)
    assert facts["minimal"] is False
    assert facts["undecided"] > 0
    assert f"not proved minimal: for {facts['undecided']} of its" in result.stderr


@sampled(
    2,
    "rules",
    [
        ("--rule", "diagonals", "--rule", "even:r1c1"),
        ("--regions", "random"),
        ("--rule", "anti-king", "--regions", "random"),
    ],
    ids=" ".join,
)
def test_a_table_with_rules_is_read_with_them(rules: tuple[str, ...], tmp_path: Path) -> None:
    """As usual puzzles they would have several solutions, or none."""
    table = tmp_path / "made.csv"
    run("generate", "-n", 2, "--box", "2x3", "--seed", 5, *rules, "--csv", "-o", table)
    checked = run("check", table)
    assert (checked.code, checked.lines) == (0, ["unique"] * 2)
    without = tmp_path / "without.csv"
    without.write_text(table.read_text().replace(",rules,", ",noted,"))
    assert run("check", without).lines != ["unique"] * 2


def test_a_number_alone_is_told_its_option() -> None:
    require_failure(run("generate", "2"), "extra argument (2); -n 2 is a number of puzzles", code=2)


def test_rules_come_from_a_file(tmp_path: Path) -> None:
    rules = tmp_path / "rules.txt"
    rules.write_text("odd:r1c1  # the corner\n")
    made = run("generate", "--box", "2x2", "--rules", rules, "--to", "json", "--seed", 1)
    assert json.loads(made.stdout)["rules"] == [{"odd": "r1c1"}]


def test_a_level_without_its_option_gets_a_question() -> None:
    require_failure(run("generate", "hard"), "did you mean --difficulty hard?", code=2)
