"""All solvers on the same puzzles: the reason for the choice of the default."""

import statistics
import time
from collections.abc import Sequence
from pathlib import Path

import click

from benchmarks.puzzle_files import read_some
from satdoku.errors import SolverError
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.limits import Limits
from satdoku.solving.questions import check
from satdoku.solving.solvers import AUTOMATIC, SOLVERS, Settings


@click.command()
@click.option(
    "--number", default=40, show_default=True, help="Puzzles of each file, spread over it."
)
@click.option("--limit", default=10.0, show_default=True, help="Seconds for each puzzle.")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
def solvers(number: int, limit: float, files: Sequence[Path]) -> None:
    """Print median milliseconds of `check` for each solver on puzzles of FILES, taken in turn."""
    collections = [read_some(path, number) for path in files]
    click.echo("| solver | " + " | ".join(path.stem for path in files) + " |")
    click.echo("|---|" + "---|" * len(files))
    for name in (AUTOMATIC, *SOLVERS):
        cells = [_measure(puzzles, name, limit) for puzzles in collections]
        click.echo(f"| {name} | " + " | ".join(cells) + " |")


def _measure(puzzles: Sequence[Puzzle], name: str, limit: float) -> str:
    settings = Settings(solver=name, limits=Limits(timeout=limit))
    times = []
    for puzzle in puzzles:
        started = time.perf_counter()
        try:
            outcome = check(puzzle, settings)
        except SolverError:
            return "-"
        if outcome.verdict is Verdict.UNDECIDED:
            return f"> {limit * 1000:,.0f}"
        times.append(time.perf_counter() - started)
    return f"{statistics.median(times) * 1000:.1f}"
