"""An outcome as a JSON object, as columns of a table, and the lines of tables that are all ours."""

import io
from collections.abc import Iterable, Mapping
from typing import Any

from satdoku.notation.record import free_name
from satdoku.output.words import evidence, write_grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.rule import Clash
from satdoku.puzzle.verdict import Outcome

# What tells which puzzle it is, as opposed to what was found out.
_REPEATED = ("puzzle", "name", "comment", "box", "rules")


def to_object(outcome: Outcome, has_statistics: bool = False) -> dict[str, Any]:
    """What `--json` shows. Statistics differ from run to run, so they are left out of many."""
    puzzle = outcome.puzzle
    result = puzzle_object(puzzle) | {
        "verdict": outcome.verdict.value,
        "solution": write_grid(outcome.solution, puzzle),
        "second": write_grid(outcome.second, puzzle),
        "differences": [_difference(outcome, cell) for cell in outcome.differences],
        # Called so since the first release; programs read it.
        "conflicts": [_clash(puzzle, clash) for clash in outcome.clashes],
        "reason": evidence(outcome),
    }
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
    """Which puzzle an object is about, with its rules, so that it can be read as a puzzle again."""
    result: dict[str, Any] = {"puzzle": write_grid(puzzle.grid, puzzle)}
    if puzzle.name:
        result["name"] = puzzle.name
    if puzzle.comment:
        result["comment"] = puzzle.comment
    if not puzzle.is_classic:
        result["rules"] = puzzle.rule_texts
    return result | {"box": str(puzzle.geometry)}


def beside_fields(fields: Mapping[str, Any], found: Mapping[str, Any]) -> dict[str, Any]:
    """What was found beside the fields of the record, all of which stay as they came.

    What only repeats the record, such as its name, is left out where the record has a field for it.
    Another name that is taken gets an ending, as the columns of a table do.

    >>> beside_fields({"puzzle": "12...", "solution": "1234"}, {"puzzle": "12..", "solution": "1"})
    {'puzzle': '12...', 'solution': '1234', 'solution_found': '1'}
    """
    added = {
        free_name(name, fields): value
        for name, value in found.items()
        if not (name in _REPEATED and name in fields)
    }
    return {**fields, **added}


def dump_line(result: dict[str, Any]) -> str:
    """An object on a line of its own."""
    import json

    return json.dumps(result) + "\n"


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
    """A digit as a number, or as its symbol where the source of the puzzle has symbols."""
    return puzzle.name_of_digit(digit) if puzzle.symbols else digit


COLUMNS = ("verdict", "solution", "second", "reason")
"""What a table says of an outcome, by the names that it has in `objects.to_object`."""

MISMATCH = "mismatch"
"""The column, and the key in JSON, in which stands how a known solution is contradicted."""


def to_column(value: Any) -> str:
    """A value of an object as the text of a column; what there is not is empty.

    >>> to_column(None), to_column(False), to_column(["r1c1", "r1c2"])
    ('', 'false', 'r1c1 r1c2')
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def to_columns(values: Mapping[str, Any], names: Iterable[str]) -> list[str]:
    """The values with these names."""
    return [to_column(values.get(name)) for name in names]


def csv_line(cells: Iterable[object]) -> str:
    """A row of a table that answers no table of the user's; what there is not is empty.

    Spaces stay as they are, unlike in the fields behind a table that was read: a seed with two of
    them is another seed than with one.

    >>> csv_line(["a,  b", None, 1, True])
    '"a,  b",,1,true\\n'
    """
    # Imported here: few commands write tables of their own.
    import csv

    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(map(to_column, cells))
    return text.getvalue()
