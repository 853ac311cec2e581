"""`satdoku examples`: write the files that the README and all pages use.

The first comment of a file written by `satdoku export` names its version. Reference formulas,
including those in cnf/, leave it out, so that they only change when their content does; only the
certificate has to name a version.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click

from satdoku.certifying.certificate import write_certificate
from satdoku.certifying.certify import certify
from satdoku.cli.options import command, force_option, quiet_option
from satdoku.encoding.choices import Encoding, Method
from satdoku.encoding.files.dimacs import Export, write_cnf
from satdoku.errors import SatdokuError
from satdoku.files import new_file
from satdoku.notation.reading import read_puzzles
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.questions import find_solutions

FOLDER = Path(__file__).parent
FAMOUS = "famous.txt"
PROGRAM = "satdoku"
MADE_BY = "satdoku 0.2.0"  # of the certificate, which must name a version
CERTIFIED = "inkala-2012"
UNIQUE = "wikipedia"
_PUZZLES = ("puzzle.txt", "fifty.txt", "table.csv", "famous.txt", "hard.txt")


@command()
@click.argument("folder", metavar="[DIR]", default="examples", type=click.Path(path_type=Path))
@force_option
@quiet_option
def examples(folder: Path, force: bool, quiet: bool) -> None:
    """Write the example puzzles and formulas that the documentation uses.

    They are written into a folder (default `examples`): a puzzle, fifty puzzles in the format of
    Project Euler, a table with known solutions, famous puzzles, minimal puzzles of 16x16, which are
    hard for solvers, and reference formulas in `cnf`.

    \b
    satdoku examples
    satdoku solve examples/puzzle.txt
    minisat examples/cnf/rules/9x9-extended.cnf
    """
    if not force and folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise SatdokuError(f"{folder} is there and not empty; --force writes the examples into it")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in _PUZZLES:
            shutil.copyfile(FOLDER / name, folder / name)
    except OSError as error:
        raise SatdokuError(f"{folder} cannot be written: {error.strerror}") from None
    write_formulas(folder / "cnf")
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not quiet:
            click.echo(path)


class Reference(NamedTuple):
    """A file and its content."""

    name: str
    export: Export


def puzzles() -> dict[str, Grid]:
    """Return the puzzles of `famous.txt` by name."""
    with (FOLDER / FAMOUS).open(encoding="utf-8") as lines:
        return {puzzle.name: puzzle.grid for puzzle in read_puzzles(lines, FAMOUS)}


def formulas() -> Iterator[Reference]:
    """Yield all reference files except the certificate."""
    for geometry in (Geometry(2, 2), Geometry(2, 3), Geometry(3, 3)):
        yield from _rules(geometry)
    for name, grid in puzzles().items():
        yield Reference(f"puzzles/{name}.cnf", Export(Puzzle(grid), Encoding.REDUCED))
    grid = puzzles()[UNIQUE]
    puzzle = Puzzle(grid)
    yield Reference(f"puzzles/{UNIQUE}-extended.cnf", Export(puzzle, Encoding.EXTENDED))
    unique = Export(puzzle, Encoding.REDUCED, blocked=next(find_solutions(puzzle)))
    yield Reference(f"puzzles/{UNIQUE}-unique.cnf", unique)


def _rules(geometry: Geometry) -> Iterator[Reference]:
    """Yield the bare rules in each encoding.

    In short files, each clause has its rule as a comment.
    """
    empty, size = Grid.empty(geometry), f"{geometry.size}x{geometry.size}"
    # Short files are read clause by clause; for larger boards the names alone fill hundreds of
    # lines.
    is_short = geometry.size == 4
    for encoding in Encoding:
        # Without givens, `reduced` equals `extended`.
        if encoding is not Encoding.REDUCED:
            export = Export(Puzzle(empty), encoding, has_names=is_short, has_reasons=is_short)
            yield Reference(f"rules/{size}-{encoding.value}.cnf", export)
    export = Export(Puzzle(empty), Encoding.EXTENDED, Method.SEQUENTIAL)
    yield Reference(f"rules/{size}-extended-sequential.cnf", export)


def write_formulas(folder: Path) -> None:
    """Write every file into the folder, replacing existing ones."""
    for name in ("rules", "puzzles", "certificate"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    for formula in formulas():
        with new_file(folder / formula.name, force=True) as stream:
            write_cnf(formula.export, stream, PROGRAM)
    certificate = certify(Puzzle(puzzles()[CERTIFIED]), MADE_BY)
    write_certificate(certificate, folder / "certificate", CERTIFIED, force=True)
