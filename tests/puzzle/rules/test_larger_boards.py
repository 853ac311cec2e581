"""Rules on boards of 6x6 and 9x9: solver and judge beside a search that knows neither."""

from random import Random

from satdoku.errors import SatdokuError
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.judge import find_fault
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import RULES, read_rules
from satdoku.puzzle.rules.single_cells import Digits
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.questions import check, find_solutions
from tests.boards import full_grid
from tests.crossing import crossed
from tests.each import for_each
from tests.oracle import solutions_of

BOARDS = [Geometry(2, 3), Geometry(3, 3)]

# Their arguments say all of a board, or they are said of all others.
_WHOLE = ("rows", "columns", "boxes", "regions", "digits")
NAMES = [name for name in RULES if name not in _WHOLE]


def path_of(rng: Random, geometry: Geometry, length: int) -> list[int]:
    """Cells of which each touches the one before."""
    size = geometry.size
    while True:
        path = [rng.randrange(geometry.cell_count)]
        while len(path) < length:
            row, column = divmod(path[-1], size)
            near = [
                (row + down) * size + column + right
                for down in (-1, 0, 1)
                for right in (-1, 0, 1)
                if 0 <= row + down < size and 0 <= column + right < size
            ]
            open_cells = [cell for cell in near if cell not in path]
            if not open_cells:
                break
            path.append(rng.choice(open_cells))
        else:
            return path


