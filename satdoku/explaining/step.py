"""What an explanation is made of: steps, the stories that the harder ones need, and their way."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple, Union

from satdoku.errors import SatdokuError, nearest, quote
from satdoku.explaining.board import Board, Truth, candidates_of, linked_to_all
from satdoku.puzzle.value import value


class Level(Enum):
    """How hard the steps of an explanation may be; each level includes those above it."""

    SINGLES = "singles"
    BASIC = "basic"
    CHAINS = "chains"
    PATTERNS = "patterns"
    ALL = "all"

    def __init__(self, _: str) -> None:
        # Asked for at every step, so it is counted once.
        self.rank = len(type(self).__members__)


class Technique(Enum):
    """The name of a step in the words that players use."""

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
    def plural(self) -> str:
        """The name of several such steps."""
        if self in _SAME_IN_PLURAL or self.value.endswith("fish"):
            return self.value
        if self is Technique.RULE_OF_45:
            return "rules of 45"
        return f"{self.value}es" if self is Technique.SEARCH else f"{self.value}s"


GRAVES = {Technique.BUG, Technique.BUG_N}
"""Bivalue universal graves: such a step rests on the candidates of every open cell."""

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


_SAME_IN_PLURAL = {
    Technique.TEMPLATES,
    Technique.EQUAL,
    Technique.NEIGHBOURS,
    Technique.SUM,
    Technique.POINTING,
    Technique.CLAIMING,
    Technique.LOCKED,
    Technique.SUE_DE_COQ,
    Technique.ALS_XZ,
    Technique.CASES,
    Technique.TOGETHER,
}


class Placed(NamedTuple):
    """In a story: a candidate that holds, since it is all that is left of a truth."""

    candidate: int
    truth: Truth


class Strong(NamedTuple):
    """A strong link: where none of the candidates `off` holds, one of `on` does.

    Both are masks. So say the `truths`, in most links a single one. Where that has further members,
    its *fins*, one of these may hold as well.
    """

    off: int
    on: int
    truths: tuple[Truth, ...]

    def fins(self, left: int) -> int:
        """Return the members of its truth besides both ends; a set of truths has no fins."""
        if len(self.truths) > 1:
            return 0
        return self.truths[0].members & left & ~(self.off | self.on)


def excluded_by_each(chain: Sequence[Strong], links: Sequence[int], left: int) -> int:
    """The candidates in `left` that both ends of a chain exclude, and each fin of its links too.

    `links` has for each candidate the mask of those that it excludes.
    """
    holds = chain[0].off | chain[-1].on
    for link in chain:
        holds |= link.fins(left)
    return linked_to_all(holds, links, left)


@value(frozen=True)
class Story:
    """What follows from a supposition, up to a truth that nothing is left of.

    `suppose` is the candidate that is supposed to hold. Each item either places a candidate, or is
    the story of a further supposition that fails too; what it supposed is then excluded.
    """

    suppose: int
    items: tuple[Union[Placed, "Story"], ...]
    dead_end: Truth

    @property
    def length(self) -> int:
        """Return the number of placements that have to be followed."""
        return 1 + sum(item.length if isinstance(item, Story) else 1 for item in self.items)

    @property
    def depth(self) -> int:
        """Return how deep suppositions are nested, not counting the outermost one."""
        return max((1 + item.depth for item in self.items if isinstance(item, Story)), default=0)

    def truths(self) -> Iterator[Truth]:
        """The truths that the story rests on, with repetitions."""
        for item in self.items:
            if isinstance(item, Story):
                yield from item.truths()
            else:
                yield item.truth
        yield self.dead_end


@dataclass
class Taken:
    """Which step of a way took which candidate away, worked out when somebody asks.

    `gone` has for each step the mask of what it took.
    """

    gone: list[int] = field(default_factory=list)
    # For the candidates of so many steps the number of theirs.
    _step_of: dict[int, int] = field(default_factory=dict, compare=False, repr=False)
    _known: int = field(default=0, compare=False, repr=False)

    def add(self, gone: int) -> None:
        """Notes what the next step takes away."""
        self.gone.append(gone)

    def behind(self, truths: Iterable[Truth], left: int) -> tuple[int, ...]:
        """The numbers of the steps that took away what is no longer left of some truths.

        What no step took, the givens exclude.
        """
        for number, mask in enumerate(self.gone[self._known :], self._known + 1):
            self._step_of |= dict.fromkeys(candidates_of(mask), number)
        self._known = len(self.gone)
        gone = 0
        for truth in truths:
            gone |= truth.members & ~left
        step_of = self._step_of
        return tuple(sorted({step_of[c] for c in candidates_of(gone) if c in step_of}))


class Step(NamedTuple):
    """One deduction: it places a candidate, or excludes some.

    It follows from its `truths` alone: from what of them was left `before` the step, a mask of
    candidates. A chain is the tuple of its strong links; so are the petals of a death blossom, each
    of which begins at the stem, its first truth. Nets and cases have a story for each candidate
    that they exclude. All steps of a way share what was `taken` by each.
    """

    # A tuple, because a frozen dataclass takes five times as long to make, and an easy puzzle has
    # fifty steps within a millisecond.

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
        """The numbers of the steps that took away the rest of its truths."""
        if self.technique in GRAVES:
            # It counts the candidates that are left in all cells and units, so it rests on every
            # step that took some away.
            return tuple(range(1, self.number))
        return self.taken.behind(self.truths, self.before)

    @property
    def assumes_unique(self) -> bool:
        """Whether the step rests on it that the puzzle has only one solution."""
        return any(truth.swapped for truth in self.truths)

    @property
    def size(self) -> int:
        """Return the number of truths that the step rests on, a measure of its difficulty."""
        return len(self.truths)


def petals_of(step: Step, links: Sequence[int]) -> Iterator[tuple[int, Strong | None]]:
    """The members of a blossom's stem with their petals; one that needs none has None.

    `links` has for each candidate the mask of those that it excludes.
    """
    members = candidates_of(step.truths[0].members & step.before)

    def needing(excluded: int) -> list[int]:
        return [member for member in members if not links[member] >> excluded & 1]

    def is_shown(excluded: int) -> bool:
        """Whether the petals, and the members that need none, exclude a candidate."""
        with_petals = needing(excluded)
        return len(with_petals) == len(step.chain) and all(
            not petal.on & ~links[excluded] and not petal.off & ~links[member]
            for member, petal in zip(with_petals, step.chain, strict=True)
        )

    # What the petals were found for may be gone by now, when other steps were left out.
    shown = next(filter(is_shown, (*step.excludes, *range(1, len(links)))))
    petals = dict(zip(needing(shown), step.chain, strict=True))
    return ((member, petals.get(member)) for member in members)


@value(frozen=True)
class Way:
    """Steps on a board, in an order in which each follows from those before it.

    `dead_end` is a truth that the steps leave nothing of: then the puzzle has no solution.
    `is_full` says that every cell has its digit. Otherwise the steps end where the level has no
    further one, or, when not `is_complete`, where the limit was reached. So many steps were
    `left_out` because nothing rests on them.
    """

    board: Board = field(repr=False)
    steps: tuple[Step, ...]
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
        """Whether the steps show how many solutions there are: one, or none."""
        return self.is_full or self.dead_end is not None
