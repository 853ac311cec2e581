"""Rules that setters define: any relation of two cells, any pattern of a line."""

import operator
import re
from collections.abc import Callable, Iterator, Sequence, Set
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, pairwise
from typing import Any, ClassVar, NoReturn

from satdoku.errors import SatdokuError, cut, join, quote
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.rules.arguments import halves, read_cells, write_cells
from satdoku.puzzle.rules.automaton import SIGN, Expression, LineReader, parted, read_automaton
from satdoku.puzzle.rules.machine_rule import MachineRule, Table, build_layers
from satdoku.puzzle.rules.order import Edge, PairLine
from satdoku.puzzle.rules.rule import Left, Rule
from satdoku.puzzle.value import value

# Expressions over the numbers a and b of two cells: `a+b>=10`, `abs(a-b) in 1,2`.  They are parsed
# here into functions, and never passed to Python's `eval`.

Function = Callable[[int, int], int]

# Most characters: a longer expression is a program, and no reader could tell what it asks.
_LONGEST = 200

# At most six digits: a larger number is a typing error, as no numbers of cells reach it.
_TOKEN = re.compile(r"\s*(\d{1,6}|[a-z]+|<=|>=|==|!=|//|[-+*/%()<>=,])")
_COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "=": operator.eq,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_SUMS: dict[str, Callable[[int, int], int]] = {"+": operator.add, "-": operator.sub}
_PRODUCTS: dict[str, Callable[[Any, Any], Any]] = {
    "*": operator.mul,
    # Fractions make comparisons exact. Digits may count from 0, and a relation has to be defined
    # for each pair, so n/0 is 0 and n%0 is n.
    "/": lambda one, other: Fraction(one, other) if other else 0,
    "//": lambda one, other: one // other if other else 0,
    "%": lambda one, other: one % other if other else one,
}
_FUNCTIONS: dict[str, Callable[..., int]] = {"abs": abs, "min": min, "max": max}


def read_expression(text: str) -> Function:
    """Parse an expression over two numbers into a function; comparisons give True or False.

    >>> read_expression("abs(a-b) in 1,2")(4, 6)
    True
    """
    if len(text) > _LONGEST:
        raise SatdokuError(f"an expression has at most {_LONGEST} characters, not {len(text)}")
    reader = _Reader(text)
    function = reader.any_of()
    reader.require_end()
    if not reader.has_cells:
        raise SatdokuError(f"{text!r} says nothing of a and b; pairs of digits are 1-2/3-4")
    return function


class _Reader:
    """A recursive descent parser of expressions, with one method for each level of precedence."""

    def __init__(self, text: str) -> None:
        self.has_cells = False
        self._text = text
        self._place = 0
        self._next()

    def _next(self) -> str:
        """Return the current token and advance."""
        read = getattr(self, "_token", "")
        match = _TOKEN.match(self._text, self._place)
        rest = self._text[self._place :].strip()
        if match is None and rest:
            raise SatdokuError(f"{rest[:10]!r} is not understood in the expression {self._text!r}")
        self._token = match[1] if match else ""
        # Keywords are matched as prefixes, as texts without blanks have `in1,2` and `aandb`.
        for word in ("and", "or", "not", "in", "abs", "min", "max"):
            if self._token.startswith(word):
                self._token = word
                break
        else:
            if self._token[:1] in ("a", "b"):
                self._token = self._token[0]
        if match:
            self._place = match.start(1) + len(self._token)
        return read

    def _fail(self) -> NoReturn:
        what = repr(self._token) if self._token else "the end"
        raise SatdokuError(f"{what} is not understood in the expression {self._text!r}")

    def _take(self, token: str) -> bool:
        if self._token != token:
            return False
        self._next()
        return True

    def require_end(self) -> None:
        if self._token:
            self._fail()

    def any_of(self) -> Function:
        parts = [self._all_of()]
        while self._take("or"):
            parts.append(self._all_of())
        return parts[0] if len(parts) == 1 else lambda a, b: any(each(a, b) for each in parts)

    def _all_of(self) -> Function:
        parts = [self._comparison()]
        while self._take("and"):
            parts.append(self._comparison())
        return parts[0] if len(parts) == 1 else lambda a, b: all(each(a, b) for each in parts)

    def _comparison(self) -> Function:
        if self._take("not"):
            inner = self._comparison()
            return lambda a, b: not inner(a, b)
        one = self._sum()
        if self._take("in"):
            numbers = [self._sum()]
            while self._take(","):
                numbers.append(self._sum())
            return lambda a, b: one(a, b) in [each(a, b) for each in numbers]
        links = []
        while self._token in _COMPARISONS:
            links.append((_COMPARISONS[self._next()], self._sum()))
        return _chained(one, links) if links else one

    def _sum(self) -> Function:
        return self._chain(_SUMS, self._product)

    def _product(self) -> Function:
        return self._chain(_PRODUCTS, self._atom)

    def _chain(
        self, operators: dict[str, Callable[[int, int], int]], part: Callable[[], Function]
    ) -> Function:
        result = part()
        while self._token in operators:
            result = _applied(operators[self._next()], result, part())
        return result

    def _atom(self) -> Function:
        if self._take("-"):
            inner = self._atom()
            return lambda a, b: -inner(a, b)
        if self._take("("):
            inside = self.any_of()
            if not self._take(")"):
                self._fail()
            return inside
        if self._token in _FUNCTIONS:
            return self._call()
        if self._token.isdigit():
            number = int(self._next())
            return lambda a, b: number
        if self._token in ("a", "b"):
            self.has_cells = True
            return (lambda a, b: a) if self._next() == "a" else lambda a, b: b
        self._fail()

    def _call(self) -> Function:
        called = _FUNCTIONS[self._next()]
        if not self._take("("):
            self._fail()
        arguments = [self._sum()]
        while self._take(","):
            arguments.append(self._sum())
        if not self._take(")") or (called is abs) != (len(arguments) == 1):
            self._fail()
        return lambda a, b: called(*(each(a, b) for each in arguments))


