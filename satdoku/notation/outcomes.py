"""An outcome in words, as a JSON object, and as columns of a table."""

import io
from collections.abc import Iterable, Mapping
from typing import Any

from satdoku.errors import count_of
from satdoku.notation.record import free_name
from satdoku.notation.spelling import cells_beside, spelling_by_symbols, write_cells
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.rule import Clash
from satdoku.puzzle.verdict import Outcome, Verdict

# A line lists at most this many differences, so that it can be read at a glance.
_MOST_DIFFERENCES = 4
_MOST_CLASHES = 3

# The counters that show the work of a check best; moves are those of local search.
_COUNTED = ("conflicts", "moves")


def evidence(outcome: Outcome) -> str:
    """Return the evidence for a verdict, in one clause; empty for a unique puzzle."""
    if outcome.verdict is Verdict.MULTIPLE:
        return describe_differences(outcome)
    if outcome.verdict is Verdict.NONE:
        return describe_clashes(outcome)
    return outcome.reason


def verdict_line(outcome: Outcome) -> str:
    """Return the verdict as one word, followed by a colon and the evidence."""
    # `ending_of` parses the word before the colon when a run is resumed.
    reason = evidence(outcome)
    return f"{outcome.verdict.value}: {reason}" if reason else outcome.verdict.value


def sentence(outcome: Outcome) -> str:
    """Return in words what is wrong with a puzzle that is not unique."""
    opening = {
        Verdict.UNIQUE: "exactly one solution",
        Verdict.MULTIPLE: "several solutions",
        Verdict.NONE: "no solution",
        Verdict.UNDECIDED: "undecided",
    }[outcome.verdict]
    reason = evidence(outcome)
    return f"{opening}: {reason}" if reason else opening


def describe_cost(outcome: Outcome) -> str:
    """Return time and work of a check in words, and the method or solver that decided it."""
    statistics = outcome.statistics
    is_decided = outcome.verdict is not Verdict.UNDECIDED
    text = f"{'decided' if is_decided else 'given up'} after {statistics.seconds:.2f} s"
    decider = statistics.method or statistics.solver
    if is_decided and decider:
        text += f" by {decider}"
    counted = [(name, statistics.counters.get(name, 0)) for name in _COUNTED]
    counts = ", ".join(
        f"{number:,} {name.removesuffix('s') if number == 1 else name}"
        for name, number in counted
        if number
    )
    return f"{text} ({counts})" if counts else text


def describe_differences(outcome: Outcome) -> str:
    """Return the first few cells in which two solutions differ, in words."""
    if outcome.solution is None or outcome.second is None:
        return ""
    cells, name = outcome.differences, outcome.puzzle.name_of_digit
    places = [
        f"{outcome.puzzle.geometry.name_of(cell)} is {name(outcome.solution.digits[cell])} "
        f"or {name(outcome.second.digits[cell])}"
        for cell in cells[:_MOST_DIFFERENCES]
    ]
    rest = ", ..." if len(cells) > _MOST_DIFFERENCES else ""
    return f"two of them differ in {count_of(len(cells), 'cell')} ({', '.join(places)}{rest})"


# A search for what clashes costs more than the verdict.
_NAMED = "`explain` names what clashes"


def describe_clashes(outcome: Outcome) -> str:
    """Return in words which givens clash, or which rule no grid keeps, or what else is wrong."""
    clashes = outcome.clashes
    if not clashes:
        rule = outcome.puzzle.impossible_rule
        if rule is not None:
            geometry = outcome.puzzle.geometry
            words = filter(None, (rule.sentence(geometry), rule.why_impossible(geometry)))
            return f"no grid keeps the rule {rule.name}: {'; '.join(words)}"
        return _beyond_clashes(outcome.puzzle)
    name_of_digit = outcome.puzzle.name_of_digit
    told = "; ".join(clash.describe(name_of_digit) for clash in clashes[:_MOST_CLASHES])
    more = len(clashes) - _MOST_CLASHES
    return f"{told}, and {more} more" if more > 0 else told


def _beyond_clashes(puzzle: Puzzle) -> str:
    """Return in words what excludes every grid if no givens clash: givens, rules, or both."""
    rules = puzzle.further_rules
    if puzzle.givens:
        others = "givens and rules together" if rules else "together they"
        return f"no two givens clash directly, but {others} exclude every grid; {_NAMED}"
    if len(rules) == 1:
        return f"no grid keeps the rule {rules[0].name}: {rules[0].sentence(puzzle.geometry)}"
    return f"the rules together exclude every grid; {_NAMED}"


