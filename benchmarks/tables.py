"""The time per puzzle for each source of rows: lines, tables, arrays and frames."""

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click

import satdoku

_SATDOKU = str(Path(sys.executable).parent / "satdoku")
# A table is compared with one of a fifth as many rows: the difference leaves out the start.
_SHARE = 5


@click.command()
@click.argument("file", type=click.Path(exists=True, path_type=Path))
@click.option("--puzzles", default=100_000, show_default=True)
@click.option("--runs", default=3, show_default=True)
def tables(file: Path, puzzles: int, runs: int) -> None:
    """Print microseconds of processor time a puzzle, for the plain lines of FILE, repeated."""
    lines = [line for line in file.read_text().split("\n") if len(line) == 81]
    lines = (lines * (puzzles // len(lines) + 1))[:puzzles]
    click.echo("| way | microseconds a puzzle |\n|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name, arguments in _commands(Path(folder), lines):
            few, many = (min(_seconds_of(each) for _ in range(runs)) for each in arguments)
            cost = (many - few) / (puzzles - puzzles // _SHARE)
            click.echo(f"| `{name}` | {cost * 1e6:.1f} |")
    for name, count, ask in _calls(lines):
        ask(lines[:2000])
        cost = min(_seconds_here(ask, lines[:count]) for _ in range(runs)) / count
        click.echo(f"| `{name}` | {cost * 1e6:.1f} |")


def _commands(folder: Path, lines: Sequence[str]) -> Iterator[tuple[str, list[list[str]]]]:
    """Yield commands with their arguments, for the short table and for the long one."""
    some = (lines[: len(lines) // _SHARE], lines)
    files = [_write(folder / str(len(each)), each) for each in some]
    for words in (
        ("check", "txt"),
        ("solve", "txt"),
        ("check", "txt", "--csv"),
        ("check", "txt", "--json", "--no-stats"),
        ("check", "csv", "--csv"),
        ("solve", "csv"),
        ("check", "jsonl", "--json", "--no-stats"),
        ("check", "parquet", "--csv"),
        ("check", "parquet", "-o", str(folder / "out.parquet"), "--force"),
    ):
        command, kind, *options = words
        if kind not in files[0]:
            continue
        shown = ["out.parquet" if "/" in option else option for option in options]
        calls = [[_SATDOKU, command, str(each[kind]), *options, "-q", "-j", "1"] for each in files]
        yield " ".join([command, f"bank.{kind}", *shown]), calls


def _write(folder: Path, lines: Sequence[str]) -> dict[str, Path]:
    """Write the puzzles in each format; return the files by suffix."""
    folder.mkdir()
    rows = [(number, line, "abc"[number % 3]) for number, line in enumerate(lines)]
    texts = {
        "txt": "".join(f"{line}\n" for line in lines),
        "csv": "id,puzzle,source\n" + "".join(f"{n},{line},{source}\n" for n, line, source in rows),
        "jsonl": "".join(
            f'{{"id": {n}, "puzzle": "{line}", "source": "{source}"}}\n' for n, line, source in rows
        ),
    }
    files = {}
    for kind, text in texts.items():
        files[kind] = folder / f"bank.{kind}"
        files[kind].write_text(text)
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        return files
    numbers, puzzles, sources = zip(*rows, strict=True)
    table = pyarrow.table({"id": numbers, "puzzle": puzzles, "source": sources})
    files["parquet"] = folder / "bank.parquet"
    pyarrow.parquet.write_table(table, files["parquet"])
    return files


def _calls(lines: Sequence[str]) -> Iterator[tuple[str, int, Callable[[Sequence[str]], Any]]]:
    """Yield calls of the library, with the number of puzzles that each is measured on."""
    several = len(lines)
    yield "check_many", several, lambda some: sum(1 for _ in satdoku.check_many(some, jobs=1))
    yield "check_array", several, satdoku.check_array
    yield "count_array", several, satdoku.count_array
    yield "canonical_array", several // 10, satdoku.canonical_array
    yield "rate_array", several // 50, satdoku.rate_array
    try:
        import pandas
    except ImportError:
        return
    yield (
        "check_frame",
        several,
        lambda some: satdoku.check_frame(pandas.DataFrame({"puzzle": some}), jobs=1),
    )


def _seconds_of(command: Sequence[str]) -> float:
    """Return the processor time of a process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.DEVNULL, check=False, env=os.environ)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _seconds_here(ask: Callable[[Sequence[str]], Any], lines: Sequence[str]) -> float:
    begin = time.process_time()
    ask(lines)
    return time.process_time() - begin
