"""Puzzles with rules: verdicts, and the processor time of each verdict."""

import statistics
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import click

import satdoku


@click.command()
@click.option("--timeout", default=60.0, show_default=True, help="Seconds for each puzzle.")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
def rules(timeout: float, files: Sequence[Path]) -> None:
    """Check the puzzle of each of FILES: a link, a string of ISS, or JSON."""
    verdicts: Counter[str] = Counter()
    times = []
    for path in files:
        start = time.process_time()
        try:
            puzzle = satdoku.parse(path.read_text().strip())
        except ValueError as error:
            click.echo(f"{path.stem}: not read: {str(error)[:80]}")
            verdicts["not read"] += 1
            continue
        verdict = satdoku.check(puzzle, timeout=timeout).verdict.value
        times.append(time.process_time() - start)
        verdicts[verdict] += 1
        click.echo(f"{path.stem}: {verdict} in {times[-1] * 1000:.1f} ms")
    click.echo(", ".join(f"{verdict} {count}" for verdict, count in sorted(verdicts.items())))
    if len(times) > 1:
        *_, slow = statistics.quantiles(times, n=10)
        middle = statistics.median(times)
        click.echo(f"median {middle * 1000:.1f} ms, 90 % within {slow * 1000:.1f} ms")
