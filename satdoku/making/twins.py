"""Random twins of classic puzzles, and the moves that lead to them and back."""

from hashlib import blake2b
from typing import NamedTuple

from satdoku.errors import SatdokuError
from satdoku.making.canonical import Moves
from satdoku.making.full_grid import Chance
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle


class Twin(NamedTuple):
    """A twin of a puzzle, which differs by a symmetry only, and the `moves` that made it."""

    puzzle: Puzzle
    moves: Moves

    def apply(self, grid: Grid) -> Grid:
        """Apply the same moves to another grid, such as the solution."""
        return moved(grid, self.moves)

    def undo(self, grid: Grid) -> Grid:
        """Return the grid that the moves turn into this one."""
        return moved(grid, inverse(self.moves))


def random_twin(puzzle: Puzzle, seed: str | int, number: int = 0) -> Twin:
    """Return a random twin, each as likely as any other; `number` tells the twins of a seed apart.

    The twin depends on the cells, the seed and the number alone, and is the same on every machine.
    """
    if not puzzle.is_classic:
        names = ", ".join(dict.fromkeys(rule.name for rule in puzzle.further_rules))
        raise SatdokuError(
            "symmetric twins are known for rows, columns and boxes only, and this puzzle has "
            f"{names or 'fewer rules'}"
        )
    line = f"{puzzle.geometry} {puzzle.grid.line}"
    moves = random_moves(puzzle.geometry, Chance(f"{seed} {line}", number))
    return Twin(puzzle.with_grid(moved(puzzle.grid, moves)), moves)


def is_in_test(key: bytes, seed: str | int, share: float) -> bool:
    """Whether puzzles with this key belong to the test part of a data set, drawn at random by a
    seed.

    This depends on key and seed alone, so that twins stay together, even in files split later.
    """
    if not 0 <= share <= 1:
        raise SatdokuError(f"a share of {share} is not between 0 and 1")
    drawn = blake2b(key, digest_size=8, key=blake2b(str(seed).encode()).digest()).digest()
    return int.from_bytes(drawn, "big") < share * (1 << 64)


def random_moves(geometry: Geometry, chance: Chance) -> Moves:
    """Return random moves of a board: transposing, orders of lines and bands, names of digits."""
    size = geometry.size
    # Transposed boxes that are not square have another shape, which not every format can state.
    is_transposed = geometry.box_rows == geometry.box_columns and bool(chance.below(2))
    rows = _shuffled_lines(chance, size, geometry.box_rows)
    columns = _shuffled_lines(chance, size, geometry.box_columns)
    # 0 is an empty cell, and stays 0.
    names = (0, *chance.shuffled(range(1, size + 1)))
    return Moves(is_transposed, rows, columns, names)


def _shuffled_lines(chance: Chance, size: int, width: int) -> tuple[int, ...]:
    """Return rows or columns in a random order that keeps lines of a box together."""
    bands = chance.shuffled(range(0, size, width))
    return tuple(line for band in bands for line in chance.shuffled(range(band, band + width)))


def moved(grid: Grid, moves: Moves) -> Grid:
    """Return a grid after the moves."""
    geometry = grid.geometry
    if moves.is_transposed:
        geometry = Geometry(geometry.box_columns, geometry.box_rows)
    return Grid(geometry, moves.apply(grid.digits))


def inverse(moves: Moves) -> Moves:
    """Return the moves that lead back.

    >>> moves = Moves(True, (1, 0, 2, 3), (3, 2, 0, 1), (0, 2, 3, 4, 1))
    >>> inverse(moves).apply(moves.apply([1, 2, 3, 4] * 4)) == (1, 2, 3, 4) * 4
    True
    """
    rows, columns = _inverted(moves.rows), _inverted(moves.columns)
    if moves.is_transposed:
        rows, columns = columns, rows
    return Moves(moves.is_transposed, rows, columns, _inverted(moves.names))


def _inverted(order: tuple[int, ...]) -> tuple[int, ...]:
    places = {value: place for place, value in enumerate(order)}
    return tuple(places[value] for value in range(len(order)))
