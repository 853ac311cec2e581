"""What the compiled library says of boards is what solvers say, at every width and in any order."""

import os
import subprocess
import sys
import threading
from collections import Counter
from itertools import islice
from random import Random
from typing import Any

import pytest

from satdoku.errors import SatdokuError
from satdoku.lanes.bank import (
    MOST_NODES,
    NO_CELL,
    Answers,
    Bank,
    ByteAlphabet,
    Found,
    draw_grid,
    order_of,
    own_bank,
    read_lines,
    write_lines,
)
from satdoku.lanes.library import Library, engines_of, find_library
from satdoku.making.full_grid import Chance, random_grid, seed_words
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.judge import byte_judge
from satdoku.solving.bulk import Bulk
from tests.boards import HARD, full_grid
from tests.compiled import library, needs_library
from tests.crossing import few_or_many, sampled
from tests.lanes.boards import CELLS, boards_from, collections, digits_of
from tests.oracle import solutions_of

pytestmark = needs_library

ENGINES = list(engines_of(found.entries)) if (found := find_library()) else []
# `test_faults.py` asks each of them.
every_engine = sampled(2, "engine", ENGINES, ids=[each.title for each in ENGINES])

EXPECTED = {0: {Found.NONE}, 1: {Found.ONE, Found.CHOSEN}, 2: {Found.SEVERAL}}

# Norvig's board without a solution: more than a million nodes.
HOPELESS = digits_of(
    ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4........."
)

# Two cells with two digits each: two solutions, found after some deductions.
FEW_SOLUTIONS = digits_of(
    "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1............."
)


def require_same(bank: Bank, boards: list[bytes]) -> Counter[int]:
    """Each board has what a solver says; a board that went over the budget is not compared."""
    answers = bank.answer(b"".join(boards))
    bulk = Bulk(Geometry())
    for number, board in enumerate(boards):
        found = answers.found[number]
        solution = bytes(answers.solutions[CELLS * number : CELLS * (number + 1)])
        if found == Found.OVER_BUDGET:
            continue
        expected = bulk.solve(board)
        assert found in EXPECTED[len(expected)], board.hex()
        assert solution == (expected[0] if len(expected) == 1 else bytes(CELLS))
    return Counter(answers.found)


@few_or_many("number", 250, 400)
@every_engine
def test_answers_are_those_of_solvers(engine: Library, number: int) -> None:
    counts = require_same(Bank(engine), list(boards_from(1, number)))
    assert min(counts[each] for each in (Found.NONE, Found.ONE, Found.SEVERAL)) > number // 10
    assert counts[Found.OVER_BUDGET] == 1
    assert not counts[Found.WRONG]
    assert not counts[Found.UNREADABLE]


@pytest.mark.slow
def test_a_hundred_thousand_answers_are_those_of_solvers() -> None:
    for seed in range(20):
        require_same(Bank(library()), list(boards_from(seed, 5000)))


@pytest.mark.slow
def test_collections_are_answered_as_solvers_answer_them() -> None:
    found = list(collections())
    if not found:
        pytest.skip("SATDOKU_BANKS names no folder of puzzles")
    rng = Random(12)
    for boards in found:
        require_same(Bank(library()), rng.sample(boards, min(len(boards), 2000)))


@every_engine
def test_an_answer_does_not_depend_on_what_is_asked_beside_it(engine: Library) -> None:
    boards = list(boards_from(2, 200))
    together = Bank(engine).answer(b"".join(boards))
    bank = Bank(engine)
    alone = [bank.answer(board) for board in boards]
    assert [answer.found[0] for answer in alone] == list(together.found)
    assert b"".join(answer.solutions for answer in alone) == together.solutions


def test_widths_agree_on_every_board_even_where_they_give_up() -> None:
    boards = b"".join(boards_from(3, 500))
    answers = [Bank(engine).answer(boards, most_nodes=3) for engine in ENGINES]
    assert all(answer == answers[0] for answer in answers)
    assert Found.OVER_BUDGET in answers[0].found


