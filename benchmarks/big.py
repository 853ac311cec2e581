"""Large boards: seconds and memory of whole processes, compared with CP-SAT and clingo.

pip install ortools clingo matplotlib
python -m benchmarks big
"""

import sys
import tempfile
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import click

from benchmarks.boards import generate_board
from benchmarks.measuring import Measured, measure
from satdoku.encoding.variables import OpenBoard
from satdoku.notation.formats import format_named
from satdoku.notation.reading import read_puzzles
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.puzzle import Puzzle

BOXES = "3x3,4x4,5x5,6x6,7x7,8x8,10x10,12x12,15x15"
EMPTIES = "30,40,50,60"
RIVALS = {"cpsat": "ortools", "clingo": "clingo"}
_DECIDED = ("unique", "multiple", "none")


class Board(NamedTuple):
    """A board with its name and its file."""

    name: str
    path: Path
    puzzle: Puzzle


@click.command()
@click.option("--limit", default=20.0, show_default=True, help="Processor seconds for each.")
@click.option("--boxes", default=BOXES, show_default=True)
@click.option("--empties", default=EMPTIES, show_default=True, help="Shares of empty cells.")
@click.option("--seed", default=1, show_default=True)
@click.option("--scrambled", "is_scrambled", is_flag=True, help="Not from a shuffled pattern.")
@click.option("--alone", is_flag=True, help="Leave the other engines out.")
@click.option("--plot", type=click.Path(path_type=Path), help="Draw candidates against cost.")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path, exists=True))
def big(
    limit: float,
    boxes: str,
    empties: str,
    seed: int,
    is_scrambled: bool,
    alone: bool,
    plot: Path | None,
    files: Sequence[Path],
) -> None:
    """Solve large boards and prove them unique; FILES replace the generated boards."""
    rivals = [] if alone else [name for name, module in RIVALS.items() if find_spec(module)]
    titles = ["board", "empty", "candidates", "satdoku s", "MB", "verdict"]
    titles += [f"{rival} s" for rival in rivals]
    click.echo("| " + " | ".join(titles) + " |\n" + "|---" * len(titles) + "|")
    points = []
    with tempfile.TemporaryDirectory() as folder:
        generated = make_boards(boxes, empties, seed, is_scrambled, Path(folder))
        for board in read_boards(files) if files else generated:
            candidates = OpenBoard(board.puzzle).count_candidates()
            ours, others = race(board, rivals, limit)
            click.echo(f"| {' | '.join(list_cells(board, candidates, ours, others))} |")
            if ours.word in _DECIDED:
                points.append((candidates, ours))
    if plot is not None:
        draw(points, plot)


def race(board: Board, rivals: Sequence[str], limit: float) -> tuple[Measured, list[Measured]]:
    """Return what satdoku and the other engines take for a board, one after the other."""
    python, path = sys.executable, str(board.path)
    command = [python, "-m", "satdoku", "check", path]
    box = str(board.puzzle.geometry)
    others = [[python, "-m", "benchmarks.rivals", rival, path, box] for rival in rivals]
    return measure(command, limit), [measure(other, limit) for other in others]


def list_cells(
    board: Board, candidates: int, ours: Measured, others: Sequence[Measured]
) -> list[str]:
    """Return a row of the table."""
    digits = board.puzzle.grid.digits
    return [
        board.name,
        f"{digits.count(0) / len(digits):.0%}",
        f"{candidates:,}",
        f"{ours.seconds:.2f}",
        f"{ours.megabytes:.0f}",
        ours.word or "undecided",
        *(f"{other.seconds:.2f} {other.word}" if other.word else "-" for other in others),
    ]


def read_boards(files: Sequence[Path]) -> Iterator[Board]:
    """Yield the first board of each file."""
    for path in files:
        with path.open() as lines:
            yield Board(path.stem, path, next(read_puzzles(lines, str(path))))


def make_boards(
    boxes: str, empties: str, seed: int, is_scrambled: bool, folder: Path
) -> Iterator[Board]:
    """Yield generated boards of all shapes and shares, written to a folder."""
    rows = format_named("rows")
    for box in boxes.split(","):
        geometry = Geometry.parse(box)
        for empty in map(float, empties.split(",")):
            puzzle = Puzzle(generate_board(geometry, empty, seed, is_scrambled))
            path = folder / f"{geometry.size}-{empty:g}.txt"
            path.write_text(rows.write(puzzle))
            yield Board(f"{geometry.size}x{geometry.size}", path, puzzle)


def draw(points: Sequence[tuple[int, Measured]], path: Path) -> None:
    """Draw time and memory against open candidates, both on logarithmic scales."""
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
