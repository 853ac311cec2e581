"""The reference formulas: those of the folder cnf/, and of what `satdoku examples` writes.

The first comment of a file that `satdoku export` writes names its version. In all files here but
the certificate it does not, so that they stay the same until their formulas change.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from satdoku.certifying.certificate import write_certificate
from satdoku.certifying.certify import certify
from satdoku.encoding.choices import Encoding, Method
from satdoku.encoding.files.write import Export, write_cnf
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


class Formula(NamedTuple):
    """A file and what stands in it."""

    name: str
    export: Export


def puzzles() -> dict[str, Grid]:
    """The puzzles of `famous.txt` by their names."""
    with (FOLDER / FAMOUS).open(encoding="utf-8") as lines:
        return {puzzle.name: puzzle.grid for puzzle in read_puzzles(lines, FAMOUS)}


def formulas() -> Iterator[Formula]:
    """Everything but the certificate."""
    for geometry in (Geometry(2, 2), Geometry(2, 3), Geometry(3, 3)):
        yield from _rules(geometry)
    for name, grid in puzzles().items():
        yield Formula(f"puzzles/{name}.cnf", Export(Puzzle(grid), Encoding.REDUCED))
    grid = puzzles()[UNIQUE]
    puzzle = Puzzle(grid)
    yield Formula(f"puzzles/{UNIQUE}-extended.cnf", Export(puzzle, Encoding.EXTENDED))
    unique = Export(puzzle, Encoding.REDUCED, blocked=next(find_solutions(puzzle)))
    yield Formula(f"puzzles/{UNIQUE}-unique.cnf", unique)


def _rules(geometry: Geometry) -> Iterator[Formula]:
    """The bare rules in each encoding; where they are short, each clause with its rule."""
    empty, size = Grid.empty(geometry), f"{geometry.size}x{geometry.size}"
    is_short = geometry.size == 4
    for encoding in Encoding:
        # Without givens `reduced` says what `extended` says.
        if encoding is not Encoding.REDUCED:
            export = Export(Puzzle(empty), encoding, has_names=is_short, has_reasons=is_short)
            yield Formula(f"rules/{size}-{encoding.value}.cnf", export)
    export = Export(Puzzle(empty), Encoding.EXTENDED, Method.SEQUENTIAL)
    yield Formula(f"rules/{size}-extended-sequential.cnf", export)


def write_formulas(folder: Path) -> None:
    """Writes every file into the folder, over those that are there."""
    for name in ("rules", "puzzles", "certificate"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    for formula in formulas():
        with new_file(folder / formula.name, force=True) as stream:
            write_cnf(formula.export, stream, PROGRAM)
    certificate = certify(Puzzle(puzzles()[CERTIFIED]), MADE_BY)
    write_certificate(certificate, folder / "certificate", CERTIFIED, force=True)
