"""Puzzles made a second, in turn with other generators that are installed."""

import shutil
import subprocess
import time
from collections.abc import Callable
from functools import partial
from itertools import count
from os import times

import click

from satdoku.generating.generate import generate_all
from satdoku.generating.wishes import Wishes, make_request
from satdoku.minimizing.minimizer import Minimizer
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.rating.rater import rate_all
from satdoku.twins.canonical import canonical_form

# What is asked of satdoku, and the options with which qqwing makes the same.
TASKS: dict[str, tuple[Wishes, Geometry, tuple[str, ...]]] = {
    "minimal": (Wishes(), Geometry(), ()),
    "rotate180": (Wishes(symmetry="rotate180"), Geometry(), ("--symmetry", "rotate180")),
    "rotate90": (Wishes(symmetry="rotate90"), Geometry(), ("--symmetry", "rotate90")),
    "singles": (Wishes(technique="singles"), Geometry(), ("--difficulty", "easy")),
    "naked singles": (Wishes(technique="naked-singles"), Geometry(), ("--difficulty", "simple")),
    "16x16 minimal": (Wishes(), Geometry(4, 4), ()),
}
_ONLY_SATDOKU = {"16x16 minimal"}


@click.command()
@click.option("--seconds", default=2.0, show_default=True, help="For each entry and round.")
@click.option("--rounds", default=3, show_default=True)
def generating(seconds: float, rounds: int) -> None:
    """Make puzzles in turn with qqwing, if that is installed; puzzles a second of processor time.

    Then fewest givens, ratings and canonical forms of puzzles made here, in milliseconds each.
    """
    has_qqwing = shutil.which("qqwing") is not None
    click.echo("| puzzles | satdoku | qqwing | ratio |\n|---|---|---|---|")
    for name, (wishes, geometry, options) in TASKS.items():
        is_race = has_qqwing and name not in _ONLY_SATDOKU
        ours, theirs = [], []
        for round_ in range(rounds):
            ours.append(_our_rate(wishes, geometry, str(round_), seconds))
            if is_race:
                theirs.append(_rate_of_qqwing(options, seconds))
        mine = sum(ours) / rounds
        other = sum(theirs) / rounds
        ratio = f"{mine / other:.1f}" if other else ""
        click.echo(f"| {name} | {mine:.1f} | {other or '':.4} | {ratio} |")
    _time_questions()


def _our_rate(wishes: Wishes, geometry: Geometry, seed: str, seconds: float) -> float:
    """Puzzles a second of processor time, the first one, which loads the solver, left out."""
    board = Puzzle(Grid.empty(geometry))
    made = generate_all(make_request(board, wishes, seed), count())
    next(made)
    begin, number = time.process_time(), 0
    while time.process_time() - begin < seconds:
        next(made)
        number += 1
    return number / (time.process_time() - begin)


def _rate_of_qqwing(options: tuple[str, ...], seconds: float) -> float:
    """As many puzzles as take about so long, after a first try."""
    number = 5
    while True:
        spent = _seconds_of_children(["qqwing", "--one-line", "--generate", str(number), *options])
        if spent >= seconds / 2:
            return number / spent
        number = max(2 * number, int(number * seconds / max(spent, 0.05)))


def _seconds_of_children(command: list[str]) -> float:
    before = times()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = times()
    return after.children_user + after.children_system - before[2] - before[3]


def _time_questions() -> None:
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
    spent_form = _milliseconds(lambda: [canonical_form(p) for p in puzzles]) / len(puzzles)
    click.echo(f"| canonical form of one | {spent_form:.1f} |")


def _puzzles(wishes: Wishes, number: int) -> list[Puzzle]:
    request = make_request(Puzzle(Grid.empty(Geometry())), wishes, "benchmark")
    return [made.puzzle for made in generate_all(request, iter(range(number)))]


def _milliseconds(question: Callable[[], object]) -> float:
    begin = time.process_time()
    question()
    return 1000 * (time.process_time() - begin)
