"""Large boards: seconds and memory of whole processes, beside CP-SAT and clingo where they finish.

pip install ortools clingo matplotlib
python -m benchmarks big
"""

import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import click

from benchmarks.boards import generate_board
from satdoku.encoding.open_board import OpenBoard
from satdoku.notation.formats import format_named
from satdoku.notation.record import Layout
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.puzzle import Puzzle

BOXES = ("3x3", "4x4", "5x5", "6x6", "7x7", "8x8", "10x10", "12x12", "15x15")
EMPTIES = (30, 40, 50, 60)
_OURS = "satdoku"


@dataclass(frozen=True)
class Measured:
    """What a process took, and the word that it printed."""

    seconds: float
    megabytes: float
    word: str


@click.command()
@click.option("--limit", default=20.0, show_default=True, help="Seconds for each process.")
@click.option("--boxes", default=",".join(BOXES), show_default=True)
@click.option("--seed", default=1, show_default=True)
@click.option("--plot", type=click.Path(path_type=Path), help="Draw candidates against cost.")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path, exists=True))
def big(limit: float, boxes: str, seed: int, plot: Path | None, files: Sequence[Path]) -> None:
    """Solve large boards and prove them unique; FILES take the place of generated boards."""
    rivals = [
        name for name, module in (("cpsat", "ortools"), ("clingo", "clingo")) if find_spec(module)
    ]
    click.echo(
        "| board | empty | candidates | satdoku s | MB | verdict |"
        + "".join(f" {r} s |" for r in rivals)
    )
    click.echo("|---|---|---|---|---|---|" + "---|" * len(rivals))
    points = []
    with tempfile.TemporaryDirectory() as folder:
        for name, path, puzzle in _boards(files, boxes.split(","), seed, Path(folder)):
            candidates = OpenBoard(puzzle.grid).count_candidates()
            share = puzzle.grid.digits.count(0) / len(puzzle.grid.digits)
            ours = measure(
                [sys.executable, "-m", "satdoku", "check", str(path), "--timeout", str(limit)],
                limit,
            )
            others = [
                measure(
                    [
                        sys.executable,
                        "-m",
                        "benchmarks.rivals",
                        rival,
                        str(path),
                        str(puzzle.geometry),
                    ],
                    limit,
                )
                for rival in rivals
            ]
            cells = [
                name,
                f"{share:.0%}",
                f"{candidates:,}",
                f"{ours.seconds:.2f}",
                f"{ours.megabytes:.0f}",
                ours.word,
                *(f"{other.seconds:.2f} {other.word}" if other.word else "-" for other in others),
            ]
            click.echo("| " + " | ".join(cells) + " |")
            if ours.word in ("unique", "multiple", "none"):
                points.append((candidates, ours))
    if plot is not None:
        draw(points, plot)


def _boards(
    files: Sequence[Path], boxes: Sequence[str], seed: int, folder: Path
) -> Iterator[tuple[str, Path, Puzzle]]:
    from satdoku.notation.reading import read_puzzles

    for path in files:
        with path.open() as lines:
            yield path.stem, path, next(read_puzzles(lines, str(path)))
    if files:
        return
    rows = format_named("rows")
    for box in boxes:
        box_rows, box_columns = map(int, box.split("x"))
        geometry = Geometry(box_rows, box_columns)
        for empty in EMPTIES:
            puzzle = Puzzle(generate_board(geometry, empty, seed))
            path = folder / f"{geometry.size}-{empty}.txt"
            path.write_text(rows.write(puzzle, Layout()))
            yield f"{geometry.size}x{geometry.size}", path, puzzle


def measure(command: Sequence[str], limit: float) -> Measured:
    """Runs a process to its end, or kills it a little after the limit."""
    started = time.perf_counter()
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.DEVNULL)
        killer = threading.Timer(limit + 5, process.kill)
        killer.start()
        _, status, usage = os.wait4(process.pid, 0)
        killer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.perf_counter() - started
        output.seek(0)
        words = output.read().replace(":", " ").split()
    return Measured(seconds, usage.ru_maxrss / 1024, words[0] if words else "")


def draw(points: Sequence[tuple[int, Measured]], path: Path) -> None:
    """Time and memory against open candidates, both logarithmic."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 4))
    candidates = [count for count, _ in points]
    left.loglog(candidates, [measured.seconds for _, measured in points], "o")
    left.set(xlabel="open candidates", ylabel="seconds, whole process")
    right.loglog(candidates, [measured.megabytes for _, measured in points], "o", color="tab:red")
    right.set(xlabel="open candidates", ylabel="MB, peak")
    for axes in (left, right):
        axes.grid(visible=True, alpha=0.3)
    figure.tight_layout()
    figure.savefig(path)
