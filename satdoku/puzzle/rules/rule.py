"""The base of every rule: a name, a sentence for people, a definition for judges, constraints.

A rule is stated twice on purpose. The *definition* tells what is wrong with a grid, as a person
would check it; the judge and the check of certificates use nothing else. The *constraints* are what
a solver is given. A test compares the two on every grid of small boards, for every rule.

To add a rule: a file here with a class, a line in `registry.py`, and the class's `example`. A rule
that can be shown on a board has a `drawing`; for other rules the sentence is printed below the
board.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from satdoku.errors import SatdokuError, join
from satdoku.puzzle.grid import Geometry, Unit
from satdoku.puzzle.value import value

if TYPE_CHECKING:
    from satdoku.puzzle.constraints import Constraint

Drawing = tuple[Any, ...]
"""The name of a shape and its fields in order, such as `("dot", (0, 1), "X")`."""

# Nobody reads a sentence with more names than this.
_MOST_CELLS_NAMED = 5


class Clash(NamedTuple):
    """Cells whose digits break a rule; `why` is the end of a sentence about them.

    `unit` is the unit in which a digit stands twice, if the rule is about units.
    """

    geometry: Geometry
    cells: tuple[int, ...]
    digits: tuple[int, ...]
    why: str
    unit: Unit | None = None

    def describe(self, name_of_digit: Callable[[int], str] = str) -> str:
        """Return the fault as a sentence, with digits named as the source names them."""
        names = [self.geometry.name_of(cell) for cell in self.cells]
        digits = [name_of_digit(digit) for digit in self.digits]
        if len(names) == 1:
            return f"{names[0]} is {digits[0]}, but {self.why}"
        if len(names) > 2:
            # A long cage or line is named by its ends.
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
    """A rule of a puzzle: a value that can be compared, hashed and sent to other processes.

    A rule does not store its board; methods take the board's `geometry`.
    """

    name: ClassVar[str]
    """The name in options and files."""
    example: ClassVar[str] = ""
    """An argument for `example_board`; empty if the rule takes none."""
    example_board: ClassVar[Geometry] = Geometry(2, 2)
    """The board that the rule is shown on: 4x4 if the rule makes sense there."""
    form: ClassVar[str] = ""
    """The argument with a word in capitals for each part: `[SUM=]CELLS`.

    A part in brackets may be left out.
    """
    parts: ClassVar[Mapping[str, str]] = {}
    """The meaning of each of these words."""
    heading: ClassVar[str] = ""
    """What players call it, at the head of a step; if the class itself has none, its name."""
    label: ClassVar[str] = ""
    """What setters call one of it, in a palette and in lists: a noun in the singular. If the class
    itself has none, its heading, or else its name."""
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
    fits_every_board: ClassVar[bool] = False
    """Whether the rule asks only for the cells that it names and for the digits, or asks the board
    where its cells are; other rules are for plain boards, see `board_of`."""
    counts: ClassVar[bool] = False
    """Whether the rule depends on which numbers the digits are: 1 to 9, or 0 to 8."""

    lowest: int = field(default=1, kw_only=True, repr=False)
    """The number that the first digit counts as; the rule `digits` sets it in all other rules."""

    @classmethod
    def parse(cls, argument: str, geometry: Geometry) -> "Rule":
        """Return the rule with this argument; a SatdokuError if it makes no sense on this board."""
        raise NotImplementedError

    def argument(self, geometry: Geometry) -> str:
        """Return the text that `parse` reads; empty if the rule takes no argument."""
        return ""

    def beside(self, others: "Sequence[Rule]") -> "Rule":
        """Return the rule adapted to others of a puzzle; digits may count from another number."""
        # Tested first, as a puzzle may have thousands of rules.
        if not self.counts:
            return self
        lowest = lowest_of(others)
        return self if self.lowest == lowest else replace(self, lowest=lowest)

    @property
    def stands_in_for_boxes(self) -> bool:
        """Whether a puzzle with this rule has no boxes, as with irregular regions."""
        return False

    def symbols(self, geometry: Geometry) -> tuple[str, ...]:
        """Return the symbols of the digits; empty unless the rule defines them."""
        return ()

    def value(self, digit: int) -> int:
        """Return the number that a digit of the board, 1 to its size, counts as."""
        return digit + self.lowest - 1

    def values(self, geometry: Geometry) -> range:
        """Return the numbers that the digits of a board count as, in order."""
        return range(self.lowest, self.lowest + geometry.size)

    def require_fit(self, geometry: Geometry) -> None:  # noqa: B027 - most rules fit every board
        """Raise SatdokuError if the rule makes no sense on this board."""

    @abstractmethod
    def sentence(self, geometry: Geometry) -> str:
        """Return the rule as a sentence, without a capital and without a full stop."""

    def made_of(self) -> "Iterable[Rule]":
        """Return simpler rules that together say the same; most rules are simple themselves."""
        return (self,)

    @abstractmethod
    def cells(self, geometry: Geometry) -> Collection[int]:
        """Return the cells that the rule is about; it forbids no digits of two others."""

    def drawn_along(self, geometry: Geometry) -> Iterable[Sequence[int]]:
        """Return lines, in which each cell should touch the next; empty by default."""
        return ()

    def find_gap(self, geometry: Geometry) -> str:
        """Return the first two successive cells that do not touch, in words; else empty."""
        for cells in self.drawn_along(geometry):
            for one, other in pairwise(cells):
                if not geometry.touch(one, other):
                    return f"{geometry.name_of(one)} and {geometry.name_of(other)}"
        return ""

    def drawing(self, geometry: Geometry) -> Iterator[Drawing]:
        """Return the shapes that show the rule on a board; empty for rules shown only in words.

        Each is the name of a shape in `picture/picture.py` and its fields in order: a rule needs no
        import for a drawing that few runs ask for.
        """
        # Not abstract: rules that others write need not be drawn.
        return iter(())

    def drawing_on(self, geometry: Geometry, digits: Sequence[int]) -> Iterator[Drawing]:
        """Return the shapes of `drawing`, and those that the digits of this grid add."""
        return self.drawing(geometry)

    def caption(self, geometry: Geometry) -> str:
        """Return the text below a drawn board: the sentence, or the meaning of the drawing.

        Empty if the drawing needs no words, as the borders of regions.
        """
        return self.sentence(geometry) if self.told is None else self.told.format(**vars(self))

    # The definition.

    @abstractmethod
    def find_clashes(self, geometry: Geometry, digits: Sequence[int]) -> Iterator[Clash]:
        """Yield what is wrong with a grid; empty cells hold 0 and break no rule.

        A full grid keeps the rule if and only if nothing is yielded.
        """

    # The check of certificates uses the three methods below for single clauses. A rule that does
    # not override a method answers no, so that no clause is accepted in its name.

    def forbids(self, geometry: Geometry, cell: int, digit: int) -> bool:
        """Whether the digit may never stand in the cell."""
        return False

    def forbids_both(
        self, geometry: Geometry, cell: int, digit: int, other: int, other_digit: int
    ) -> bool:
        """Whether two different cells may not hold these two digits at once."""
        return False

    def are_all_different(self, geometry: Geometry, cells: Sequence[int]) -> bool:
        """Whether the rule by itself forbids every digit to stand twice among these cells."""
        return False

    def why_impossible(self, geometry: Geometry) -> str:
        """Return the bound that an impossible clue exceeds, in words; empty if none is exceeded.

        A rule takes rows and columns into account, but no other rule of the puzzle.
        """
        return ""

    # The constraints.

    @abstractmethod
    def constraints(self, geometry: Geometry) -> "Iterator[Constraint]":
        """Yield the constraints that make a solver keep the rule."""


def board_of(rule: Rule | type[Rule], geometry: Geometry) -> Geometry:
    """Return the board that a rule is asked about: of cells beside a board, most know nothing.

    A SatdokuError if the rule makes sense on plain boards only, and this is none.
    """
    if geometry.is_plain or rule.fits_every_board:
        return geometry
    if geometry.core is None:
        raise SatdokuError(
            f"the rule {rule.name} is for square boards with as many digits as rows, not for one "
            f"of {geometry.board_words}"
        )
    return geometry.core


def clashes_of(rule: Rule, geometry: Geometry, digits: Sequence[int]) -> Iterator[Clash]:
    """Yield what a rule finds wrong with a grid; of other boards it may see only the plain part."""
    if geometry.is_plain or rule.fits_every_board:
        return rule.find_clashes(geometry, digits)
    board = board_of(rule, geometry)
    return rule.find_clashes(board, digits[: board.cell_count])


def lowest_of(rules: Iterable[Rule]) -> int:
    """Return the lowest number that digits count as on a board with these rules."""
    return next((rule.lowest for rule in rules if rule.name == "digits"), 1)


def write_rule(rule: Rule, geometry: Geometry) -> str:
    """Return the text that `registry.read_rule` takes."""
    argument = rule.argument(board_of(rule, geometry))
    return f"{rule.name}:{argument}" if argument else rule.name