def compare(known: Grid, outcome: Outcome) -> str:
    """Return in words how a known solution contradicts the outcome; empty if it does not."""
    # An undecided outcome has nothing that a known solution could contradict.
    if outcome.verdict is Verdict.UNDECIDED:
        return ""
    if outcome.verdict is Verdict.UNIQUE and outcome.solution is not None:
        if known.geometry != outcome.solution.geometry:
            return f"the known solution has boxes of {known.geometry}, the puzzle others"
        cells = known.differences(outcome.solution)
        if not cells:
            return ""
        place, name = outcome.puzzle.geometry.name_of(cells[0]), outcome.puzzle.name_of_digit
        right, wrong = (grid.digits[cells[0]] for grid in (outcome.solution, known))
        return (
            f"the known solution is wrong in {count_of(len(cells), 'cell')}: {place} is "
            f"{name(right)}, not {name(wrong) if wrong else 'empty'}"
        )
    return f"there is a known solution, but the puzzle is {outcome.verdict.value}"


def write_grid(grid: Grid | None, puzzle: Puzzle) -> str | None:
    """Return a grid on one line for JSON and tables, with the symbols of its puzzle."""
    return write_cells(grid, spelling_by_symbols(puzzle)) if grid is not None else None


def name_of(puzzle: Puzzle) -> str:
    """Return the name of a puzzle for messages; empty without one."""
    return f"{puzzle.name}: " if puzzle.name else ""


# Fields that identify the puzzle, as opposed to results.
_REPEATED = ("puzzle", "name", "comment", "author", "box", "rules")


_GRID = {"type": ["string", "array", "null"]}
_DIGIT = {"type": ["integer", "string", "null"]}
_CELLS = {"type": "array", "items": {"type": "string", "pattern": "^r[0-9]+c[0-9]+$"}}

PUZZLE_KEYS: Mapping[str, Any] = {
    "puzzle": {
        "type": ["string", "array"],
        "description": "the cells; box and rules define with it which puzzle it is",
    },
    "name": {"type": "string"},
    "comment": {"type": "string"},
    "author": {"type": "string"},
    "rules": {"type": "array", "items": {"type": "string"}, "description": "as --rule takes them"},
    "box": {"type": "string", "description": "rows by columns of a box, such as 3x3"},
}
"""JSON Schema of the keys of `puzzle_object`."""

OUTCOME_KEYS: Mapping[str, Any] = {
    "solution": {**_GRID, "description": "the only one, or one of several"},
    "second": {**_GRID, "description": "a second solution, where there are several"},
    "differences": {
        "type": "array",
        "description": "the cells in which these two solutions differ",
        "items": {
            "type": "object",
            "required": ["cell", "first", "second"],
            "properties": {"cell": {"type": "string"}, "first": _DIGIT, "second": _DIGIT},
        },
    },
    "conflicts": {
        "type": "array",
        "description": "givens that break a rule",
        "items": {
            "type": "object",
            "required": ["cells", "digit", "digits", "unit", "text"],
            "properties": {
                "cells": _CELLS,
                "digit": {**_DIGIT, "description": "null where the digits differ"},
                "digits": {"type": "array", "items": _DIGIT},
                "unit": {"type": ["string", "null"]},
                "text": {"type": "string"},
            },
        },
    },
    "mismatch": {
        "type": ["string", "null"],
        "description": "with --solution-column: how the known solution is wrong",
    },
    "solver": {"type": "string", "description": "with --stats, as the next three"},
    "encoding": {"type": "string"},
    "seconds": {"type": "number"},
    "statistics": {"type": "object"},
}
"""JSON Schema of the keys that `to_object` adds to those of a puzzle."""


def to_object(outcome: Outcome, has_statistics: bool = False) -> dict[str, Any]:
    """Return the object of `--json`. Statistics are optional, as they differ between runs."""
    puzzle = outcome.puzzle
    result = puzzle_object(puzzle) | {
        "verdict": outcome.verdict.value,
        "solution": write_grid(outcome.solution, puzzle),
        "second": write_grid(outcome.second, puzzle),
        "differences": [_difference(outcome, cell) for cell in outcome.differences],
        # The key has this name since the first release; programs read it.
        "conflicts": [_clash(puzzle, clash) for clash in outcome.clashes],
        "reason": evidence(outcome),
    }
    if not puzzle.geometry.is_plain and outcome.solution is not None:
        found = cells_beside(outcome.solution, spelling_by_symbols(puzzle))
        result |= {"cells": found} if found else {}
    if has_statistics and outcome.statistics.solver:
        result |= {
            "solver": outcome.statistics.solver,
            "encoding": outcome.statistics.encoding,
            "seconds": round(outcome.statistics.seconds, 6),
            "statistics": dict(outcome.statistics.counters),
        }
        if outcome.statistics.method:
            result["statistics"]["method"] = outcome.statistics.method
    return result


