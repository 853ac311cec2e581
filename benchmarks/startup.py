"""The time of one `satdoku solve`, compared with Python that imports click and python-sat.

Run this from an installed package: modules of an editable installation are found more slowly.
"""

import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import click

_PUZZLE = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
_SATDOKU = str(Path(sys.executable).parent / "satdoku")
_COMMANDS = {
    "python -c pass": [sys.executable, "-c", "pass"],
    "import click, pysat.solvers": [sys.executable, "-c", "import click, pysat.solvers"],
    "satdoku solve PUZZLE": [_SATDOKU, "solve", _PUZZLE],
    "satdoku check PUZZLE": [_SATDOKU, "check", _PUZZLE],
    "satdoku --version": [_SATDOKU, "--version"],
}
_FLOOR = "import click, pysat.solvers"


@click.command()
@click.option("--runs", default=25, show_default=True)
def startup(runs: int) -> None:
    """Time whole processes in turn, and print medians."""
    seconds: dict[str, list[float]] = {name: [] for name in _COMMANDS}
    for _ in range(runs):
        for name, command in _COMMANDS.items():
            seconds[name].append(_time(command))
    floor = statistics.median(seconds[_FLOOR])
    click.echo("| process | median ms | ratio |\n|---|---|---|")
    for name, times in seconds.items():
        median = statistics.median(times)
        click.echo(f"| `{name}` | {median * 1000:.0f} | {median / floor:.2f} |")


def _time(command: Sequence[str]) -> float:
    started = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - started