def test_lines_are_read_and_written_as_the_alphabet_says() -> None:
    text = b".123456789"
    digit_of = bytes(
        text.index(byte) if byte in text else 0 if byte == ord("0") else NO_CELL
        for byte in range(256)
    )
    lines = [
        "".join(map(str, HARD.grid.digits)).replace("0", "."),
        "x" + "." * 80,
        "".join(map(str, HARD.grid.digits)),
    ]
    block = "".join(f"{line}\n" for line in lines).encode()
    answers = Bank(library()).answer(block, CELLS + 1, ByteAlphabet(digit_of, text))
    assert [found in EXPECTED[1] for found in answers.found] == [True, False, True]
    assert answers.found[1] == Found.UNREADABLE
    first, second, third = (answers.solutions[82 * n : 82 * (n + 1)] for n in range(3))
    assert first == third
    assert first[-1:] == b"\n"
    assert not any(second)
    solution = bytes(map(text.index, first[:CELLS]))
    assert byte_judge(Geometry()).is_solution(bytes(HARD.grid.digits), solution)
    # A line that is longer or shorter is none of these.
    answers = Bank(library()).answer(block.replace(b"\n", b" "), CELLS + 1, ByteAlphabet(digit_of))
    assert set(answers.found) == {Found.UNREADABLE}


@pytest.mark.parametrize("text", [bytes(80), bytes(82), bytes(163)])
def test_half_boards_are_refused(text: bytes) -> None:
    with pytest.raises(SatdokuError, match="no boards of 9x9"):
        Bank(library()).answer(text)


def test_no_boards_have_no_answers() -> None:
    assert not Bank(library()).answer(b"").found


def test_the_sample_is_chosen_by_the_digits() -> None:
    boards = list(boards_from(4, 2000))
    found = Bank(library()).answer(b"".join(boards), one_in=20).found
    again = Bank(library()).answer(b"".join(reversed(boards)), one_in=20).found
    assert list(reversed(again)) == list(found)
    unique = sum(each in EXPECTED[1] for each in found)
    assert unique / 60 < found.count(Found.CHOSEN) < unique / 8
    assert Found.CHOSEN not in Bank(library()).answer(b"".join(boards), one_in=0).found


@every_engine
def test_solutions_are_counted(engine: Library) -> None:
    bank = Bank(engine)
    for board in (*islice(boards_from(5, 30), 5, None), FEW_SOLUTIONS):
        number = len(list(islice(solutions_of(3, 3, tuple(board)), 200)))
        assert sum(bank.counts(board, 200)) == number
    assert sum(bank.counts(bytes(CELLS), 123_456)) == 123_456


def test_what_is_no_board_is_not_counted() -> None:
    for text in (bytes(80), bytes(82), bytes([10]) + bytes(80)):
        with pytest.raises(SatdokuError):
            sum(Bank(library()).counts(text, 10))


def delete_one_by_one(solution: bytes, groups: list[list[int]]) -> bytes:
    bulk, left = Bulk(Geometry()), bytearray(solution)
    for group in groups:
        without = bytearray(left)
        for cell in group:
            without[cell] = 0
        left = without if len(bulk.solve(bytes(without))) == 1 else left
    return bytes(left)


def test_what_is_left_after_deletion_is_what_solvers_leave() -> None:
    rng = Random(6)
    solutions, orders = [], []
    for number in range(8):
        cells = rng.sample(range(CELLS), CELLS - 9 * number)
        groups = [[cell] for cell in cells]
        if number % 2:
            groups = [cells[place : place + 2] for place in range(0, len(cells), 2)]
        solutions.append(bytes(full_grid(rng, Geometry()).digits))
        orders.append(groups)
    answers = Bank(library()).delete(b"".join(solutions), b"".join(map(order_of, orders)))
    assert set(answers.found) == {Found.ONE}
    for number, (solution, groups) in enumerate(zip(solutions, orders, strict=True)):
        left = bytes(answers.solutions[CELLS * number : CELLS * (number + 1)])
        assert left == delete_one_by_one(solution, groups)


def test_deleting_stops_at_enough_givens_behind_the_first_that_is_needed() -> None:
    solution, order = bytes(full_grid(Random(8), Geometry()).digits), range(CELLS)
    left = []
    for enough in (0, 30, CELLS):
        answers = Bank(library()).delete(solution, order_of([[cell] for cell in order]), enough)
        left.append(CELLS - answers.solutions.count(0))
    assert left[0] < left[1] == 30 < left[2]


