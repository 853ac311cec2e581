"""Puzzles made per second, in turn with other installed generators."""

import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from statistics import mean
from typing import NamedTuple

import click

from benchmarks import peers
from satdoku.making.canonical import canonical_form
from satdoku.making.generator import generate_all
from satdoku.making.minimizer import Minimizer
from satdoku.making.request import Wishes, make_request
from satdoku.notation.hints import Hints
from satdoku.notation.reading import read_puzzles
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.verdict import Verdict
from satdoku.rating.rater import rate_all

# Kinds of puzzles that satdoku makes; `peers.py` lists the programs that make the same kinds.
TASKS: dict[str, tuple[Wishes, Geometry]] = {
    "minimal": (Wishes(), Geometry()),
    "rotate180": (Wishes(symmetry="rotate180"), Geometry()),
    "rotate90": (Wishes(symmetry="rotate90"), Geometry()),
    "singles": (Wishes(technique="singles"), Geometry()),
    "naked singles": (Wishes(technique="naked-singles"), Geometry()),
    "16x16 minimal": (Wishes(), Geometry(4, 4)),
}

# Most puzzles of each program whose kind is determined.
_MOST_JUDGED = 40


class Kind(NamedTuple):
    """Properties of puzzles: how many have one solution, and how many of these are minimal."""

    puzzles: int
    unique: int
    minimal: int
    givens: float


@click.command()
@click.option("--seconds", default=2.0, show_default=True, help="For each entry and round.")
@click.option("--rounds", default=3, show_default=True)
@click.option(
    "--limit", default=100.0, show_default=True, help="Seconds for a peer's first puzzle."
)
def generating(seconds: float, rounds: int, limit: float) -> None:
    """Make puzzles in turn with other programs; print puzzles per second of processor time.

    Also print the properties of each program's puzzles and, in milliseconds each, fewest givens,
    ratings and canonical forms of satdoku's. Programs that are not installed are left out.
    """
    if peers.missing():
        click.echo(f"not installed, and left out: {', '.join(peers.missing())}\n")
    kinds: dict[tuple[str, str], Kind] = {}
    click.echo("| puzzles | program | a second | satdoku is faster by |\n|---|---|---|---|")
    for task, (wishes, geometry) in TASKS.items():
        kinds[task, "satdoku"] = judge(_puzzles(wishes, _MOST_JUDGED // 2, geometry))
        for program, lines in _race(task, seconds, rounds, limit).items():
            made = read_puzzles(lines[:_MOST_JUDGED], program, hints=Hints(geometry))
            kinds[task, program] = judge(list(made))
    click.echo("\n| puzzles | program | looked at | one solution | minimal | givens |")
    click.echo("|---|---|---|---|---|---|")
    for (task, program), kind in kinds.items():
        shares = f"{kind.unique} | {kind.minimal} | {kind.givens:.1f}"
        click.echo(f"| {task} | {program} | {kind.puzzles} | {shares} |")
    _time_questions(seconds, limit)


def _race(task: str, seconds: float, rounds: int, limit: float) -> dict[str, list[str]]:
    """Print the rates of all programs that make such puzzles; return the puzzles of the others."""
    ours: list[float] = []
    rates: dict[str, list[float]] = {peer: [] for peer in peers.installed_makers(task)}
    made: dict[str, list[str]] = defaultdict(list)
    for round_ in range(rounds):
        ours.append(_our_rate(*TASKS[task], str(round_), seconds))
        for peer in list(rates):
            made_a_second, puzzles = peers.make(peer, task, seconds, limit)
            rates[peer].append(made_a_second)
            made[peer] += puzzles
            if not puzzles:
                click.echo(f"| {task} | {peer} | none in {limit:.0f} s | |")
                del rates[peer], made[peer]
    click.echo(f"| {task} | satdoku | {mean(ours):.3g} | |")
    for peer, theirs in rates.items():
        click.echo(f"| {task} | {peer} | {mean(theirs):.3g} | {mean(ours) / mean(theirs):.3g} |")
    return made


def judge(puzzles: Sequence[Puzzle]) -> Kind:
    """Return the properties of these puzzles."""
    unique = minimal = 0
    with Minimizer() as minimizer:
        for outcome in map(minimizer.check, puzzles):
            if outcome.verdict is Verdict.UNIQUE:
                unique += 1
                minimal += not minimizer.find_redundant(outcome)
    return Kind(len(puzzles), unique, minimal, mean(len(puzzle.givens) for puzzle in puzzles))


def _our_rate(wishes: Wishes, geometry: Geometry, seed: str, seconds: float) -> float:
    """Return puzzles per second of processor time, without the first, which loads the solver."""
    board = Puzzle(Grid.empty(geometry))
    made = generate_all(make_request(board, wishes, seed), count())
    next(made)
    begin, number = time.process_time(), 0
    while time.process_time() - begin < seconds:
        next(made)
        number += 1
    return number / (time.process_time() - begin)


def _time_questions(seconds: float, limit: float) -> None:
    click.echo("\n| question | milliseconds |\n|---|---|")
    for givens in (30, 36, 40):
        puzzles = _puzzles(Wishes(givens=givens), 10)
        with Minimizer() as minimizer:
            outcomes = [minimizer.check(puzzle) for puzzle in puzzles]
            minimizer.minimize(outcomes[0])
            spent = [_milliseconds(partial(minimizer.find_fewest, o)) for o in outcomes]
        click.echo(f"| fewest givens of {givens}, median | {sorted(spent)[5]:.0f} |")
    puzzles = _puzzles(Wishes(), 300)
    spent_rating = _milliseconds(lambda: list(rate_all(puzzles))) / len(puzzles)
    click.echo(f"| rating of a random minimal puzzle | {spent_rating:.1f} |")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "puzzles.txt"
        path.write_text("\n".join(puzzle.grid.line.replace(".", "0") for puzzle in puzzles))
        for peer in peers.installed_raters():
            rate = peers.rate(peer, str(path), seconds, limit)
            words = f"{1000 / rate:.1f}" if rate else f"more than {1000 * limit:.0f}"
            click.echo(f"| the same by {peer}, as many as it rates in {seconds} s | {words} |")
    spent_form = _milliseconds(lambda: [canonical_form(p) for p in puzzles]) / len(puzzles)
    click.echo(f"| canonical form of one | {spent_form:.1f} |")


def _puzzles(wishes: Wishes, number: int, geometry: Geometry | None = None) -> list[Puzzle]:
    request = make_request(Puzzle(Grid.empty(geometry or Geometry())), wishes, "benchmark")
    return [made.puzzle for made in generate_all(request, iter(range(number)))]


def _milliseconds(question: Callable[[], object]) -> float:
    begin = time.process_time()
    question()
    return 1000 * (time.process_time() - begin)
