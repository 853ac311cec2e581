"""The parts of an explanation: steps, the stories of harder steps, and the way of all steps."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple, Union

from satdoku.errors import SatdokuError, nearest, quote
from satdoku.explaining.board import Board, Truth, candidates_of, linked_to_all
from satdoku.puzzle.value import value


class Level(Enum):
    """The hardest steps allowed in an explanation; each level includes those listed before it."""

    SINGLES = "singles"
    BASIC = "basic"
    CHAINS = "chains"
    PATTERNS = "patterns"
    ALL = "all"

    def __init__(self, _: str) -> None:
        # Stored, since the rank is read at every step.
        self.rank = len(type(self).__members__)


class Technique(Enum):
    """The kind of a step, by the name that players use."""

    FULL_HOUSE = "full house"
    HIDDEN_SINGLE = "hidden single"
    NAKED_SINGLE = "naked single"
    SUM = "combinations"
    RULE_OF_45 = "rule of 45"
    BOUNDS = "rule"
    EQUAL = "equal cells"
    NEIGHBOURS = "neighbours"
    POINTING = "pointing"
    CLAIMING = "claiming"
    LOCKED = "locked candidates"
    LOCKED_PAIR = "locked pair"
    NAKED_PAIR = "naked pair"
    HIDDEN_PAIR = "hidden pair"
    X_WING = "X-wing"
    LOCKED_TRIPLE = "locked triple"
    NAKED_TRIPLE = "naked triple"
    HIDDEN_TRIPLE = "hidden triple"
    SWORDFISH = "swordfish"
    NAKED_QUAD = "naked quad"
    HIDDEN_QUAD = "hidden quad"
    JELLYFISH = "jellyfish"
    HALL_SET = "Hall set"
    PARTNERS = "partner cells"
    NEEDED = "needed partner"
    TOGETHER = "rules together"
    UNIQUE_RECTANGLE = "unique rectangle"
    HIDDEN_RECTANGLE = "hidden rectangle"
    AVOIDABLE_RECTANGLE = "avoidable rectangle"
    BUG = "BUG+1"
    UNIQUE_LOOP = "unique loop"
    EXTENDED_RECTANGLE = "extended rectangle"
    BUG_N = "BUG+n"
    SKYSCRAPER = "skyscraper"
    TWO_STRING_KITE = "two-string kite"
    TURBOT_FISH = "turbot fish"
    EMPTY_RECTANGLE = "empty rectangle"
    FINNED_X_WING = "finned X-wing"
    SASHIMI_X_WING = "sashimi X-wing"
    XY_WING = "XY-wing"
    W_WING = "W-wing"
    FINNED_SWORDFISH = "finned swordfish"
    SASHIMI_SWORDFISH = "sashimi swordfish"
    FINNED_JELLYFISH = "finned jellyfish"
    SASHIMI_JELLYFISH = "sashimi jellyfish"
    M_WING = "M-wing"
    M3_WING = "M3-wing"
    S_WING = "S-wing"
    L_WING = "L-wing"
    L2_WING = "L2-wing"
    L3_WING = "L3-wing"
    H1_WING = "H1-wing"
    H2_WING = "H2-wing"
    H3_WING = "H3-wing"
    IW_WING = "iW-wing"
    REMOTE_PAIR = "remote pair"
    X_CHAIN = "X-chain"
    GROUPED_X_CHAIN = "grouped X-chain"
    XY_CHAIN = "XY-chain"
    LOOP = "loop"
    CHAIN = "chain"
    GROUPED_CHAIN = "grouped chain"
    COLOURING = "colouring"
    MEDUSA = "3D medusa"
    XYZ_WING = "XYZ-wing"
    WXYZ_WING = "WXYZ-wing"
    SUE_DE_COQ = "sue de coq"
    ALS_XZ = "ALS-XZ"
    ALS_XY_WING = "ALS-XY-wing"
    ALS_W_WING = "ALS-W-wing"
    ALS_CHAIN = "ALS chain"
    FISH_CHAIN = "fish chain"
    DEATH_BLOSSOM = "death blossom"
    FIREWORK = "firework"
    FINNED_CHAIN = "finned chain"
    FRANKEN_SWORDFISH = "Franken swordfish"
    FINNED_FRANKEN_SWORDFISH = "finned Franken swordfish"
    MUTANT_SWORDFISH = "mutant swordfish"
    FINNED_MUTANT_SWORDFISH = "finned mutant swordfish"
    FRANKEN_JELLYFISH = "Franken jellyfish"
    FINNED_FRANKEN_JELLYFISH = "finned Franken jellyfish"
    MUTANT_JELLYFISH = "mutant jellyfish"
    FINNED_MUTANT_JELLYFISH = "finned mutant jellyfish"
    JUNIOR_EXOCET = "junior exocet"
    DOUBLE_EXOCET = "double exocet"
    SK_LOOP = "SK loop"
    LOCKED_LINES = "multi-sector locked set"
    TRIDAGON = "tridagon"
    TEMPLATES = "templates"
    WHIP = "whip"
    NET = "net"
    CASES = "cases"
    SEARCH = "search"

    @property
    def singular(self) -> str:
        """The name for one step of the technique, where it is counted."""
        if self in (Technique.EQUAL, Technique.TOGETHER):
            return f"set of {self.value}"
        name: str = self.value
        return name.removesuffix("s") if self in _NAMED_IN_PLURAL else name

    @property
    def plural(self) -> str:
        """The name for several steps of the technique."""
        if self in _SAME_IN_PLURAL or self.value.endswith("fish"):
            return self.value
        if self is Technique.RULE_OF_45:
            return "rules of 45"
        return f"{self.value}es" if self is Technique.SEARCH else f"{self.value}s"


GRAVES = {Technique.BUG, Technique.BUG_N}
"""Bivalue universal graves: their steps rest on the candidates of every open cell."""

ASSUMING_UNIQUE = GRAVES | {
    Technique.UNIQUE_RECTANGLE,
    Technique.HIDDEN_RECTANGLE,
    Technique.AVOIDABLE_RECTANGLE,
    Technique.UNIQUE_LOOP,
    Technique.EXTENDED_RECTANGLE,
}
"""The techniques whose steps hold only if the puzzle has at most one solution."""


def technique_named(name: str) -> Technique:
    """Return a technique by its name, in any case, with hyphens or blanks."""
    names = {_plain(technique.value): technique for technique in Technique}
    if _plain(name) not in names:
        written = [technique.value.replace(" ", "-") for technique in Technique]
        near = nearest(_plain(name), names)
        hint = f"did you mean {near}?" if near else f"there are {', '.join(written)}"
        raise SatdokuError(f"{quote(name)} is no technique; {hint}")
    return names[_plain(name)]


def _plain(name: str) -> str:
    return name.strip().lower().replace(" ", "-")


_NAMED_IN_PLURAL = {
    Technique.TEMPLATES,
    Technique.NEIGHBOURS,
    Technique.PARTNERS,
    Technique.SUM,
    Technique.LOCKED,
    Technique.CASES,
}

_SAME_IN_PLURAL = _NAMED_IN_PLURAL | {
    Technique.EQUAL,
    Technique.POINTING,
    Technique.CLAIMING,
    Technique.SUE_DE_COQ,
    Technique.ALS_XZ,
    Technique.TOGETHER,
}


class Placed(NamedTuple):
    """In a story: a candidate that holds because it is the last one left of its truth."""

    candidate: int
    truth: Truth


class Strong(NamedTuple):
    """A strong link: if none of the candidates `off` holds, one of `on` does.

    `off` and `on` are masks. The link follows from `truths`, mostly a single one. If that truth has
    further members, its *fins*, one of them may hold instead.
    """

    off: int
    on: int
    truths: tuple[Truth, ...]

    def fins(self, left: int) -> int:
        """Return the members of the link's truth in neither end; none if it has several truths."""
        if len(self.truths) > 1:
            return 0
        return self.truths[0].members & left & ~(self.off | self.on)


