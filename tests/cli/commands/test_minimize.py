"""`satdoku minimize`."""

import json
from collections.abc import Iterator

import pytest

import satdoku
from satdoku.making.minimizer import Minimized, Minimizer, OnBounds
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.verdict import Outcome
from tests.boards import read_grid
from tests.commands import (
    AMBIGUOUS,
    CLASHING,
    EASY,
    EASY_SOLUTION,
    SMALL,
    SMALL_SOLUTION,
    require_failure,
    run,
)
from tests.each import for_each
from tests.making.boards import is_unique, thinned
from tests.making.test_minimizer import all_minimal_by_trying


def line_of(grid: Grid) -> str:
    return "".join(map(str, grid.digits)).replace("0", ".")


def require_minimal(line: str, puzzle: str) -> None:
    """A sub-puzzle with one solution, of which no given can be deleted."""
    assert all(digit in (".", given) for digit, given in zip(line, puzzle, strict=True))
    grid = read_grid(line)
    assert is_unique(grid)
    assert not any(is_unique(grid.with_digits({cell: 0})) for cell in grid.givens)


def test_a_minimal_puzzle_and_with_other_seeds_others() -> None:
    lines = {run("minimize", EASY, "--seed", seed).stdout.strip() for seed in ("a", "b", "c")}
    assert len(lines) > 1
    for line in lines:
        require_minimal(line, EASY)


def test_every_given_of_a_minimal_puzzle_has_its_witness() -> None:
    [found] = map(json.loads, run("minimize", EASY, "--json").lines)
    minimal = read_grid(found["minimal_puzzle"])
    geometry = minimal.geometry
    assert len(found["witnesses"]) == found["givens"] == len(minimal.givens)
    for cell, digit in minimal.givens.items():
        witness = read_grid(found["witnesses"][geometry.name_of(cell)])
        assert witness.digits[cell] != digit
        rest = [other for other in minimal.givens if other != cell]
        assert all(witness.digits[other] == minimal.digits[other] for other in rest)
        assert satdoku.check(witness).verdict.value == "unique"


def test_cells_to_keep_and_symmetries() -> None:
    kept = run("minimize", SMALL_SOLUTION, "--keep", "r1c1-2").stdout
    assert kept[:2] == "12"
    symmetric = run("minimize", EASY_SOLUTION, "--symmetry", "rotate180").stdout.strip()
    pattern = [digit != "." for digit in symmetric]
    assert pattern == pattern[::-1]
    result = run("minimize", SMALL, "--keep", "r9c9")
    assert (result.code, "r9c9" in result.stderr) == (2, True)


def test_redundant_givens_are_named() -> None:
    grid, _ = thinned(3, Geometry(2, 2), 8)
    expected = [
        grid.geometry.name_of(cell)
        for cell in grid.givens
        if is_unique(grid.with_digits({cell: 0}))
    ]
    assert run("minimize", "--redundant", line_of(grid)).stdout.split() == expected
    minimal = run("minimize", line_of(grid)).stdout
    assert run("minimize", "--redundant", minimal.strip()).stdout == "minimal\n"


@pytest.mark.parametrize(("shape", "givens"), [((2, 2), 9), ((2, 3), 15)])
def test_all_and_fewest_are_those_that_trying_finds(shape: tuple[int, int], givens: int) -> None:
    grid, _ = thinned(7, Geometry(*shape), givens)
    cells = all_minimal_by_trying(grid)
    lines = {
        "".join(str(digit) if cell in kept else "." for cell, digit in enumerate(grid.digits))
        for kept in cells
    }
    result = run("minimize", "--all", line_of(grid))
    assert (result.code, result.lines) == (0, sorted(lines))
    [found] = map(json.loads, run("minimize", "--fewest", line_of(grid), "--json").lines)
    fewest = min(map(len, cells))
    assert (found["givens"], found["at_least"]) == (fewest, fewest)
    assert found["minimal_puzzle"] in lines


def test_all_stops_at_a_limit_and_says_so() -> None:
    result = run("minimize", "--all", "--limit", 2, SMALL_SOLUTION)
    assert (result.code, len(result.lines)) == (0, 2)
    assert result.stderr == "argument:1: there are more than 2\n"
    [found] = map(json.loads, run("minimize", "--all", SMALL_SOLUTION, "--json").lines)
    assert found["all"]
    assert found["count"] == len(set(found["minimal_puzzles"]))