def argument_of(name: str, rng: Random, geometry: Geometry, lowest: int) -> str:
    """An argument of the rule for any cells, with numbers that boards of this size have."""
    size = geometry.size
    cells = [geometry.name_of(cell) for cell in path_of(rng, geometry, rng.randint(3, 5))]
    line = ",".join(cells)
    edge = ",".join(cells[:2])
    number, sum_ = rng.randint(1, 3), rng.randint(3, 3 * size)
    side = f"{rng.choice(('row', 'col'))}{rng.randint(1, size)}"
    digits = "/".join(str(rng.randint(lowest, size + lowest - 1)) for _ in range(2))
    corner = geometry.name_of(rng.randrange(size - 1) * size + rng.randrange(size - 1))
    arguments = {
        "diagonal": rng.choice("/\\"),
        "anti-move": f"{rng.randint(0, 2)},{rng.randint(1, 3)}",
        "no-difference": f"{number}/{edge}",
        "no-ratio": f"{number + 1}/{edge}",
        "no-sum": f"{sum_}",
        "candidates": f"{cells[0]}={digits}",
        "kropki": f"white={edge}/all-black",
        "xv": f"v={edge}/x={cells[1]},{cells[2]}",
        "difference": f"{number}={edge}",
        "ratio": f"2={edge}",
        "pair-sum": f"{size}={edge}",
        "quadruple": f"{digits}={corner}",
        "killer": f"{sum_}={line}",
        "sum": f"{sum_}={cells[0]},2*{cells[1]},-{cells[2]}",
        "rellik": f"{sum_}={line}",
        "equality-cage": ",".join(cells[: len(cells) // 2 * 2]),
        "same-digits": f"{edge}={cells[2]},{geometry.name_of(0)}",
        "sum-line": f"{sum_}={line}",
        "hidden-skyscraper": f"{side}={rng.randint(lowest, size + lowest - 1)}",
        "arrow": f"{cells[0]}={','.join(cells[1:3])}",
        "little-killer": f"{geometry.name_of(rng.randrange(1, size - 1))}.dr={sum_}",
        "contain": f"{digits}={line}",
        "contain-exact": f"{digits}={line}",
        "clone": f"{edge}={cells[2]},{geometry.name_of(0)}",
        "whispers": f"{number}={line}",
        "modular": f"{number + 1}={line}",
        "lockout": f"{number}={line}",
        "sandwich": f"{side}={sum_}",
        "x-sum": f"{side}={sum_}",
        "skyscraper": f"{side}={number + 1}",
        "full-rank": f"{side}={rng.randint(1, 4 * size)}",
        "numbered-room": f"{side}={rng.randint(lowest, size + lowest - 1)}",
        "pair": f"{line}:a+b>={size - 2}",
        "each-pair": f"{edge}:abs(a-b)in1,2,3",
        "machine": f"{line}:.*[2-5].*",
        "either": f"killer:{sum_}={line}|thermo:{line}&odd:{cells[0]}|sandwich:{side}={sum_}",
    }
    return arguments.get(name, line)


def ruled(name: str, rng: Random, geometry: Geometry, solution: Grid) -> Puzzle | None:
    """A full grid with the rule, perhaps with digits from 0; it keeps the rule if one is found.

    None where boards of this shape do not have the rule.
    """
    found = None
    lowest = rng.choice((0, 1))
    digits = [f"digits:{lowest}-{geometry.size + lowest - 1}"] if lowest != 1 else []
    for _ in range(100 if RULES[name].example else 1):
        argument = argument_of(name, rng, geometry, lowest) if RULES[name].example else ""
        text = f"{name}:{argument}" if argument else name
        try:
            rules = read_rules([*digits, text], geometry)
        except SatdokuError:
            continue
        found = Puzzle(solution).with_rules(rules)
        if not find_fault(solution, found):
            return found
    return found


def blanked(puzzle: Puzzle, rng: Random, count: int) -> Puzzle:
    """The puzzle without the digits of some cells, those of its further rules before others."""
    spoken_of = {
        cell
        for rule in puzzle.further_rules
        if not isinstance(rule, Digits)
        for cell in rule.cells(puzzle.geometry)
    }
    cells = rng.sample(range(puzzle.geometry.cell_count), puzzle.geometry.cell_count)
    cells.sort(key=lambda cell: cell not in spoken_of)
    return puzzle.with_grid(puzzle.grid.with_digits(dict.fromkeys(cells[:count], 0)))


@crossed(len(BOARDS), name=NAMES, geometry=BOARDS)
def test_solver_and_search_find_the_same_grids(name: str, geometry: Geometry) -> None:
    rng = Random(f"{name} {geometry}")
    puzzle = ruled(name, rng, geometry, full_grid(rng, geometry))
    if puzzle is None:
        return
    puzzle = blanked(puzzle, rng, geometry.cell_count // 2)
    shape = geometry.box_rows, geometry.box_columns
    grids = [Grid(geometry, digits) for digits in solutions_of(*shape, puzzle.grid.digits)]
    expected = {grid for grid in grids if not find_fault(grid, puzzle)}
    assert set(find_solutions(puzzle)) == expected
    verdicts = {0: Verdict.NONE, 1: Verdict.UNIQUE}
    assert check(puzzle).verdict is verdicts.get(len(expected), Verdict.MULTIPLE)


SIGNS = "rc0123456789,-=/:.|&()[]{}*+<>!@^ab\\é \0"


def spoilt(argument: str, rng: Random) -> str:
    """An argument with a few characters changed, doubled, dropped or cut."""
    signs = [*argument]
    for _ in range(rng.randint(1, 3)):
        place = rng.randrange(len(signs) + 1)
        kind = rng.randrange(4)
        if kind == 0:
            signs.insert(place, rng.choice(SIGNS))
        elif kind == 1:
            signs[place : place + 1] = [rng.choice(SIGNS)]
        elif kind == 2:
            del signs[place : place + rng.randint(1, 4)]
        else:
            signs[place:place] = signs[: rng.randint(0, 6)]
    return "".join(signs)


@for_each("name", [name for name in RULES if RULES[name].example])
def test_spoilt_arguments_are_refused_in_a_sentence_or_read_back(name: str) -> None:
    rng = Random(name)
    told: list[str] = []
    for _ in range(60):
        geometry = rng.choice([Geometry(2, 2), *BOARDS])
        text = f"{name}:{spoilt(RULES[name].example, rng)}"
        try:
            rules = read_rules([text], geometry)
        except SatdokuError as error:
            told.append(str(error))
            continue
        puzzle = Puzzle(Grid.empty(geometry)).with_rules(rules)
        again = read_rules(puzzle.rule_texts, geometry)
        assert Puzzle(puzzle.grid).with_rules(again) == puzzle
        # What is said and drawn of it, and what a solver is given, is there.
        for rule in puzzle.further_rules:
            assert rule.sentence(geometry)
            assert list(rule.constraints(geometry)) is not None
            list(rule.drawing(geometry))
    assert all(0 < len(each) < 400 and "\n" not in each for each in told)


def test_a_digit_listed_often_among_many_cells_is_counted_and_not_told_set_by_set() -> None:
    nine = Geometry(3, 3)
    rules = [f"contain:{'/'.join('1' * count)}=r1-9c1-9" for count in (9, 10)]
    puzzles = [Puzzle(Grid.empty(nine)).with_rules(read_rules([rule], nine)) for rule in rules]
    assert [check(puzzle).verdict for puzzle in puzzles] == [Verdict.MULTIPLE, Verdict.NONE]
    assert all(len(list(p.further_rules[0].constraints(nine))) == 1 for p in puzzles)
