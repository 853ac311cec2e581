"""Several jobs against one, on a file of plain lines: by the clock, and in processor time."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from typing import NamedTuple

import click

# Runs the command line, and tells the processor time and the memory of this process and of its
# workers, before it ends.
_PROGRAM = """
import os, resource, sys
from satdoku.__main__ import main
told, first, end = int(sys.argv.pop(1)), os.getpid(), os._exit
def tell(code):
    if os.getpid() == first:
        for used in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)):
            os.write(told, f"{used.ru_utime + used.ru_stime} {used.ru_maxrss} ".encode())
    end(code)
os._exit = tell
main()
"""
# A run is compared with one over a fifth of the lines: the difference leaves out the start.
_SHARE = 5


class Cost(NamedTuple):
    """Seconds of a run by the clock, of its first process and of its workers; most memory in MB."""

    clock: float
    first: float
    workers: float
    memory: float


@click.command()
@click.argument("file", type=click.Path(exists=True, path_type=Path))
@click.option("--command", default="check", show_default=True)
@click.option("--jobs", "numbers", type=int, multiple=True, default=(1, 2), show_default=True)
@click.option("--puzzles", default=1_200_000, show_default=True)
@click.option("--runs", default=5, show_default=True)
@click.option("--write", is_flag=True, help="Write the answers to a file, in the folder TMPDIR.")
def jobs(
    file: Path, command: str, numbers: Sequence[int], puzzles: int, runs: int, write: bool
) -> None:
    """Compare numbers of jobs with the first number, in turn, on the lines of FILE, repeated.

    The figures are medians over the runs: by the clock, how many times as fast; the processor time
    of all processes; microseconds of the first process for each line.
    """
    lines = file.read_text().split()
    found: dict[int, list[tuple[Cost, Cost]]] = {number: [] for number in numbers}
    with tempfile.TemporaryDirectory() as folder:
        few, many = (
            _write(Path(folder, name), lines, count)
            for name, count in (("few.txt", puzzles // _SHARE), ("many.txt", puzzles))
        )
        for _ in range(runs):
            for number, costs in found.items():
                words = [command, "--jobs", str(number)]
                costs.append((_cost(few, words, write), _cost(many, words, write)))
    base = [cost for _, cost in found[numbers[0]]]
    click.echo("| jobs | lines a second | by the clock | processor time | first process | MB |")
    click.echo("|---|---|---|---|---|---|")
    for number, costs in found.items():
        whole = [cost for _, cost in costs]
        pairs = list(zip(whole, base, strict=True))
        rate = puzzles / median(cost.clock for cost in whole)
        speed = median(one.clock / cost.clock for cost, one in pairs)
        work = median(sum(cost[1:3]) / sum(one[1:3]) for cost, one in pairs)
        first = median(many.first - few.first for few, many in costs)
        first *= 1e6 / (puzzles - puzzles // _SHARE)
        memory = max(cost.memory for cost in whole)
        click.echo(
            f"| {number} | {rate:,.0f} | {speed:.2f} | {work:.2f} | {first:.3f} | {memory:.0f} |"
        )


def _write(path: Path, lines: Sequence[str], count: int) -> Path:
    # Line by line, as a program counts the memory of the one that starts it as its own.
    with path.open("w") as stream:
        stream.writelines(f"{line}\n" for line in islice(cycle(lines), count))
    return path


def _cost(path: Path, words: Sequence[str], is_written: bool) -> Cost:
    out = ["-o", str(path.with_suffix(".out")), "--force"] if is_written else []
    reader, writer = os.pipe()
    silent = subprocess.DEVNULL
    command = [sys.executable, "-c", _PROGRAM, str(writer), *words, str(path), *out]
    with open(reader) as told:
        begin = time.perf_counter()
        subprocess.run(command, stdout=silent, stderr=silent, pass_fds=[writer], check=False)
        clock = time.perf_counter() - begin
        os.close(writer)
        first, own_memory, workers, memory = map(float, told.read().split())
    return Cost(clock, first, workers, max(own_memory, memory) / 1024)
