"""Symmetric twins of classic boards: the same puzzle with other names and places."""

from random import Random

from satdoku.puzzle.grid import Geometry, Grid


def random_twin(rng: Random, grid: Grid) -> Grid:
    """Digits renamed, lines shuffled within bands, bands shuffled, and perhaps transposed."""
    geometry = grid.geometry
    size = geometry.size
    names = [0, *rng.sample(range(1, size + 1), size)]
    rows = _lines(rng, size, geometry.box_rows)
    columns = _lines(rng, size, geometry.box_columns)
    digits = [names[grid.digits[row * size + column]] for row in rows for column in columns]
    if rng.random() < 0.5:
        digits = [digits[row * size + column] for column in range(size) for row in range(size)]
        geometry = Geometry(geometry.box_columns, geometry.box_rows)
    return Grid(geometry, tuple(digits))


def _lines(rng: Random, size: int, height: int) -> list[int]:
    starts = range(0, size, height)
    return [
        line
        for start in rng.sample(starts, len(starts))
        for line in rng.sample(range(start, start + height), height)
    ]