def test_orders_that_name_no_cell_are_refused() -> None:
    order = bytearray(order_of([[0]]))
    order[0] = CELLS
    with pytest.raises(SatdokuError):
        Bank(library()).delete(bytes(CELLS), bytes(order))


def test_threads_have_banks_of_their_own() -> None:
    boards = b"".join(boards_from(7, 300))
    expected = Bank(library()).answer(boards)
    answers: list[Answers] = []

    def answer() -> None:
        bank = own_bank()
        assert bank is not None
        answers.extend(bank.answer(boards) for _ in range(5))

    threads = [threading.Thread(target=answer) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [expected] * 20


def test_a_process_that_is_forked_while_a_thread_asks_can_ask_too() -> None:
    boards = b"".join(boards_from(8, 3000))
    bank = own_bank()
    assert bank is not None
    expected = bank.answer(boards).found
    thread = threading.Thread(target=lambda: Bank(library()).answer(boards))
    thread.start()
    child = os.fork()
    if child == 0:
        own = own_bank()
        os._exit(own is None or own.answer(boards).found != expected)
    thread.join()
    assert os.waitpid(child, 0)[1] == 0


def test_the_budget_is_far_above_what_puzzles_take() -> None:
    hard = bytes(HARD.grid.digits)
    assert Bank(library()).answer(hard, most_nodes=MOST_NODES // 10).found[0] in EXPECTED[1]


def test_grids_and_orders_are_drawn_as_python_draws_them() -> None:
    for index in range(30):
        for seed in ("7", "größer", "a long one " * 40):
            chance = Chance(seed, index)
            grid, order = random_grid(Geometry(), chance), chance.shuffled(range(50 + index))
            drawn = draw_grid(library(), seed_words(seed, index), 50 + index)
            assert drawn == (bytes(grid.digits), bytes(order))


def test_no_grid_is_drawn_of_what_is_no_seed() -> None:
    for words in (b"", b"123", bytes(1028)):
        assert draw_grid(library(), words, 81) is None
    assert draw_grid(library(), bytes(4), 82) is None


class Counted:
    """The entries of the library, which counts the calls that search."""

    def __init__(self, entries: Any) -> None:
        self.entries, self.calls = entries, 0

    def __getattr__(self, name: str) -> Any:
        self.calls += name == "lanes_work"
        return getattr(self.entries, name)


@every_engine
def test_long_searches_are_many_short_calls(engine: Library) -> None:
    counted = Counted(engine.entries)
    bank = Bank(engine._replace(entries=counted))
    bank.answer(HOPELESS * engine.width, most_nodes=20_000)
    # A node takes two rounds at least, and a call makes 2,000.
    assert counted.calls >= 20
    counted.calls = 0
    assert sum(bank.counts(bytes(CELLS), 300_000)) == 300_000
    assert counted.calls >= 4


def test_more_boards_than_go_at_once_are_answered_in_their_order() -> None:
    boards = b"".join(boards_from(9, 50)) + b"\xff" * CELLS
    expected = Bank(library()).answer(boards)
    assert Bank(library()).answer(boards, most_boards=7) == expected


def test_boards_are_read_and_written_as_lines() -> None:
    rng = Random(4)
    lines = ["".join(rng.choices(".123456789", k=CELLS)) for _ in range(20)]
    text = "".join(f"{line}\n" for line in lines).encode()
    boards = read_lines(text, library())
    assert boards is not None
    assert list(boards) == [int(sign) for sign in "".join(lines).replace(".", "0")]
    written = write_lines(bytes(boards), library())
    assert written is not None
    assert bytes(written) == text
    assert read_lines(text.replace(b".", b"0"), library()) == boards
    with pytest.raises(SatdokuError):
        write_lines(bytes(boards[1:]), library())
    with pytest.raises(SatdokuError):
        write_lines(bytes(boards[1:]) + b"\n", library())


NO_BOARDS = """
from satdoku.lanes.library import find_library
library = find_library()
print(library.entries.lanes_work(library.entries.lanes_open(library.engine)))
"""


def test_a_search_without_boards_has_nothing_to_do() -> None:
    """Ask in a fresh process, whose memory is all zeros: a null pointer was called there."""
    done = subprocess.run([sys.executable, "-c", NO_BOARDS], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "0\n")
