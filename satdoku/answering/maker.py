"""The answerer of `generate`: makes the puzzle of each number. Runs in workers."""

import atexit
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple

from satdoku.answering.asked import RULES, Column, ColumnKind, asked, limit_values, options_of
from satdoku.answering.asked import Row as OptionRow
from satdoku.answering.output.ending import Ending
from satdoku.answering.task import describe_bug, found_together, is_bug
from satdoku.batch.row import Row
from satdoku.batch.run import traceback_of
from satdoku.errors import SatdokuError
from satdoku.making.generator import (
    MOST_TOGETHER,
    Distinct,
    Generated,
    Generator,
    key_of,
    make_generator,
    require_distinguishable,
)
from satdoku.making.request import (
    Minimality,
    Needs,
    Ratings,
    Request,
    WantedTechnique,
    Wishes,
    make_request,
    read_needs,
)
from satdoku.notation.formats import format_named
from satdoku.notation.json_format import dump_line
from satdoku.notation.outcomes import csv_line
from satdoku.notation.spelling import USUAL, spelling_by_symbols, write_cells
from satdoku.picture.picture import Sketch, picture_of
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.symmetry import Symmetry
from satdoku.puzzle.value import value
from satdoku.rating.rater import find_rating
from satdoku.rating.rating import DEFINITION, LOWEST_RATINGS, Rating, RatingLevel
from satdoku.solving.limits import Budget, LimitReachedError, Limits, Watch, unwatched

# The forms of puzzles that were made: facts in JSON or CSV, or a format of puzzles.

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

KEYS: Mapping[str, Any] = {
    **{column.name: column.schema for column in _FACTS},
    _WITHIN: {"type": ["string", "null"], "description": "with --fewest: the larger puzzle"},
    _SOLUTION: {"type": "string", "description": "with --with-solution"},
    "definition": {"type": "string", "description": "of the rating, with its number"},
    "reason": {"type": "string", "description": "why there is no puzzle; `puzzle` is null"},
    "steps": {
        "description": "with --with-steps",
        "$ref": "explanation.schema.json#/properties/steps",
    },
}
"""JSON Schema of the keys of an object that `generate` prints."""

COLUMNS = tuple(column.name for column in _FACTS)
"""The columns of a table, before those of --fewest and --with-solution."""

RANDOM = "random"
"""The word that asks for a random symmetry, random regions or random clues of a rule."""


@value(frozen=True)
class MakingForm(ABC):
    """A form of the output of `generate`; immutable, and sent to the workers.

    `is_fewest` says that the fewest givens were wanted, which adds facts to the output.
    """

    picks_rows: ClassVar[bool] = False

    has_solution: bool = False
    is_fewest: bool = False

    @property
    @abstractmethod
    def name(self) -> str:
        """Return the name by which a resumable run identifies the form."""

    @property
    def between(self) -> str:
        """Return the text between two puzzles, besides the line end of each."""
        return ""

    @property
    def is_linewise(self) -> bool:
        """Whether each puzzle is one line, which is what resuming an output needs."""
        return True

    @property
    def _columns(self) -> tuple[str, ...]:
        """Return the names of the facts that are written."""
        further = ((_WITHIN, self.is_fewest), (_SOLUTION, self.has_solution))
        return (*dict(_FACTS), *(name for name, is_written in further if is_written))

    @property
    def kinds(self) -> Mapping[str, ColumnKind]:
        """Return the types of table columns that do not hold text, by column name."""
        return dict(_FACTS)

    def options(self) -> dict[str, Any]:
        return {"the form of the output": self.name, "--with-solution": self.has_solution}

    def opening(self) -> str:
        """Return the text before the first puzzle."""
        return ""

    @abstractmethod
    def of_puzzle(self, made: Generated) -> str:
        """Return the text of a puzzle."""

    @abstractmethod
    def of_missing(self, index: int, seed: str, reason: str) -> str:
        """Return the text in place of a puzzle that was not found, so that line n is puzzle n."""


@value(frozen=True)
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


