"""A Sudoku as it was set: the givens, the rules, and what its author wrote beside them."""

from collections.abc import Iterable
from dataclasses import field, replace
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, cast

from satdoku.errors import count_of
from satdoku.puzzle.constraints import Constraints, collect, is_impossible
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.rules.classic import CLASSIC, Boxes, UnitRule, arrange
from satdoku.puzzle.rules.rule import Rule, write_rule
from satdoku.puzzle.value import Shown, fit_line, value

if TYPE_CHECKING:
    from satdoku.puzzle.rules.regions import Regions


@value(frozen=True, repr=False)
class Puzzle(Shown):
    """The givens of a Sudoku and its rules, with its name and comment where the source had them.

    `rules` are all rules, rows, columns and boxes among them. `symbols` are the texts by which the
    source names the digits 1, 2, ...; without them digits are named by their numbers. Two puzzles
    are equal however their sources name digits.

    >>> Puzzle(Grid.empty(Geometry(2, 2))).is_classic
    True
    """

    grid: Grid
    name: str = ""
    comment: str = ""
    rules: tuple[Rule, ...] = CLASSIC
    symbols: tuple[str, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        if self.rules is not CLASSIC:
            for rule in self.rules:
                rule.require_fit(self.geometry)

    @classmethod
    def from_line(
        cls, line: str, geometry: Geometry | None = None, rules: Iterable[str] = (), name: str = ""
    ) -> "Puzzle":
        """The puzzle of a line as `Grid.from_line` reads it, with further rules as text."""
        # Imported here: a program whose puzzles are classic starts without all other rules.
        from satdoku.puzzle.rules.registry import read_rules

        puzzle = cls(Grid.from_line(line, geometry), name)
        return puzzle.with_rules(read_rules(rules, puzzle.geometry))

    def __repr__(self) -> str:
        """A line that makes the puzzle again; where that is too long, what kind of puzzle it is."""
        from satdoku.puzzle.rules.registry import RULES

        size, rules = self.geometry.size, self.further_rules
        named = f" {self.name!r}" if self.name else ""
        ruled = f", {', '.join(rule.name for rule in rules)}" if rules else ""
        short = f"<Puzzle{named} {size}x{size} with {count_of(len(self.givens), 'given')}{ruled}>"
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
        """The digit of every given cell."""
        return self.grid.givens

    @property
    def is_classic(self) -> bool:
        """Whether the rules are rows, columns and boxes, and nothing else.

        Whatever knows only these asks here first, and steps aside or refuses when it is not so.
        """
        return self.rules == CLASSIC

    @property
    def further_rules(self) -> tuple[Rule, ...]:
        """The rules beyond rows, columns and boxes."""
        return tuple(rule for rule in self.rules if rule not in CLASSIC)

    @property
    def impossible_rule(self) -> Rule | None:
        """A rule that no grid keeps, whatever else is asked of it, such as a sum out of reach."""
        for rule in self.further_rules:
            if rule.why_impossible(self.geometry):
                return rule
            if any(map(is_impossible, rule.constraints(self.geometry))):
                return rule
        return None

    @property
    def rule_texts(self) -> list[str]:
        """The same as text, as `--rule` takes them.

        >>> Puzzle.from_line("." * 16, rules=["anti-king", "odd:r1c1"]).rule_texts
        ['anti-king', 'odd:r1c1']
        """
        texts = [write_rule(rule, self.geometry) for rule in self.further_rules]
        if Boxes() in self.rules or any(rule.stands_in_for_boxes for rule in self.rules):
            return texts
        # What lists further rules cannot leave boxes out, but it can put no regions in their place.
        size = self.geometry.size
        return [f"regions:{'/'.join(['.' * size] * size)}", *texts]

    @property
    def regions(self) -> "Regions | None":
        """The irregular regions, where the puzzle has any."""
        # Not told by their class, which few puzzles need.
        found = (r for r in self.rules if isinstance(r, UnitRule) and r.stands_in_for_boxes)
        return cast("Regions | None", next(found, None))

    @property
    def constraints(self) -> Constraints:
        """What the rules ask of a solver, all together."""
        return constraints_of(self.geometry, self.rules)

    def with_rules(self, rules: Iterable[Rule]) -> "Puzzle":
        """The puzzle with further rules; regions take the place of boxes."""
        arranged = arrange([*self.rules, *rules])
        ruled = replace(self, rules=arranged)
        return replace(ruled, symbols=ruled.shown_symbols)

    @property
    def shown_symbols(self) -> tuple[str, ...]:
        """The symbols of its source, or else those that a rule such as digits from 0 says."""
        return self.symbols or self.symbols_of_rules

    @property
    def symbols_of_rules(self) -> tuple[str, ...]:
        """The digits as a rule such as digits from 0 names them; empty without such a rule."""
        return next(filter(None, (rule.symbols(self.geometry) for rule in self.rules)), ())

    def with_grid(self, grid: Grid) -> "Puzzle":
        """The same rules for other givens."""
        return replace(self, grid=grid)

    def name_of_digit(self, digit: int) -> str:
        """The text by which the source of the puzzle names a digit."""
        return self.symbols[digit - 1] if self.symbols else str(digit)


# Most runs are about one kind of puzzle; a file of jigsaws has other regions each time.
@lru_cache(maxsize=64)
def constraints_of(geometry: Geometry, rules: tuple[Rule, ...]) -> Constraints:
    """The constraints of a board with these rules, worked out once."""
    return collect(geometry, chain.from_iterable(rule.constraints(geometry) for rule in rules))
