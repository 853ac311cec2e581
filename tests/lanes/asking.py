"""Asks a library that a test has built, in a process of its own: `python -m tests.lanes.asking`.

It prints `as expected`, or fails: by a difference to what solvers said, by a wrong grid that its
judge saw or let pass, or by a crash.
"""

import ctypes
import json
import sys
from contextlib import suppress
from pathlib import Path
from random import Random

from satdoku.errors import SatdokuError
from satdoku.lanes.bank import Bank, Found, draw_grid, order_of, read_lines, write_lines
from satdoku.lanes.library import Library, engines_of, load
from satdoku.lanes.measures import find_forms
from satdoku.making.canonical import find_in_python
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.judge import find_clashes
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.limits import Budget
from tests.lanes.boards import CELLS, boards_from, collections

SEED, COUNT = 11, 400

GRID = bytes(
    int(digit) for digit in "534678912672195348198342567859761423426853791713924856"
) + bytes(int(digit) for digit in "961537284287419635345286179")


def require_answers(bank: Bank, expected: list[int]) -> None:
    """The numbers of solutions, two for several, are those of solvers."""
    boards = list(boards_from(SEED, COUNT))
    found = list(bank.answer(b"".join(boards), one_in=0).found)
    for number, (answer, solutions) in enumerate(zip(found, expected, strict=True)):
        assert answer in (solutions, Found.OVER_BUDGET), (number, answer, solutions)
    assert found.count(Found.OVER_BUDGET) <= 1
    assert sum(bank.counts(bytes(CELLS), 1000)) == 1000


def require_collections(bank: Bank) -> None:
    """Every board of the collections that are there has an answer, which the judge has passed."""
    for boards in collections():
        found = set(bank.answer(b"".join(boards), one_in=0).found)
        assert found <= {Found.ONE, Found.SEVERAL, Found.NONE, Found.OVER_BUDGET}, found


def require_deletions(bank: Bank) -> None:
    """What is left has one solution, and none without any of its givens."""
    rng = Random(3)
    orders = [order_of([[cell] for cell in rng.sample(range(CELLS), CELLS)]) for _ in range(40)]
    left = bytes(bank.delete(GRID * len(orders), b"".join(orders)).solutions)
    assert set(bank.answer(left, one_in=0).found) == {Found.ONE}
    for start in range(0, len(left), CELLS):
        board = left[start : start + CELLS]
        fewer = [board[:c] + bytes(1) + board[c + 1 :] for c in range(CELLS) if board[c]]
        assert set(bank.answer(b"".join(fewer), one_in=0).found) == {Found.SEVERAL}


def require_judge(library: Library) -> None:
    """The judge passes a solution, and none with a fault."""
    judge = library.entries.lanes_judge
    judge.argtypes = [ctypes.c_char_p] * 2
    rng = Random(1)
    assert judge(GRID, GRID)
    assert judge(bytes(CELLS), GRID)
    for cell in range(CELLS):
        wrong = bytearray(GRID)
        wrong[cell] = wrong[cell] % 9 + 1
        assert not judge(bytes(CELLS), bytes(wrong))
        assert not judge(bytes(wrong), GRID)
    # Latin squares: all is right but the boxes, or the rows, or the columns.
    rows = [bytes((row + column) % 9 + 1 for column in range(9)) for row in range(9)]
    assert not judge(bytes(CELLS), b"".join(rows))
    # Columns change their places in one band: rows and boxes stay right, columns do not.
    order = [1, 2, 0, *range(3, 9)]
    top = bytes(GRID[9 * row + column] for row in range(3) for column in order)
    turned = top + GRID[27:]
    assert not judge(bytes(CELLS), turned)
    # The same of the rows.
    assert not judge(bytes(CELLS), bytes(turned[9 * c + r] for r in range(9) for c in range(9)))
    assert not judge(bytes(CELLS), bytes(rng.choices(range(256), k=CELLS)))


def require_forms(library: Library) -> None:
    """Canonical forms of puzzles, of full grids and of boards with many twins are those of Python.

    Boards that clash are left to Python.
    """
    boards = [*list(boards_from(SEED, 30)), GRID, *symmetric_boards()]
    for is_largest in (False, True):
        found = find_forms(b"".join(boards), is_largest, library)
        assert found is not None
        for number, board in enumerate(boards):
            grid = Grid(Geometry(), tuple(board))
            form = found.boards[CELLS * number : CELLS * (number + 1)]
            if next(find_clashes(Puzzle(grid)), None) is not None:
                assert not found.ways[number]
            else:
                expected = find_smallest_of(board, is_largest)
                assert (form, found.ways[number]) == expected, (number, board)


def symmetric_boards() -> list[bytes]:
    """Boards that many moves map to themselves."""
    lines = (
        "123456789456789123789123456231564897564897231897231564312645978645978312978312645",
        "123456789456789123" + "." * 63,
        "12......." * 1 + "." * 18 + "2.1......" + "." * 45,
        "1...........2...........3" + "." * 56,
    )
    return [bytes(0 if cell == "." else int(cell) for cell in line) for line in lines]


def find_smallest_of(board: bytes, is_largest: bool) -> tuple[bytes, int]:
    """The form of a board and the number of moves to it, without the library."""
    blank = 10 if is_largest else 0
    found = find_in_python(Geometry(), board, Budget(), blank)
    return bytes(blank - digit if blank else digit for digit in found.digits), found.ways


# Digits and dots, and a line end now and then.
_AS_LINES = bytes(b"\n.0123456789"[byte % 12] for byte in range(256))


def try_everything(library: Library, rounds: int) -> None:
    """Random bytes through every entry; a sanitizer ends the process where memory is misused."""
    rng = Random(2)
    bank = Bank(library)
    # Of most texts three bytes of four are 0, so that boards have solutions too.
    tables = [
        bytes(byte % (top + 1) if byte >= zeros else 0 for byte in range(256))
        for top in (1, 3, 9, 10, 255)
        for zeros in (0, 192, 240)
    ]
    for _ in range(rounds):
        size = rng.choice([0, 1, 80, 81, 82, 162, 163, 164, 81 * 40, 82 * 40])
        text = rng.randbytes(size).translate(rng.choice(tables))
        for ask in (
            lambda text=text: bank.answer(text, rng.choice([81, 82]), most_nodes=20),
            lambda text=text: sum(bank.counts(text[:CELLS], 50, bytearray(20 * CELLS + 7))),
            lambda text=text: bank.delete(text, rng.randbytes(2 * len(text)), 0, 20),
            lambda text=text: write_lines(text, library),
            lambda text=text: read_lines(text, library),
            lambda text=text: read_lines(text.translate(_AS_LINES), library),
            lambda text=text: find_forms(text[: 81 * 9], rng.random() < 0.5, library),
            lambda text=text: draw_grid(library, text[: rng.choice([4, 81, 1024, 4000])], 81),
            lambda text=text: bank.delete(
                text, order_of([[c] for c in range(CELLS)]) * (len(text) // CELLS), 20, 20
            ),
        ):
            # What is no board is refused; grids that givens contradict are found to be wrong.
            with suppress(SatdokuError):
                ask()
    bank.close()


if __name__ == "__main__":
    _, file, expected, rounds = sys.argv
    state = load(Path(file))
    assert state.library is not None, state
    require_judge(state.library)
    require_forms(state.library)
    engines = list(engines_of(state.library.entries))
    for engine in engines:
        with Bank(engine) as own:
            require_answers(own, json.loads(Path(expected).read_text()))
            require_deletions(own)
            require_collections(own)
        try_everything(engine, int(rounds) // len(engines))
    print("as expected")
