"""Puzzles as ISS strings: one or more classes for each rule."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import NamedTuple

from satdoku.errors import SatdokuError
from satdoku.notation.exchange.fpuzzles import KINDS, NUMBERS, Meaning, meaning_of
from satdoku.notation.exchange.fpuzzles import RULES as DOT_RULES
from satdoku.notation.exchange.iss.items import DIGITS, Plain, edges_among, their_cells, write_pairs
from satdoku.notation.exchange.iss.table import CLASSES, write_hidden_regions
from satdoku.puzzle.arrangement import Arrangement
from satdoku.puzzle.constraints import Allowed, Masks, Pair, cells_of, digits_of
from satdoku.puzzle.grid import Geometry, Grid, Unit
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.arguments import write_cells
from satdoku.puzzle.rules.classic import Boxes
from satdoku.puzzle.rules.either import EitherRule
from satdoku.puzzle.rules.hidden_regions import HiddenRegionsRule
from satdoku.puzzle.rules.own import OwnPair
from satdoku.puzzle.rules.ranks import FullRank, NoEqualLines
from satdoku.puzzle.rules.registry import read_unsettled
from satdoku.puzzle.rules.rule import Rule, board_of, lowest_of
from satdoku.puzzle.rules.single_cells import Candidates, Digits, Odd

_CLASSES_OF: dict[str, list[str]] = {}
for _entry in CLASSES:
    _CLASSES_OF.setdefault(_entry.rule, []).append(_entry.name)

# How ISS states rules without a class of their own: with the givens, with the shape, or, for both
# diagonals, by a class for each.
_ELSEWHERE: dict[str, list[str]] = {
    **{name: [] for name in ("regions", "candidates", "odd", "even", "digits")},
    "diagonals": [".Diagonal~1", ".Diagonal~-1"],
}
_NO_EDGES: frozenset[frozenset[str]] = frozenset()
_MARKS = {
    ("difference", "1"): "WhiteDot",
    ("ratio", "2"): "BlackDot",
    ("xv", "x"): "X",
    ("xv", "v"): "V",
}
_MARKED = {kind: rule for rule, kind in KINDS.items()}
_UNMARKED = {"difference": "no-difference", "ratio": "no-ratio", "xv": "no-sum"}


def can_hold(rule: Rule) -> bool:
    """Return whether ISS has a class for a rule, or can state it by other classes.

    Rules that are relations of two cells need no class there: `Pair` takes any relation.
    """
    is_written_here = rule.name in _ELSEWHERE or rule.name in DOT_RULES
    return (
        is_written_here
        or rule.name in _CLASSES_OF
        or rule.is_of_pairs
        or isinstance(rule, EitherRule | HiddenRegionsRule)
    )


def write_iss(puzzle: Puzzle) -> str:
    """Return the puzzle as one string; a SatdokuError for a rule that ISS cannot hold as it is."""
    board, lowest = puzzle.geometry, lowest_of(puzzle.further_rules)
    writer = _Writer(board, lowest)
    words = _write_shape(board, lowest)
    words += _write_regions(puzzle)
    words += writer.givens(puzzle)
    dots = [rule for rule in puzzle.further_rules if rule.name in DOT_RULES]
    for rule in puzzle.further_rules:
        if rule not in dots:
            words += writer.rule(rule)
    words += _write_ties(puzzle.further_rules)
    # Rules of marks are written together: what holds at edges without a mark depends on all of
    # them.
    words += writer.dots(dots)
    return "".join(words)


def _write_shape(board: Geometry, lowest: int) -> list[str]:
    """Return the class for the shape of a board, and one for each group of cells beside it."""
    shape, digits = f".Shape~{board.height}x{board.width}", ""
    if lowest != 1:
        digits = f"~{lowest}-{lowest + board.size - 1}"
    elif board.size != max(board.height, board.width):
        digits = f"~{board.size}"
    if not isinstance(board, Arrangement):
        return [shape + digits]
    if board.areas:
        raise SatdokuError("ISS has no boards of several areas")
    kind = f"{digits or '~'}~Raw" if board.is_raw else digits
    words = [shape + kind]
    for group in board.groups:
        if not group.name.startswith("V"):
            raise SatdokuError(
                f"names of cells beside a board begin with V in ISS, not {group.name}"
            )
        size = f"{group.length // group.width}x{group.width}" if group.width else group.length
        words.append(f".Var~{group.name[1:]}~~{size}")
    return words


def _write_regions(puzzle: Puzzle) -> Iterator[str]:
    """Yield nothing for the usual boxes of ISS; else the class for no boxes, and the regions."""
    geometry = puzzle.geometry.core
    if geometry is None:
        yield from _write_boxes(puzzle.geometry)
        return
    has_boxes = Boxes() in puzzle.rules
    if has_boxes and geometry == Geometry.of_size(geometry.size) and geometry.box_rows > 1:
        return
    yield ".NoBoxes"
    if puzzle.regions is not None and puzzle.regions.units(geometry):
        yield f".Jigsaw~{puzzle.regions.letters}"
    elif has_boxes and geometry.box_rows > 1 and geometry.box_columns > 1:
        box_of = map(geometry.box_of, range(geometry.cell_count))
        yield f".Jigsaw~{''.join(DIGITS[box] for box in box_of)}"


def _write_ties(rules: Sequence[Rule]) -> Iterator[str]:
    """Yield the class that allows equal lines; in ISS, it applies to all ranks."""
    ties = {rule.may_tie for rule in _ranks(rules)}
    # If a rule forbids equal lines anyway, the class makes no difference.
    if True in ties and not any(isinstance(rule, NoEqualLines) for rule in rules):
        if False in ties:
            raise SatdokuError("in ISS all ranks may tie, or none")
        yield ".FullRankTies~any"


def _ranks(rules: Iterable[Rule]) -> Iterator[FullRank]:
    for rule in rules:
        if isinstance(rule, FullRank):
            yield rule
        elif isinstance(rule, EitherRule):
            yield from _ranks(chain(*rule.choices))


def _write_boxes(board: Geometry) -> Iterator[str]:
    """Yield the boxes of a board that is not square, or of other digits."""
    if not board.boxes and not (isinstance(board, Arrangement) and board.is_raw):
        yield ".NoBoxes"
    elif board.box_rows and board.box_rows * board.box_columns != max(board.height, board.width):
        yield f".RegionSize~{board.box_rows * board.box_columns}"


# Classes without cells: ISS applies them to the whole board, so they cannot be in a choice.
_OF_BOARD = {".StrictKropki", ".StrictXV", ".AntiConsecutive"}
_BOARD_RULES = {
    "diagonals",
    *(entry.rule for entry in CLASSES if isinstance(entry.shape, Plain)),
}


class _Writer(NamedTuple):
    """Writer of a board's rules as classes, in digits that count from the lowest."""

    geometry: Geometry
    lowest: int

    @property
    def _digits(self) -> range:
        return range(self.lowest, self.lowest + self.geometry.size)

    def _said_of(self, cell: int, digits: Iterable[int]) -> str:
        """Return the digits that a cell may hold; internally they count from 1."""
        names = their_cells(self.geometry.name_of(cell))
        return "_".join([*names, *(str(self._digits[digit - 1]) for digit in digits)])

    def givens(self, puzzle: Puzzle) -> Iterator[str]:
        """Yield givens and candidates, each cell once."""
        every = range(1, self.geometry.size + 1)
        allowed = {cell: {digit} for cell, digit in puzzle.givens.items()}
        for rule in puzzle.further_rules:
            if isinstance(rule, Candidates | Odd):
                for cell in rule.cells(self.geometry):
                    found = {d for d in every if not rule.forbids(self.geometry, cell, d)}
                    allowed[cell] = allowed.get(cell, found) & found
        empty = next((cell for cell, digits in sorted(allowed.items()) if not digits), None)
        if empty is not None:
            name = self.geometry.name_of(empty)
            raise SatdokuError(f"ISS cannot say that {name} holds no digit")
        if allowed:
            said = (self._said_of(cell, sorted(digits)) for cell, digits in sorted(allowed.items()))
            yield ".~" + "~".join(said)

    def rule(self, rule: Rule) -> list[str]:
        """Return the classes of a rule that is not about givens, regions or dots."""
        name, argument = rule.name, rule.argument(board_of(rule, self.geometry))
        if name in _ELSEWHERE:
            return _ELSEWHERE[name]
        if isinstance(rule, HiddenRegionsRule):
            return write_hidden_regions(rule.clues, self.geometry)
        if isinstance(rule, EitherRule):
            return self._either(rule)
        if isinstance(rule, OwnPair):
            argument = self._with_table(rule)
        fault = f" as it is used here: {argument[:40]}"
        try:
            words = [
                "~".join([f".{entry.name}", *args])
                for entry in CLASSES
                if entry.rule == name
                for args in entry.shape.counted_from(self.lowest).write(argument, self.geometry)
            ]
        except SatdokuError as error:
            words, fault = [], f": {error}"
        words = words or self._as_pairs(rule)
        if not words:
            raise SatdokuError(f"ISS cannot hold the rule {name}{fault}")
        return words

    def _as_pairs(self, rule: Rule) -> list[str]:
        """Return a rule without a class as relations of two cells and candidates.

        Empty if these do not express it.
        """
        edges_of: dict[Masks, list[str]] = {}
        givens = []
        for each in rule.constraints(board_of(rule, self.geometry)):
            if isinstance(each, Pair):
                names = write_cells((each.first, each.second), self.geometry)
                edges_of.setdefault(each.excludes, []).append("~".join(their_cells(names)))
            elif isinstance(each, Allowed) and each.digits:
                givens.append(self._said_of(each.cell, digits_of(each.digits)))
            else:
                return []
        words = [".~" + "~".join(givens)] if givens else []
        for excludes, edges in edges_of.items():
            pairs = self._pairs(partial(_go_together, excludes))
            # Readers would ignore a relation that allows no digits.
            if not pairs:
                return []
            words.append(f".Pair~{write_pairs(pairs, self._digits)}~~{'~~'.join(edges)}")
        return words

    def _pairs(self, holds: Callable[[int, int], bool]) -> list[tuple[int, int]]:
        """Return the pairs of digits that are allowed, where `holds` counts digits from 1."""
        numbered = list(enumerate(self._digits, 1))
        return [(one, other) for a, one in numbered for b, other in numbered if holds(a, b)]

    def _with_table(self, rule: Rule) -> str:
        """Return the argument of a relation with a table in place of an expression."""
        cells = rule.argument(self.geometry).partition(":")[0]
        first, second = tuple(rule.cells(self.geometry))[:2]
        pairs = self._pairs(lambda a, b: not rule.forbids_both(self.geometry, first, a, second, b))
        return f"{cells}:{'/'.join(f'{one}-{other}' for one, other in pairs)}"

    def _of_board(self, rule: Rule) -> list[str]:
        """Return a rule of the whole board as constraints of cells, which may be in a choice."""
        parts = list(rule.constraints(board_of(rule, self.geometry)))
        words = []
        if all(isinstance(part, Unit) for part in parts):
            names = (write_cells(cells_of(part), self.geometry) for part in parts)
            words = [f".AllDifferent~{'~'.join(their_cells(cells))}" for cells in names]
        words = words or self._as_pairs(rule)
        if not words:
            raise SatdokuError(f"ISS cannot hold the rule {rule.name} as one of several choices")
        return words

    def _either(self, rule: EitherRule) -> list[str]:
        words = [".Or"]
        for choice in rule.choices:
            words.append(".And")
            for each in choice:
                words += self._chosen(each)
            words.append(".End")
        return [*words, ".End"]

    def _chosen(self, rule: Rule) -> list[str]:
        """Return the classes that state a rule which is one alternative of an `Or`."""
        if rule.name in _BOARD_RULES:
            return self._of_board(rule)
        if rule.name in DOT_RULES:
            dots = self.dots([rule])
            # These classes are about the marks of the whole board, not the marks of a choice.
            return dots if _OF_BOARD.isdisjoint(dots) else self._of_board(rule)
        if isinstance(rule, Candidates | Odd):
            # The alternatives of a choice do not depend on the givens: an empty board tells what
            # they allow.
            empty = Puzzle(Grid.empty(self.geometry))
            return list(self.givens(empty.with_rules([Digits(lowest=self.lowest), rule])))
        return self.rule(rule)

    def dots(self, rules: Sequence[Rule]) -> list[str]:
        """Return the classes of dots and letters, with the classes for all other edges."""
        meaning = meaning_of((rule.name, rule.argument(self.geometry)) for rule in rules)
        words = []
        others = []
        for kind, value, edge in sorted(meaning.marks, key=lambda m: (*m[:2], sorted(m[2]))):
            cells = ",".join(sorted(edge))
            theirs = their_cells(cells)
            # ISS has marks with these numbers only, and between cells that share a side.
            if (kind, value) in _MARKS and edges_among(theirs, self.geometry):
                words.append("~".join([f".{_MARKS[kind, value]}", *theirs]))
            else:
                others.append(f"{_MARKED[kind]}:{NUMBERS.get(value, value)}={cells}")
        left = set(meaning.forbidden)
        for name, kinds in (
            ("StrictKropki", _all_of(meaning, {"difference": ("1",), "ratio": ("2",)})),
            ("StrictXV", _all_of(meaning, {"xv": ("5", "10")})),
            ("AntiConsecutive", {("difference", "1", _NO_EDGES)}),
        ):
            # A class is written only if all that it forbids is to be forbidden: ISS has no class
            # for a part.
            if kinds <= left:
                words.append(f".{name}")
                left -= kinds
        for kind, value, exempt in sorted(left, key=lambda each: each[:2]):
            edges = sorted(",".join(sorted(edge)) for edge in exempt)
            others.append(f"{_UNMARKED[kind]}:{'/'.join([value, *edges])}")
        for text in others:
            rule = read_unsettled(text, self.geometry).beside([Digits(lowest=self.lowest)])
            found = self._as_pairs(rule)
            if not found:
                raise SatdokuError(f"ISS cannot hold the rule {text[:40]}")
            words += found
        return words


def _go_together(excludes: Masks, one: int, other: int) -> bool:
    return not excludes[one] >> other & 1


def _all_of(
    meaning: Meaning, values: dict[str, tuple[str, ...]]
) -> set[tuple[str, str, frozenset[frozenset[str]]]]:
    """Return what is forbidden if all marks of some kinds are given."""
    marked = frozenset(edge for kind, _, edge in meaning.marks if kind in values)
    return {(kind, value, marked) for kind, each in values.items() for value in each}
