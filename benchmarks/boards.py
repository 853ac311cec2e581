"""Large boards that are valid by construction, so that anyone can repeat the tables.

A known grid is shuffled by moves that keep it valid (digits are renamed, rows within a band and
bands are reordered, columns likewise, and square boxes may be transposed), and then cells are
emptied until the wanted share is empty. The same seed always gives the same board. No solver is
used, so a board may have several solutions: the more empty cells, the more likely.

A scrambled board starts from a grid in which thousands of cycles of two lines were exchanged as
well. A method that does well on other boards only because it finds the pattern again fails on
scrambled ones.

    python -m benchmarks boards --box 8x8 --empty 40 --seed 1 > 64x64.txt
"""

import random

import click

from satdoku.making.full_grid import Chance, random_grid
from satdoku.notation.formats import format_named
from satdoku.puzzle.grid import EMPTY, Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.symmetry import pattern_grid


def generate_board(
    geometry: Geometry, empty_percent: float, seed: int, is_scrambled: bool = False
) -> Grid:
    """Return a board that has a solution, with this share of its cells empty."""
    chance = random.Random(f"{geometry} {empty_percent:g} {seed}")
    if is_scrambled:
        digits = list(random_grid(geometry, Chance(str(geometry), seed)).digits)
    else:
        digits = list(shuffle(pattern_grid(geometry), chance).digits)
    for cell in chance.sample(range(len(digits)), round(len(digits) * empty_percent / 100)):
        digits[cell] = EMPTY
    return Grid(geometry, tuple(digits))


def shuffle(grid: Grid, chance: random.Random) -> Grid:
    """Return another valid full grid, which does not look like `grid`."""
    geometry = grid.geometry
    size = geometry.size
    label = chance.sample(range(1, size + 1), size)
    # A band is a row of boxes; there are as many bands as a box has columns.
    rows = _shuffled_lines(chance, geometry.box_columns, geometry.box_rows)
    columns = _shuffled_lines(chance, geometry.box_rows, geometry.box_columns)
    mixed = [[label[grid.digits[row * size + column] - 1] for column in columns] for row in rows]
    if geometry.box_rows == geometry.box_columns and chance.random() < 0.5:
        mixed = [list(column) for column in zip(*mixed, strict=True)]
    return Grid(geometry, tuple(digit for row in mixed for digit in row))


def _shuffled_lines(chance: random.Random, bands: int, width: int) -> list[int]:
    order = []
    for band in chance.sample(range(bands), bands):
        order += chance.sample(range(band * width, (band + 1) * width), width)
    return order


@click.command()
@click.option("--box", default="3x3", show_default=True, metavar="RxC")
@click.option("--empty", type=float, default=40, show_default=True, metavar="PERCENT")
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--scrambled", "is_scrambled", is_flag=True, help="Not from a shuffled pattern.")
def boards(box: str, empty: float, seed: int, is_scrambled: bool) -> None:
    """Print a large board with a share of its cells empty."""
    grid = generate_board(Geometry.parse(box), empty, seed, is_scrambled)
    click.echo(format_named("rows").write(Puzzle(grid)), nl=False)
