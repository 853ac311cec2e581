"""The collections that ship with the benchmarks, made by satdoku's own solver from a seed.

easy      about 35 givens: a minimal puzzle with a dozen digits of its solution put back
sparse    random minimal puzzles: 21 to 28 givens
stubborn  minimal puzzles in whose boxes at most two digits have a single place
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count, islice
from pathlib import Path
from random import Random

import click

from benchmarks.boards import shuffle
from satdoku.encoding.variables import OpenBoard
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.judge import require_solution
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.bulk import Bulk
from satdoku.solving.limits import Budget
from satdoku.solving.session import Session
from satdoku.solving.solvers import find_solver

FOLDER = Path(__file__).parent / "puzzles"
PUT_BACK = 12
GEOMETRY = Geometry()

TOGETHER = 100

Board = bytes
"""One byte per cell: its digit, or 0."""


@click.command()
@click.option("--number", default=1000, show_default=True, help="Puzzles in each collection.")
@click.option("--seed", default=1, show_default=True)
@click.argument("folder", type=click.Path(path_type=Path), default=FOLDER)
def collections(number: int, seed: int, folder: Path) -> None:
    """Write the collections again; the same seed writes the same files."""
    folder.mkdir(exist_ok=True)
    for name in COLLECTIONS:
        with (folder / f"{name}.txt").open("w", encoding="ascii") as file:
            file.writelines(line + "\n" for line in generate_lines(name, number, seed))


def generate_lines(name: str, number: int, seed: int, together: int = TOGETHER) -> Iterator[str]:
    """Yield `number` puzzles of a collection, one character per cell.

    Each board has random numbers of its own, so that the number made together does not matter.
    """
    boards = (
        board
        for first in count(0, together)
        for board in COLLECTIONS[name](
            [Random(f"{name} {seed} {n}") for n in range(first, first + together)]
        )
    )
    for board in islice(boards, number):
        yield "".join(str(digit or ".") for digit in board)


def fill_board(chance: Random) -> Board:
    """Return a full grid: the boxes on a diagonal are filled at random, the rest completed, all
    shuffled.
    """
    size = GEOMETRY.size
    digits = [0] * GEOMETRY.cell_count
    for box in range(0, size, GEOMETRY.box_rows + 1):
        for cell, digit in zip(
            GEOMETRY.boxes[box].cells, chance.sample(range(1, size + 1), size), strict=True
        ):
            digits[cell] = digit
    return bytes(shuffle(complete(Puzzle(Grid(GEOMETRY, tuple(digits)))), chance).digits)


def complete(puzzle: Puzzle) -> Grid:
    """Return some solution; it stays the same even if the formulas of `check` change."""
    board = OpenBoard(puzzle)
    with Session(find_solver("minicard")) as session:
        for *_, members, _ in board.bare_groups():
            session.add_clause(members)
            session.add_at_most_one(members)
        session.solve(Budget())
        placed = [number for number in session.model() if number > 0]
    return require_solution(puzzle.grid.with_digits(board.digits_at(placed)), puzzle)


def make_minimal(chances: Sequence[Random], solutions: Sequence[Board]) -> list[Board]:
    """Delete digits in random order, as long as the solution stays unique."""
    bulk = Bulk(GEOMETRY)
    orders = [chance.sample(range(GEOMETRY.cell_count), GEOMETRY.cell_count) for chance in chances]
    boards = list(solutions)
    for cells in zip(*orders, strict=True):
        fewer = [
            board[:cell] + b"\0" + board[cell + 1 :]
            for board, cell in zip(boards, cells, strict=True)
        ]
        for number, solution in enumerate(bulk.solutions(fewer)):
            if solution is not None:
                boards[number] = fewer[number]
    return boards


def make_sparse(chances: Sequence[Random]) -> list[Board]:
    return make_minimal(chances, list(map(fill_board, chances)))


def make_easy(chances: Sequence[Random]) -> Iterator[Board]:
    solutions = list(map(fill_board, chances))
    for chance, solution, board in zip(
        chances, solutions, make_minimal(chances, solutions), strict=True
    ):
        digits = bytearray(board)
        empty = [cell for cell, digit in enumerate(digits) if not digit]
        for cell in chance.sample(empty, PUT_BACK):
            digits[cell] = solution[cell]
        yield bytes(digits)


def make_stubborn(chances: Sequence[Random]) -> Iterator[Board]:
    """Yield minimal puzzles that a player cannot start at a glance."""
    return filter(has_few_hidden_singles, make_sparse(chances))


def has_few_hidden_singles(digits: Board) -> bool:
    """Whether at most two digits have a single place left in a box."""
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


COLLECTIONS: dict[str, Callable[[Sequence[Random]], Iterable[Board]]] = {
    "easy": make_easy,
    "sparse": make_sparse,
    "stubborn": make_stubborn,
}
