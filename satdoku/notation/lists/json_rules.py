"""The rules of a puzzle in its JSON object.

{"puzzle": [...],
 "regions": ["AABB", "ABBC", "ADCC", "DDDC"],            in place of boxes
 "candidates": {"r1c1": [1, 2]},
 "rules": ["anti-knight", {"diagonal": "/"}, {"odd": "r1c1,r2c4"}]}

A rule without an argument is a string; one with an argument is an object, or a string as --rule
takes it: `"odd:r1c1,r2c4"`. An argument may also be a list of texts.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from satdoku.errors import SatdokuError
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.candidates import Candidates
from satdoku.puzzle.rules.cell_lists import read_cell
from satdoku.puzzle.rules.regions import Regions
from satdoku.puzzle.rules.registry import read_rule
from satdoku.puzzle.rules.rule import Rule

KEYS = ("regions", "candidates", "rules")
"""The entries of an object that hold rules."""


def has_rules(value: object) -> bool:
    """Whether a JSON value is an object that says anything about rules."""
    return isinstance(value, Mapping) and any(value.get(key) for key in KEYS)


def regions_size(value: Mapping[str, Any]) -> int | None:
    """The size of the board that the regions of an object are made for, if it has any."""
    regions = value.get("regions")
    if isinstance(regions, list):
        return len(regions)
    return None


def read_json_rules(value: Mapping[str, Any], geometry: Geometry) -> Iterator[Rule]:
    """The rules that an object adds to rows, columns and boxes; SatdokuError names a fault."""
    if regions := value.get("regions"):
        yield read_rule(f"regions:{_text_of('regions', regions)}", geometry)
    if candidates := value.get("candidates"):
        yield _read_candidates(candidates, geometry)
    rules = value.get("rules") or []
    if not isinstance(rules, list):
        raise SatdokuError("the entry 'rules' is a list, such as [\"anti-knight\"]")
    for rule in rules:
        yield _read_json_rule(rule, geometry)


def write_json_rules(puzzle: Puzzle) -> dict[str, Any]:
    """The entries for the rules of a puzzle beyond rows, columns and boxes."""
    entries: dict[str, Any] = {}
    others: list[Any] = []
    for rule in puzzle.further_rules:
        argument = rule.argument(puzzle.geometry)
        if isinstance(rule, Regions):
            entries["regions"] = argument.split("/")
        elif isinstance(rule, Candidates) and "candidates" not in entries:
            name_of = puzzle.geometry.name_of
            entries["candidates"] = {name_of(cell): list(digits) for cell, digits in rule.sets}
        else:
            others.append({rule.name: argument} if argument else rule.name)
    return entries | ({"rules": others} if others else {})


def _read_json_rule(rule: object, geometry: Geometry) -> Rule:
    if isinstance(rule, str):
        return read_rule(rule, geometry)
    if isinstance(rule, Mapping) and len(rule) == 1:
        ((name, argument),) = rule.items()
        return read_rule(f"{name}:{_text_of(str(name), argument)}", geometry)
    raise SatdokuError(
        'a rule is a name such as "anti-knight", or an object such as {"odd": "r1c1"}'
    )


def _text_of(name: str, argument: object) -> str:
    """An argument as one text; the parts of a list have spaces between them."""
    if isinstance(argument, str):
        return argument
    if isinstance(argument, list) and all(isinstance(part, str) for part in argument):
        return " ".join(argument)
    raise SatdokuError(f"the entry {name[:40]!r} is a text, or a list of texts")


def _read_candidates(candidates: object, geometry: Geometry) -> Rule:
    """An object with the digits of some cells."""
    if not isinstance(candidates, Mapping):
        raise SatdokuError("the entry 'candidates' is an object such as {\"r1c1\": [1, 2]}")
    digits_at: dict[int, list[int]] = {}
    for name, digits in candidates.items():
        if not isinstance(digits, list) or not all(type(digit) is int for digit in digits):
            raise SatdokuError(f"the candidates of {str(name)[:20]} are a list of numbers")
        digits_at[read_cell(str(name), geometry)] = digits
    rule = Candidates.of(digits_at)
    rule.require_fit(geometry)
    return rule
