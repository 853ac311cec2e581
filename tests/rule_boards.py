"""Random 4x4 boards with rules, and all their solutions by the definitions of the rules.

Of the package nothing is used: each rule is a text, and a function of a full board. Boards are
tried one by one, all Latin squares of the oracle.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations, pairwise
from random import Random
from typing import NamedTuple

from tests.oracle import solutions_of

SIDE = 4

Board = tuple[int, ...]
"""The values of the cells, row by row."""
Cell = tuple[int, int]
Cells = Sequence[Cell]
Division = tuple[frozenset[Cell], ...]

_CELLS: list[Cell] = [(row, column) for row in range(SIDE) for column in range(SIDE)]


class Clue(NamedTuple):
    """A rule as satdoku reads it, and whether a full board keeps it."""

    text: str
    is_kept: Callable[[Board], bool]


class RuleBoard(NamedTuple):
    """A board: rows and columns of a box, digits with 0 for an empty cell, rules, and solutions.

    Digits are counted from 1, also where the lowest value is 0.
    """

    box: tuple[int, int]
    digits: Board
    rules: list[str]
    solutions: set[Board]


def rule_boards(seed: str) -> Iterator[RuleBoard]:
    """Yield boards with and without boxes, with regions drawn and hidden, and digits from 0."""
    rng = Random(seed)
    while True:
        box, texts, lowest = (2, 2), [], rng.choice((0, 1, 1))
        squares = [tuple(v - 1 + lowest for v in square) for square in _latin_squares()]
        kind = rng.choice(("boxes", "regions", "hidden", "none"))
        division = rng.choice(_divisions())
        if kind == "boxes":
            division = _BOXES
        if kind == "regions":
            texts.append(f"regions:{_regions_text(division)}")
        if kind in ("hidden", "none"):
            box, division = (1, SIDE), ()
        if not lowest:
            texts.append(f"digits:0-{SIDE - 1}")
        boards = [board for board in squares if all(map(_differ, _parts(board, division)))]
        if not boards:
            continue
        seen = rng.choice(boards)
        clues = [_clue(rng, seen) for _ in range(rng.randint(1, 3))]
        if kind == "hidden" and lowest:
            clues.append(_hidden_regions(rng))
        share = rng.choice((0.0, 0.15, 0.3))
        givens = {n: v for n, v in enumerate(seen) if rng.random() < share}
        yield RuleBoard(
            box,
            tuple(givens[n] + 1 - lowest if n in givens else 0 for n in range(SIDE**2)),
            [*texts, *(clue.text for clue in clues)],
            {
                tuple(value + 1 - lowest for value in board)
                for board in boards
                if all(board[n] == value for n, value in givens.items())
                and all(clue.is_kept(board) for clue in clues)
            },
        )


_BOXES: Division = tuple(
    frozenset((row + r, column + c) for r in (0, 1) for c in (0, 1))
    for row in (0, 2)
    for column in (0, 2)
)


@cache
def _latin_squares() -> list[Board]:
    return list(solutions_of(1, SIDE, [0] * SIDE**2))


def _beside(cell: Cell) -> list[Cell]:
    return [other for other in _CELLS if abs(cell[0] - other[0]) + abs(cell[1] - other[1]) == 1]


@cache
def _divisions() -> list[Division]:
    """All ways to divide the board into four connected regions of four cells."""
    return list(_divide(frozenset(_CELLS)))


def _divide(free: frozenset[Cell]) -> Iterator[Division]:
    if not free:
        yield ()
        return
    grown = {frozenset({min(free)})}
    for _ in range(SIDE - 1):
        grown = {
            part | {other}
            for part in grown
            for cell in part
            for other in _beside(cell)
            if other in free - part
        }
    for part in sorted(grown, key=sorted):
        for rest in _divide(free - part):
            yield (part, *rest)


def _regions_text(division: Division) -> str:
    letters = {cell: "ABCD"[n] for n, part in enumerate(division) for cell in part}
    rows = ("".join(letters[row, column] for column in range(SIDE)) for row in range(SIDE))
    return "/".join(rows)


def _values(board: Board, cells: Cells) -> list[int]:
    return [board[SIDE * row + column] for row, column in cells]


def _parts(board: Board, division: Division) -> Iterator[list[int]]:
    return (_values(board, sorted(part)) for part in division)


def _differ(values: Sequence[int]) -> bool:
    return len(set(values)) == len(values)


def _names(cells: Cells) -> str:
    return ",".join(f"r{row + 1}c{column + 1}" for row, column in cells)


def _line(rng: Random, count: int) -> list[Cell]:
    """Cells in a row, each beside the one before it or at its corner."""
    line = [rng.choice(_CELLS)]
    while len(line) < count:
        row, column = line[-1]
        near = [
            (r, c)
            for r, c in _CELLS
            if max(abs(r - row), abs(c - column)) == 1 and (r, c) not in line
        ]
        if not near:
            return _line(rng, count)
        line.append(rng.choice(near))
    return line


def _clue(rng: Random, seen: Board) -> Clue:
    """A rule that this board mostly keeps where it has a number."""
    if rng.random() < 0.25:
        choices = [_clue(rng, rng.choice((seen, seen[::-1]))) for _ in range(2)]
        if any("|" in choice.text for choice in choices):
            return choices[0]
        return Clue(
            "either:" + "|".join(choice.text for choice in choices),
            lambda board: any(choice.is_kept(board) for choice in choices),
        )
    return rng.choice((_line_clue, _cells_clue, _outside_clue, _board_clue))(rng, seen)


def _line_clue(rng: Random, seen: Board) -> Clue:
    line = _line(rng, rng.randint(2, 4))
    kinds: dict[str, Callable[[list[int]], bool]] = {
        "thermo": lambda v: all(a < b for a, b in pairwise(v)),
        "slow-thermo": lambda v: all(a <= b for a, b in pairwise(v)),
        "palindrome": lambda v: v == v[::-1],
        "renban": lambda v: _differ(v) and max(v) - min(v) == len(v) - 1,
        "whispers:2": lambda v: all(abs(a - b) >= 2 for a, b in pairwise(v)),
        "between": lambda v: all(min(v[0], v[-1]) < a < max(v[0], v[-1]) for a in v[1:-1]),
    }
    holding = [name for name, holds in kinds.items() if holds(_values(seen, line))]
    name = rng.choice(holding or list(kinds))
    if name == "between" and len(line) < 3:
        name = "palindrome"
    separator = "=" if ":" in name else ":"
    return Clue(f"{name}{separator}{_names(line)}", lambda b: kinds[name](_values(b, line)))


def _cells_clue(rng: Random, seen: Board) -> Clue:
    cells = rng.sample(_CELLS, rng.randint(2, 4))
    values = _values(seen, cells)
    total = sum(values)
    different = abs(values[0] - values[1]) or 1
    clues = [
        Clue(f"sum:{total}={_names(cells)}", lambda b: sum(_values(b, cells)) == total),
        Clue(
            f"difference:{different}={_names(cells[:2])}",
            lambda b: abs(_values(b, cells)[0] - _values(b, cells)[1]) == different,
        ),
        Clue(f"odd:{_names(cells)}", lambda b: all(v % 2 for v in _values(b, cells))),
        Clue(f"even:{_names(cells[:1])}", lambda b: _values(b, cells)[0] % 2 == 0),
        Clue(
            f"killer:{total}={_names(cells)}",
            lambda b: _differ(_values(b, cells)) and sum(_values(b, cells)) == total,
        ),
        Clue(
            f"arrow:{_names(cells[:1])}={_names(cells[1:])}",
            lambda b: _values(b, cells)[0] == sum(_values(b, cells)[1:]),
        ),
    ]
    return rng.choice([clue for clue in clues if clue.is_kept(seen)])


def _outside_clue(rng: Random, seen: Board) -> Clue:
    row = rng.randrange(SIDE)
    cells = [(row, column) for column in range(SIDE)]
    kinds: dict[str, Callable[[list[int]], int]] = {
        "skyscraper": lambda v: sum(a > max(v[:n], default=0) for n, a in enumerate(v)),
        "sandwich": lambda v: sum(v[min(_ends(v)) + 1 : max(_ends(v))]),
        "x-sum": lambda v: sum(v[: v[0]]),
    }
    # What the others do with a 0 is a convention, and not tried here.
    name = rng.choice([name for name in kinds if name == "sandwich" or min(seen) > 0])
    number = kinds[name](_values(seen, cells))
    return Clue(f"{name}:row{row + 1}={number}", lambda b: kinds[name](_values(b, cells)) == number)


def _ends(values: list[int]) -> tuple[int, int]:
    return values.index(min(values)), values.index(max(values))


def _board_clue(rng: Random, _: Board) -> Clue:
    def apart(*steps: tuple[int, int]) -> Callable[[Board], bool]:
        pairs = [
            pair
            for pair in combinations(_CELLS, 2)
            if (abs(pair[0][0] - pair[1][0]), abs(pair[0][1] - pair[1][1])) in steps
        ]
        return lambda board: all(_differ(_values(board, pair)) for pair in pairs)

    falling = [(n, n) for n in range(SIDE)]
    edges = [(cell, other) for cell in _CELLS for other in _beside(cell)]
    return rng.choice(
        (
            Clue("anti-knight", apart((1, 2), (2, 1))),
            Clue("anti-king", apart((1, 1))),
            Clue("diagonal:\\", lambda b: _differ(_values(b, falling))),
            Clue(
                "non-consecutive",
                lambda b: all(abs(x - y) != 1 for x, y in (_values(b, edge) for edge in edges)),
            ),
        )
    )


def _hidden_regions(rng: Random) -> Clue:
    """Cells whose digits say how many cells around them are of their region, with themselves."""
    cells = rng.sample(_CELLS, rng.randint(1, 2))

    def counts(board: Board, division: Division) -> bool:
        return all(map(_differ, _parts(board, division))) and all(
            _values(board, [cell])
            == [sum(max(abs(r - cell[0]), abs(c - cell[1])) < 2 for r, c in part)]
            for part in division
            for cell in part
            if cell in cells
        )

    return Clue(
        "hidden-regions:" + "/".join(f"count={_names([cell])}" for cell in cells),
        lambda board: any(counts(board, division) for division in _divisions()),
    )
