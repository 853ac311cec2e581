"""A Sudoku as its author published it: givens, rules, name and comment."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, replace
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any, cast

from satdoku.errors import SatdokuError, count_of
from satdoku.puzzle.constraints import Constraints, collect, every_digit, is_impossible
from satdoku.puzzle.grid import EMPTY, Geometry, Grid
from satdoku.puzzle.rules.classic import CLASSIC, Boxes, UnitRule, arrange
from satdoku.puzzle.rules.registry import RULES, read_rules
from satdoku.puzzle.rules.rule import Rule, board_of, write_rule
from satdoku.puzzle.value import Shown, fit_line, value

if TYPE_CHECKING:
    from satdoku.puzzle.rules.regions import Regions


@value(frozen=True)
class Publication:
    """Texts and drawings printed with a puzzle, which do not affect its solution.

    `rules_text` states the rules in the author's words. `drawings` are lines, fog, colours and the
    like in the file format of `program`, by the names in that format; only that format can show
    them.
    """

    author: str = ""
    rules_text: str = ""
    program: str = ""
    drawings: Mapping[str, Any] = field(default_factory=dict)


UNPUBLISHED = Publication()
"""The publication of a puzzle whose source states no author, rules text or drawings."""


@value(frozen=True, repr=False)
class Puzzle(Shown):
    """The givens and rules of a Sudoku, with its name and comment if the source had them.

    `rules` are all rules, including rows, columns and boxes. `symbols` are the texts by which the
    source names the digits 1, 2, ...; if empty, digits are named by their numbers. `publication`
    has the author, the rules in words, and drawings. Symbols and publication are ignored when
    puzzles are compared.

    >>> Puzzle(Grid.empty(Geometry(2, 2))).is_classic
    True
    """

    grid: Grid
    name: str = ""
    comment: str = ""
    rules: tuple[Rule, ...] = CLASSIC
    symbols: tuple[str, ...] = field(default=(), compare=False)
    publication: Publication = field(default=UNPUBLISHED, compare=False)

    def __post_init__(self) -> None:
        if self.rules is not CLASSIC:
            for rule in self.rules:
                rule.require_fit(board_of(rule, self.geometry))

    @classmethod
    def from_line(
        cls, line: str, geometry: Geometry | None = None, rules: Iterable[str] = (), name: str = ""
    ) -> "Puzzle":
        """Return the puzzle of a line that `Grid.from_line` reads, with further rules given as
        text.
        """
        puzzle = cls(Grid.from_line(line, geometry), name)
        return puzzle.with_rules(read_rules(rules, puzzle.geometry))

    def __repr__(self) -> str:
        """Return a constructor call that makes the puzzle again, or a short text if that is too
        long.
        """
        rules = self.further_rules
        named = f" {self.name!r}" if self.name else ""
        ruled = f", {', '.join(rule.name for rule in rules)}" if rules else ""
        board, givens = self.geometry.board_words, count_of(len(self.givens), "given")
        short = f"<Puzzle{named} {board} with {givens}{ruled}>"
        is_usual = self.rules == arrange([*CLASSIC, *rules]) and not self.comment
        if not is_usual or not all(RULES.get(rule.name) is type(rule) for rule in rules):
            return short
        arguments = f", rules={self.rule_texts}" if rules else ""
        arguments += f", name={self.name!r}" if self.name else ""
        line = f"{self.grid.line!r}{self.geometry.as_argument}{arguments}"
        return fit_line(f"Puzzle.from_line({line})", short)

    @property
    def geometry(self) -> Geometry:
        return self.grid.geometry

    @property
    def givens(self) -> dict[int, int]:
        """Return the digit of every given cell."""
        return self.grid.givens

    @property
    def author(self) -> str:
        """Return the author; empty if the source names none."""
        return self.publication.author

    @property
    def rules_text(self) -> str:
        """Return the rules in the author's words; empty if the source has none."""
        return self.publication.rules_text

    @property
    def remark(self) -> str:
        """Return the comment, or the author if there is none, for formats with a single text."""
        return self.comment or self.author

    @property
    def is_classic(self) -> bool:
        """Whether the rules are exactly rows, columns and boxes.

        Code that supports only classic puzzles checks this first and declines other puzzles.
        """
        return self.rules == CLASSIC and self.grid.geometry.is_plain

    def require_plain(self, what: str) -> None:
        """Raise an error that names `what` unless the board is a plain square."""
        if not self.geometry.is_plain:
            board = self.geometry.whole_words
            raise SatdokuError(f"{what} plain square boards only, and this puzzle has {board}")

    @property
    def further_rules(self) -> tuple[Rule, ...]:
        """Return the rules beyond rows, columns and boxes."""
        return tuple(rule for rule in self.rules if rule not in CLASSIC)

    @property
    def impossible_rule(self) -> Rule | None:
        """Return a rule that no grid can keep, such as a sum out of range, or None."""
        for rule in self.further_rules:
            board = board_of(rule, self.geometry)
            if rule.why_impossible(board):
                return rule
            if any(map(is_impossible, rule.constraints(board))):
                return rule
        return None

    @property
    def rule_texts(self) -> list[str]:
        """Return the further rules as text, as `--rule` takes them.

        >>> Puzzle.from_line("." * 16, rules=["anti-king", "odd:r1c1"]).rule_texts
        ['anti-king', 'odd:r1c1']
        """
        texts = [write_rule(rule, self.geometry) for rule in self.further_rules]
        if Boxes() in self.rules or any(rule.stands_in_for_boxes for rule in self.rules):
            return texts
        # Texts of rules can only replace boxes: if there are none, by regions without cells.
        board = self.geometry.core or self.geometry
        return [f"regions:{'/'.join(['.' * board.size] * board.size)}", *texts]

    @property
    def regions(self) -> "Regions | None":
        """Return the irregular regions; None if the puzzle has none."""
        # Tested by a property and not by class, to avoid importing the module of regions.
        found = (r for r in self.rules if isinstance(r, UnitRule) and r.stands_in_for_boxes)
        return cast("Regions | None", next(found, None))

    @property
    def constraints(self) -> Constraints:
        """Return the constraints of all rules together."""
        return constraints_of(self.geometry, self.rules)

    def with_rules(self, rules: Iterable[Rule]) -> "Puzzle":
        """Return the puzzle with further rules added; regions replace the boxes."""
        arranged = arrange([*self.rules, *rules])
        ruled = replace(self, rules=arranged)
        return replace(ruled, symbols=ruled.shown_symbols)

    @property
    def shown_symbols(self) -> tuple[str, ...]:
        """Return the symbols of the source, or those of a rule such as digits from 0 if it has
        none.
        """
        return self.symbols or self.symbols_of_rules

    @property
    def symbols_of_rules(self) -> tuple[str, ...]:
        """Return the symbols that a rule such as digits from 0 defines; empty if none does."""
        return next(filter(None, (rule.symbols(self.geometry) for rule in self.rules)), ())

    def with_grid(self, grid: Grid) -> "Puzzle":
        """Return the puzzle with the same rules and other givens."""
        return replace(self, grid=grid)

    def name_of_digit(self, digit: int) -> str:
        """Return the text by which the source of the puzzle names a digit."""
        return self.symbols[digit - 1] if self.symbols else str(digit)


