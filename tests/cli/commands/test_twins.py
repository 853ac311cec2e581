"""`satdoku augment`, `satdoku split` and `satdoku canonical --against`: twins in data sets."""

import json
from pathlib import Path

import pytest

import satdoku
from satdoku.making.canonical import Moves
from tests.commands import CLASHING, EASY, EASY_SOLUTION, SMALL, require_failure, run

OTHERS = [EASY, *(made.puzzle.grid.line for made in satdoku.generate(7, seed="twins"))]


def form_of(line: str) -> str:
    return satdoku.canonical(line).grid.line


def test_twins_are_other_puzzles_with_the_same_form() -> None:
    lines = run("augment", EASY, "--times", "5", "--seed", "a").lines
    assert len({EASY, *lines}) == 6
    assert {form_of(line) for line in lines} == {form_of(EASY)}


def test_a_seed_gives_the_same_twins_in_any_order_and_with_any_jobs() -> None:
    text = "\n".join(OTHERS)
    found = run("augment", "--times", "2", "-q", stdin=text).lines
    assert run("augment", "--times", "2", "-q", "-j", "2", stdin=text).lines == found
    assert run("augment", OTHERS[3], "--times", "2", "-q").lines == found[6:8]
    assert run("augment", OTHERS[3], "--times", "2", "-q", "--seed", "b").lines != found[6:8]


def test_the_moves_that_are_told_lead_to_the_twin() -> None:
    found = json.loads(run("augment", EASY, "--how", "--json").stdout)
    how = found["how"]
    names = (0, *(how["names"][str(digit)] for digit in range(1, 10)))
    rows, columns = (tuple(line - 1 for line in how[each]) for each in ("rows", "columns"))
    moves = Moves(how["transposed"], rows, columns, names)
    twin = satdoku.parse(found["twin"]).grid
    assert moves.apply(satdoku.parse(EASY).grid.digits) == twin.digits


def test_solutions_beside_puzzles_get_the_same_twins(tmp_path: Path) -> None:
    path = tmp_path / "bank.csv"
    path.write_text(f"id,puzzle,solution\n7,{EASY},{EASY_SOLUTION}\n8,{SMALL},\n")
    result = run("augment", path, "--solution-column", "solution", "--json", "-q")
    first, second = map(json.loads, result.lines)
    assert satdoku.solve(first["twin"]).line == first["twin_solution"]
    assert second["twin_solution"] is None
    table = run("augment", path, "--times", "2", "--csv", "-q").lines
    assert table[0] == "id,puzzle,solution,verdict,twin,twin_solution,reason"
    assert [line[0] for line in table[1:]] == ["7", "7", "8", "8"]


def test_an_unreadable_record_is_told_once(tmp_path: Path) -> None:
    path, rejects = tmp_path / "puzzles.txt", tmp_path / "rejects.txt"
    path.write_text(f"{EASY}\n{EASY[1:]}\n")
    found = run("augment", path, "--times", 3, "--rejects", rejects)
    assert len(found.lines) == 6
    assert found.stderr.count("80 cells found") == 0
    assert len(rejects.read_text().splitlines()) == 1
    told = run("augment", path, "--times", 3).stderr
    assert told.count("80 cells found") == 1
    assert "more" not in told


def test_puzzles_with_other_rules_have_no_twins_here() -> None:
    result = run("augment", SMALL, "--rule", "anti-knight")
    assert result.code == 1
    assert "anti-knight" in result.stdout


def test_twins_are_never_parted(tmp_path: Path) -> None:
    bank, train, test = (tmp_path / name for name in ("bank.csv", "train.csv", "test.csv"))
    twins = run("augment", "--times", "4", "-q", stdin="\n".join(OTHERS)).lines
    bank.write_text(
        "".join(f"{line}\n" for line in ["puzzle,n", *(f"{t},{len(t)}" for t in twins)])
    )
    arguments = ["split", bank, "--test", "0.4", "--seed", "s", "-o", train, "--test-output", test]
    result = run(*arguments)
    assert result.code == 0
    parts = [path.read_text().splitlines() for path in (train, test)]
    assert [part.pop(0) for part in parts] == ["puzzle,n", "puzzle,n"]
    assert sorted(parts[0] + parts[1]) == sorted(bank.read_text().splitlines()[1:])
    forms = [{form_of(line.split(",")[0]) for line in part} for part in parts]
    assert not forms[0] & forms[1]
    assert all(forms)
    assert f"{len(parts[0])} to train on, {len(parts[1])} to test" in result.stderr
    # A bank that has grown is split as before.
    small = run("split", OTHERS[0], "--test", "0.4", "--seed", "s", "--test-output", tmp_path / "t")
    is_in_test = bool((tmp_path / "t").read_text())
    assert is_in_test == (form_of(OTHERS[0]) in forms[1]) != bool(small.stdout)


def test_puzzles_without_a_form_are_in_no_part(tmp_path: Path) -> None:
    test = tmp_path / "test.txt"
    result = run("split", CLASHING, EASY, "--test", "0", "--test-output", test)
    assert result.lines == [EASY]
    assert test.read_text() == ""
    require_failure(run("split", EASY, "--test-output", test), "exists")
    again = run("split", EASY, "--test-output", test, "-o", test, "--force")
    require_failure(again, "written already", code=2)


def test_twins_in_another_file_are_told(tmp_path: Path) -> None:
    train = tmp_path / "train.txt"
    train.write_text("\n".join(OTHERS[:4]) + "\n")
    twins = run("augment", "-q", stdin="\n".join(OTHERS[2:6])).lines
    text = "\n".join(twins)
    result = run("canonical", "--against", train, stdin=text)
    assert result.lines == [
        f"stdin:1: twin of {train}:3",
        f"stdin:2: twin of {train}:4",
    ]
    kept = run("canonical", "--against", train, "--unique", "-q", stdin=f"{text}\n{text}").lines
    assert kept == twins[2:]


def test_a_comparison_with_a_file_that_is_not_there_stops(tmp_path: Path) -> None:
    for more in ([], ["--unique"]):
        result = run("canonical", "--against", tmp_path / "missing.txt", OTHERS[0], *more)
        require_failure(result, "there is no file")
        assert result.stdout == ""


@pytest.mark.parametrize("other", ["--json", "--csv", "--how"])
def test_a_comparison_has_no_answer_for_each_puzzle(tmp_path: Path, other: str) -> None:
    result = run("canonical", EASY, "--against", tmp_path / "x.txt", other)
    require_failure(result, "exclude each other", code=2)
