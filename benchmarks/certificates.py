"""Certificates: number of lemmas, bytes and seconds."""

import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import click

from benchmarks.puzzle_files import read_some
from satdoku.certifying.certificate import read_certificate, write_certificate
from satdoku.certifying.certify import DEFAULT_PROVER, certify
from satdoku.certifying.verify import verify
from satdoku.puzzle.puzzle import Puzzle


class Cost(NamedTuple):
    """The size of one certificate, and the seconds to make and to verify it."""

    lemmas: int
    formula: int
    proof: int
    packed: int
    certify: float
    verify: float


@click.command()
@click.option(
    "--number", default=50, show_default=True, help="Puzzles of each file, spread over it."
)
@click.option("--solver", default=DEFAULT_PROVER, show_default=True)
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
def certificates(number: int, solver: str, files: Sequence[Path]) -> None:
    """Certify and verify puzzles of FILES; print medians, with the largest values in brackets."""
    titles = ["lemmas", ".cnf bytes", ".drat bytes", "all, compressed", "certify s", "verify s"]
    click.echo("| " + " | ".join(["file", *titles]) + " |\n|" + "---|" * (len(titles) + 1))
    for path in files:
        costs = [measure(puzzle, solver) for puzzle in read_some(path, number)]
        columns = list(zip(*costs, strict=True))
        cells = [_cell(column) for column in columns]
        click.echo("| " + " | ".join([path.stem, *cells]) + " |")


def measure(puzzle: Puzzle, solver: str) -> Cost:
    """Certify one puzzle, write the files, and verify the files."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        started = time.perf_counter()
        certificate = certify(puzzle, "benchmark 1", solver)
        path = write_certificate(certificate, folder, "plain")
        certified = time.perf_counter()
        result = verify(read_certificate(path))
        verified = time.perf_counter()
        write_certificate(certificate, folder, "packed", ".gz")
        return Cost(
            result.proof.lemmas if result.proof else 0,
            (folder / "plain.cnf").stat().st_size,
            (folder / "plain.drat").stat().st_size,
            sum(file.stat().st_size for file in folder.glob("packed.*")),
            certified - started,
            verified - certified,
        )


def _cell(values: Sequence[float]) -> str:
    median, largest = statistics.median(values), max(values)
    if isinstance(values[0], int):
        return f"{median:,.0f} ({largest:,})"
    return f"{median:.3f} ({largest:.3f})"
