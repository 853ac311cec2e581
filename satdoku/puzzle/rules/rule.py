"""What every rule has: a name, a sentence for people, a definition for judges, constraints.

A rule is stated twice on purpose. The *definition* says what is wrong with a grid, as a person
would check it; the judge and the check of certificates use nothing else. The *constraints* are what
a solver is given. A test compares the two on every grid of small boards, for every rule.

To add one: a file here with a class, a line in `registry.py`, and the class's `example`. A rule
that can be shown on a board says how by `drawing`; of others the sentence stands below the board.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from satdoku.errors import join
from satdoku.puzzle.geometry import Geometry, Unit
from satdoku.puzzle.value import value

if TYPE_CHECKING:
    from satdoku.puzzle.constraints import Constraint
    from satdoku.puzzle.rules.drawn import Drawn

# More names than this are no sentence that anybody reads.
_MOST_CELLS_NAMED = 5


class Clash(NamedTuple):
    """Cells whose digits break a rule; `why` ends a sentence about them.

    `unit` is the unit in which a digit stands twice, where the rule is about units.
    """

    geometry: Geometry
    cells: tuple[int, ...]
    digits: tuple[int, ...]
    why: str
    unit: Unit | None = None

    def describe(self, name_of_digit: Callable[[int], str] = str) -> str:
        """The fault as a sentence, with digits named as their source names them."""
        names = [self.geometry.name_of(cell) for cell in self.cells]
        digits = [name_of_digit(digit) for digit in self.digits]
        if len(names) == 1:
            return f"{names[0]} is {digits[0]}, but {self.why}"
        if len(names) > 2:
            # A long cage or line is told by its ends.
            if len(names) > _MOST_CELLS_NAMED:
                return f"{names[0]} to {names[-1]} are {' '.join(digits)}, {self.why}"
            return f"{join(names)} are {join(digits)}, {self.why}"
        if digits[0] == digits[1]:
            return f"{names[0]} and {names[1]} are both {digits[0]}, {self.why}"
        return f"{names[0]} is {digits[0]} and {names[1]} is {digits[1]}, {self.why}"

    def __str__(self) -> str:
        return self.describe()


@value(frozen=True)
class Rule(ABC):
    """A rule of a puzzle, as a value that can be compared, hashed and sent to other processes.

    A rule knows no board; every question brings the board's `geometry`.
    """

    name: ClassVar[str]
    """What options and files call it."""
    example: ClassVar[str] = ""
    """An argument for `example_board`, where the rule takes one."""
    example_board: ClassVar[Geometry] = Geometry(2, 2)
    """The board to show the rule on: one of 4x4 wherever the rule makes sense there."""
    form: ClassVar[str] = ""
    """The argument with a word in capitals for each of its parts: `[SUM=]CELLS`. What stands in
    brackets may be left out."""
    parts: ClassVar[Mapping[str, str]] = {}
    """What each of these words stands for."""
    told: ClassVar[str | None] = None
    """What stands below a drawn board in place of the sentence, see `caption`; `{number}` is the
    rule's field `number`."""
    drawn_at_random: ClassVar[str] = ""
    """How `making/clues.py` draws clues of the rule on a solution: as "cages", "lines", "arrows",
    "marks" or numbers "outside". Empty if it draws none."""
    is_unmistakable: ClassVar[bool] = False
    """Whether the name means the rule wherever it stands, as `kropki` does. Names of everyday
    words, such as `sum`, do not; names with a hyphen always do."""
    is_of_the_board: ClassVar[bool] = False
    """Whether it says how the board is made, so that other rules depend on it: no clue to spare."""
    is_of_pairs: ClassVar[bool] = False
    """Whether all its constraints are about two cells, or the digits of one: programs that know
    such relations can be told the rule by them."""
    counts: ClassVar[bool] = False
    """Whether it matters to the rule which numbers the digits are: 1 to 9, or 0 to 8."""

    lowest: int = field(default=1, kw_only=True, repr=False)
    """The number that the first digit counts as; the rule `digits` says so for all others."""

    @classmethod
    def parse(cls, argument: str, geometry: Geometry) -> "Rule":
        """The rule with this argument; SatdokuError where it makes no sense on this board."""
        raise NotImplementedError

    def argument(self, geometry: Geometry) -> str:
        """The text that `parse` reads; empty for rules that take none."""
        return ""

    def beside(self, others: "Sequence[Rule]") -> "Rule":
        """The rule as the others of a puzzle make it: its digits may count from another number."""
        # Asked first, as a puzzle may have thousands of rules.
        if not self.counts:
            return self
        lowest = lowest_of(others)
        return self if self.lowest == lowest else replace(self, lowest=lowest)

    @property
    def stands_in_for_boxes(self) -> bool:
        """Whether a puzzle with this rule has no boxes: so it is with regions of any shape."""
        return False

    def symbols(self, geometry: Geometry) -> tuple[str, ...]:
        """What the digits of the board are written as, where the rule is about that."""
        return ()

    def value(self, digit: int) -> int:
        """The number that a digit of the board, 1 to its size, counts as."""
        return digit + self.lowest - 1

    def values(self, geometry: Geometry) -> range:
        """The numbers that the digits of a board count as, in their order."""
        return range(self.lowest, self.lowest + geometry.size)

    def require_fit(self, geometry: Geometry) -> None:  # noqa: B027 - most rules fit every board
        """Raises SatdokuError where the rule makes no sense on a board."""

    @abstractmethod
    def sentence(self, geometry: Geometry) -> str:
        """The rule for people, without a capital and without a full stop."""

    @abstractmethod
    def cells(self, geometry: Geometry) -> Collection[int]:
        """The cells that the rule is about."""

    def drawn_along(self, geometry: Geometry) -> Iterable[Sequence[int]]:
        """Cells that follow each other where the rule is drawn; nothing if none has to."""
        return ()

    def find_gap(self, geometry: Geometry) -> str:
        """Two cells that follow each other there and do not touch; empty without a gap."""
        for cells in self.drawn_along(geometry):
            for one, other in pairwise(cells):
                if not geometry.touch(one, other):
                    return f"{geometry.name_of(one)} and {geometry.name_of(other)}"
        return ""

    def drawing(self, geometry: Geometry) -> "Iterator[Drawn]":
        """What the rule looks like on a board; nothing for rules that only words can tell."""
        # Not abstract: rules that others write need not know how boards are drawn.
        return iter(())

    def drawing_on(self, geometry: Geometry, digits: Sequence[int]) -> "Iterator[Drawn]":
        """The same, and what is only known of a grid with these digits."""
        return self.drawing(geometry)

    def caption(self, geometry: Geometry) -> str:
        """What stands below a drawn board: the sentence, or what the rule's drawing means.

        Empty where the drawing needs no words, as the borders of regions.
        """
        return self.sentence(geometry) if self.told is None else self.told.format(**vars(self))

    # The definition.

    @abstractmethod
    def find_clashes(self, geometry: Geometry, digits: Sequence[int]) -> Iterator[Clash]:
        """What is wrong with a grid; empty cells hold 0 and break no rule.

        A full grid keeps the rule when there is nothing wrong with it.
        """

    # The three below are asked by the check of certificates, about single clauses. A rule that has
    # nothing to say on a question keeps the answer no: then no clause passes in its name.

    def forbids(self, geometry: Geometry, cell: int, digit: int) -> bool:
        """Whether the digit may never stand in the cell."""
        return False

    def forbids_both(
        self, geometry: Geometry, cell: int, digit: int, other: int, other_digit: int
    ) -> bool:
        """Whether two different cells may not hold these two digits at once."""
        return False

    def are_all_different(self, geometry: Geometry, cells: Sequence[int]) -> bool:
        """Whether the rule by itself forbids any digit to stand twice among these cells."""
        return False

    def why_impossible(self, geometry: Geometry) -> str:
        """What bounds a clue that no grid keeps goes beyond; empty where none of them is broken.

        A rule knows rows and columns, but no further rule of the puzzle.
        """
        return ""

    # The constraints.

    @abstractmethod
    def constraints(self, geometry: Geometry) -> "Iterator[Constraint]":
        """What a solver has to keep so that grids keep the rule."""


def lowest_of(rules: Iterable[Rule]) -> int:
    """The lowest number that digits count as, on a board with these rules."""
    return next((rule.lowest for rule in rules if rule.name == "digits"), 1)


def write_rule(rule: Rule, geometry: Geometry) -> str:
    """The text that `registry.read_rule` takes."""
    argument = rule.argument(geometry)
    return f"{rule.name}:{argument}" if argument else rule.name