def _chained(one: Function, links: "list[tuple[Callable[[int, int], bool], Function]]") -> Function:
    """Return a chained comparison such as `1<b-a<4`: each part is compared with the next one."""
    parts = [one, *(part for _, part in links)]

    def holds(a: int, b: int) -> bool:
        values = [part(a, b) for part in parts]
        return all(map(lambda link, pair: link[0](*pair), links, pairwise(values)))

    return holds


def _applied(apply: Callable[[int, int], int], one: Function, other: Function) -> Function:
    return lambda a, b: apply(one(a, b), other(a, b))


# Most entries of a table of pairs: all pairs of the digits of a 100x100 board.
_MOST_ENTRIES = 10_000


@value(frozen=True)
class OwnPair(PairLine):
    """Each two successive cells of a list are in a relation that the setter defines."""

    name: ClassVar[str] = "pair"
    label: ClassVar[str] = "relation of neighbours"
    example: ClassVar[str] = "r1c1,r1c2:a+b>=5"
    form: ClassVar[str] = "CELLS:RELATION"
    counts: ClassVar[bool] = True
    parts = {
        "CELLS": "the cells in order",
        "RELATION": "what holds of a and b, as a+b>=10 or abs(a-b)in1,2; or pairs, 1-2/3-4",
    }
    heading: ClassVar[str] = "relation"
    says: ClassVar[str] = "with {} as a and {} as b, {n}"

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
        line, said = self.along(geometry), self._in_words(geometry)
        if not said:
            return f"neighbours a and b on {line}: {self.relation}"
        if said.startswith(_BOTH):
            return f"neighbours on {line} {said.removeprefix(_BOTH)}"
        return f"on {line}, {said.format('each cell', 'the next')}"

    def said_of_two(self, geometry: Geometry) -> str:
        said = self._in_words(geometry)
        if said:
            return said
        if _is_table(self.relation):
            return f"{{}} with {{}} is one of {self.relation}"
        numbers = self.values(geometry)
        return words_of(_allowed(self.relation, numbers), numbers) or super().said_of_two(geometry)

    def _in_words(self, geometry: Geometry) -> str:
        """Return a table of pairs in words, a template; empty for a short table, or a formula."""
        if not _is_table(self.relation):
            return ""
        numbers = self.values(geometry)
        allowed = _allowed(self.relation, numbers)
        said = words_of(allowed, numbers)
        if said or len(self.relation) <= _LONGEST_TABLE:
            return said
        return f"{_BOTH}hold one of {len(allowed)} pairs of digits"

    def reason(self, geometry: Geometry) -> str:
        return f"but the rule is {self.relation[:60]}"

    @classmethod
    def is_wrong(cls, one: int, other: int, relation: str) -> bool:
        return not _relation(relation)(one, other)

    def number_on(self, geometry: Geometry) -> str:
        return self.relation


