"""Rules of which at least one holds, or sets of rules of which at least one holds as a whole."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from string import ascii_lowercase
from typing import ClassVar

from satdoku.errors import SatdokuError, join, quote
from satdoku.puzzle import constraints
from satdoku.puzzle.constraints import Constraint
from satdoku.puzzle.grid import EMPTY, Geometry
from satdoku.puzzle.rules.registry import read_unsettled
from satdoku.puzzle.rules.rule import Clash, Rule, board_of, clashes_of, write_rule
from satdoku.puzzle.rules.single_cells import Candidates
from satdoku.puzzle.value import value

# The longest of several choices that need no letters.
_LONGEST_PLAIN = 40

_BRACKETS = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}


@value(frozen=True)
class EitherRule(Rule):
    """A choice between sets of rules: all rules of at least one set are kept."""

    fits_every_board: ClassVar[bool] = True
    name: ClassVar[str] = "either"
    label: ClassVar[str] = "either of some rules"
    is_unmistakable: ClassVar[bool] = True
    example: ClassVar[str] = "killer:3=r1c1,r1c2|thermo:r1c1,r2c2,r3c3&odd:r4c4"
    form: ClassVar[str] = "RULES|RULES"
    counts: ClassVar[bool] = True
    parts = {
        "RULES": "a rule as --rule takes it, or several with & between; brackets may hold them"
    }

    choices: tuple[tuple[Rule, ...], ...]

    @classmethod
    def parse(cls, argument: str, geometry: Geometry) -> Rule:
        choices = []
        for part in _split(argument, "|"):
            rules = [_unbracketed(each) for each in _split(_unbracketed(part), "&")]
            if not all(map(str.strip, rules)):
                raise SatdokuError(f"a rule is missing beside a | or a &, in {quote(argument, 40)}")
            choices.append(tuple(read_unsettled(each, geometry) for each in rules))
        return cls(tuple(choices))

    def argument(self, geometry: Geometry) -> str:
        return "|".join(
            "&".join(_bracketed(write_rule(rule, geometry)) for rule in choice)
            for choice in self.choices
        )

    def beside(self, others: Sequence[Rule]) -> Rule:
        choices = tuple(tuple(rule.beside(others) for rule in each) for each in self.choices)
        rule = super().beside(others)
        assert isinstance(rule, EitherRule)
        return rule if choices == rule.choices else replace(rule, choices=choices)

    def require_fit(self, geometry: Geometry) -> None:
        if len(self.choices) < 2:
            raise SatdokuError("there is only one choice; write | between several")
        # Rules that describe the board apply to all other rules, and cannot be part of a choice.
        for rule in self.alternatives():
            if rule.is_of_the_board or isinstance(rule, EitherRule):
                raise SatdokuError(f"{rule.name} cannot be one of several rules")
            # An impossible choice is no error: another choice may be kept.
            board = board_of(rule, geometry)
            if not rule.why_impossible(board):
                rule.require_fit(board)

    def alternatives(self) -> Iterator[Rule]:
        for choice in self.choices:
            yield from choice

    def sentence(self, geometry: Geometry) -> str:
        return self._by_digits(geometry) or f"either {', or '.join(self._words(geometry))}"

    def _words(self, geometry: Geometry) -> list[str]:
        words = [_said(each, geometry) for each in self.choices]
        if len(words) > 2 and max(map(len, words)) > _LONGEST_PLAIN:
            return [
                f"({letter}) {said}" for letter, said in zip(ascii_lowercase, words, strict=False)
            ]
        return words

    def _by_digits(self, geometry: Geometry) -> str:
        """Return the rules that hold for the digits of a cell, as conditions.

        Empty unless these digits alone decide which of the choices is kept.
        """
        cells, known, told = set[int](), set[int](), list[str]()
        has_rest = len(self.choices) == 2 and not isinstance(self.choices[1][0], Candidates)
        for first, *others in self.choices[:1] if has_rest else self.choices:
            if not isinstance(first, Candidates) or len(first.sets) > 1 or (has_rest and others):
                return ""
            ((cell, digits),) = first.sets
            if known.intersection(digits):
                return ""
            cells.add(cell)
            known.update(digits)
            if others:
                told.append(f"if {_is(cell, digits, geometry)}, {_said(others, geometry)}")
        left = set(self.choices[0][0].values(geometry)) - known
        if len(cells) > 1 or (has_rest and not 0 < len(left) < len(known)):
            return ""
        (cell,) = cells
        if has_rest:
            return f"if {_is(cell, left, geometry)}, {_said(self.choices[1], geometry)}"
        return ", and ".join([*([_is(cell, known, geometry)] if left else []), *told])

    def cells(self, geometry: Geometry) -> Collection[int]:
        return {
            cell for rule in self.alternatives() for cell in rule.cells(board_of(rule, geometry))
        }

    def find_clashes(self, geometry: Geometry, digits: Sequence[int]) -> Iterator[Clash]:
        found: list[int] = []
        # Collect the first fault of each choice; the rule is kept as soon as one choice has none.
        for choice in self.choices:
            clash = next((c for rule in choice for c in clashes_of(rule, geometry, digits)), None)
            if clash is None:
                return
            found += clash.cells
        cells = tuple(sorted(set(found)))
        placed = tuple(digits[cell] for cell in cells)
        assert EMPTY not in placed
        broken = "each of the rules of which one holds"
        why = f"and break {broken}" if len(cells) > 1 else f"it breaks {broken}"
        yield Clash(geometry, cells, placed, why)

    def constraints(self, geometry: Geometry) -> Iterator[Constraint]:
        # The constraints of one choice stay together in one list.
        choices = tuple(
            tuple(each for rule in choice for each in rule.constraints(board_of(rule, geometry)))
            for choice in self.choices
        )
        yield constraints.Either(choices, self.sentence(geometry))


def _said(rules: Sequence[Rule], geometry: Geometry) -> str:
    return " and ".join(rule.sentence(board_of(rule, geometry)) for rule in rules)


def _is(cell: int, digits: Collection[int], geometry: Geometry) -> str:
    return f"{geometry.name_of(cell)} is {join(list(map(str, sorted(digits))), 'or')}"


def _split(text: str, sign: str) -> list[str]:
    """Split a text at a sign, except inside brackets."""
    parts, depth, begin = list[str](), 0, 0
    for found in re.finditer(r"[][(){}|&]", text):
        depth += _BRACKETS.get(found[0], 0)
        if found[0] == sign and depth == (0 if sign not in _BRACKETS else -1):
            parts.append(text[begin : found.start()])
            begin = found.end()
    return [*parts, text[begin:]]


def _unbracketed(text: str) -> str:
    """Return the text without brackets that enclose all of it."""
    inner = text.strip()
    is_bracketed = inner.startswith("(") and inner.endswith(")")
    return inner[1:-1] if is_bracketed and len(_split(inner[1:-1], ")")) == 1 else inner


def _bracketed(text: str) -> str:
    """Return a rule's text, in brackets if it has a sign that would split it."""
    return f"({text})" if len(_split(text, "|")) > 1 or len(_split(text, "&")) > 1 else text
