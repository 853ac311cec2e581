"""9x9 puzzles that one process answers per second, proof of uniqueness included.

Whole collections, from the line to the printed solution, compared with the best of six baselines.
All contestants take the same puzzles in turn, in batches of the size that a run uses, in random
order, so that other load on the machine affects them alike; the ratios are more reliable than the
rates. Small collections are run for several rounds. A baseline that is slower than the best by a
factor of two drops out.
"""

import gc
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import click

from benchmarks.baseline import REBUILDS, SOLVERS, Baseline
from benchmarks.collections import FOLDER
from satdoku.batch.run import MOST_TOGETHER
from satdoku.notation.plain_lines import PlainLines
from satdoku.puzzle.grid import Geometry
from satdoku.solving.bulk import Bulk
from satdoku.solving.pysat_private import new_minicard, public_minicard

ENOUGH_TO_RACE, MOST_ROUNDS = 4_000, 12
HOPELESS = 2.0

Answer = tuple[str, int]


class Contestant:
    """A method that answers lines, and the processor time that it took so far."""

    def __init__(
        self, name: str, answer: Callable[[Sequence[str]], list[Answer]], is_baseline: bool
    ) -> None:
        self.name = name
        self.answer = answer
        self.is_baseline = is_baseline
        self.seconds = 0.0

    def take(self, lines: Sequence[str]) -> list[Answer]:
        start = time.process_time()
        answers = self.answer(lines)
        self.seconds += time.process_time() - start
        return answers


@click.command()
@click.option("--limit", type=int, help="Take the first so many puzzles of each file.")
@click.option("--rounds", type=int, help="By default 1 to 12, for 4,000 puzzles.")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path, exists=True))
def speed(limit: int | None, rounds: int | None, files: Sequence[Path]) -> None:
    """Compare the bulk solver with the best baseline on FILES, or on the collections of satdoku."""
    titles = ["collection", "puzzles", "best baseline", "a second", "public calls", "ratio"]
    titles += ["bulk solver", "ratio"]
    click.echo("| " + " | ".join(titles) + " |\n" + "|---" * len(titles) + "|")
    for path in files or sorted(FOLDER.glob("*.txt")):
        lines = path.read_text("ascii").split()[:limit]
        often = rounds or min(-(-ENOUGH_TO_RACE // len(lines)), MOST_ROUNDS)
        cells = [path.stem, str(len(lines)), *report(race(lines, often), often * len(lines))]
        click.echo("| " + " | ".join(cells) + " |")


def race(lines: Sequence[str], rounds: int) -> list[Contestant]:
    """Run some rounds, each from the start; return the contestants left after the last, with all
    times.
    """
    contestants = run_round(lines, Random(0))
    for seed in range(1, rounds):
        seconds = {
            contestant.name: contestant.seconds for contestant in run_round(lines, Random(seed))
        }
        contestants = [contestant for contestant in contestants if contestant.name in seconds]
        for contestant in contestants:
            contestant.seconds += seconds[contestant.name]
    return contestants


def run_round(lines: Sequence[str], chance: Random) -> list[Contestant]:
    """Run all contestants on all lines, batch by batch; return those that have not dropped out."""
    contestants = list(enter())
    gc.collect()
    gc.freeze()
    gc.disable()
    for start in range(0, len(lines), MOST_TOGETHER):
        chunk = lines[start : start + MOST_TOGETHER]
        chance.shuffle(contestants)
        results = [contestant.take(chunk) for contestant in contestants]
        require_agreement(chunk, results)
        contestants = drop_hopeless(contestants)
    gc.enable()
    gc.unfreeze()
    return contestants


def enter() -> Iterator[Contestant]:
    """Yield all contestants, each with its formulas loaded."""
    for name, rebuild_every in product(SOLVERS, REBUILDS):
        baseline = Baseline(name, rebuild_every)
        yield Contestant(str(baseline), one_by_one(baseline.answer), is_baseline=True)
    yield Contestant("public", bulk_answers(public_minicard), is_baseline=False)
    yield Contestant("private", bulk_answers(new_minicard), is_baseline=False)


def one_by_one(answer: Callable[[str], Answer]) -> Callable[[Sequence[str]], list[Answer]]:
    return lambda lines: [answer(line) for line in lines]


def bulk_answers(new_solver: Callable[[bool], Any]) -> Callable[[Sequence[str]], list[Answer]]:
    bulk, plain = Bulk(Geometry(), new_solver), PlainLines(Geometry())

    def answer(lines: Sequence[str]) -> list[Answer]:
        boards = [board for line in lines if (board := plain.read(line)) is not None]
        found = map(bulk.solve, boards)
        return [(plain.write(each[0]) if each else "", len(each)) for each in found]

    # The first puzzle builds the tables, untimed; baselines are built untimed too.
    answer(["." * 81])
    return answer


def require_agreement(lines: Sequence[str], results: Sequence[Sequence[Answer]]) -> None:
    """Raise an error if answers differ: the counts, or the solution where it is unique."""
    for line, *answers in zip(lines, *results, strict=True):
        facts = {(count, solution if count == 1 else "") for solution, count in answers}
        if len(facts) != 1:
            raise click.ClickException(f"contestants disagree on {line}: {facts}")


def drop_hopeless(contestants: list[Contestant]) -> list[Contestant]:
    best = min(c.seconds for c in contestants if c.is_baseline)
    return [c for c in contestants if c.seconds <= HOPELESS * best or not c.is_baseline]


def report(contestants: Sequence[Contestant], count: int) -> list[str]:
    """Return name and rate of the best baseline, then rates and ratios of the bulk solver."""
    best = min((c for c in contestants if c.is_baseline), key=lambda c: c.seconds)
    cells = [best.name, f"{count / best.seconds:,.0f}"]
    for name in ("public", "private"):
        ours = next(c for c in contestants if c.name == name)
        cells += [f"{count / ours.seconds:,.0f}", f"{best.seconds / ours.seconds:.2f}"]
    return cells
