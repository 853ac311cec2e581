"""The base class of rules: a name, a sentence for people, a definition, and constraints.

A rule is stated twice on purpose. The *definition* finds faults in a grid, as a person would; the
judge and the check of certificates use nothing else. The *constraints* are given to solvers. A test
compares the two on every grid of small boards, for every rule.

To add a rule: write a module here with a class, add a line to `registry.py`, and set the class's
`example`. A rule that can be shown on a board has a `drawing`; for other rules the sentence is
printed below the board.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

from satdoku.errors import SatdokuError, join
from satdoku.puzzle.grid import Geometry, Unit
from satdoku.puzzle.value import value

if TYPE_CHECKING:
    from satdoku.puzzle.constraints import Constraint
    from satdoku.puzzle.rules.values import Reading

Drawing = tuple[Any, ...]
"""The name of a shape and its fields in order, such as `("dot", (0, 1), "X")`."""

# Most cells named in a sentence; readers would skip longer lists.
_MOST_CELLS_NAMED = 5


def why_crowded(geometry: Geometry, cells: Collection[int]) -> str:
    """Return why these cells cannot hold different digits; empty if there are enough digits."""
    count, size = len(cells), geometry.size
    return f"{count} cells need as many digits, and there are {size}" if count > size else ""


class Clash(NamedTuple):
    """Cells whose digits break a rule; `why` is the end of a sentence about them.

    `unit` is the unit in which a digit repeats, if the rule is about units.
    """

    geometry: Geometry
    cells: tuple[int, ...]
    digits: tuple[int, ...]
    why: str
    unit: Unit | None = None

    def describe(self, name_of_digit: Callable[[int], str] = str) -> str:
        """Return the fault as a sentence, with the source's names of digits."""
        names = [self.geometry.name_of(cell) for cell in self.cells]
        digits = [name_of_digit(digit) for digit in self.digits]
        if len(names) == 1:
            return f"{names[0]} is {digits[0]}, but {self.why.removeprefix('but ')}"
        if len(names) > 2:
            # A long cage or line is named by its first and last cell.
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
    """The form of the argument, with a word in capitals for each part: `[SUM=]CELLS`.

    A part in brackets is optional.
    """
    parts: ClassVar[Mapping[str, str]] = {}
    """The meaning of each word of the form."""
    heading: ClassVar[str] = ""
    """The name that players use, at the head of a step; if the class itself has none, `name`."""
    label: ClassVar[str] = ""
    """The noun for one instance, such as "cage", in palettes and lists; in the singular. If the
    class itself has none, its heading, or else its name.
    """
    told: ClassVar[str | None] = None
    """The text below a drawn board that replaces the sentence, see `caption`; `{number}` is the
    rule's field `number`.
    """
    drawn_at_random: ClassVar[str] = ""
    """How `making/clues.py` draws random clues of the rule from a solution: as "cages", "lines",
    "arrows", "marks" or numbers "outside". Empty if the generator cannot make such clues.
    """
    is_unmistakable: ClassVar[bool] = False
    """Whether the name means the rule in any text, as `kropki` does. Names that are everyday words,
    such as `sum`, do not; names with a hyphen always do.
    """
    is_of_the_board: ClassVar[bool] = False
    """Whether the rule describes the board, so that other rules depend on it and a minimizer must
    keep it.
    """
    is_of_pairs: ClassVar[bool] = False
    """Whether all its constraints are about two cells, or the digits of one cell: such a rule can
    be written for programs that know only relations of two cells.
    """
    fits_every_board: ClassVar[bool] = False
    """Whether the rule needs only its cells and the digits, or asks the geometry where cells are;
    any other rule is for plain boards only, see `board_of`.
    """
    counts: ClassVar[bool] = False
    """Whether the rule depends on the numbers of the digits: 1 to 9, or 0 to 8."""
    reads: ClassVar[Literal["", "digits", "values"]] = ""
    """What the rule reads where cells count as another number than their digit, as doublers do:
    their "digits", or their "values". Empty if nothing is defined; the rule is refused there.
    """
    makes_values: ClassVar[bool] = False
    """Whether cells count as another number than their digit because of the rule."""

    lowest: int = field(default=1, kw_only=True, repr=False)
    """The number of the first digit; the rule `digits` sets it in all other rules."""
    reading: "Reading | None" = field(default=None, kw_only=True, repr=False)
    """What cells count as, if not as their digits; `adapt` sets it in all rules that read values.
    """

    @classmethod
    def parse(cls, argument: str, geometry: Geometry) -> "Rule":
        """Return the rule with this argument; a SatdokuError if it makes no sense on this board."""
        raise NotImplementedError

    def argument(self, geometry: Geometry) -> str:
        """Return the text that `parse` reads; empty if the rule takes no argument."""
        return ""

    def beside(self, others: "Sequence[Rule]") -> "Rule":
        """Return the rule adapted to other rules of a puzzle, such as a number from which digits
        count.
        """
        # Tested first, because a puzzle may have thousands of rules.
        if not self.counts:
            return self
        lowest = lowest_of(others)
        return self if self.lowest == lowest else replace(self, lowest=lowest)

    def read_by(self, reading: "Reading") -> "Rule":
        """Return the rule adapted to what cells count as; raise a SatdokuError if it is not defined
        what the rule reads then.
        """
        if self.reads == "values":
            return replace(self, reading=reading)
        if self.reads == "digits":
            return self
        raise SatdokuError(
            f"the rule {self.name} cannot be used with {reading.maker}: "
            "it is not defined whether it reads digits or values"
        )

    def adapted(self, rules: "Sequence[Rule]", others: "Sequence[Rule]") -> "tuple[Rule, ...]":
        """Return the rules adapted to what cells count as; only for rules that `makes_values`."""
        raise NotImplementedError

    @property
    def stands_in_for_boxes(self) -> bool:
        """Whether a puzzle with this rule has no boxes, as with irregular regions."""
        return False

    def symbols(self, geometry: Geometry) -> tuple[str, ...]:
        """Return the symbols of the digits; empty unless the rule defines them."""
        return ()

    def value(self, digit: int) -> int:
        """Return the number that a digit of the board, 1 to its size, stands for."""
        return digit + self.lowest - 1

    def number_in(self, digits: Sequence[int], cell: int) -> int:
        """Return the number that a cell of a full grid counts as."""
        if self.reading is None:
            return self.value(digits[cell])
        return self.reading.number_in(digits, cell) or 0

    def values(self, geometry: Geometry) -> range:
        """Return the numbers that the digits of a board stand for, in order."""
        return range(self.lowest, self.lowest + geometry.size)

    def require_fit(self, geometry: Geometry) -> None:  # noqa: B027 - most rules fit every board
        """Raise SatdokuError if the rule makes no sense on this board."""

    @abstractmethod
    def sentence(self, geometry: Geometry) -> str:
        """Return the rule as a sentence, without a capital letter or a full stop."""

    def made_of(self) -> "Iterable[Rule]":
        """Return simpler rules that together say the same; most rules are simple themselves."""
        return (self,)

    def alternatives(self) -> "Iterable[Rule]":
        """Return the rules of which at least one must hold; for most rules, the rule itself."""
        return (self,)

    @abstractmethod
    def cells(self, geometry: Geometry) -> Collection[int]:
        """Return the cells that the rule is about; it forbids no digits of two others."""

    def drawn_along(self, geometry: Geometry) -> Iterable[Sequence[int]]:
        """Return lines in which each cell should touch the next; empty by default."""
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

        Each shape is a name of `picture/picture.py` and its fields in order, so that a rule imports
        nothing for a drawing that few runs need.
        """
        # Not abstract: rules of plugins need no drawing.
        return iter(())

    def drawing_on(self, geometry: Geometry, digits: Sequence[int]) -> Iterator[Drawing]:
        """Return the shapes of `drawing`, and further shapes that depend on the digits of this
        grid.
        """
        return self.drawing(geometry)

    def caption(self, geometry: Geometry) -> str:
        """Return the text below a drawn board: the sentence, or the meaning of the drawing.

        Empty if the drawing needs no words, such as the borders of regions.
        """
        return self.sentence(geometry) if self.told is None else self.told.format(**vars(self))

    # The definition.

    @abstractmethod
    def find_clashes(self, geometry: Geometry, digits: Sequence[int]) -> Iterator[Clash]:
        """Yield what is wrong with a grid; empty cells hold 0 and break no rule.

        A full grid keeps the rule if and only if no clash is yielded.
        """

    # The check of certificates uses the three methods below for single clauses. By default they
    # return False, so that no clause is accepted as a consequence of the rule.

    def forbids(self, geometry: Geometry, cell: int, digit: int) -> bool:
        """Whether the digit may never stand in the cell."""
        return False

    def forbids_both(
        self, geometry: Geometry, cell: int, digit: int, other: int, other_digit: int
    ) -> bool:
        """Whether two different cells may not hold these two digits at once."""
        return False

    def are_all_different(self, geometry: Geometry, cells: Sequence[int]) -> bool:
        """Whether the rule by itself forbids any digit to repeat among these cells."""
        return False

    def why_impossible(self, geometry: Geometry) -> str:
        """Return the bound that an impossible clue exceeds, in words; empty if no bound is
        exceeded.

        A rule takes rows and columns into account, but no other rule of the puzzle.
        """
        return ""

    def why_none(self, geometry: Geometry, left: "Left") -> str:
        """Return why no digits left in the rule's cells keep it; empty if it cannot tell.

        This is asked only where none do.
        """
        return ""

    # The constraints.

    @abstractmethod
    def constraints(self, geometry: Geometry) -> "Iterator[Constraint]":
        """Yield the constraints that state the rule to a solver."""


class Left(NamedTuple):
    """The digits left in cells, as masks, and whether any two of these cells differ.

    A reason that is brief names no digits, so that it fits several candidates.
    """

    masks: "Mapping[int, int]"
    are_different: bool
    is_brief: bool


def board_of(rule: Rule | type[Rule], geometry: Geometry) -> Geometry:
    """Return the geometry for calls of a rule: the plain board, unless the rule fits every board.

    Raise a SatdokuError if the rule is for plain boards only, and this board has no plain part.
    """
    if geometry.is_plain or rule.fits_every_board:
        return geometry
    if geometry.core is None:
        raise SatdokuError(
            f"{rule.name} is for square boards with as many digits as rows, not for one of "
            f"{geometry.board_words}"
        )
    return geometry.core


def clashes_of(rule: Rule, geometry: Geometry, digits: Sequence[int]) -> Iterator[Clash]:
    """Yield the faults that a rule finds in a grid; most rules see only its plain part."""
    if geometry.is_plain or rule.fits_every_board:
        return rule.find_clashes(geometry, digits)
    board = board_of(rule, geometry)
    return rule.find_clashes(board, digits[: board.cell_count])


def adapt(rules: Sequence[Rule], others: Sequence[Rule]) -> tuple[Rule, ...]:
    """Return rules adapted to all rules of the puzzle: see `Rule.beside` and `read_by`."""
    found = tuple(rule.beside(others) for rule in rules)
    maker = next((rule for rule in others if rule.makes_values), None)
    return found if maker is None else maker.adapted(found, others)


def lowest_of(rules: Iterable[Rule]) -> int:
    """Return the number that the first digit stands for on a board with these rules."""
    return next((rule.lowest for rule in rules if rule.name == "digits"), 1)


def write_rule(rule: Rule, geometry: Geometry) -> str:
    """Return the text that `registry.read_rule` takes."""
    argument = rule.argument(board_of(rule, geometry))
    return f"{rule.name}:{argument}" if argument else rule.name
