"""The share of large boards that is decided within a limit, against the share of empty cells.

    pip install ortools clingo matplotlib
    python -m benchmarks shares --limit 60 8x8-39.5 8x8-40 --seeds 3 --results shares.csv
    python -m benchmarks shares --results shares.csv --plot shares.svg

With --one-core programs get one core, and the limit is one of processor time, which means the same
on a shared machine.

Results are appended to a file line by line, so that a long run may be interrupted and continued
later: boards that are already in the file are skipped.
"""

import csv
import json
import os
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import click

from benchmarks.boards import generate_board
from benchmarks.measuring import measure
from satdoku.notation.formats import format_named
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.puzzle import Puzzle

COMMANDS = {
    "satdoku": ["satdoku", "check", "{path}", "--json"],
    "local-search": ["satdoku", "check", "{path}", "--json", "--solver", "local-search"],
    "stable-cadical": ["satdoku", "check", "{path}", "--json", "--solver", "stable-cadical"],
    "portfolio": ["satdoku", "check", "{path}", "--json", "--portfolio"],
    "cpsat": ["benchmarks.rivals", "cpsat", "{path}", "{box}"],
    "clingo": ["benchmarks.rivals", "clingo", "{path}", "{box}"],
}

_ON_ONE_CORE = " on one core"

_DECIDED = ("unique", "multiple", "none")

# For each size, the shares of empty cells of the boards that the Go program `sudoku-solver` by R.
# Kautsar publishes with its times: below half a second on ten cores of an Apple M1. The program
# finds a solution and does not search for a second one.
PUBLISHED = {25: [60.0], 64: [39.0], 100: [34.0]}


class Board(NamedTuple):
    """A generated board, identified by the parameters of its generation."""

    box: str
    empty: str
    seed: int
    kind: str


class Result(NamedTuple):
    """An engine's answer for a board within so many seconds; "" means no answer.

    `seconds` is the processor time of all its processes, `waited` the time by the clock. `method`
    is the method of satdoku that decided the board.
    """

    board: Board
    engine: str
    verdict: str
    seconds: float
    waited: float
    method: str = ""


@click.command()
@click.argument("boards", nargs=-1, metavar="BOX-EMPTY...")
@click.option("--seeds", default=3, show_default=True, help="Boards of each kind.")
@click.option("--scrambled", "is_scrambled", is_flag=True, help="Not from a shuffled pattern.")
@click.option("--engines", default="satdoku,cpsat,clingo", show_default=True)
@click.option("--limit", default=60.0, show_default=True, help="Seconds.")
@click.option("--one-core", "is_one_core", is_flag=True, help="Limit processor time on one core.")
@click.option("--results", type=click.Path(path_type=Path), required=True)
@click.option("--plot", type=click.Path(path_type=Path), help="Draw all that the results have.")
def shares(
    boards: Sequence[str],
    seeds: int,
    is_scrambled: bool,
    engines: str,
    limit: float,
    is_one_core: bool,
    results: Path,
    plot: Path | None,
) -> None:
    """Measure which share of large boards is decided."""
    done = {(result.board, result.engine) for result in read_results(results)}
    kind = "scrambled" if is_scrambled else "pattern"
    suffix = _ON_ONE_CORE if is_one_core else ""
    if is_one_core:
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    for seed in range(1, seeds + 1):
        for text in boards:
            box, empty = text.split("-")
            board = Board(box, empty, seed, kind)
            for engine in engines.split(","):
                if (board, engine + suffix) not in done:
                    add_result(results, run(board, engine + suffix, limit))
    if plot is not None:
        draw(list(read_results(results)), plot)


def run(board: Board, engine: str, limit: float) -> Result:
    """Run one engine on one board."""
    geometry = Geometry.parse(board.box)
    is_scrambled = board.kind == "scrambled"
    puzzle = Puzzle(generate_board(geometry, float(board.empty), board.seed, is_scrambled))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "board.txt")
        path.write_text(format_named("rows").write(puzzle))
        values = {"path": str(path), "box": board.box}
        command = COMMANDS[engine.removesuffix(_ON_ONE_CORE)]
        arguments = [part.format(**values) for part in command]
        by_clock = not engine.endswith(_ON_ONE_CORE)
        measured = measure([sys.executable, "-m", *arguments], limit, by_clock)
    verdict, method = measured.word, ""
    if measured.text.startswith("{"):
        answer = json.loads(measured.text)
        verdict, method = answer["verdict"], answer["statistics"].get("method", "")
    return Result(board, engine, verdict, measured.seconds, measured.waited, method)


def read_results(path: Path) -> Iterator[Result]:
    """Yield the results in the file so far."""
    if path.exists():
        with path.open(newline="") as lines:
            for box, empty, seed, kind, engine, verdict, seconds, waited, method in csv.reader(
                lines
            ):
                board = Board(box, empty, int(seed), kind)
                yield Result(board, engine, verdict, float(seconds), float(waited), method)


def add_result(path: Path, result: Result) -> None:
    """Append a line to the file, and print it."""
    seconds = [f"{result.seconds:.1f}", f"{result.waited:.1f}"]
    row = [*result.board, result.engine, result.verdict, *seconds, result.method]
    with path.open("a", newline="") as lines:
        csv.writer(lines, lineterminator="\n").writerow(row)
    click.echo(" ".join(map(str, row)))


def draw(results: Sequence[Result], path: Path) -> None:
    """Draw one diagram per size; scrambled boards have squares and broken lines."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    boxes = sorted(
        {result.board.box for result in results}, key=lambda box: Geometry.parse(box).size
    )
    engines = sorted({result.engine for result in results})
    figure, axes = pyplot.subplots(1, len(boxes), figsize=(2.6 * len(boxes), 3.4), sharey=True)
    for each, box in zip(axes if len(boxes) > 1 else [axes], boxes, strict=True):
        size = Geometry.parse(box).size
        each.set(title=f"{size}x{size}", xlabel="% empty", ylim=(-0.05, 1.05))
        each.grid(visible=True, alpha=0.3)
        for (engine, kind), points in sorted(_curves(results, box).items()):
            style = "s--" if kind == "scrambled" else "o-"
            colour = f"C{engines.index(engine)}"
            label = f"{engine}, {kind}"
            each.plot(*zip(*points, strict=True), style, color=colour, mfc="none", label=label)
        published = PUBLISHED.get(size, [])
        each.plot(published, [1] * len(published), "kx", label="Go program, its own boards")
    labels = [axis.get_legend_handles_labels() for axis in figure.axes]
    handle_of = {name: handle for lines in labels for handle, name in zip(*lines, strict=True)}
    figure.legend(list(handle_of.values()), list(handle_of), loc="lower center", ncol=3)
    figure.axes[0].set_ylabel("share decided")
    figure.subplots_adjust(bottom=0.42, wspace=0.1)
    figure.savefig(path)


def _curves(
    results: Sequence[Result], box: str
) -> dict[tuple[str, str], list[tuple[float, float]]]:
    """Return, for each engine and kind of board, the decided share at each share of empty cells."""
    words: dict[tuple[str, str], dict[float, list[bool]]] = defaultdict(lambda: defaultdict(list))
    for result in results:
        board = result.board
        if board.box == box:
            words[result.engine, board.kind][float(board.empty)].append(result.verdict in _DECIDED)
    return {
        curve: sorted((empty, sum(known) / len(known)) for empty, known in decided.items())
        for curve, decided in words.items()
    }
