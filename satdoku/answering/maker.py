"""The answerer of `generate`: makes the puzzle of each number. Runs in workers."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from satdoku.batch.row import Row
from satdoku.generating.generate import Ratings, make_generator
from satdoku.generating.generated import Generated
from satdoku.generating.generator import Generator
from satdoku.generating.request import Request
from satdoku.notation.formats import format_named
from satdoku.notation.spelling import USUAL, write_cells
from satdoku.output.ending import Ending
from satdoku.picture.making import picture_of
from satdoku.picture.sketch import Sketch
from satdoku.puzzle.rules.registry import write_rule
from satdoku.rating.rater import find_rating
from satdoku.reporting.objects import dump_line
from satdoku.solving.limits import Budget, LimitReachedError, Limits

JSON, CSV = "json", "csv"

# The columns of tables, and the names in JSON objects.
_FACTS = (
    "index",
    "puzzle",
    "rules",
    "givens",
    "symmetry",
    "minimal",
    "undecided",
    "level",
    "rating",
    "weight",
    "seed",
)


class Number(NamedTuple):
    """The number of a puzzle to make, counted from 0."""

    number: int

    @property
    def text(self) -> str:
        return str(self.number)


@dataclass(frozen=True)
class Maker:
    """Makes puzzles and writes them: as facts in `json` or `csv`, or in the format of that name.

    With `is_drawn` each row has a sketch of the puzzle beside it.
    """

    request: Request
    ratings: Ratings | None = None
    limits: Limits = field(default_factory=Limits)
    form: str = "line"
    has_facts: bool = False
    has_solution: bool = False
    is_drawn: bool = False

    @property
    def timeout(self) -> float | None:
        """None: a puzzle that takes too long is given up here, at a question of its solver."""
        return None

    @property
    def opening(self) -> str:
        """What stands before the first puzzle."""
        if not self.has_facts:
            return format_named(self.form).opening()
        return _csv_line(self._columns) if self.form == CSV else ""

    def answers(self, records: Sequence[Number]) -> Iterator[Row]:
        generator = _generator_of(self.request, self.ratings)
        is_limited = self.limits != Limits()
        for record in records:
            generator.budget = Budget(self.limits) if is_limited else None
            try:
                made = generator.make(record.number)
            except LimitReachedError as limit:
                yield self.give_up(record, str(limit))
            else:
                sketch = self._sketch(made) if self.is_drawn else None
                yield Row(self._write(made), Ending.UNIQUE, result=sketch)

    def give_up(self, record: Number, reason: str) -> Row:
        message = f"puzzle {record.number + 1} was not found: {reason}"
        return Row("", Ending.UNDECIDED, message)

    @property
    def _columns(self) -> tuple[str, ...]:
        return (*_FACTS, "solution") if self.has_solution else _FACTS

    def _sketch(self, made: Generated) -> Sketch:
        solved = (picture_of(made.puzzle, made.solution),) if self.has_solution else ()
        return Sketch((picture_of(made.puzzle),), solved)

    def _write(self, made: Generated) -> str:
        if not self.has_facts:
            target = format_named(self.form)
            puzzles = [made.puzzle]
            if self.has_solution:
                puzzles.append(made.puzzle.with_grid(made.solution))
            between = target.between if made.index else ""
            return between + target.between.join(
                target.write(puzzle, USUAL, made.index + 1) for puzzle in puzzles
            )
        facts = _facts_of(made)
        if self.form == CSV:
            facts["rules"] = " ".join(facts["rules"])
            return _csv_line(facts[name] for name in self._columns)
        return dump_line({name: facts[name] for name in self._columns})


@lru_cache(maxsize=1)
def _generator_of(request: Request, ratings: Ratings | None) -> Generator:
    """The generator of this process: loading its solver takes as long as ten puzzles."""
    return make_generator(request, ratings)


def _facts_of(made: Generated) -> dict[str, Any]:
    rating = find_rating(made.puzzle)
    return {
        "index": made.index,
        "puzzle": write_cells(made.puzzle.grid),
        "rules": [write_rule(rule, made.puzzle.geometry) for rule in made.puzzle.further_rules],
        "givens": made.givens,
        "symmetry": made.symmetry.value,
        "minimal": made.is_minimal,
        "undecided": made.undecided,
        "level": rating.level.value,
        "rating": rating.number,
        "weight": round(made.weight, 6),
        "seed": made.seed,
        "solution": write_cells(made.solution),
    }


def _csv_line(cells: Iterable[object]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(cells)
    return text.getvalue()