@value(frozen=True)
class JsonFacts(MakingForm):
    """One JSON object on each line, with the facts about a puzzle."""

    name: ClassVar[str] = "facts in JSON"

    def of_puzzle(self, made: Generated) -> str:
        return dump_line(self._object(made))

    def _object(self, made: Generated) -> dict[str, Any]:
        facts = _facts_of(made)
        found = {name: facts[name] for name in self._columns}
        return found if facts["level"] is None else {**found, "definition": DEFINITION}

    def of_missing(self, index: int, seed: str, reason: str) -> str:
        return dump_line({"index": index, "puzzle": None, "reason": reason, "seed": seed})


@value(frozen=True)
class CsvFacts(MakingForm):
    """A row of a table with the same facts; fields are empty if there is no puzzle."""

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
        rating = None  # ratings do not support all rules, for example `either`
    return {
        "index": made.index,
        "puzzle": write_cells(made.puzzle.grid, spelling),
        # Without `box`, a board with boxes of 3x2 would be read as one with the usual boxes of 2x3.
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


@value(frozen=True)
class Wanted:
    """The wanted properties of puzzles, apart from their board.

    Its fields are the options of `generate`, and the entries of a message that asks the server for
    it.
    """

    seed: str | None = asked(
        "--seed",
        "Seed of the puzzles; the same one makes the same puzzles on every machine.",
        None,
        metavar="TEXT",
    )
    givens: tuple[int, int] | None = asked(
        "--givens",
        "Number of givens.",
        None,
        metavar="K|MIN-MAX",
        is_range=True,
        short="-k",
    )
    is_fewest: bool = asked(
        "--fewest",
        "Make puzzles with provably the fewest givens: up to 6x6 of all with the same solution, "
        "else of all within a puzzle that is made first.",
    )
    has_needed_clues: bool = asked(
        "--clues", "Also delete those randomly drawn clues that are not needed."
    )
    is_minimal: bool | None = asked(
        "--minimal",
        "Leave no redundant given; with --symmetry, by default no redundant symmetric group.",
        None,
        is_switch=True,
    )
    symmetry: str = asked(
        "--symmetry",
        "Symmetry of the pattern of givens.",
        Symmetry.NONE.value,
        choices=(*(symmetry.value for symmetry in Symmetry), RANDOM),
        is_usual_shown=False,
    )
    mask: str | None = asked(
        "--mask",
        "Pattern of the cells to be given; a dot stands for an empty cell.",
        None,
        metavar="PATTERN",
    )
    start: str | None = asked(
        "--from", "The full grid that is the solution of all puzzles.", None, metavar="GRID"
    )
    technique: str | None = asked(
        "--technique",
        "Make puzzles that this technique solves.",
        None,
        choices=tuple(technique.value for technique in WantedTechnique),
    )
    rating: tuple[int, int] | None = asked(
        "--rating",
        "Make puzzles until one has this rating.",
        None,
        metavar="N|MIN-MAX",
        is_range=True,
    )
    difficulty: str | None = asked(
        "--difficulty",
        "Make puzzles until one has this level.",
        None,
        choices=tuple(level.value for level in LOWEST_RATINGS),
    )
    needed: tuple[str, ...] = asked(
        "--needs",
        "Make puzzles until the explanation of one has such a step, or that many: x-wing:2.",
        (),
        metavar="STEP[:N|:MIN-MAX]",
    )
    hardest: str | None = asked(
        "--hardest",
        "Make puzzles until this is the hardest step of one, such as xy-wing.",
        None,
        metavar="STEP",
    )
    compared: str | None = asked(
        "--distinct",
        "Make no puzzle twice, or no two puzzles that are symmetric twins.",
        None,
        choices=tuple(distinct.value for distinct in Distinct),
    )

    excludes: ClassVar[Sequence[OptionRow]] = (("--rating", "--difficulty", ""),)
    needs: ClassVar[Sequence[OptionRow]] = ()

    def request(
        self, board: Puzzle, drawn: tuple[str, ...] = (), has_random_regions: bool = False
    ) -> Request:
        """Return the request for a board; SatdokuError if no puzzle can have these properties.

        `drawn` are the rules whose clues are drawn at random. The board has the digits of the full
        grid `start`, or none.
        """
        minimality = {True: Minimality.GIVENS, False: Minimality.NONE, None: None}[self.is_minimal]
        wishes = Wishes(
            self.givens,
            minimality,
            None if self.symmetry == RANDOM else self.symmetry,
            self.mask,
            self.technique,
            has_random_regions,
            self.is_fewest,
            drawn,
            self.has_needed_clues,
        )
        request = make_request(board, wishes, self.seed)
        require_distinguishable(request, self.distinct)
        return request

    @property
    def ratings(self) -> Ratings | None:
        """Return the wanted ratings; those of a level end where the next level begins."""
        if self.difficulty is None:
            return self.rating
        lows = list(LOWEST_RATINGS.values())
        place = lows.index(LOWEST_RATINGS[RatingLevel(self.difficulty)])
        return lows[place], lows[place + 1] - 1 if place + 1 < len(lows) else None

    @property
    def steps(self) -> Needs | None:
        """Return the steps that explanations must have; SatdokuError for an unknown name."""
        return read_needs(self.needed, self.hardest)

    @property
    def distinct(self) -> Distinct | None:
        """Return how puzzles are compared to leave out repeats; None if repeats are kept."""
        return None if self.compared is None else Distinct(self.compared)


class Number(NamedTuple):
    """The number of a puzzle to make, counted from 0."""

    number: int

    @property
    def text(self) -> str:
        return str(self.number)


class Made(NamedTuple):
    """The result of a row: the key of its puzzle (see `key_of`), if repeats are to be left out.

    `is_out_of_time` says that there is no puzzle, because the time for all puzzles was up. `sketch`
    is the drawing of the puzzle, if one was asked for.
    """

    key: bytes | None = None
    is_out_of_time: bool = False
    sketch: Sketch | None = None


@value(frozen=True)
class Maker:
    """Answerer that makes puzzles and writes them in a form.

    With `needs` the explanations of the puzzles have certain steps. `limits` apply to each puzzle.
    At the `deadline`, a time of day in seconds as `time.time` returns it, the time for all puzzles
    is up; the row of the puzzle in work then has no text. With `distinct` each row has the key of
    its puzzle, and a puzzle that was not found has no line. With `is_drawn` each row has a sketch
    of its puzzle. `watch` gets progress reports of this process; a copy in a worker has none.
    """

    request: Request
    form: MakingForm
    ratings: Ratings | None = None
    limits: Limits = field(default_factory=Limits)
    distinct: Distinct | None = None
    deadline: float | None = None
    is_drawn: bool = False
    needs: Needs | None = None
    watch: Watch = field(default=unwatched, compare=False)

    def __getstate__(self) -> dict[str, Any]:
        # `watch` is bound to the terminal of this process, so it cannot be pickled.
        return {**self.__dict__, "watch": unwatched}

    @property
    def timeout(self) -> float | None:
        """Return None: a puzzle that takes too long is given up between calls of its solver."""
        return None

    def options(self) -> dict[str, Any]:
        """Return the settings that change the output, by option name."""
        request = self.request
        values = {
            "seed": request.seed,
            "has_needed_clues": request.has_needed_clues,
            "givens": request.givens,
            "is_fewest": request.is_fewest,
            "is_minimal": request.minimality.value,
            "symmetry": request.symmetry.value if request.symmetry else RANDOM,
            "mask": request.mask,
            "start": request.solution.digits if request.solution else None,
            "technique": request.technique.value if request.technique else None,
            # The level is contained in the ratings, and the hardest step in the needs.
            "rating": self.ratings,
            "needed": self.needs and repr(self.needs),
            "compared": self.distinct.value if self.distinct else None,
        }
        names = options_of(Wanted)
        return {
            **self.form.options(),
            "--box": str(request.geometry),
            "--rule": [*request.board.rule_texts, *(f"{name}:{RANDOM}" for name in request.drawn)],
            "--regions random": request.has_random_regions,
            **{names[field].name: value for field, value in values.items()},
            **limit_values(self.limits),
        }

    def answers(self, records: Sequence[Number]) -> Iterator[Row]:
        if self.limits != Limits():
            yield from map(self._make_guarded, records)
            return
        for start in range(0, len(records), MOST_TOGETHER):
            some = records[start : start + MOST_TOGETHER]
            yield from found_together(some, self._make_together(some), self._make_guarded)

    @property
    def _generator(self) -> Generator:
        generator = _generator_of(self.request, self.ratings, self.needs)
        generator.watch = self.watch
        return generator

    def _make_guarded(self, record: Number) -> Row:
        try:
            return self._make(record)
        except Exception as error:
            if not is_bug(error):
                raise
            told = describe_bug(error, "options and the seed")
            # The bug may have left its solver in an inconsistent state.
            _generator_of.cache_clear()
            row = self.give_up(record, told)
            message = f"{row.place}: {Ending.FAULT.value}: {told}\n{traceback_of(error).rstrip()}"
            return row._replace(ending=Ending.FAULT, message=message)

    def _make(self, record: Number) -> Row:
        limits, is_last = self._limits_now()
        if limits.timeout is not None and limits.timeout <= 0:
            return _out_of_time()
        budget = None if limits == Limits() else Budget(limits)
        generator = self._generator
        # The generator is reused, and may still have the budget of an earlier puzzle.
        generator.budget = budget
        try:
            return self._row(generator.make(record.number))
        except LimitReachedError as limit:
            # A limit on conflicts may have ended the search before the time for all puzzles was up.
            is_late = is_last and budget is not None and (budget.seconds_left or 0) <= 0
            return _out_of_time() if is_late else self.give_up(record, str(limit))

    def _make_together(self, records: Sequence[Number]) -> Iterator[Row]:
        """Yield the rows of puzzles without limits of their own, until the time for all is up."""
        generator = self._generator
        limits, _ = self._limits_now()
        done = 0
        if limits.timeout is None or limits.timeout > 0:
            generator.budget = None if limits == Limits() else Budget(limits)
            try:
                for made, is_compared in generator.make_many([each.number for each in records]):
                    yield self._row(made, is_compared)
                    done += 1
            except LimitReachedError:
                pass  # no time is left for the others
        yield from (_out_of_time() for _ in records[done:])

    def give_up(self, record: Number, reason: str) -> Row:
        text = ""
        # If repeats are left out, line k is not puzzle k anyway, so a missing puzzle has no line.
        if self.distinct is None:
            text = self.form.of_missing(record.number, self.request.seed, reason)
        place = f"puzzle {record.number + 1}"
        message = f"{place}: not found: {reason}"
        return Row(text, Ending.UNDECIDED, message, result=Made(), place=place)

    def _row(self, made: Generated, is_compared: bool = False) -> Row:
        key = None if self.distinct is None else key_of(made.puzzle, self.distinct)
        return Row(
            self.form.of_puzzle(made),
            Ending.UNIQUE,
            self._doubt(made),
            result=Made(key, sketch=self._sketch(made)),
            compared=int(is_compared),
        )

    def _limits_now(self) -> tuple[Limits, bool]:
        """Return the limits of the next puzzle, and whether its time ends with the time for all."""
        if self.deadline is None:
            return self.limits, False
        # Do not use `time.monotonic`: a worker of a cluster may run on another machine, where that
        # clock began at another time.
        left = self.deadline - time.time()
        timeout = self.limits.timeout
        if timeout is not None and timeout < left:
            return self.limits, False
        return self.limits._replace(timeout=left), True

    def _sketch(self, made: Generated) -> Sketch | None:
        if not self.is_drawn:
            return None
        solved = (picture_of(made.puzzle, made.solution),) if self.form.has_solution else ()
        return Sketch((picture_of(made.puzzle),), solved)

    def _doubt(self, made: Generated) -> str:
        if self.request.minimality is Minimality.NONE or not made.undecided:
            return ""
        return (
            f"puzzle {made.index + 1} is not proved minimal: for {made.undecided} of its "
            f"{made.givens} givens it was not decided whether the puzzle needs them"
        )


def _out_of_time() -> Row:
    return Row("", Ending.UNDECIDED, result=Made(is_out_of_time=True))


@lru_cache(maxsize=1)
def _generator_of(request: Request, ratings: Ratings | None, needs: Needs | None) -> Generator:
    """Return the generator of this process: loading its solver takes as long as ten puzzles."""
    return make_generator(request, ratings, needs)


# Delete solvers before Python shuts down: then, it would fail and print errors.
atexit.register(_generator_of.cache_clear)
