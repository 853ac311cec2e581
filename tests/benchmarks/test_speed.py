"""The benchmark races equals: contestants agree, and what ships can be made again."""

from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from random import Random

import click
import pytest
from click.testing import CliRunner

from benchmarks.__main__ import NAMES, benchmarks
from benchmarks.baseline import Baseline
from benchmarks.collections import COLLECTIONS, FOLDER, generate_lines
from benchmarks.speed import Contestant, drop_hopeless, require_agreement
from satdoku.notation.plain_lines import PlainLines
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.bulk import Bulk
from tests.boards import clashing_puzzle, random_puzzle
from tests.crossing import crossed, sampled
from tests.each import for_each

collections = for_each("name", sorted(COLLECTIONS))


LINES = PlainLines(Geometry())


def counts_of(lines: Sequence[str]) -> set[int]:
    """How many solutions the puzzles have, 2 for several."""
    boards = [board for line in lines if (board := LINES.read(line)) is not None]
    assert len(boards) == len(lines)
    return {len(found) for found in map(Bulk(Geometry()).solve, boards)}


def lines_of(name: str) -> list[str]:
    return (FOLDER / f"{name}.txt").read_text("ascii").split()


@crossed(2, solver=["glucose4", "minisat22", "cadical153"], rebuild_every=[0, 3])
def test_the_baseline_answers_like_the_bulk_solver(solver: str, rebuild_every: int) -> None:
    baseline, bulk = Baseline(solver, rebuild_every), Bulk(Geometry())
    rng = Random(1)
    puzzles: list[Puzzle] = [random_puzzle(rng, Geometry(), 0.25, 0.5) for _ in range(12)]
    puzzles.append(clashing_puzzle(Geometry()))
    boards = [bytes(puzzle.grid.digits) for puzzle in puzzles]
    for board in boards:
        solution, count = baseline.answer(LINES.write(board))
        found = bulk.solve(board)
        assert count == len(found)
        assert count != 1 or solution == LINES.write(found[0])


@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.slow)])
@collections
def test_collections_ship_with_a_thousand_unique_puzzles(name: str, step: int) -> None:
    lines = lines_of(name)
    assert len(set(lines)) == 1000
    assert counts_of(lines[::step]) == {1}


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("easy", 3),
        *(pytest.param(name, 100, marks=pytest.mark.slow) for name in sorted(COLLECTIONS)),
    ],
)
def test_collections_can_be_made_again(name: str, number: int) -> None:
    assert (
        list(islice(generate_lines(name, number, seed=1, together=number), number))
        == lines_of(name)[:number]
    )


@sampled(2, "name", ["sparse", "stubborn"])
def test_sparse_puzzles_are_minimal(name: str) -> None:
    fewer = [
        line[:cell] + "." + line[cell + 1 :]
        for line in lines_of(name)[:20]
        for cell, char in enumerate(line)
        if char != "."
    ]
    assert counts_of(fewer) == {2}


@pytest.mark.slow
def test_one_command_prints_a_row_for_each_collection(tmp_path: Path) -> None:
    assert set(benchmarks.commands) == set(NAMES)
    result = CliRunner().invoke(
        benchmarks, ["speed", "--limit", "2", "--rounds", "2"], catch_exceptions=False
    )
    rows = result.output.splitlines()
    assert len(rows) == 2 + len(COLLECTIONS)
    assert len({row.count("|") for row in rows}) == 1


def test_wrong_answers_are_not_timed() -> None:
    with pytest.raises(click.ClickException, match="disagree"):
        require_agreement(["line"], [[("a", 1)], [("b", 1)]])
    require_agreement(["line"], [[("a", 2)], [("b", 2)]])


def test_baselines_that_fall_behind_drop_out() -> None:
    contestants = [Contestant(name, lambda lines: [], name != "ours") for name in "ab"]
    contestants.append(Contestant("ours", lambda lines: [], is_baseline=False))
    for contestant, seconds in zip(contestants, (1.0, 2.1, 9.0), strict=True):
        contestant.seconds = seconds
    assert [c.name for c in drop_hopeless(contestants)] == ["a", "ours"]
