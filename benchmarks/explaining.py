"""Explanations: steps of unique puzzles, arguments for broken ones, and other questions.

hodoku-py is measured too if it is installed (`pip install hodoku-py`; it is under the GPL, and no
part of it is used elsewhere).
"""

import random
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

import click

from benchmarks.puzzle_files import read_some
from satdoku.explaining.board import build_board
from satdoku.explaining.clash import find_repairs, find_smallest_clash
from satdoku.explaining.explain import explain
from satdoku.explaining.hint import find_hint
from satdoku.explaining.several import find_farthest, find_fewest_clues, find_nearest
from satdoku.explaining.step import Level
from satdoku.explaining.true_candidates import find_true_candidates
from satdoku.explaining.way import find_way
from satdoku.puzzle.grid import EMPTY, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.limits import Budget, Limits
from satdoku.solving.questions import check

_LIMITS = Limits(timeout=10)


@click.command()
@click.option("--number", default=100, show_default=True, help="Puzzles of each file.")
@click.option(
    "--seconds", default=20.0, show_default=True, help="For each question and file, or so."
)
@click.option("--rival", is_flag=True, help="hodoku-py on the same puzzles, which takes long.")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
def explaining(number: int, seconds: float, rival: bool, files: Sequence[Path]) -> None:
    """Explain puzzles of FILES; print seconds of processor time, median and worst."""
    for path in files:
        chosen = read_some(path, number)
        beside = _rival(chosen, seconds) if rival else ""
        click.echo(f"| {path.stem} | {_steps(chosen, seconds)} | {beside} |")
        for name, times in _others(chosen, seconds):
            click.echo(f"|   {name} | {_cell(times)} | |")


def _steps(puzzles: Sequence[Puzzle], seconds: float) -> str:
    done = []

    def whole_way(puzzle: Puzzle) -> None:
        done.append(explain(puzzle).way.is_full)

    times = _measure(whole_way, puzzles, seconds)
    return f"{_cell(times)}, {sum(done)} of {len(done)} to the end"


def _rival(puzzles: Sequence[Puzzle], seconds: float) -> str:
    """Run hodoku-py on as many of the same puzzles as the time allows."""
    if find_spec("hodoku") is None:
        return "hodoku-py is not installed"
    from hodoku import Solver

    solver = Solver()

    def solve(puzzle: Puzzle) -> None:
        solver.solve("".join(map(str, puzzle.grid.digits)))

    times = _measure(solve, puzzles, seconds)
    return f"hodoku-py {_cell(times)}"


def _others(puzzles: Sequence[Puzzle], seconds: float) -> Iterator[tuple[str, list[float]]]:
    """Yield the questions about puzzles without solution or with several, each with its seconds."""
    rng = random.Random(1)
    broken = [found for puzzle in puzzles if (found := _broken(puzzle, rng)) is not None]
    opened = [_opened(puzzle, rng) for puzzle in puzzles]
    firsts = {
        puzzle.grid.digits: solution
        for puzzle in opened
        if (solution := check(puzzle).solution) is not None
    }

    def first(puzzle: Puzzle) -> Grid:
        return firsts[puzzle.grid.digits]

    def argument(puzzle: Puzzle) -> None:
        find_way(build_board(puzzle), Level.ALL, Budget(_LIMITS))

    asked: dict[str, tuple[Callable[[Puzzle], object], Sequence[Puzzle]]] = {
        "hint": (find_hint, puzzles),
        "argument for none": (argument, broken),
        "smallest clash": (lambda p: find_smallest_clash(p, Budget(_LIMITS)), broken),
        "repairs": (lambda p: find_repairs(p, Budget(_LIMITS)), broken),
        "nearest": (lambda p: find_nearest(build_board(p), first(p), Budget(_LIMITS)), opened),
        "farthest": (lambda p: find_farthest(build_board(p), first(p), Budget(_LIMITS)), opened),
        "fewest clues": (
            lambda p: find_fewest_clues(build_board(p), first(p), Budget(_LIMITS)),
            opened,
        ),
        "true candidates": (lambda p: find_true_candidates(p, Budget(_LIMITS)), opened),
    }
    for name, (ask, some) in asked.items():
        yield name, _measure(ask, some, seconds)


def _broken(puzzle: Puzzle, rng: random.Random) -> Puzzle | None:
    """Return the puzzle with one given changed so that it has no solution and no direct clash."""
    size = puzzle.geometry.size
    for _ in range(100):
        cell = rng.choice(sorted(puzzle.givens))
        changed = puzzle.with_grid(puzzle.grid.with_digits({cell: rng.randint(1, size)}))
        outcome = check(changed)
        if outcome.verdict is Verdict.NONE and not outcome.clashes:
            return changed
    return None


def _opened(puzzle: Puzzle, rng: random.Random) -> Puzzle:
    """Return the puzzle without two of its givens."""
    cells = rng.sample(sorted(puzzle.givens), 2)
    return puzzle.with_grid(puzzle.grid.with_digits(dict.fromkeys(cells, EMPTY)))


def _measure(
    ask: Callable[[Puzzle], object], puzzles: Sequence[Puzzle], seconds: float
) -> list[float]:
    """Return the seconds of each puzzle, for as many puzzles as the time allows."""
    times: list[float] = []
    for puzzle in puzzles:
        if sum(times) > seconds:
            break
        started = time.process_time()
        ask(puzzle)
        times.append(time.process_time() - started)
    return times


def _cell(times: Sequence[float]) -> str:
    if not times:
        return "-"
    return f"{statistics.median(times):.4f} / {max(times):.3f} ({len(times)})"
