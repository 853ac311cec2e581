"""How puzzles that were made are written: as facts in JSON or CSV, or in a format."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from satdoku.answering.asked import RULES, Column, ColumnKind
from satdoku.errors import SatdokuError
from satdoku.making.generator import Generated
from satdoku.notation.formats import format_named
from satdoku.notation.lists.json_format import dump_line
from satdoku.notation.outcomes import csv_line
from satdoku.notation.spelling import USUAL, spelling_by_symbols, write_cells
from satdoku.rating.rater import find_rating
from satdoku.rating.rating import Rating

# The columns of tables, and the names in JSON objects.
_FACTS = (
    Column("index", ColumnKind.WHOLE),
    Column("puzzle"),
    Column("box"),
    RULES,
    Column("givens", ColumnKind.WHOLE),
    Column("symmetry"),
    Column("minimal", ColumnKind.TRUTH),
    Column("undecided", ColumnKind.WHOLE),
    Column("level"),
    Column("rating", ColumnKind.WHOLE),
    Column("weight", ColumnKind.DECIMAL),
    Column("seed"),
)
_WITHIN, _SOLUTION = "within", "solution"


@dataclass(frozen=True)
class MakingForm(ABC):
    """A form of what `generate` writes; a value, which travels to the workers.

    `is_fewest` says that the fewest givens were wanted, so that there is more to tell.
    """

    has_solution: bool = False
    is_fewest: bool = False

    @property
    @abstractmethod
    def name(self) -> str:
        """What a resumable run remembers of it."""

    @property
    def between(self) -> str:
        """What stands between two puzzles, besides the line end that each has."""
        return ""

    @property
    def is_linewise(self) -> bool:
        """Whether each puzzle is one line, which is what resuming an output needs."""
        return True

    @property
    def _columns(self) -> tuple[str, ...]:
        """The facts that are written."""
        further = ((_WITHIN, self.is_fewest), (_SOLUTION, self.has_solution))
        return (*dict(_FACTS), *(name for name, is_written in further if is_written))

    @property
    def kinds(self) -> Mapping[str, ColumnKind]:
        """What the columns of a table hold that are no texts, by their names."""
        return dict(_FACTS)

    def options(self) -> dict[str, Any]:
        return {"the form of the output": self.name, "--with-solution": self.has_solution}

    def opening(self) -> str:
        """What stands before the first puzzle."""
        return ""

    @abstractmethod
    def of_puzzle(self, made: Generated) -> str:
        """The text of a puzzle."""

    @abstractmethod
    def of_missing(self, index: int, seed: str, reason: str) -> str:
        """The text in place of a puzzle that was not found, so that lines count puzzles."""


@dataclass(frozen=True)
class Formatted(MakingForm):
    """Puzzles, and perhaps their solutions behind them, in the format `to`."""

    to: str = "line"

    @property
    def name(self) -> str:
        return self.to

    @property
    def between(self) -> str:
        return format_named(self.to).between

    @property
    def is_linewise(self) -> bool:
        return format_named(self.to).is_linewise and not self.has_solution

    def opening(self) -> str:
        return format_named(self.to).opening()

    def of_puzzle(self, made: Generated) -> str:
        target = format_named(self.to)
        puzzles = [made.puzzle]
        if self.has_solution:
            puzzles.append(made.puzzle.with_grid(made.solution))
        return target.between.join(target.write(each, USUAL, made.index + 1) for each in puzzles)

    def of_missing(self, index: int, seed: str, reason: str) -> str:
        return format_named(self.to).missing_answer() if self.is_linewise else ""


@dataclass(frozen=True)
class JsonFacts(MakingForm):
    """An object on a line, with what is known of the puzzle."""

    name: ClassVar[str] = "facts in JSON"

    def of_puzzle(self, made: Generated) -> str:
        facts = _facts_of(made)
        return dump_line({name: facts[name] for name in self._columns})

    def of_missing(self, index: int, seed: str, reason: str) -> str:
        return dump_line({"index": index, "puzzle": None, "reason": reason, "seed": seed})


@dataclass(frozen=True)
class CsvFacts(MakingForm):
    """A row of a table with the same facts; empty where there is no puzzle."""

    name: ClassVar[str] = "facts in CSV"

    def opening(self) -> str:
        return csv_line(self._columns)

    def of_puzzle(self, made: Generated) -> str:
        facts = _facts_of(made)
        return csv_line(facts[name] for name in self._columns)

    def of_missing(self, index: int, seed: str, reason: str) -> str:
        known = {"index": index, "seed": seed}
        return csv_line(known.get(name) for name in self._columns)


def _facts_of(made: Generated) -> dict[str, Any]:
    spelling = spelling_by_symbols(made.puzzle)
    try:
        rating: Rating | None = find_rating(made.puzzle)
    except SatdokuError:
        rating = None  # ratings do not know all rules, as `either`
    return {
        "index": made.index,
        "puzzle": write_cells(made.puzzle.grid, spelling),
        # Without it, a board with boxes of 3x2 would be read as one with the usual boxes of 2x3.
        "box": str(made.puzzle.geometry),
        "rules": made.puzzle.rule_texts,
        "givens": made.givens,
        "symmetry": made.symmetry.value,
        "minimal": made.is_minimal,
        "undecided": made.undecided,
        "level": rating.level.value if rating else None,
        "rating": rating.number if rating else None,
        "weight": None if made.weight is None else round(made.weight, 6),
        "seed": made.seed,
        _WITHIN: None if made.within is None else write_cells(made.within, spelling),
        _SOLUTION: write_cells(made.solution, spelling),
    }