def excluded_by_each(chain: Sequence[Strong], links: Sequence[int], left: int) -> int:
    """Return the candidates in `left` that both ends of a chain and all its fins exclude.

    `links` has for each candidate the mask of those that it excludes.
    """
    holds = chain[0].off | chain[-1].on
    for link in chain:
        holds |= link.fins(left)
    return linked_to_all(holds, links, left)


@value(frozen=True)
class Story:
    """The consequences of a supposition, up to a truth with no member left.

    `suppose` is the candidate that is supposed to hold. Each item either places a candidate, or is
    the story of a further supposition that fails too, so that its candidate is excluded.
    """

    suppose: int
    items: tuple[Union[Placed, "Story"], ...]
    dead_end: Truth

    @property
    def length(self) -> int:
        """Return the number of placements in the story and its cases."""
        return 1 + sum(item.length if isinstance(item, Story) else 1 for item in self.items)

    @property
    def depth(self) -> int:
        """Return how deeply suppositions are nested; 0 without cases."""
        return max((1 + item.depth for item in self.items if isinstance(item, Story)), default=0)

    def truths(self) -> Iterator[Truth]:
        """Yield the truths that the story rests on, with repetitions."""
        for item in self.items:
            if isinstance(item, Story):
                yield from item.truths()
            else:
                yield item.truth
        yield self.dead_end


