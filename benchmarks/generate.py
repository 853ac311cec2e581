"""The collections that ship with the benchmarks, made by satdoku's own solver from a seed.

easy      35 givens or so: a minimal puzzle with a dozen digits of its solution put back
sparse    minimal puzzles, as random digging leaves them: 21 to 28 givens
stubborn  minimal puzzles in whose boxes at most two digits can be placed at a look
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import click

from benchmarks.boards import shuffle
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.solving.bulk import LineSolver

FOLDER = Path(__file__).parent / "puzzles"
PUT_BACK = 12
GEOMETRY = Geometry()

Digits = tuple[int, ...]


@click.command()
@click.option("--number", default=1000, show_default=True, help="Puzzles in each collection.")
@click.option("--seed", default=1, show_default=True)
@click.argument("folder", type=click.Path(path_type=Path), default=FOLDER)
def generate(number: int, seed: int, folder: Path) -> None:
    """Write the collections anew; the same seed writes the same files."""
    folder.mkdir(exist_ok=True)
    for name in COLLECTIONS:
        with (folder / f"{name}.txt").open("w", encoding="ascii") as file:
            file.writelines(line + "\n" for line in generate_lines(name, number, seed))


def generate_lines(name: str, number: int, seed: int) -> Iterator[str]:
    """So many puzzles of a collection, one character a cell."""
    chance = Random(f"{name} {seed}")
    solver = LineSolver(GEOMETRY)
    for _ in range(number):
        yield solver.write(bytes(COLLECTIONS[name](solver, chance)))


def fill_board(solver: LineSolver, chance: Random) -> Digits:
    """A full grid: boxes on a diagonal filled at random, completed, and shuffled."""
    size = GEOMETRY.size
    digits = [0] * GEOMETRY.cell_count
    for box in range(0, size, GEOMETRY.box_rows + 1):
        for cell, digit in zip(
            GEOMETRY.boxes[box].cells, chance.sample(range(1, size + 1), size), strict=True
        ):
            digits[cell] = digit
    solution = solver.answer(bytes(digits)).solution or b""
    return shuffle(Grid(GEOMETRY, tuple(solution)), chance).digits


def make_minimal(solver: LineSolver, chance: Random, solution: Digits) -> list[int]:
    """Take digits away in random order for as long as the solution stays the only one."""
    digits = list(solution)
    for cell in chance.sample(range(len(digits)), len(digits)):
        digits[cell] = 0
        if solver.answer(bytes(digits)).second is not None:
            digits[cell] = solution[cell]
    return digits


def make_sparse(solver: LineSolver, chance: Random) -> list[int]:
    return make_minimal(solver, chance, fill_board(solver, chance))


def make_easy(solver: LineSolver, chance: Random) -> list[int]:
    solution = fill_board(solver, chance)
    digits = make_minimal(solver, chance, solution)
    empty = [cell for cell, digit in enumerate(digits) if not digit]
    for cell in chance.sample(empty, PUT_BACK):
        digits[cell] = solution[cell]
    return digits


def make_stubborn(solver: LineSolver, chance: Random) -> list[int]:
    """Dig until a puzzle comes that nobody starts without thinking."""
    while True:
        digits = make_sparse(solver, chance)
        if has_few_hidden_singles(digits):
            return digits


def has_few_hidden_singles(digits: list[int]) -> bool:
    """Whether at most twice a digit has a single place left in a box."""
    places = [
        [
            cell
            for cell in box.cells
            if not digits[cell] and digit not in {digits[peer] for peer in GEOMETRY.peers_of(cell)}
        ]
        for box in GEOMETRY.boxes
        for digit in range(1, GEOMETRY.size + 1)
    ]
    return sum(len(cells) == 1 for cells in places) <= 2


COLLECTIONS: dict[str, Callable[[LineSolver, Random], list[int]]] = {
    "easy": make_easy,
    "sparse": make_sparse,
    "stubborn": make_stubborn,
}
