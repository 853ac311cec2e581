"""An outcome as a JSON object."""

from typing import Any

from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.rule import Clash
from satdoku.puzzle.verdict import Outcome
from satdoku.reporting.words import explain, write_grid


def to_object(outcome: Outcome, has_statistics: bool = False) -> dict[str, Any]:
    """What `--json` shows. Statistics differ from run to run, so they are left out of many."""
    puzzle = outcome.puzzle
    result: dict[str, Any] = {"puzzle": write_grid(puzzle.grid)}
    if puzzle.name:
        result["name"] = puzzle.name
    if puzzle.comment:
        result["comment"] = puzzle.comment
    result |= {
        "box": str(puzzle.geometry),
        "verdict": outcome.verdict.value,
        "solution": write_grid(outcome.solution),
        "second": write_grid(outcome.second),
        "differences": [_difference(outcome, cell) for cell in outcome.differences],
        # Called so since the first release; programs read it.
        "conflicts": [_clash(puzzle, clash) for clash in outcome.clashes],
        "reason": explain(outcome),
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


def dump_line(result: dict[str, Any]) -> str:
    """An object on a line of its own."""
    import json

    return json.dumps(result) + "\n"


def _clash(puzzle: Puzzle, clash: Clash) -> dict[str, Any]:
    is_same = len(set(clash.digits)) == 1
    return {
        "cells": [puzzle.geometry.name_of(cell) for cell in clash.cells],
        "digit": clash.digits[0] if is_same else None,
        "digits": list(clash.digits),
        "unit": str(clash.unit) if clash.unit is not None else None,
        "text": clash.describe(puzzle.name_of_digit),
    }


def _difference(outcome: Outcome, cell: int) -> dict[str, Any]:
    first, second = (grid.digits[cell] if grid else None for grid in outcome.solutions)
    return {"cell": outcome.puzzle.geometry.name_of(cell), "first": first, "second": second}