def test_a_limit_leaves_bounds() -> None:
    result = run("minimize", "--fewest", EASY_SOLUTION, "--timeout", 0.3, "--json")
    found = json.loads(result.stdout)
    assert (result.code, found["verdict"]) == (124, "undecided")
    assert 0 <= found["at_least"] < found["givens"]
    assert f"between {found['at_least']} and {found['givens']} givens" in result.stderr
    assert found["reason"] == "not decided within 0.3 s"


@for_each("options", [[], ["--redundant"], ["--all"], ["--fewest"], ["--json"]])
def test_a_puzzle_without_one_solution_says_so(options: list[str]) -> None:
    several, none = (run("minimize", *options, line) for line in (AMBIGUOUS, CLASHING))
    assert (several.code, none.code) == (10, 20)
    assert "two of them differ in 4 cells" in several.stdout
    assert "r1c1 and r1c2 are both 5" in none.stdout


@for_each(
    "options, words",
    [
        (["--all", "--fewest"], "--all and --fewest exclude each other"),
        (["--fewest", "--seed", "1"], "--seed"),
        (["--redundant", "--keep", "r1c1"], "--keep"),
        (["--limit", "3"], "--limit needs --all"),
        (["--all", "--csv"], "--json has"),
    ],
)
def test_options_that_cannot_apply_are_refused(options: list[str], words: str) -> None:
    require_failure(run("minimize", *options, SMALL), words, code=2)


@pytest.mark.parametrize(
    ("question", "function", "told"),
    [
        ("--all", "find_all", "minimal puzzles found so far: 1"),
        ("--fewest", "find_fewest", "between 3 and 5 givens"),
    ],
)
def test_an_interruption_tells_what_was_found_by_then(
    question: str, function: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def find_all(minimizer: Minimizer, outcome: Outcome) -> Iterator[Minimized]:
        yield minimizer.minimize(outcome)
        raise KeyboardInterrupt

    def find_fewest(minimizer: Minimizer, outcome: Outcome, on_bounds: OnBounds) -> Minimized:
        on_bounds(3, 5)
        raise KeyboardInterrupt

    interrupted = {"find_all": find_all, "find_fewest": find_fewest}
    monkeypatch.setattr(Minimizer, function, interrupted[function])
    result = run("minimize", SMALL, question)
    assert (result.code, result.stdout) == (130, "")
    assert result.stderr.split("\n")[0] == f"argument:1: {told}"


@pytest.mark.parametrize("options", [(), ("--fewest",)], ids=str)
def test_an_answer_does_not_depend_on_the_puzzles_before_it(options: tuple[str, ...]) -> None:
    result = run("minimize", *options, "--json", *[SMALL] * 4)
    answers = [json.loads(line) for line in result.lines]
    assert all(answer["witnesses"] == answers[0]["witnesses"] for answer in answers)
    assert len({answer["minimal_puzzle"] for answer in answers}) == 1


def test_many_have_the_same_lines_as_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [EASY, AMBIGUOUS, "no puzzle", EASY_SOLUTION, SMALL, CLASHING, EASY] * 2
    text = "".join(f"{line}\n" for line in lines)
    together = run("minimize", "-", "--jobs", "1", stdin=text)
    monkeypatch.setenv("SATDOKU_LANES", "0")
    alone = run("minimize", "-", "--jobs", "1", stdin=text)
    assert together.stdout == alone.stdout
    assert together.code == alone.code


def test_clues_that_may_go_alone_are_listed_beside_givens() -> None:
    rules = ["killer:6=r1c1-3", "killer:10=r2-4c1,r3c2", "killer:7=r2c2-3,r3c3"]
    rules += ["killer:5=r3-4c4", "thermo:r2c3,r1c4"]
    options = [part for rule in rules for part in ("--rule", rule)]
    found = json.loads(
        run("minimize", "2134............", *options, "--redundant", "--clues", "--json").stdout
    )
    for rule in found["rules"]:
        rest = [part for each in found["rules"] if each != rule for part in ("--rule", each)]
        is_spare = run("check", found["puzzle"], *rest).code == 0
        assert (rule in found["redundant_clues"]) == is_spare