@dataclass
class Taken:
    """Lookup from candidates to the steps of a way that removed them, computed on demand.

    `gone` has for each step the mask of the candidates that it removed.
    """

    gone: list[int] = field(default_factory=list)
    # The step number by candidate, for the first steps only; their count is in the next field.
    _step_of: dict[int, int] = field(default_factory=dict, compare=False, repr=False)
    _known: int = field(default=0, compare=False, repr=False)

    def add(self, gone: int) -> None:
        """Append the mask of the candidates that the next step removes."""
        self.gone.append(gone)

    def behind(self, truths: Iterable[Truth], left: int) -> tuple[int, ...]:
        """Return the numbers of the steps that removed the members not in `left` of some truths.

        Members that no step removed are excluded by givens.
        """
        for number, mask in enumerate(self.gone[self._known :], self._known + 1):
            self._step_of |= dict.fromkeys(candidates_of(mask), number)
        self._known = len(self.gone)
        gone = 0
        for truth in truths:
            gone |= truth.members & ~left
        step_of = self._step_of
        return tuple(sorted({step_of[c] for c in candidates_of(gone) if c in step_of}))


class Deduction(NamedTuple):
    """One step in candidates: it places one, or excludes some.

    The step follows from its `truths` alone, with their members in `before`, the mask of the
    candidates left before the step. `chain` has the strong links of a chain, or the petals of a
    death blossom, which begin at the stem, the first truth. Nets and cases have a story for each
    candidate that they exclude. All steps of a way share the lookup `taken`.
    """

    # A named tuple, since a frozen dataclass takes five times as long to make, and an easy puzzle
    # has fifty steps within a millisecond.

    number: int
    technique: Technique
    truths: tuple[Truth, ...]
    before: int
    places: int | None
    excludes: tuple[int, ...]
    chain: tuple[Strong, ...]
    stories: tuple[Story, ...]
    taken: Taken

    @property
    def rests_on(self) -> tuple[int, ...]:
        """The numbers of the earlier steps that removed other members of this step's truths."""
        if self.technique in GRAVES:
            # A BUG counts the candidates left in all cells and units, so it rests on every step
            # before.
            return tuple(range(1, self.number))
        return self.taken.behind(self.truths, self.before)

    @property
    def assumes_unique(self) -> bool:
        """Whether the step uses the fact that the puzzle has only one solution."""
        return any(truth.swapped for truth in self.truths)

    @property
    def size(self) -> int:
        """Return the number of truths that the step rests on, a measure of its difficulty."""
        return len(self.truths)


def petals_of(step: Deduction, links: Sequence[int]) -> Iterator[tuple[int, Strong | None]]:
    """Yield each member of a blossom's stem with its petal, or None if it needs no petal.

    `links` has for each candidate the mask of those that it excludes.
    """
    members = candidates_of(step.truths[0].members & step.before)

    def needing(excluded: int) -> list[int]:
        return [member for member in members if not links[member] >> excluded & 1]

    def is_shown(excluded: int) -> bool:
        """Whether all petals, and all members without a petal, exclude a candidate."""
        with_petals = needing(excluded)
        return len(with_petals) == len(step.chain) and all(
            not petal.on & ~links[excluded] and not petal.off & ~links[member]
            for member, petal in zip(with_petals, step.chain, strict=True)
        )

    # The candidate that the petals were found for may be gone, when other steps were left out.
    shown = next(filter(is_shown, (*step.excludes, *range(1, len(links)))))
    petals = dict(zip(needing(shown), step.chain, strict=True))
    return ((member, petals.get(member)) for member in members)


@value(frozen=True)
class Way:
    """Steps on a board, in an order in which each follows from those before it.

    `dead_end` is a truth that the steps leave without a member: then the puzzle has no solution.
    `is_full` says that every cell has its digit. Otherwise the level has no further step, or, if
    not `is_complete`, a limit was reached. `left_out` counts the steps removed because no other
    step needs them.
    """

    board: Board = field(repr=False)
    steps: tuple[Deduction, ...]
    dead_end: Truth | None = None
    dead_end_rests_on: tuple[int, ...] = ()
    is_full: bool = False
    is_complete: bool = True
    left_out: int = 0

    @property
    def biggest(self) -> int:
        """The size of the hardest step, in truths."""
        return max((step.size for step in self.steps), default=0)

    @property
    def is_settled(self) -> bool:
        """Whether the steps alone prove that there is one solution, or none."""
        return self.is_full or self.dead_end is not None