class EachPair(OwnPair):
    """Each two cells, in the order of the list, are in a relation that the setter defines."""

    name: ClassVar[str] = "each-pair"
    label: ClassVar[str] = "relation of any two cells"
    example: ClassVar[str] = "r1c1,r1c2,r2c3:a!=b+1"

    def edges(self, geometry: Geometry) -> Sequence[Edge]:
        return tuple(combinations(self.line, 2))

    def sentence(self, geometry: Geometry) -> str:
        cells, said = self.along(geometry), self._in_words(geometry)
        if not said:
            return f"any two cells a and b of {cells}, in this order: {self.relation}"
        if said.startswith(_BOTH):
            return f"any two cells of {cells} {said.removeprefix(_BOTH)}"
        return f"of {cells}, {said.format('each cell', 'all that follow')}"


# How words begin that hold of two cells in either order.
_BOTH = "{} and {} "

# The longest table of pairs to print, in characters.
_LONGEST_TABLE = 30


@lru_cache(maxsize=64)
def _allowed(relation: str, numbers: range) -> frozenset[tuple[int, int]]:
    """Return the pairs of numbers that are in a relation."""
    holds = _relation(relation)
    return frozenset((a, b) for a in numbers for b in numbers if holds(a, b))


def _is_table(text: str) -> bool:
    # A table of pairs has only digits and signs; an expression contains a or b.
    return text[:1].isdecimal() and "-" in text and not text.strip("0123456789-/")


@lru_cache(maxsize=64)
def _relation(text: str) -> Function:
    if _is_table(text):
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


# The signs of expressions, as sentences explain them.
_SIGNS = {
    ".": ". any digit",
    "[": "[ ] one of these",
    "^": "^ none of these",
    "*": "* any number of times",
    "+": "+ once or more",
    "?": "? at most once",
    "|": "| or",
}


@value(frozen=True)
class OwnMachine(MachineRule):
    """The digits of a line match the setter's regular expression or automaton."""

    fits_every_board: ClassVar[bool] = True
    name: ClassVar[str] = "machine"
    label: ClassVar[str] = "regular expression"
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
        return f"the digits of {write_cells(self.line, geometry)} {self._shown}"

    def why_none(self, geometry: Geometry, left: Left) -> str:
        return "no such line is possible" if left.is_brief else ""

    def groups(self, geometry: Geometry) -> Sequence[tuple[int, ...]]:
        return [self.line]

    def is_kept(self, geometry: Geometry, group: int, numbers: Sequence[int]) -> bool:
        return _reader(self.expression, self.values(geometry)).accepts(numbers)

    def reason(self, geometry: Geometry) -> str:
        return f"but its digits {cut(self._shown, 60)}"

    @property
    def _shown(self) -> str:
        """Return what the digits do, with the automaton's name or the expression's signs."""
        if not _is_automaton(self.expression):
            signs = [words for sign, words in _SIGNS.items() if sign in self.expression]
            legend = f" ({', '.join(signs)})" if signs else ""
            return f"match the pattern {self.expression}{legend}"
        name, states = parted(self.expression)
        if name:
            return f'follow the rule "{name.replace("_", " ")}"'
        return f"follow a pattern, given as an automaton of {states.count(';') + 1} states"

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


# A table of pairs of numbers in words: the relation of two cells that allows just these pairs
#
# Setters write relations as tables, and nobody reads forty pairs. Most tables say something simple,
# such as that two cells differ by an even number. The relations that have words are tried one by
# one.

Pairs = Set[tuple[int, int]]
Measure = Callable[[int, int], int]

# The most numbers to list, as in "sum to 4, 7 or 9".
_MOST_LISTED = 4


def words_of(allowed: Pairs, numbers: Sequence[int]) -> str:
    """Return what two cells with one of these pairs are, a template for their names.

    `numbers` are all that a cell may count as. Empty for a relation that has no simple words.

    >>> words_of({(1, 3), (3, 1)}, range(1, 4))
    '{} and {} differ by 2'
    """
    others = {(a, b) for a in numbers for b in numbers} - allowed
    if not allowed or not others:
        return ""
    return next(filter(None, _every(allowed, others, numbers)), "")


def _every(allowed: Pairs, others: Pairs, numbers: Sequence[int]) -> Iterator[str]:
    """Yield for each kind of relation its words, or an empty text if it does not fit."""
    for measure, say in _KINDS:
        yes, no = ({measure(a, b) for a, b in pairs} for pairs in (allowed, others))
        if yes.isdisjoint(no):
            yield say(yes, no)
    for factor in range(2, max(numbers) + 1):
        yield from _ratio(allowed, others, factor)
    yield _classes(allowed)


