"""`satdoku examples`: the files that the README and all pages use, in a folder of the user's.

The first comment of a file that `satdoku export` writes names its version. In the reference
formulas, those of the folder cnf/ too, it does not, so that they stay the same until what they say
changes; only the certificate has to name one.
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
from satdoku.encoding.files.write import Export, write_cnf
from satdoku.errors import SatdokuError
from satdoku.files import new_file
from satdoku.notation.reading import read_puzzles
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.questions import find_solutions

FOLDER = Path(__file__).parent
FAMOUS = "famous.txt"
PROGRAM = "satdoku"
MADE_BY = "satdoku 0.2.0"  # of the certificate, which must name a version
CERTIFIED = "inkala-2012"
UNIQUE = "wikipedia"
_PUZZLES = ("puzzle.txt", "fifty.txt", "table.csv", "famous.txt")


@command()
@click.argument("folder", metavar="[DIR]", default="examples", type=click.Path(path_type=Path))
@force_option
@quiet_option
def examples(folder: Path, force: bool, quiet: bool) -> None:
    """Write the example puzzles and formulas that the documentation uses.

    They go into a folder, `examples` if no other is named: a puzzle, fifty puzzles in the format of
    Project Euler, a table with known solutions, famous puzzles, and in `cnf` reference formulas.

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
    """A file and what stands in it."""

    name: str
    export: Export


def puzzles() -> dict[str, Grid]:
    """The puzzles of `famous.txt` by their names."""
    with (FOLDER / FAMOUS).open(encoding="utf-8") as lines:
        return {puzzle.name: puzzle.grid for puzzle in read_puzzles(lines, FAMOUS)}


def formulas() -> Iterator[Reference]:
    """Everything but the certificate."""
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
    """The bare rules in each encoding; where they are short, each clause with its rule."""
    empty, size = Grid.empty(geometry), f"{geometry.size}x{geometry.size}"
    # People read these clause by clause; of larger boards the names alone are hundreds of lines.
    is_short = geometry.size == 4
    for encoding in Encoding:
        # Without givens `reduced` says what `extended` says.
        if encoding is not Encoding.REDUCED:
            export = Export(Puzzle(empty), encoding, has_names=is_short, has_reasons=is_short)
            yield Reference(f"rules/{size}-{encoding.value}.cnf", export)
    export = Export(Puzzle(empty), Encoding.EXTENDED, Method.SEQUENTIAL)
    yield Reference(f"rules/{size}-extended-sequential.cnf", export)


def write_formulas(folder: Path) -> None:
    """Writes every file into the folder, over those that are there."""
    for name in ("rules", "puzzles", "certificate"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    for formula in formulas():
        with new_file(folder / formula.name, force=True) as stream:
            write_cnf(formula.export, stream, PROGRAM)
    certificate = certify(Puzzle(puzzles()[CERTIFIED]), MADE_BY)
    write_certificate(certificate, folder / "certificate", CERTIFIED, force=True)
