"""Files of plain 9x9 puzzles: the compiled library, the whole command with and without it, and
rivals.

The rivals are the solvers in tdoku's `run_benchmark`, whose path is an option; without it they are
left out. They do not read, judge or write anything, and their rate is the one that the program
prints.
"""

import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import click

from satdoku.lanes.bank import CELLS, Bank
from satdoku.lanes.library import find_library, find_state
from satdoku.notation.plain_lines import PlainLines
from satdoku.puzzle.grid import Geometry

_SATDOKU = str(Path(sys.executable).parent / "satdoku")
_RIVALS = {"tdoku": "tdoku", "minisat_complete": "C++ MiniSat"}
# Most lines without the library; they take some seconds.
_LINES_WITHOUT = 10_000
# A row in the output of `run_benchmark`: the solver, and its puzzles per second.
_ROW = re.compile(r"^\|\s*(\w+)[^|]*\|\s*([\d,.]+)", re.MULTILINE)


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--lines", default=100_000, show_default=True, help="So many lines of each file.")
@click.option("--tdoku", "rival", help="The program run_benchmark of tdoku.")
def lanes(files: tuple[Path, ...], lines: int, rival: str | None) -> None:
    """Print puzzles per second of processor time: the search alone, and the whole command."""
    click.echo(find_state())
    has_rivals = rival is not None and shutil.which(rival) is not None
    names = list(_RIVALS.values()) if has_rivals else []
    titles = ["file", "search alone", "whole command", "without the library", *names]
    click.echo(f"| {' | '.join(titles)} |\n|{'---|' * len(titles)}")
    with tempfile.TemporaryDirectory() as folder:
        for file in files:
            bank = _repeat(file, lines, Path(folder) / "bank.txt")
            few = _repeat(file, min(lines, _LINES_WITHOUT), Path(folder) / "few.txt")
            rates = [_search(bank), _command(bank), _command(few, is_without=True)]
            if has_rivals:
                found = _rivals(str(rival), bank)
                rates += [found.get(name, 0.0) for name in _RIVALS]
            # A dash means that the library or this rival is missing.
            cells = (f"{rate:,.0f}" if rate else "-" for rate in rates)
            click.echo(f"| {file.stem} | {' | '.join(cells)} |")


def _repeat(file: Path, lines: int, to: Path) -> Path:
    """Write the lines of a file, repeated until there are as many as required."""
    own = file.read_text().split()
    with to.open("w") as stream:
        for number in range(lines):
            stream.write(f"{own[number % len(own)]}\n")
    return to


def _search(bank: Path) -> float:
    library = find_library()
    if library is None:
        return 0.0
    text = bank.read_text()
    boards = PlainLines(Geometry()).read_block(text.encode())
    with Bank(library) as search:
        before = sum(os.times()[:2])
        search.answer(boards)
        seconds = sum(os.times()[:2]) - before
    return len(boards) / CELLS / max(seconds, 0.01)


def _command(bank: Path, is_without: bool = False) -> float:
    """Return the rate of the whole process, with its start, reading, judging and writing."""
    environment = {**os.environ, "SATDOKU_LANES": "0"} if is_without else dict(os.environ)
    before = _children()
    command = [_SATDOKU, "solve", str(bank), "--jobs", "1", "-q", "-o", f"{bank}.out", "--force"]
    subprocess.run(command, env=environment, check=True)
    return bank.read_text().count("\n") / (_children() - before)


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _rivals(program: str, bank: Path) -> dict[str, float]:
    solvers = ",".join(_RIVALS)
    # Two seconds of timing after one of warming up, with the puzzles in their order.
    command = [program, "-t", "2", "-w", "1", "-r", "0", "-s", solvers, str(bank)]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return {name: float(rate.replace(",", "")) for name, rate in _ROW.findall(printed)}
