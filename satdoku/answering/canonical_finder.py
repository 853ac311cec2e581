"""The answerer of `canonical`: one form for all symmetric twins. Runs in workers."""

from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, ClassVar

from satdoku.answering.fact_finder import FactFinder
from satdoku.answering.output.ending import Ending
from satdoku.answering.task import Facts, found_out, not_unique_facts
from satdoku.batch.row import Row
from satdoku.making.canonical import Moves, canonical_form
from satdoku.notation.spelling import write_cells
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.limits import Budget
from satdoku.solving.questions import check_within

COLUMNS = ("canonical", "automorphisms")

# With so many bytes, a billion puzzles have one chance in 10^20 that two of them share a key.
_BYTES_OF_KEY = 16


@dataclass(frozen=True)
class CanonicalFinder(FactFinder):
    """Finds the canonical form of each puzzle, or of its solution.

    The result of a row is a key: the same for twins, and another one for all other puzzles.
    """

    of_solution: bool = False
    is_largest: bool = False
    tells_moves: bool = False

    command: ClassVar[str] = "canonical"

    def options(self) -> dict[str, Any]:
        of = "solution" if self.of_solution else "puzzle"
        form = "max" if self.is_largest else "min"
        return super().options() | {"--of": of, "--form": form, "--how": self.tells_moves}

    def _find(self, puzzle: Puzzle, budget: Budget) -> Facts:
        ending, board = Ending.ANSWERED, puzzle
        if self.of_solution:
            outcome = check_within(puzzle, budget)
            if outcome.verdict is not Verdict.UNIQUE or outcome.solution is None:
                return not_unique_facts(outcome)
            ending, board = Ending.UNIQUE, puzzle.with_grid(outcome.solution)
        form = canonical_form(board, budget, self.is_largest, self.tells_moves)
        # Not with the symbols of the puzzle: twins may have others.
        line = write_cells(form.grid)
        values: dict[str, Any] = {"canonical": line, "automorphisms": form.automorphisms}
        text = line
        if form.moves is not None:
            values |= {"how": _moves_object(puzzle, form.moves)}
            text = f"{line} {_describe(puzzle, form.moves)}"
        # With the geometry: boards with boxes of 2x3 and of 3x2 may have the same line.
        key = blake2b(f"{puzzle.geometry} {line}".encode(), digest_size=_BYTES_OF_KEY).digest()
        return found_out(puzzle, ending, text, values, result=key)


def _moves_object(puzzle: Puzzle, moves: Moves) -> dict[str, Any]:
    """The moves with lines counted from 1, as people count them."""
    return {
        "transposed": moves.is_transposed,
        "rows": [row + 1 for row in moves.rows],
        "columns": [column + 1 for column in moves.columns],
        "names": {
            puzzle.name_of_digit(digit): name for digit, name in enumerate(moves.names) if digit
        },
    }


def _describe(puzzle: Puzzle, moves: Moves) -> str:
    """The same as words."""
    found = _moves_object(puzzle, moves)
    rows, columns = (" ".join(map(str, found[lines])) for lines in ("rows", "columns"))
    names = " ".join(f"{old}>{new}" for old, new in found["names"].items())
    transposed = "transposed, " if moves.is_transposed else ""
    return f"{transposed}rows {rows}, columns {columns}, digits {names}"


class Repeats:
    """Leaves out rows whose key came before.

    It keeps 16 bytes a puzzle, which take about 100 in a set of Python's.
    """

    def __init__(self) -> None:
        self._seen: set[bytes] = set()

    def leave_out(self, row: Row) -> Row:
        """The row itself, or one without text in the place of a repeat."""
        if row.result is None:
            return row
        if row.result in self._seen:
            return Row("", Ending.REPEATED)
        self._seen.add(row.result)
        return row
