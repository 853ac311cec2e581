"""`satdoku canonical`."""

import json
from pathlib import Path
from random import Random

import pytest

import satdoku
from tests.boards import read_grid
from tests.commands import AMBIGUOUS, CLASHING, EASY, EASY_SOLUTION, SMALL, require_failure, run
from tests.random_twins import random_twin


def twins_of(line: str, count: int) -> list[str]:
    rng = Random(line)
    grids = [random_twin(rng, read_grid(line)) for _ in range(count)]
    return ["".join(map(str, grid.digits)).replace("0", ".") for grid in grids]


def test_all_twins_are_given_one_line() -> None:
    result = run("canonical", stdin="\n".join([EASY, *twins_of(EASY, 4)]))
    [line] = set(result.lines)
    assert (result.code, len(result.lines)) == (0, 5)
    assert line == "".join(map(str, satdoku.canonical(EASY).grid.digits)).replace("0", ".")


def test_the_form_of_the_solution_is_that_of_a_full_grid() -> None:
    [found] = map(json.loads, run("canonical", EASY, "--of", "solution", "--json").lines)
    form = satdoku.canonical(EASY_SOLUTION)
    assert found["canonical"] == "".join(map(str, form.grid.digits))
    assert (found["verdict"], found["automorphisms"]) == ("unique", form.automorphisms)
    codes = [run("canonical", line, "--of", "solution").code for line in (AMBIGUOUS, CLASHING)]
    assert codes == [10, 20]


def test_a_puzzle_with_several_solutions_has_a_form_too() -> None:
    assert run("canonical", AMBIGUOUS) == (0, "...............1\n", "")


def test_a_puzzle_whose_givens_clash_has_no_form_and_stays() -> None:
    lines = [CLASHING, CLASHING, "5" * 81]
    named = run("canonical", "-q", stdin="\n".join(lines))
    assert [line.split(":")[0] for line in named.lines] == ["none"] * 3
    assert named.code == 20
    assert run("canonical", "--unique", "-q", stdin="\n".join(lines)).lines == lines


def test_unique_leaves_out_twins_and_keeps_the_first_as_it_came(tmp_path: Path) -> None:
    lines = [EASY, *twins_of(EASY, 3), SMALL, *twins_of(SMALL, 2), EASY[1:], AMBIGUOUS]
    path = tmp_path / "bank.txt"
    path.write_text("\n".join(lines) + "\n")
    one = run("canonical", "--unique", path, "--jobs", 1)
    assert one.lines == [EASY, SMALL, EASY[1:], AMBIGUOUS]
    assert one.code == 1
    assert "3 answered, 5 repeated; 1 unreadable" in one.stderr
    assert run("canonical", "--unique", path, "--jobs", 2).stdout == one.stdout


def test_unique_rows_of_a_table_keep_their_columns() -> None:
    twin = twins_of(SMALL, 1)[0]
    table = f"id,puzzle,by\n1,{SMALL},ann\n2,{twin},bob\n3,{AMBIGUOUS},cy\n"
    plain = run("canonical", "--unique", "-q", stdin=table)
    assert plain.lines == ["id,puzzle,by", f"1,{SMALL},ann", f"3,{AMBIGUOUS},cy"]
    shown = run("canonical", "--unique", "--csv", "-q", stdin=table)
    assert shown.lines[0] == "id,puzzle,by,verdict,canonical,automorphisms,reason"
    assert [line[0] for line in shown.lines[1:]] == ["1", "3"]


def test_what_cannot_be_done_is_refused(tmp_path: Path) -> None:
    result = run("canonical", SMALL, "--rule", "anti-king")
    assert result.code == 1
    assert "rows, columns and boxes only; this puzzle has anti-king" in result.stderr
    large = run("canonical", " ".join(["."] * 25 * 25))
    assert large.code == 124
    assert "computed up to 16x16, not for 25x25" in large.stderr
    path = tmp_path / "p.txt"
    path.write_text(SMALL + "\n")
    options = ["--unique", "-o", tmp_path / "o.txt", "--resume"]
    require_failure(run("canonical", path, *options), "--unique leaves lines out", code=2)


def test_what_has_no_form_is_told_in_tables_and_stays_there() -> None:
    table = f"id,puzzle,rules\n1,{SMALL},\n2,{SMALL},diagonals\n3,{SMALL},\n"
    large = " ".join(["."] * 20 * 20)
    table += f"4,{large},\n5,{large},\n"
    named = run("canonical", "--csv", "-q", stdin=table)
    assert [line.split(",")[0] for line in named.lines[1:]] == ["1", "2", "3", "4", "5"]
    assert "rows, columns and boxes only; this puzzle has diagonals" in named.lines[2]
    assert "unreadable" in named.lines[2]
    for line in named.lines[4:]:
        assert line.endswith(
            'undecided,,,"canonical forms are computed up to 16x16, not for 20x20"'
        )
    # Whether those without a form are twins is not known, so none of them is left out.
    unique = run("canonical", "--unique", stdin=table)
    assert [line.split(",")[0] for line in unique.lines[1:]] == ["1", "2", "4", "5"]
    assert unique.stderr.count("this puzzle has diagonals") == 1
    assert unique.stderr.count("not for 20x20") == 2
    assert unique.code == named.code == 1


def test_lines_of_a_file_are_answered_alike_with_and_without_the_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng, lines = Random(4), []
    for index in range(10):
        grid = read_grid(EASY_SOLUTION if index % 10 == 9 else EASY)
        line = "".join(map(str, random_twin(rng, grid).digits)).replace("0", ".")
        place = rng.randrange(81)
        # A given less leaves several solutions, or one.
        lines += [line, line[:place] + "." + line[place + 1 :]]
    lines[17] = CLASHING.ljust(81, ".")[:81]
    path = tmp_path / "bank.txt"
    path.write_text("\n".join(lines) + "\n")
    for options in (["--of", "solution"], ["--unique", "--jobs", 2]):
        found = run("canonical", path, *options)
        monkeypatch.setenv("SATDOKU_LANES", "0")
        without = run("canonical", path, *options)
        monkeypatch.delenv("SATDOKU_LANES")
        assert (found.code, found.stdout) == (without.code, without.stdout)
