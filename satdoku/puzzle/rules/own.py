"""Rules that setters make up: any relation of two cells, any pattern of a line."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import ClassVar

from satdoku.errors import SatdokuError, cut, quote
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.rules.arguments import halves, read_cells, write_cells
from satdoku.puzzle.rules.automaton import SIGN, parted, read_automaton
from satdoku.puzzle.rules.expression import Function, read_expression
from satdoku.puzzle.rules.machine_rule import MachineRule, Table, build_layers
from satdoku.puzzle.rules.pair_rule import Edge, PairLine
from satdoku.puzzle.rules.regular import Expression, LineReader
from satdoku.puzzle.rules.rule import Rule
from satdoku.puzzle.value import value

# All pairs of the digits of a board of 100x100.
_MOST_ENTRIES = 10_000


@value(frozen=True)
class OwnPair(PairLine):
    """Each two cells that follow each other are in a relation that the setter writes down."""

    name: ClassVar[str] = "pair"
    example: ClassVar[str] = "r1c1,r1c2:a+b>=5"
    form: ClassVar[str] = "CELLS:RELATION"
    counts: ClassVar[bool] = True
    parts = {
        "CELLS": "the cells in order",
        "RELATION": "what holds of a and b, as a+b>=10 or abs(a-b)in1,2; or pairs, 1-2/3-4",
    }
    says: ClassVar[str] = "a in {} and b in {} are {n}"

    relation: str

    @classmethod
    def parse(cls, argument: str, geometry: Geometry) -> Rule:
        cells, relation = halves(argument, "the relation is missing", cls.example, ":")
        return cls(read_cells(cells, geometry), "".join(relation.lower().split()))

    def argument(self, geometry: Geometry) -> str:
        return f"{write_cells(self.line, geometry)}:{self.relation}"

    def require_fit(self, geometry: Geometry) -> None:
        super().require_fit(geometry)
        _relation(self.relation)

    def sentence(self, geometry: Geometry) -> str:
        relation = self.relation if len(self.relation) < 60 else "as in a table of pairs"
        return f"neighbours a and b on {self.along(geometry)}: {relation}"

    def reason(self, geometry: Geometry) -> str:
        return f"but the rule is {self.relation[:60]}"

    @classmethod
    def is_wrong(cls, one: int, other: int, relation: str) -> bool:
        return not _relation(relation)(one, other)

    def number_on(self, geometry: Geometry) -> str:
        return self.relation


class EachPair(OwnPair):
    """Each two cells, in the order of the list, are in a relation that the setter writes down."""

    name: ClassVar[str] = "each-pair"
    example: ClassVar[str] = "r1c1,r1c2,r2c3:a!=b+1"

    def edges(self, geometry: Geometry) -> Sequence[Edge]:
        return tuple(combinations(self.line, 2))

    def sentence(self, geometry: Geometry) -> str:
        relation = self.relation if len(self.relation) < 60 else "as in a table of pairs"
        return f"any two cells a and b of {self.along(geometry)}, in this order: {relation}"


@lru_cache(maxsize=64)
def _relation(text: str) -> Function:
    # A table of pairs has nothing but digits and signs; an expression names a and b.
    if text[:1].isdecimal() and "-" in text and not text.strip("0123456789-/"):
        entries = text.split("/")
        if len(entries) > _MOST_ENTRIES:
            raise SatdokuError(f"a table has at most {_MOST_ENTRIES:,} pairs")
        table = set()
        for entry in entries:
            one, _, other = entry.partition("-")
            if not (one.isdecimal() and other.isdecimal() and len(entry) < 9):
                raise SatdokuError(f"{quote(entry)} is not a pair of digits such as 1-2")
            table.add((int(one), int(other)))
        return lambda a, b: (a, b) in table
    return read_expression(text)


@value(frozen=True)
class OwnMachine(MachineRule):
    """The digits of a line match a regular expression, or are taken by an automaton."""

    name: ClassVar[str] = "machine"
    example: ClassVar[str] = "r1c1,r2c2,r3c3:[12]*3.*"
    form: ClassVar[str] = "CELLS:EXPRESSION"
    parts = {
        "CELLS": "the cells in the order in which they are read",
        "EXPRESSION": "a regular expression for the whole line, [1-3]*9.*; or an automaton, "
        "@12>1,3>0;!1>1: of each state digits and the state behind, ! where it may end, and "
        "before them a name, as in @NAME:12>1,3>0;!1>1",
    }

    line: tuple[int, ...]
    expression: str

    @classmethod
    def parse(cls, argument: str, geometry: Geometry) -> Rule:
        cells, expression = halves(argument, "the expression is missing", cls.example, ":")
        return cls(read_cells(cells, geometry), "".join(expression.split()))

    def argument(self, geometry: Geometry) -> str:
        return f"{write_cells(self.line, geometry)}:{self.expression}"

    def require_fit(self, geometry: Geometry) -> None:
        _reader(self.expression, self.values(geometry))
        self._table(geometry)

    def sentence(self, geometry: Geometry) -> str:
        return f"the digits of {write_cells(self.line, geometry)} match {self._shown}"

    def groups(self, geometry: Geometry) -> Sequence[tuple[int, ...]]:
        return [self.line]

    def is_kept(self, geometry: Geometry, group: int, numbers: Sequence[int]) -> bool:
        return _reader(self.expression, self.values(geometry)).accepts(numbers)

    def reason(self, geometry: Geometry) -> str:
        return f"but the line matches {cut(self._shown, 60)}"

    @property
    def _shown(self) -> str:
        """The expression as sentences have it; nobody reads an automaton."""
        if not _is_automaton(self.expression):
            return self.expression
        name, states = parted(self.expression)
        if name:
            return f"the automaton {name.replace('_', ' ')}"
        return f"an automaton of {states.count(';') + 1} states"

    def _table(self, geometry: Geometry) -> Table:
        return _machine(self.expression, len(self.line), self.values(geometry))

    def machines(self, geometry: Geometry) -> Sequence[tuple[tuple[int, ...], Table]]:
        return [(self.line, self._table(geometry))]


def _is_automaton(expression: str) -> bool:
    return expression.startswith(SIGN)


@lru_cache(maxsize=64)
def _reader(text: str, digits: range) -> LineReader:
    return read_automaton(text, digits) if _is_automaton(text) else Expression(text, digits)


@lru_cache(maxsize=64)
def _machine(text: str, length: int, digits: range) -> Table:
    reader = _reader(text, digits)
    return build_layers(length, digits, reader.start, reader.step, reader.is_end)