def _differ(yes: Set[int], no: Set[int]) -> str:
    """Return words for two cells whose difference is in `yes`, or else would be in `no`."""
    if {0} in (yes, no):
        return f"{{}} and {{}} are {'equal' if 0 in yes else 'different'}"
    if all(n % 2 == 0 for n in yes) and all(n % 2 for n in no):
        return "{} and {} are both even or both odd"
    if all(n % 2 for n in yes) and all(n % 2 == 0 for n in no):
        return "{} and {} are an even and an odd digit"
    told = _listed("differ by", yes, no)
    if 0 in no and len(yes) > 2 and " at least " not in told:
        if max(yes) < min(no - {0}):
            return f"{{}} and {{}} differ by 1 to {max(yes)}"
        if len(yes) > _MOST_LISTED:
            told = _listed("differ by", yes, no - {0})
            told = told and f"are different, and {told}"
    return told and f"{{}} and {{}} {told}"


def _listed(verb: str, yes: Set[int], no: Set[int]) -> str:
    """Return `sum to 5`, `sum to at least 5` or `do not sum to 5`; empty if that is long."""
    if len(yes) > 1 and min(yes) > max(no):
        return f"{verb} at least {min(yes)}"
    if len(yes) > 1 and max(yes) < min(no):
        return f"{verb} at most {max(yes)}"
    if len(no) < len(yes) and len(no) <= _MOST_LISTED:
        return f"do not {verb} {_or(no)}"
    return f"{verb} {_or(yes)}" if len(yes) <= _MOST_LISTED else ""


def _or(numbers: Set[int]) -> str:
    return join([str(number) for number in sorted(numbers)], "or")


def _of_both(verb: str) -> Callable[[Set[int], Set[int]], str]:
    def say(yes: Set[int], no: Set[int]) -> str:
        told = _listed(verb, yes, no)
        return told and f"{{}} and {{}} {told}"

    return say


def _order(yes: Set[int], no: Set[int]) -> str:
    """Return words for two cells that differ in this order: `{} is less than {}, by 2`."""
    signs = ("less", "more", yes, no), ("greater", "less", {-n for n in yes}, {-n for n in no})
    for order, against, ours, others in signs:
        if min(ours) > 0:
            return _by(order, ours, others)
        if min(ours) == 0 and max(others) < 0:
            return f"{{}} is not {against} than {{}}"
    return ""


def _by(order: str, yes: Set[int], no: Set[int]) -> str:
    """Return how much less, or greater, a cell is; `yes` are numbers above 0."""
    no = {n for n in no if n > 0}
    told = f"{{}} is {order} than {{}}"
    if not no:
        return told
    for odd, parity in enumerate(("even", "odd")):
        if all(n % 2 == odd for n in yes) and all(n % 2 != odd for n in no):
            return f"{told}, by an {parity} number"
    how = _listed("by", yes, no)
    return f"{told}, {how}" if how.startswith("by ") else ""


_KINDS: tuple[tuple[Measure, Callable[[Set[int], Set[int]], str]], ...] = (
    (lambda a, b: abs(a - b), _differ),
    (lambda a, b: b - a, _order),
    (operator.add, _of_both("sum to")),
    (operator.mul, _of_both("have the product")),
)


def _ratio(allowed: Pairs, others: Pairs, factor: int) -> Iterator[str]:
    """Yield words for two cells one of which is, or is not, so many times the other."""
    every = allowed | others
    first = {(a, b) for a, b in every if a == factor * b}
    second = {(a, b) for a, b in every if b == factor * a}
    for pairs, verb in ((allowed, "have"), (others, "do not have")):
        if pairs == first | second:
            yield f"{{}} and {{}} {verb} the ratio {factor}"
    if allowed == first:
        yield f"{{}} is {'twice' if factor == 2 else f'{factor} times'} {{}}"
    if allowed == second:
        yield "{} is half of {}" if factor == 2 else f"{factor} times {{}} is {{}}"


def _classes(allowed: Pairs) -> str:
    """Return words for two cells with numbers of two kinds, one of each kind."""
    beside: dict[frozenset[int], set[int]] = {}
    for a in {a for a, _ in allowed}:
        beside.setdefault(frozenset(b for one, b in allowed if one == a), set()).add(a)
    if len(beside) != 2:
        return ""
    (one, its), (other, those) = beside.items()
    if its != other or those != one or one & other:
        return ""
    first, second = sorted((sorted(one), sorted(other)))
    return f"{{}} and {{}} are one of {_span(first)} and one of {_span(second)}"


def _span(numbers: Sequence[int]) -> str:
    if len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"{numbers[0]} to {numbers[-1]}"
    return join([str(number) for number in numbers])
