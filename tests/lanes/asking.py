"""Asks a library that a test has built, in a process of its own: `python -m tests.lanes.asking`.

It prints `as expected`, or fails: by a difference to what solvers said, by a wrong grid that its
judge saw or let pass, or by a crash.
"""

import csv
import ctypes
import json
import sys
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

from satdoku.errors import SatdokuError
from satdoku.lanes.bank import (
    BEYOND,
    Bank,
    Found,
    draw_grid,
    find_estimates,
    find_forms,
    find_ratings,
    order_of,
    read_lines,
    write_lines,
)
from satdoku.lanes.library import Library, engines_of, load
from satdoku.making.canonical import find_in_python
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.judge import find_clashes
from satdoku.puzzle.puzzle import Puzzle
from satdoku.rating.rater import rate_in_python
from satdoku.solving.limits import Budget
from tests.boards import read_grid
from tests.lanes.boards import CELLS, boards_from, collections, digits_of
from tests.lanes.building import ROOT
from tests.random_twins import random_twin

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


def boards_with_forms() -> list[bytes]:
    """Puzzles, a full grid, and boards with many twins."""
    return [*boards_from(SEED, 30), GRID, *symmetric_boards()]


def forms_in_python() -> list[list[tuple[str, int]]]:
    """The smallest forms of these boards and the largest, in Python; no ways where givens clash."""
    boards = boards_with_forms()
    clash = {b for b in boards if any(find_clashes(Puzzle(Grid(Geometry(), tuple(b)))))}
    return [
        [("", 0) if each in clash else find_smallest_of(each, is_largest) for each in boards]
        for is_largest in (False, True)
    ]


def require_forms(library: Library, expected: list[list[list[Any]]]) -> None:
    """Canonical forms are those of Python. Boards that clash are left to Python."""
    boards = boards_with_forms()
    for is_largest, forms in enumerate(expected):
        found = find_forms(b"".join(boards), bool(is_largest), library)
        assert found is not None
        for number, (form, ways) in enumerate(forms):
            assert found.ways[number] == ways, (number, boards[number])
            own = found.boards[CELLS * number : CELLS * (number + 1)].hex()
            assert not ways or own == form, (number, boards[number])


def require_ratings(library: Library) -> None:
    """Ratings of puzzles that need more and more steps are those of Python."""
    rng = Random(6)
    lines = [line for line, _ in RATED] * 2
    puzzles = [Puzzle(random_twin(rng, read_grid(line))) for line in lines]
    boards = [bytes(puzzle.grid.digits) for puzzle in puzzles]
    found = find_ratings(b"".join([*boards, *boards_from(SEED, 20)]), library)
    assert found is not None
    assert list(found[: len(boards)]) == [number for _, number in RATED] * 2
    others = [Puzzle(Grid(Geometry(), tuple(board))) for board in boards_from(SEED, 20)]
    for puzzle, rating in zip(others, found[len(boards) :], strict=True):
        assert (rating if rating < BEYOND else None) == rate_in_python(puzzle, Budget())


