"""The answerers of `rate` and `canonical`: difficulty, and the canonical form shared by twins.

They run in workers.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, ClassVar

from satdoku.answering.asked import Column, ColumnKind, asked
from satdoku.answering.asked import Row as OptionRow
from satdoku.answering.fact_finder import FactFinder, Found
from satdoku.answering.many import solve_blocks
from satdoku.answering.output.ending import VERDICTS, Ending
from satdoku.answering.task import Facts, found_out, not_unique_facts
from satdoku.batch.row import Row
from satdoku.errors import count_of
from satdoku.lanes.bank import CELLS
from satdoku.lanes.library import find_library
from satdoku.lanes.measures import BEYOND
from satdoku.making.canonical import Moves, canonical_form, canonical_forms
from satdoku.notation.plain_lines import plain_lines
from satdoku.notation.spelling import write_cells
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.judge import find_clashes
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.verdict import Verdict
from satdoku.rating.estimate import VERSIONS, Estimate, estimate, estimates_of
from satdoku.rating.rater import Rated, rate_all, ratings_of
from satdoku.rating.rating import DEFINITION, Rating
from satdoku.solving.limits import Budget, LimitReachedError
from satdoku.solving.questions import check_within

_ESTIMATED = tuple(Column(f"estimated_{name}", ColumnKind.DECIMAL) for name in ("er", "ep", "ed"))


@dataclass(frozen=True)
class Rater(FactFinder):
    """Rates the puzzle of each task, many at once; the result of a row is its rating."""

    has_steps: bool = asked(
        "--steps",
        "Add the number of steps of an explanation, the size of the largest, and the length of the "
        "longest story.",
        columns=tuple(Column(name, ColumnKind.WHOLE) for name in ("steps", "largest", "story")),
    )
    has_estimate: bool = asked(
        "--estimate", "Add estimates of the ratings by Sudoku Explainer.", columns=_ESTIMATED
    )
    estimated_version: str = asked(
        "--estimate-version",
        "The version that is estimated: 1.18, or 1.2.1 as in lists of the players' forum.",
        VERSIONS[0],
        choices=VERSIONS,
    )

    command: ClassVar[str] = "rate"
    needs: ClassVar[Sequence[OptionRow]] = (
        ("--estimate-version", "--estimate", "nothing is estimated without"),
    )
    columns: ClassVar[tuple[Column, ...]] = (Column("level"), Column("rating", ColumnKind.WHOLE))
    keys: ClassVar[Mapping[str, Any]] = {
        "definition": {
            "type": "string",
            "description": "of the rating, with its number: ratings of one definition compare",
        },
        "estimated_version": {"enum": list(VERSIONS)},
    }
    endings: ClassVar[frozenset[Ending]] = VERDICTS

    @property
    def usual(self) -> Ending:
        return Ending.UNIQUE

    def _find_in_bulk(self, boards: bytes) -> Iterator[Found | None] | None:
        is_other = self.has_estimate and self.estimated_version != VERSIONS[0]
        if self.has_steps or is_other or find_library() is None:
            return None
        return _rate_in_bulk(boards, self.has_estimate)

    def _find(self, puzzle: Puzzle, budget: Budget) -> Facts:
        [rated] = rate_all([puzzle], budget.left)
        facts = _facts_of(rated, budget=budget)
        if rated.rating is not None and self.has_steps:
            facts = _with_steps(facts, puzzle, budget)
        if rated.rating is not None and self.has_estimate:
            facts = _with_estimate(facts, puzzle, budget, self.estimated_version)
        return facts


def _rate_in_bulk(boards: bytes, has_estimate: bool) -> Iterator[Found | None]:
    """Yield the ratings of boards by the compiled library; None for those that it leaves open.

    These are boards without exactly one solution.
    """
    found = list(ratings_of(boards))
    hard = [n for n, (number, _) in enumerate(found) if number == BEYOND]
    some = b"".join([boards[CELLS * n : CELLS * (n + 1)] for n in hard])
    [solved] = solve_blocks(Geometry(), [some])
    are_unique = iter(solved.is_unique)
    for begin, (number, is_compared) in zip(range(0, len(boards), CELLS), found, strict=True):
        is_rated = number < BEYOND or (number == BEYOND and next(are_unique))
        rating = Rating(number if number < BEYOND else None)
        line = write_rating(rating)
        if is_rated and has_estimate:
            [own] = estimates_of(boards[begin : begin + CELLS])
            is_rated = own is not None
            line += f", {write_estimate(own, VERSIONS[0])}" if own else ""
        yield Found(line, rating, is_compared) if is_rated else None


def _with_steps(facts: Facts, puzzle: Puzzle, budget: Budget) -> Facts:
    """Add the steps of an explanation: their number, the largest size in truths, and the longest
    story.

    The last one orders the puzzles that are beyond a rating.
    """
    # The module of explanations is slow to import and rarely needed.
    from satdoku.explaining.explain import explain

    explanation = explain(puzzle, budget=budget)
    if not explanation.is_complete:
        raise LimitReachedError(explanation.reason)
    count, largest = len(explanation.way.steps), explanation.way.biggest
    stories = (story for step in explanation.way.steps for story in step.stories)
    longest = max((story.length for story in stories), default=0)
    line = f"{facts.line}, {count_of(count, 'step')}, the largest of size {largest}"
    if longest:
        line += f", the longest story of {count_of(longest, 'placement')}"
    added = {"steps": count, "largest": largest, "story": longest}
    return facts._replace(line=line, values={**facts.values, **added})


def _with_estimate(facts: Facts, puzzle: Puzzle, budget: Budget, version: str) -> Facts:
    found = estimate(puzzle, budget, version)
    values: dict[str, Any] = {"estimated_version": version}
    values |= {column.name: number for column, number in zip(_ESTIMATED, found, strict=True)}
    line = f"{facts.line}, {write_estimate(found, version)}"
    return facts._replace(line=line, values={**facts.values, **values})


def write_estimate(found: Estimate, version: str) -> str:
    """Return the numbers of an estimate as text, labelled as estimated.

    >>> from satdoku.rating.estimate import Estimate
    >>> write_estimate(Estimate(None, 1.2, 1.2), "1.18")
    'estimated for SE 1.18: ER above 9, EP 1.2, ED 1.2'
    """
    numbers = ["above 9" if number is None else f"{number:.1f}" for number in found]
    names = zip(("ER", "EP", "ED"), numbers, strict=True)
    return f"estimated for SE {version}: " + ", ".join(f"{name} {number}" for name, number in names)


def _facts_of(rated: Rated, budget: Budget | None = None) -> Facts:
    if rated.rating is None:
        return not_unique_facts(rated.outcome, budget)
    line = write_rating(rated.rating)
    values: dict[str, Any] = {"level": rated.rating.level.value, "rating": rated.rating.number}
    values["definition"] = DEFINITION
    return found_out(rated.puzzle, Ending.UNIQUE, line, values, result=rated.rating)


def write_rating(rating: Rating) -> str:
    """Return the number and the level of a rating; the level "beyond" has no number.

    >>> write_rating(Rating(5)), write_rating(Rating(None))
    ('5 very hard', '- beyond')
    """
    number = "-" if rating.number is None else rating.number
    return f"{number} {rating.level.value}"


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


@dataclass(frozen=True)
class CanonicalFinder(FactFinder):
    """Finds the canonical form of each puzzle, or of its solution.

    The result of a row is a key that twins share and other puzzles do not.
    """

    of: str = asked(
        "--of",
        "Find the form of the givens, or of the only solution.",
        "puzzle",
        choices=("puzzle", "solution"),
    )
    end: str = asked(
        "--form",
        "The smallest of all twins, or the largest, as in lists of the hardest puzzles.",
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
            # Boards that have not one solution are not full then, and wait for their turn.
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
            yield Found(line, _key_of(geometry, line), form.is_compared)

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
        values: dict[str, Any] = {"canonical": line, "automorphisms": form.automorphisms}
        text = line
        if form.moves is not None:
            values |= {"how": moves_object(puzzle, form.moves)}
            text = f"{line} {describe_moves(puzzle, form.moves)}"
        key = _key_of(puzzle.geometry, line)
        return found_out(puzzle, ending, text, values, result=key)


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


def results_of(row: Row) -> Sequence[Any]:
    """Return the result of each record of a row, which may be a block of them."""
    if row.records == 1:
        return (row.result,)
    results: Sequence[Any] = row.result or (None,) * row.records
    return results


class Repeats:
    """Filter that drops rows whose key came before.

    Stores 16 bytes a puzzle, which take about 100 bytes in a Python set.
    """

    def __init__(self) -> None:
        self._seen: set[bytes] = set()

    def leave_out(self, row: Row) -> Row:
        """Return the row, or for a repeat a row without text."""
        keys = results_of(row)
        lines = row.text.splitlines(keepends=True) if row.records > 1 else [row.text]
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