def puzzle_object(puzzle: Puzzle) -> dict[str, Any]:
    """Return the fields of a puzzle with its rules, from which the puzzle can be read again."""
    result: dict[str, Any] = {"puzzle": write_grid(puzzle.grid, puzzle)}
    if puzzle.name:
        result["name"] = puzzle.name
    if puzzle.comment:
        result["comment"] = puzzle.comment
    if puzzle.author:
        result["author"] = puzzle.author
    if not puzzle.is_classic:
        result["rules"] = puzzle.rule_texts
    return result | {"box": str(puzzle.geometry)}


def beside_fields(fields: Mapping[str, Any], found: Mapping[str, Any]) -> dict[str, Any]:
    """Return all fields of the record unchanged, with the results added.

    Results that repeat a field of the record, such as its name, are left out. Other results whose
    name is taken get a suffix, like columns of a table.

    >>> beside_fields({"puzzle": "12...", "solution": "1234"}, {"puzzle": "12..", "solution": "1"})
    {'puzzle': '12...', 'solution': '1234', 'solution_found': '1'}
    """
    added = {
        free_name(name, fields): value
        for name, value in found.items()
        if not (name in _REPEATED and name in fields)
    }
    return {**fields, **added}


def _clash(puzzle: Puzzle, clash: Clash) -> dict[str, Any]:
    # Two different digits may break a rule too, such as neighbours under non-consecutive.
    is_same = len(set(clash.digits)) == 1
    return {
        "cells": [puzzle.geometry.name_of(cell) for cell in clash.cells],
        "digit": digit_object(puzzle, clash.digits[0]) if is_same else None,
        "digits": [digit_object(puzzle, digit) for digit in clash.digits],
        "unit": str(clash.unit) if clash.unit is not None else None,
        "text": clash.describe(puzzle.name_of_digit),
    }


def _difference(outcome: Outcome, cell: int) -> dict[str, Any]:
    puzzle = outcome.puzzle
    first, second = (
        digit_object(puzzle, grid.digits[cell]) if grid else None for grid in outcome.solutions
    )
    return {"cell": puzzle.geometry.name_of(cell), "first": first, "second": second}


def digit_object(puzzle: Puzzle, digit: int) -> int | str:
    """Return a digit as a number, or as its symbol if the source of the puzzle has symbols."""
    return puzzle.name_of_digit(digit) if puzzle.symbols else digit


COLUMNS = ("verdict", "solution", "second", "reason")
"""The columns of a table about an outcome, named as in `to_object`."""

MISMATCH = "mismatch"
"""The column, and the JSON key, that says how a known solution is contradicted."""

NO_KNOWN_SOLUTION = "no known solution"
"""The value of that column for a record without a known solution."""


def contradicts(mismatch: object) -> bool:
    """Return whether a value of `mismatch` says that a known solution is wrong.

    False if there is no known solution, as a data set may have solutions for some of its puzzles
    only.
    """
    return bool(mismatch) and mismatch != NO_KNOWN_SOLUTION


def to_column(value: Any) -> str:
    """Return a value of an object as the text of a column; None is empty.

    >>> to_column(None), to_column(False), to_column(["r1c1", "r1c2"])
    ('', 'false', 'r1c1 r1c2')
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def to_columns(values: Mapping[str, Any], names: Iterable[str]) -> list[str]:
    """Return the values with these names as texts."""
    return [to_column(values.get(name)) for name in names]


def csv_line(cells: Iterable[object]) -> str:
    """Return a row of a new table; None is an empty field.

    Spaces are kept, unlike in fields added to a table that was read: a seed with two spaces is
    another seed than with one.

    >>> csv_line(["a,  b", None, 1, True])
    '"a,  b",,1,true\\n'
    """
    # Imported here: few commands write tables of their own.
    import csv

    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(map(to_column, cells))
    return text.getvalue()