# Puzzles made by satdoku, and what the definition says of them.
RATED = (
    # Units crowd out what no short refutation finds.
    (".9.....2...5..4.......61.....6...1.8...3...7.......6..23.9.........8.4..7........", 3),
    (".286...13..6..4.....3.........18...2....7.5...9.....47.4..5...9.......6.8.1...2..", 0),
    ("..16....83..4.....79.3......25....69........3.....65..1.2....8......13...78..5..2", 1),
    ("5......1.....98..2.1.6........7.6.854.2..9.........6..1.4....7.........97.95.2...", 2),
    ("24....6.....6..........5.4..2.9...51....3.....86...4..3...6.9....275..6.9....8..4", 3),
    ("1..32....4.....2.9..8..9.......74.9.5......37...15...43.1........9....6......2345", 3),
    ("...9.1..6..9........2.5..3.......3.5.....728.8.4.32....1..93.6.2.5...4...9.....1.", 3),
    ("3.85....95....2.8.........18..6.37..4.....81..5......2....4.2.6.1..3..4......6...", 4),
    ("....4......12.7..5.79...6.2..2.........86.........93.7.6.5...795....4..6.94.16...", 4),
    ("...37.1.....8...4..6.....281.9.3..8.32.6.1....4......275.......9..7........1..25.", 4),
    (".2.3.....8795........1.97.......23.5.5.........8.6.4..41..3..2...7...9.6.......4.", 5),
    ("...2...8...4..9...9.31....7......3..7......2.25...1..9..6..5.31...31...5.....6...", 5),
    ("....24..95.4.1.....3.8.6....1...2.6.......4.7..6..9.353...7.....5..6..4.64....5..", 5),
    ("..68.27.......64..1.2.3....31....9.4...6......5.3.4.7.4.3.85...5..9...........2..", 6),
    (".84..1...91..2........647...2..3.4...9.2..58........36..2...65...........4..85...", 6),
    ("6.35...79..51..2....7...6...........7..2.356..8.....924....2.3.....6..1..6.7..8..", 6),
    ("1.7.......3..1..75.2.....8......8.....6.34.9....9..31.....93..8...5...4..8.7..631", 7),
    ("..........8572...41.758..3...........3...8.6.7.4.9...28.31...9.......5......76...", 7),
    ("....2.4..6..1...8...1.5.2.........3....5..8.4.73..4.....9...5.32...8.94.13....6..", 7),
    ("...8...3.7....4...49......654...1.2...3.......2...3.14...1..9...7..4216....97...2", 9),
)


def require_estimates(library: Library) -> None:
    """Estimates of ratings by Sudoku Explainer are those of Python."""
    with (ROOT / "tests" / "data" / "estimates.csv").open(newline="") as rows:
        boards = [digits_of(row["puzzle"]) for row in csv.DictReader(rows)]
    assert find_estimates(b"".join(boards), library) == ESTIMATED


# What Python says of these puzzles: ER, EP and ED in tenths.
ESTIMATED = bytes.fromhex(
    "190c0c 1c0c0c 200c0c 240c0c 280c0c 2a0f0f 2b0c0c 2d0c0c 2f0c0c 320c0c 370c0c 380c0c "
    "3b0c0c 3f0c0c 420c0c 450c0c 480c0c 530c0c 4d0c0c 500c0c 530c0c 551a1a 580c0c 5a0c0c "
    "281717 450f0f 0f0f0f 0f0f0f 2a0f0f 2b0f0f 281717 2b0f0f "
)


def symmetric_boards() -> list[bytes]:
    """Boards that many moves map to themselves."""
    lines = (
        "123456789456789123789123456231564897564897231897231564312645978645978312978312645",
        "123456789456789123" + "." * 63,
        "12......." * 1 + "." * 18 + "2.1......" + "." * 45,
        "1...........2...........3" + "." * 56,
    )
    return list(map(digits_of, lines))


def find_smallest_of(board: bytes, is_largest: bool) -> tuple[str, int]:
    """The form of a board and the number of moves to it, without the library."""
    blank = 10 if is_largest else 0
    found = find_in_python(Geometry(), board, Budget(), blank)
    form = bytes(blank - digit if blank else digit for digit in found.digits)
    return form.hex(), found.ways


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
            lambda text=text: find_ratings(text[: 81 * 9], library),
            # An estimate of a board without sense may take as long as all else together.
            lambda text=text: find_estimates(text[: CELLS * (rng.random() < 0.01)], library),
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
    known = json.loads(Path(expected).read_text())
    require_judge(state.library)
    require_forms(state.library, known["forms"])
    require_estimates(state.library)
    engines = list(engines_of(state.library.entries))
    for engine in engines:
        with Bank(engine) as own:
            require_answers(own, known["numbers"])
            require_deletions(own)
            require_collections(own)
        require_ratings(engine)
        try_everything(engine, int(rounds) // len(engines))
    print("as expected")
