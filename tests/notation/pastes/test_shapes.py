"""Any board, written in any of many ways, is read as itself or refused; never as another one."""

import random

from satdoku.errors import SatdokuError
from satdoku.notation.reading import PuzzleReader, read_puzzles
from tests.crossing import crossed
from tests.notation.pastes.shapes import IN_ROWS, SHAPES, Rows
from tests.notation.samples import LINE

SOLUTION = "519748632783652419426139875357986241264317598198524367975863124832491756641275983"


def random_board(chance: random.Random) -> Rows:
    """Some givens of a solution, in rows; each row and column has one, and two stand side by side.

    Where blanks are spaces, a board without these may be another one.
    """
    while True:
        kept = {*chance.sample(range(81), chance.randint(24, 36))}
        board = "".join(SOLUTION[n] if n in kept else "." for n in range(81))
        rows = [board[start : start + 9] for start in range(0, 81, 9)]
        columns = [board[start::9] for start in range(9)]
        has_pair = any(len(run) > 1 for row in rows for run in row.split("."))
        if has_pair and "." * 9 not in rows + columns:
            return rows


def read(text: str) -> list[str]:
    """The boards of 9x9 that are read, as lines; those that have a fault are left out."""
    found = []
    try:
        reader = PuzzleReader(text.split("\n"), "paste")
        for record in reader:
            try:
                found.append("".join(map(str, reader.parser(record).grid.digits)))
            except SatdokuError:
                found.append("")
    except SatdokuError:
        return []
    return found


@crossed(8, name=SHAPES, is_random=[True, False])
def test_a_board_is_read_however_it_is_written(name: str, is_random: bool) -> None:
    rows = [LINE[start : start + 9] for start in range(0, 81, 9)]
    rows = random_board(random.Random(name)) if is_random else rows
    assert read(SHAPES[name](rows)) == ["".join(rows).replace(".", "0")]


def damaged(rows: Rows, chance: random.Random) -> Rows:
    """The rows without one of them, or with one twice, or with one cell in another row."""
    one, other = chance.sample(range(9), 2)
    kind = chance.randrange(3)
    if kind == 0:
        return rows[:one] + rows[one + 1 :]
    if kind == 1:
        return rows[:one] + rows[one:][:1] + rows[one:]
    found = list(rows)
    found[one], found[other] = found[one][1:], found[other] + "5"
    return found


@crossed(8, name=IN_ROWS, turn=[0, 1])
def test_a_board_with_a_fault_in_its_rows_is_never_another_board(name: str, turn: int) -> None:
    chance = random.Random(f"{name} {turn}")
    text = IN_ROWS[name](damaged(random_board(chance), chance))
    assert not any(len(board) == 81 for board in read(text)), text


@crossed(2, name=list(SHAPES)[::5])
def test_to_say_that_a_text_is_a_paste_changes_no_board(name: str) -> None:
    rows = [LINE[start : start + 9] for start in range(0, 81, 9)]
    lines = SHAPES[name](rows).split("\n")
    (board,) = read_puzzles(lines, format_name="paste")
    assert "".join(map(str, board.grid.digits)) == LINE.replace(".", "0")