# Most runs use one set of rules; in a file of jigsaws each puzzle has its own regions.
@lru_cache(maxsize=64)
def constraints_of(geometry: Geometry, rules: tuple[Rule, ...]) -> Constraints:
    """Return the constraints of a board with these rules (cached)."""
    stated = (rule.constraints(board_of(rule, geometry)) for rule in rules)
    return collect(geometry, chain.from_iterable(stated))


# Candidates of empty cells, from givens and rules, as bit masks: bit d stands for digit d


def find_missing(puzzle: Puzzle) -> list[int]:
    """Return, for each unit, the mask of the digits that no given in it holds."""
    every = every_digit(puzzle.geometry.size)
    constraints = puzzle.constraints
    missing = [every] * len(constraints.units)
    for cell, digit in enumerate(puzzle.grid.digits):
        if digit != EMPTY:
            other = ~(1 << digit)
            for unit in constraints.units_of[cell]:
                missing[unit] &= other
    return missing


def find_candidates(puzzle: Puzzle, missing: list[int]) -> Iterator[tuple[int, int]]:
    """Yield every empty cell with the mask of the digits that neither givens nor rules exclude.

    `missing` is what `find_missing` returned.
    """
    constraints = puzzle.constraints
    every = every_digit(puzzle.geometry.size)
    others = _masks_beside_units(puzzle)
    for cell, digit in enumerate(puzzle.grid.digits):
        if digit == EMPTY:
            mask = every
            for unit in constraints.units_of[cell]:
                mask &= missing[unit]
            yield cell, mask & others[cell] if cell in others else mask


def _masks_beside_units(puzzle: Puzzle) -> dict[int, int]:
    """Return, for each cell that a pair or an `Allowed` constraint restricts, the mask of digits
    left.
    """
    digits = puzzle.grid.digits
    every = every_digit(puzzle.geometry.size)
    masks: dict[int, int] = {}
    for allowed in puzzle.constraints.allowed:
        masks[allowed.cell] = masks.get(allowed.cell, every) & allowed.digits
    for pair in puzzle.constraints.pairs:
        for cell, other, excludes in pair.both_ways():
            if digits[cell] != EMPTY:
                masks[other] = masks.get(other, every) & ~excludes[digits[cell]]
    return masks
