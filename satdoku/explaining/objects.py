"""Explanations as plain objects for JSON; docs/explanation.schema.json describes them."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from satdoku.errors import join
from satdoku.explaining.board import candidates_of
from satdoku.explaining.clash import Change, Repairs, SmallestClash
from satdoku.explaining.explain import Explanation
from satdoku.explaining.marks import Marks, marks_of, marks_of_step
from satdoku.explaining.several import Clues, OtherSolution
from satdoku.explaining.step import Deduction, Placed, Story, Strong, Way
from satdoku.explaining.told import Step, source_of
from satdoku.explaining.trace import digits_after, every_exclusion
from satdoku.explaining.true_candidates import TrueCandidates
from satdoku.explaining.words.headings import heading_of
from satdoku.explaining.words.names import Names
from satdoku.explaining.words.steps import Teller, Wording, write_eureka
from satdoku.notation.outcomes import digit_object, puzzle_object, write_grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.rule import Rule, write_rule
from satdoku.puzzle.verdict import Verdict


def explanation_object(explanation: Explanation) -> dict[str, Any]:
    """Return an explanation as an object; its fields depend on the verdict."""
    way = explanation.way
    puzzle = explanation.puzzle
    answer: dict[str, Any] = puzzle_object(puzzle) | {
        "verdict": explanation.verdict.value,
        "solution": write_grid(explanation.solution, puzzle),
        "complete": explanation.is_complete,
    }
    if explanation.reason:
        answer["reason"] = explanation.reason
    answer["level"] = explanation.level.value
    answer["rating"] = _rating(way)
    answer["solved"] = way.is_full
    answer["steps"] = _steps(way)
    if explanation.verdict is Verdict.NONE:
        answer |= _none_fields(explanation)
    elif explanation.verdict is Verdict.MULTIPLE:
        answer |= _several_fields(explanation)
    return answer


def way_object(way: Way) -> dict[str, Any]:
    """Return the steps of a way that shows why a cell has its digit or a candidate is excluded."""
    return {"rating": _rating(way), "steps": _steps(way)}


def step_object(step: Step) -> dict[str, Any]:
    """Return a single step, as it is in the list of steps of an explanation."""
    way, deduction = source_of(step)
    digits = digits_after(way, deduction.number - 1)
    text = Teller(way).word(deduction, digits, Wording.USUAL)
    return _step(Names(way.board), deduction, text, marks_of_step(way.board, deduction, digits))


def candidates_object(true: TrueCandidates, with_witnesses: bool) -> dict[str, Any]:
    """Return the true candidates, as a list of digits for each cell."""
    puzzle = true.puzzle
    answer: dict[str, Any] = {
        "complete": true.is_complete,
        "candidates": [[digit_object(puzzle, d) for d in found] for found in true.digits_of_cells],
    }
    if with_witnesses:
        answer["solutions"] = [
            [digit_object(puzzle, digit) for digit in grid.digits] for grid in true.solutions
        ]
        answer["witnesses"] = {
            _placement(puzzle, cell, digit): number
            for (cell, digit), number in sorted(true.witness.items())
        }
    return answer


def exclusions_object(way: Way) -> dict[str, Any]:
    """Return a whole way, and for each excluded candidate the number of its step."""
    excluded = sorted(every_exclusion(way).items())
    named = {way.board.name_of(candidate): number for candidate, number in excluded}
    return way_object(way) | {"excluded": named}


def _rating(way: Way) -> dict[str, Any]:
    techniques = Counter(step.technique.value for step in way.steps)
    return {
        "biggest": way.biggest,
        "steps": len(way.steps),
        "techniques": dict(sorted(techniques.items())),
    }


def _steps(way: Way) -> list[dict[str, Any]]:
    names = Names(way.board)
    told = zip(way.steps, Teller(way).tell(), marks_of(way), strict=True)
    return [_step(names, step, text, marks) for step, text, marks in told]


def _step(names: Names, step: Deduction, text: str, marks: Marks) -> dict[str, Any]:
    answer: dict[str, Any] = {
        "n": step.number,
        "technique": step.technique.value,
        "called": heading_of(names, step),
        "size": step.size,
        "place": None if step.places is None else names.candidate(step.places),
        "exclude": [names.candidate(candidate) for candidate in step.excludes],
        "because": [
            {"rule": names.truth(truth), "left": names.left(truth, step.before)}
            for truth in step.truths
        ],
        "blocks": list(map(names.cell, marks.blocks)),
        "rests_on": list(step.rests_on),
        "text": text,
        "story": _story(names, step.stories[0]) if step.stories else None,
    }
    if step.assumes_unique:
        answer["assumes_unique"] = True
    if step.chain:
        answer |= {"eureka": eureka} if (eureka := write_eureka(names, step)) else {}
        answer["chain"] = [_link(names, link) for link in step.chain]
    if len(step.stories) > 1:
        # Few nets have more than one story, so the first is in the same field for all steps.
        answer["further_stories"] = [_story(names, story) for story in step.stories[1:]]
    return answer


def _story(names: Names, story: Story) -> dict[str, Any]:
    return {
        "suppose": names.candidate(story.suppose),
        "then": [_item(names, item) for item in story.items],
        "dead_end": names.nothing_left(story.dead_end),
    }


def _link(names: Names, link: Strong) -> dict[str, Any]:
    """Return a strong link: if none of the first candidates holds, one of the second ones does."""
    return {
        "unless": [names.candidate(candidate) for candidate in candidates_of(link.off)],
        "place": [names.candidate(candidate) for candidate in candidates_of(link.on)],
        "rule": join([names.truth(truth) for truth in link.truths]),
    }


def _item(names: Names, item: Placed | Story) -> dict[str, Any]:
    if isinstance(item, Story):
        return _story(names, item)
    return {"place": names.candidate(item.candidate), "rule": names.truth(item.truth)}


def _none_fields(explanation: Explanation) -> dict[str, Any]:
    puzzle, way = explanation.puzzle, explanation.way
    clash: dict[str, Any] | None = None
    if explanation.clashes:
        clash = {"dead_end": explanation.clashes[0].describe(puzzle.name_of_digit)}
    elif way.dead_end is not None:
        clash = {
            "dead_end": Teller(way).dead_end(),
            "rests_on": list(way.dead_end_rests_on),
        }
    return {
        "clash": clash,
        "smallest": _smallest(puzzle, explanation.smallest),
        "repairs": _repairs(puzzle, explanation.repairs),
        **_rules_of_none(explanation),
    }


def _rules_of_none(explanation: Explanation) -> dict[str, Any]:
    """Return the rules that clash, and changes of single rules; empty where there are none."""

    def texts(rules: Iterable[Rule]) -> list[str]:
        return [write_rule(rule, explanation.puzzle.geometry) for rule in rules]

    repairs = [
        {"rule": texts([rule])[0], "unique": texts(unique), "several": texts(several)}
        for rule, unique, several in explanation.rule_repairs
    ]
    found = {"clashing_rules": texts(explanation.clashing_rules), "rule_repairs": repairs}
    return {name: value for name, value in found.items() if value}


def _smallest(puzzle: Puzzle, smallest: SmallestClash | None) -> dict[str, Any] | None:
    if smallest is None:
        return None
    digits = puzzle.grid.digits
    return {
        "givens": [_placement(puzzle, cell, digits[cell]) for cell in smallest.cells],
        "proven": smallest.is_proven,
        "at_least": smallest.at_least,
    }


def _repairs(puzzle: Puzzle, repairs: Repairs | None) -> dict[str, Any] | None:
    if repairs is None:
        return None
    name_of = puzzle.geometry.name_of
    return {
        "changed": repairs.changed,
        "complete": repairs.is_complete,
        "unique": [_change(puzzle, changes) for changes in repairs.unique],
        "others": repairs.others,
        "drop": [[name_of(cell) for cell in cells] for cells in repairs.dropped],
    }


def _change(puzzle: Puzzle, changes: tuple[Change, ...]) -> dict[str, Any] | list[dict[str, Any]]:
    """Return one change as an object, and several that belong together as a list."""
    objects = [
        {
            "cell": puzzle.geometry.name_of(change.cell),
            "from": digit_object(puzzle, change.before),
            "to": digit_object(puzzle, change.after),
        }
        for change in changes
    ]
    return objects[0] if len(objects) == 1 else objects


def _several_fields(explanation: Explanation) -> dict[str, Any]:
    placed = sum(step.places is not None for step in explanation.way.steps)
    return {
        "placed": placed,
        "nearest": _other(explanation.puzzle, explanation.nearest),
        "farthest": _other(explanation.puzzle, explanation.farthest),
        "clues": _clues(explanation.puzzle, explanation.clues),
    }


def _other(puzzle: Puzzle, other: OtherSolution | None) -> dict[str, Any] | None:
    if other is None:
        return None
    found: dict[str, Any] = {
        "cells": [puzzle.geometry.name_of(cell) for cell in other.cells],
        "one": [digit_object(puzzle, other.one.digits[cell]) for cell in other.cells],
        "other": [digit_object(puzzle, other.grid.digits[cell]) for cell in other.cells],
        "proven": other.is_proven and other.is_of_all,
    }
    return found if other.is_of_all else found | {"of_solution": {"proven": other.is_proven}}


def _clues(puzzle: Puzzle, clues: Clues | None) -> dict[str, Any] | None:
    if clues is None:
        return None
    digits = clues.solution.digits
    added = {"add": [_placement(puzzle, cell, digits[cell]) for cell in clues.cells]}
    bounds = {"at_least": clues.at_least, "proven": clues.is_proven}
    if clues.is_of_all:
        return added | bounds
    # One given at least is needed, whichever of the solutions is left.
    return added | {"at_least": 1, "proven": False, "of_solution": bounds}


def _placement(puzzle: Puzzle, cell: int, digit: int) -> str:
    return f"{puzzle.geometry.name_of(cell)}={puzzle.name_of_digit(digit)}"
