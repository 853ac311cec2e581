"""Random boards of any shape with random rules, compared with all fillings that a judge tries.

The judge is written from the sentences of the rules, and uses nothing of the package.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise, product
from random import Random

from satdoku.encoding.choices import Encoding
from satdoku.errors import SatdokuError
from satdoku.notation.formats import format_named
from satdoku.notation.reading import read_puzzles
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import read_rules
from satdoku.solving.questions import check, count, find_solutions
from satdoku.solving.solvers import Settings
from tests.crossing import crossed
from tests.each import for_each

Values = Mapping[str, int]
Kept = Callable[[Values], bool]


class Layout:
    """Cells by name, in the order of the package, with what has to differ and what touches."""

    def __init__(self, text: str, digits: range, units: Sequence[Sequence[str]]) -> None:
        self.text = text
        self.digits = digits
        self.units = units
        self.board: list[str] = []
        self.beside: list[str] = []
        self.near: dict[str, set[str]] = {}

    @property
    def cells(self) -> list[str]:
        return [*self.board, *self.beside]

    def add(self, names: Mapping[tuple[int, int], str], on_board: bool) -> "Layout":
        (self.board if on_board else self.beside).extend(names.values())
        for (row, column), name in names.items():
            steps = ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1))
            self.near[name] = {names[step] for step in steps if step in names}
        return self


def _rectangle(
    rows: int, columns: int, name: Callable[[int, int], str]
) -> dict[tuple[int, int], str]:
    return {(r, c): name(r, c) for r in range(rows) for c in range(columns)}


def _on_board(row: int, column: int) -> str:
    return f"r{row + 1}c{column + 1}"


def _layouts() -> Iterator[Layout]:
    small = _rectangle(2, 3, _on_board)
    lines = [[_on_board(r, c) for c in range(3)] for r in range(2)]
    lines += [[_on_board(r, c) for r in range(2)] for c in range(3)]
    shade = _rectangle(2, 2, lambda r, c: f"VS{2 * r + c + 1}")
    yield Layout("board:2x3", range(1, 4), lines).add(small, True)
    yield Layout("board:2x3:digits=4", range(1, 5), lines).add(small, True)
    yield Layout("board:2x3:raw:digits=2", range(1, 3), []).add(small, True)
    three = Layout("board:2x3:beside=VS*2x2", range(3), lines).add(small, True)
    yield three.add(shade, False)
    square = _rectangle(2, 2, _on_board)
    plain = [[_on_board(r, c) for c in range(2)] for r in range(2)]
    plain += [[_on_board(r, c) for r in range(2)] for c in range(2)]
    two = Layout("board:2x2:boxes=1x2:beside=VS*2x2+X", range(1, 3), plain).add(square, True)
    yield two.add(shade, False).add({(0, 0): "X"}, False)
    # Two areas of 2x2 that share a box of one row: r2c2-3 is shared, r1c3-4 and others are holes.
    shape = {(r, c): _on_board(r, c) for r in range(4) for c in range(4) if (r < 2) == (c < 2)}
    apart = [[_on_board(r, c) for c in (0, 1)] for r in (0, 1)]
    apart += [[_on_board(r, c) for r in (0, 1)] for c in (0, 1)]
    apart += [[_on_board(r, c) for c in (2, 3)] for r in (2, 3)]
    apart += [[_on_board(r, c) for r in (2, 3)] for c in (2, 3)]
    text = "board:4x4:digits=2:boxes=1x2:areas=r1c1+r3c3"
    yield Layout(text, range(1, 3), apart).add(shape, True)


LAYOUTS = list(_layouts())


def _some(rng: Random, cells: Sequence[str], least: int, most: int) -> list[str]:
    return rng.sample(cells, rng.randint(least, min(most, len(cells))))


def _clue(rng: Random, layout: Layout) -> tuple[str, Kept]:
    """Return a rule as text, and whether values keep it."""
    cells, digits = layout.cells, list(layout.digits)
    line = _some(rng, cells, 2, 4)
    named, number = ",".join(line), rng.choice(digits)
    half = len(line) // 2
    area = rng.choice([layout.board, layout.beside or layout.board])
    shades = sorted(rng.sample(digits, rng.randint(1, len(digits) - 1)))
    where = "VS" if area and "VS1" in area and area[-1] == "VS4" else ",".join(area)
    shown = "/".join(map(str, shades))
    total = rng.randint(0, 7)
    one = rng.choice(cells)
    row = [cell for cell in layout.board if cell.startswith("r1c")]
    clues: dict[str, Kept] = {
        f"sum:{total}={named}": lambda v: sum(v[c] for c in line) == total,
        f"sum:{total}=2*{line[0]},-{line[1]}": lambda v: 2 * v[line[0]] - v[line[1]] == total,
        f"thermo:{named}": lambda v: _rises([v[c] for c in line]),
        f"pair:{named}:a!=b+1": lambda v: all(v[a] != v[b] + 1 for a, b in pairwise(line)),
        f"candidates:{one}={shown}": lambda v: v[one] in shades,
        f"contain:{number}={named}": lambda v: number in [v[c] for c in line],
        f"contain-exact:{number}={named}": lambda v: [v[c] for c in line].count(number) == 1,
        f"same-digits:{','.join(line[:half])}={','.join(line[half : 2 * half])}": lambda v: (
            Counter(v[c] for c in line[:half]) == Counter(v[c] for c in line[half : 2 * half])
        ),
        f"clone:{line[0]}={line[1]}": lambda v: v[line[0]] == v[line[1]],
        f"machine:{named}:[{''.join(map(str, shades))}]*": lambda v: all(
            v[c] in shades for c in line
        ),
        f"either:odd:{one}|sum:{total}={named}": lambda v: (
            v[one] % 2 == 1 or sum(v[c] for c in line) == total
        ),
        f"count-distinct:{one}={named}": lambda v: len({v[c] for c in line}) == v[one],
        f"connected:{shown}={where}": lambda v: _hang_together(layout, area, v, shades),
        f"connected:{shown}:{half + 1}={where}": lambda v: (
            _hang_together(layout, area, v, shades)
            and sum(v[c] in shades for c in area) == half + 1
        ),
        f"no-square:{shown}={where}": lambda v: not _has_square(layout, area, v, shades),
        f"x-sum:row1={total}": lambda v: (
            v[row[0]] <= len(row) and sum(v[c] for c in row[: v[row[0]]]) == total
        ),
        "anti-king": lambda v: _kings_differ(layout, v),
        "non-consecutive": lambda v: all(
            abs(v[c] - v[d]) != 1 for c in layout.board for d in layout.near[c]
        ),
    }
    if len(line) > 2:
        clues[f"sequence:{named}"] = lambda v: len({v[b] - v[a] for a, b in pairwise(line)}) == 1
    if len(line) <= len(digits):
        clues[f"extra-region:{named}"] = lambda v: len({v[c] for c in line}) == len(line)
        clues[f"renban:{named}"] = lambda v: (
            len({v[c] for c in line}) == len(line)
            and max(v[c] for c in line) - min(v[c] for c in line) == len(line) - 1
        )
    text = rng.choice(list(clues))
    return text, clues[text]


def _rises(values: Sequence[int]) -> bool:
    return all(a < b for a, b in pairwise(values))


def _hang_together(
    layout: Layout, area: Sequence[str], values: Values, shades: Sequence[int]
) -> bool:
    inside = {cell for cell in area if values[cell] in shades}
    if not inside:
        return False
    reached, waiting = set(), [min(inside)]
    while waiting:
        cell = waiting.pop()
        if cell in inside and cell not in reached:
            reached.add(cell)
            waiting += layout.near[cell]
    return reached == inside


def _squares(layout: Layout, area: Sequence[str]) -> Iterator[set[str]]:
    for one in area:
        for other in area:
            # Two cells that touch at a corner share exactly two neighbours, on a full square.
            shared = layout.near[one] & layout.near[other] & set(area)
            if one < other and len(shared) == 2 and other not in layout.near[one]:
                yield {one, other, *shared}


def _has_square(layout: Layout, area: Sequence[str], values: Values, shades: Sequence[int]) -> bool:
    return any(all(values[c] in shades for c in square) for square in _squares(layout, area))


def _kings_differ(layout: Layout, values: Values) -> bool:
    places = {name: tuple(map(int, name[1:].split("c"))) for name in layout.board}
    return all(
        values[a] != values[b]
        for a in layout.board
        for b in layout.board
        if a < b and max(abs(x - y) for x, y in zip(places[a], places[b], strict=True)) == 1
    )


def _instance(seed: int) -> tuple[Puzzle, set[tuple[int, ...]]]:
    rng = Random(f"any board {seed}")
    layout = LAYOUTS[seed % len(LAYOUTS)]
    board, lowest = Geometry.parse(layout.text), layout.digits[0]
    clues = [_clue(rng, layout) for _ in range(rng.randint(1, 3))]
    texts = list(dict.fromkeys(text for text, _ in clues))
    if lowest != 1:
        texts.append(f"digits:{lowest}-{layout.digits[-1]}")
    # Every cell beside the board is named: otherwise no format reads it.
    every = "/".join(map(str, layout.digits))
    texts += [f"candidates:{cell}={every}" for cell in layout.beside]
    right = set()
    for filling in product(layout.digits, repeat=len(layout.cells)):
        values = dict(zip(layout.cells, filling, strict=True))
        if all(len({values[c] for c in unit}) == len(unit) for unit in layout.units) and all(
            is_kept(values) for _, is_kept in clues
        ):
            right.add(tuple(value - lowest + 1 for value in filling))
    puzzle = Puzzle(Grid.empty(board)).with_rules(read_rules(texts, board))
    return puzzle, right


def _agree(seed: int) -> None:
    puzzle, right = _instance(seed)
    assert [puzzle.geometry.name_of(c) for c in range(puzzle.geometry.cell_count)] == (
        LAYOUTS[seed % len(LAYOUTS)].cells
    )
    told = f"{puzzle.geometry} {puzzle.rule_texts}"
    solutions = {grid.digits for grid in find_solutions(puzzle)}
    assert solutions == right, told
    outcome = check(puzzle)
    expected = {0: "none", 1: "unique"}.get(len(right), "multiple")
    assert outcome.verdict.value == expected, told
    assert count(puzzle).number == len(right), told
    cells = puzzle.geometry.board_count
    boards = count(puzzle, is_of_board=True).number
    assert boards == len({digits[:cells] for digits in right}), told
    # What a line, JSON and ISS say of it is read as the same puzzle.
    for name in ("json", "iss"):
        read = _read_again(puzzle, name)
        assert read is None or count(read).number == len(right), told


def _read_again(puzzle: Puzzle, name: str) -> Puzzle | None:
    """Return what a format holds of a puzzle; None where ISS cannot.

    It has no several areas, and not every name and rule.
    """
    with suppress(*[SatdokuError] if name == "iss" else []):
        [read] = read_puzzles(format_named(name).write(puzzle).split("\n"))
        return read
    return None


@crossed(60, seed=range(600))
def test_random_boards_agree_with_a_judge(seed: int) -> None:
    _agree(seed)


def test_iss_holds_most_of_these_boards() -> None:
    """So that the test above does read what ISS says of them."""
    read = [_read_again(_instance(seed)[0], "iss") for seed in range(3)]
    assert len(read) - read.count(None) > 1


@for_each("encoding", [encoding for encoding in Encoding if encoding is not Encoding.TRIADS])
def test_every_encoding_gives_a_cell_one_digit(encoding: Encoding) -> None:
    """Also beside the board, and where a row has fewer cells than there are digits."""
    board = Geometry.parse("board:2x2:digits=3:beside=X*2")
    puzzle = Puzzle(Grid.empty(board)).with_rules(read_rules(["contain:1=X"], board))
    found = list(find_solutions(puzzle, Settings(encoding=encoding)))
    # The board has 18 fillings, and four of the nine pairs beside it have no 1.
    assert len(set(found)) == len(found) == 18 * (9 - 4)
