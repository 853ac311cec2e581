"""Random boards of any shape, the same ones in every run."""

from random import Random

from satdoku.puzzle.grid import EMPTY, Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle

# Boxes that are cells, rows or columns are legal, if odd: their units coincide.
ODD_SHAPES = [Geometry(1, 1), Geometry(1, 2), Geometry(2, 1), Geometry(1, 4), Geometry(4, 1)]
USUAL_SHAPES = [Geometry(2, 2), Geometry(2, 3), Geometry(3, 2), Geometry(3, 3), Geometry(2, 5)]
SHAPES = ODD_SHAPES + USUAL_SHAPES


def read_grid(text: str, geometry: Geometry | None = None) -> Grid:
    """A grid from one character a cell, blanks written as 0 or a dot; spaces are passed over."""
    digits = tuple(int(c) for c in text.replace(".", "0").replace(" ", ""))
    return Grid(geometry or Geometry.of_size(round(len(digits) ** 0.5)), digits)


HARD = Puzzle(
    read_grid("8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..")
)
# Golden Nugget, by tarek, published in the players' forum.
NUGGET = ".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7....."
HARD_SOLUTION = read_grid(
    "812753649943682175675491283154237896369845721287169534521974368438526917796318452"
)


def full_grid(rng: Random, geometry: Geometry) -> Grid:
    """A solved board: a pattern with its digits, rows, columns, bands and stacks shuffled."""
    height, width, size = geometry.box_rows, geometry.box_columns, geometry.size
    rows = [
        band * height + row
        for band in rng.sample(range(width), width)
        for row in rng.sample(range(height), height)
    ]
    columns = [
        stack * width + column
        for stack in rng.sample(range(height), height)
        for column in rng.sample(range(width), width)
    ]
    digits = rng.sample(range(1, size + 1), size)
    return Grid(
        geometry,
        tuple(
            digits[(width * (row % height) + row // height + column) % size]
            for row in rows
            for column in columns
        ),
    )


def thin_out(rng: Random, grid: Grid, givens: int) -> Grid:
    """A full grid of which only so many digits are left."""
    cells = rng.sample(range(grid.geometry.cell_count), grid.geometry.cell_count - givens)
    return grid.with_digits(dict.fromkeys(cells, EMPTY))


def spoil(rng: Random, grid: Grid) -> Grid:
    """A puzzle with one given changed, which often leaves it without a solution."""
    cell, digit = rng.choice(sorted(grid.givens.items()))
    others = [d for d in range(1, grid.geometry.size + 1) if d != digit]
    return grid.with_digits({cell: rng.choice(others)}) if others else grid


def random_puzzle(
    rng: Random, geometry: Geometry, fewest: float = 0.2, most: float = 0.7
) -> Puzzle:
    """Givens from a full grid, every fourth time one of them wrong: 0, 1 or many solutions."""
    share = rng.uniform(fewest, most)
    grid = thin_out(rng, full_grid(rng, geometry), round(share * geometry.cell_count))
    if grid.givens and rng.random() < 0.25:
        grid = spoil(rng, grid)
    return Puzzle(grid)


def clashing_puzzle(geometry: Geometry) -> Puzzle:
    """Two equal givens in the first row."""
    return Puzzle(Grid.empty(geometry).with_digits({0: 1, geometry.size - 1: 1}))


def stuck_puzzle(geometry: Geometry) -> Puzzle:
    """The first cell has no candidate, though no two givens clash."""
    size = geometry.size
    givens = {cell: cell for cell in range(1, size)}
    # The last digit comes down the column, below the first box.
    givens[(geometry.box_rows if geometry.box_rows < size else 1) * size] = size
    return Puzzle(Grid.empty(geometry).with_digits(givens))


def pigeonhole_puzzle(holes: int, size: int) -> Puzzle:
    """In row 1 the first `holes` + 1 cells have `holes` digits open: impossible, hard to see.

    The other digits come down these columns. Boxes are rows, so that only lines count. No
    resolution proof of the pigeonhole principle is short, so from 12 holes on no solver gets
    through in minutes, though nothing but one row is wrong.
    """
    others = range(holes + 1, size + 1)
    givens = {
        (size - len(others) + step) * size + column: others[(step + column) % len(others)]
        for column in range(holes + 1)
        for step in range(len(others))
    }
    return Puzzle(Grid.empty(Geometry(1, size)).with_digits(givens))


# Nobody knows an answer for it in the time that tests have: of 25x25, because on larger boards
# pruning looks at it as well, which sees at once that there is none.
TOO_HARD = pigeonhole_puzzle(12, 25)
