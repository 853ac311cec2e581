"""The answerers about symmetric twins: their canonical form, keys made of it, and random twins."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from hashlib import blake2b
from typing import Any, ClassVar

from satdoku.answering.asked import Column, ColumnKind, asked
from satdoku.answering.fact_finder import FactFinder, Found
from satdoku.answering.many import solve_blocks
from satdoku.answering.output.ending import VERDICTS, Ending
from satdoku.answering.task import Facts, Task, found_out, not_unique_facts
from satdoku.batch.row import Row
from satdoku.errors import SatdokuError
from satdoku.lanes.bank import CELLS
from satdoku.lanes.library import find_library
from satdoku.making.canonical import Moves, canonical_form, canonical_forms, random_twin
from satdoku.notation.outcomes import NO_KNOWN_SOLUTION, write_grid
from satdoku.notation.plain_lines import plain_lines
from satdoku.notation.spelling import write_cells
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.judge import find_clashes
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.value import value
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.limits import Budget
from satdoku.solving.questions import check_within

_NUMBERS = {"type": "array", "items": {"type": "integer", "minimum": 1}}

MOVES: Mapping[str, Any] = {
    "type": "object",
    "description": "with --how: the new order of the lines, counted from 1, and the new digits",
    "required": ["transposed", "rows", "columns", "names"],
    "properties": {
        "transposed": {"type": "boolean"},
        "rows": _NUMBERS,
        "columns": _NUMBERS,
        "names": {"type": "object", "additionalProperties": {"type": "integer"}},
    },
}
"""JSON Schema of `moves_object`."""

# 16 bytes: among a billion puzzles, two share a key with a probability of 10^-20.
_BYTES_OF_KEY = 16

_NO_BOARD = b"\xff" * CELLS


@value(frozen=True)
class CanonicalFinder(FactFinder):
    """Answerer that finds the canonical form of each puzzle, or of its solution.

    The result of a row is a key that twins share and other puzzles do not.
    """

    of: str = asked(
        "--of",
        "Use the canonical form of the givens, or of the only solution.",
        "puzzle",
        choices=("puzzle", "solution"),
    )
    end: str = asked(
        "--form",
        "Print the first of all twins, or the last, which lists of the hardest puzzles use.",
        "min",
        choices=("min", "max"),
    )
    tells_moves: bool = asked(
        "--how",
        "After each form, print how to get it: the new order of the lines, and the new digits.",
    )

    command: ClassVar[str] = "canonical"
    columns: ClassVar[tuple[Column, ...]] = (
        Column("canonical"),
        Column("automorphisms", ColumnKind.WHOLE),
    )
    keys: ClassVar[Mapping[str, Any]] = {"how": MOVES}
    endings: ClassVar[frozenset[Ending]] = VERDICTS | {Ending.ANSWERED}

    @property
    def usual(self) -> Ending:
        return Ending.UNIQUE if self.of == "solution" else Ending.ANSWERED

    def _find_in_bulk(self, boards: bytes) -> Iterator[Found | None] | None:
        if self.tells_moves or find_library() is None:
            return None
        return self._forms_of(boards)

    def _forms_of(self, boards: bytes) -> Iterator[Found | None]:
        geometry = Geometry()
        if self.of == "solution":
            # Boards without exactly one solution are left out, and are answered one by one.
            [(boards, is_unique, _)] = solve_blocks(geometry, [boards])
            boards = b"".join(
                boards[CELLS * n : CELLS * (n + 1)] if is_one else _NO_BOARD
                for n, is_one in enumerate(is_unique)
            )
        lines = plain_lines(geometry)
        for form in canonical_forms(boards, self.end == "max"):
            if form is None:
                yield None
                continue
            line = lines.write(form.digits)
            values = _values_of(line, form.ways)
            yield Found(line, values, _key_of(geometry, line), form.is_compared)

    def _find(self, puzzle: Puzzle, budget: Budget) -> Facts:
        ending, board = Ending.ANSWERED, puzzle
        if self.of == "solution":
            outcome = check_within(puzzle, budget)
            if outcome.verdict is not Verdict.UNIQUE or outcome.solution is None:
                return not_unique_facts(outcome)
            ending, board = Ending.UNIQUE, puzzle.with_grid(outcome.solution)
        elif puzzle.is_classic and next(find_clashes(puzzle), None) is not None:
            return not_unique_facts(check_within(puzzle, budget))
        form = canonical_form(board, budget, self.end == "max", self.tells_moves)
        # Do not use the symbols of the puzzle: twins may have different ones.
        line = write_cells(form.grid)
        values = _values_of(line, form.automorphisms)
        text = line
        if form.moves is not None:
            values |= {"how": moves_object(puzzle, form.moves)}
            text = f"{line} {describe_moves(puzzle, form.moves)}"
        key = _key_of(puzzle.geometry, line)
        return found_out(puzzle, ending, text, values, result=key)


def _values_of(line: str, automorphisms: int) -> dict[str, Any]:
    return {"canonical": line, "automorphisms": automorphisms}


def _key_of(geometry: Geometry, line: str) -> bytes:
    """Return the key of twins; boards with boxes of 2x3 and of 3x2 may have the same line."""
    return blake2b(f"{geometry} {line}".encode(), digest_size=_BYTES_OF_KEY).digest()


def moves_object(puzzle: Puzzle, moves: Moves) -> dict[str, Any]:
    """Return the moves with rows and columns counted from 1."""
    return {
        "transposed": moves.is_transposed,
        "rows": [row + 1 for row in moves.rows],
        "columns": [column + 1 for column in moves.columns],
        "names": {
            puzzle.name_of_digit(digit): name for digit, name in enumerate(moves.names) if digit
        },
    }


def describe_moves(puzzle: Puzzle, moves: Moves) -> str:
    """Return the moves in words."""
    found = moves_object(puzzle, moves)
    rows, columns = (" ".join(map(str, found[lines])) for lines in ("rows", "columns"))
    names = " ".join(f"{old}>{new}" for old, new in found["names"].items())
    transposed = "transposed, " if moves.is_transposed else ""
    return f"{transposed}rows {rows}, columns {columns}, digits {names}"


class Repeats:
    """Filter that drops rows whose key came before.

    Stores 16 bytes a puzzle, which take about 100 bytes in a Python set.
    """

    def __init__(self) -> None:
        self._seen: set[bytes] = set()

    def leave_out(self, row: Row) -> Row:
        """Return the row, or for a repeat a row without text."""
        keys = row.results
        # Fields of tables may have characters at which `splitlines` would split, too.
        lines = re.findall(".*\n", row.text) if row.records > 1 else [row.text]
        is_new = [key is None or self._is_new(key) for key in keys]
        if all(is_new):
            return row
        if row.records == 1:
            return Row("", Ending.REPEATED)
        others = (*row.others, *[Row("", Ending.REPEATED)] * is_new.count(False))
        text = "".join([line for line, is_kept in zip(lines, is_new, strict=True) if is_kept])
        return row._replace(text=text, others=others)

    def _is_new(self, key: bytes) -> bool:
        is_new = key not in self._seen
        self._seen.add(key)
        return is_new


@value(frozen=True)
class KeyFinder(CanonicalFinder):
    """Answerer that finds the key of twins puzzle by puzzle, for runs that look at each row."""

    seed: str = asked(
        "--seed",
        "Seed of the random choice; the same seed puts the same puzzles into the same part.",
        "0",
        metavar="TEXT",
    )

    @property
    def takes_blocks(self) -> bool:
        return False


@value(frozen=True)
class Augmenter(FactFinder):
    """Answerer that finds a random twin of each puzzle, and the same twin of a known solution.

    The number of the twin is in `beside` of the task.
    """

    times: int = asked("--times", "Number of twins of each puzzle.", 1, least=1, metavar="N")
    seed: str = asked(
        "--seed",
        "Seed of the symmetries; the same seed gives the same twins on every machine.",
        "0",
        metavar="TEXT",
    )
    tells_moves: bool = asked(
        "--how",
        "After each twin, print how to get it: the new order of the lines, and the new digits.",
        columns=(Column("how"),),
    )
    task: Task | None = None

    command: ClassVar[str] = "augment"
    columns: ClassVar[tuple[Column, ...]] = (Column("twin"), Column("twin_solution"))
    keys: ClassVar[Mapping[str, Any]] = {"how": MOVES}
    endings: ClassVar[frozenset[Ending]] = frozenset({Ending.ANSWERED})

    def tasks_of(self, tasks: Iterator[Task]) -> Iterator[Task]:
        """Yield each task once for each random twin to make, with the number of the twin."""
        return (task._replace(beside=number) for task in tasks for number in range(self.times))

    def _answer(self, task: Task) -> Row:
        row = super()._answer(task)
        # What is wrong with a record is told once, and not for each twin that it lacks.
        return row._replace(message="", reject="") if task.beside else row

    def _placed(self, task: Task) -> "Augmenter":
        return replace(super()._placed(task), task=task)

    def _find(self, puzzle: Puzzle, budget: Budget) -> Facts:
        number = 0 if self.task is None else self.task.beside or 0
        twin = random_twin(puzzle, self.seed, number)
        known = self._known_solution(puzzle)
        solution = None if known is None else twin.apply(known)
        line = write_grid(twin.puzzle.grid, puzzle) or ""
        values: dict[str, Any] = {"twin": line, "twin_solution": write_grid(solution, puzzle)}
        if self.tells_moves:
            values["how"] = moves_object(puzzle, twin.moves)
            line = f"{line} {describe_moves(puzzle, twin.moves)}"
        return found_out(puzzle, Ending.ANSWERED, line, values, result=twin)

    def _known_solution(self, puzzle: Puzzle) -> Grid | None:
        known = None if self.task is None else self.task.parse_known_solution(puzzle)
        if isinstance(known, str) and known != NO_KNOWN_SOLUTION:
            raise SatdokuError(known)
        return known if isinstance(known, Grid) else None
