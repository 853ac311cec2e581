"""Wishes about puzzles, and checks which of them are impossible.

A `Request` is complete and checked; `Wishes` are a caller's input, as names and texts.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from secrets import token_hex
from typing import NamedTuple

from satdoku.encoding.variables import variable_count
from satdoku.errors import SatdokuError, member_named, quote
from satdoku.explaining.step import Level, Technique, technique_named
from satdoku.puzzle.grid import EMPTY, Geometry, Grid, Unit
from satdoku.puzzle.judge import find_fault
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.symmetry import Symmetry, possible_counts, symmetries_of
from satdoku.puzzle.value import value
from satdoku.solving.assumptions import is_large

# Masks: the cells of a puzzle that are given
#
# A mask has one character per cell: a dot, a zero, an underscore, a hyphen or an asterisk is an
# empty cell, any other character a given one. Spaces, line breaks and slashes between rows are
# ignored.

_EMPTY = frozenset(".0_-*")

FEWEST_GIVENS = {9: 17, 4: 4}
"""The fewest givens of any classic puzzle with one solution, by the size of the board.

McGuire, Tugemann and Civario showed in 2012 that 16 are not enough on 9x9; 4x4 can be tried by
hand. Published numbers for other sizes were not checked here, so they are left out.
"""


def fewest_givens(geometry: Geometry) -> int:
    """Return a lower bound on the givens of a classic puzzle.

    Two digits without any given could be swapped, so at most one digit has no given.
    """
    return FEWEST_GIVENS.get(geometry.size, geometry.size - 1)


def read_mask(text: str, geometry: Geometry) -> tuple[int, ...]:
    """Return the given cells of a mask.

    >>> read_mask("#... .#.. ..#. ...#", Geometry(2, 2))
    (0, 5, 10, 15)
    """
    symbols = "".join(text.replace("/", " ").split())
    if len(symbols) != geometry.cell_count:
        size = geometry.size
        raise SatdokuError(
            f"a mask for {size}x{size} has {geometry.cell_count} cells, not {len(symbols)}"
        )
    return tuple(cell for cell, symbol in enumerate(symbols) if symbol not in _EMPTY)


def find_reason_against(geometry: Geometry, cells: Iterable[int]) -> str:
    """Return why no classic puzzle has its givens in exactly these cells; empty if no reason is
    found.

    A mask without a reason may still be impossible.
    """
    given = frozenset(cells)
    fewest = fewest_givens(geometry)
    if len(given) < fewest:
        return f"{len(given)} givens are too few for one solution; at least {fewest} are needed"
    return _find_twin_lines(given, geometry.rows, geometry.box_rows) or _find_twin_lines(
        given, geometry.columns, geometry.box_columns
    )


def _find_twin_lines(given: frozenset[int], lines: tuple[Unit, ...], height: int) -> str:
    """Return the reason if two lines of a band are empty, which could then be swapped."""
    for start in range(0, len(lines), height):
        empty = [line for line in lines[start : start + height] if given.isdisjoint(line.cells)]
        # One empty line follows from the others; two could be filled in either order.
        if len(empty) > 1:
            return (
                f"{empty[0]} and {empty[1]} are both empty; "
                "they could change places, so there would be a second solution"
            )
    return ""


# From this size on, patience is limited. Up to 16x16 every query is decided in a twentieth of a
# second; on 25x25 some take minutes. With this patience a 20x20 has 163 givens after 6 s, with ten
# times as much 158 after 15 s.
LARGE_SIZE = 20
PATIENCE_ON_LARGE_BOARDS = 100
# Largest board on which puzzles with drawn clues get unlimited patience. 12x12 takes two to five
# seconds; on 16x16 it was not decided in a minute whether the cages have one solution without
# givens, so with limited patience the puzzle gets some givens.
_MOST_WITH_CLUES = 12

# Limit on all queries together, as candidates of the board times queries. Above 25x25 a query takes
# about a quarter of a microsecond for each candidate, so this is a minute: boards up to 49x49
# become minimal, and from 64x64 on most givens stay without a test.
_CANDIDATES_ASKED_ABOUT = 250_000_000

# A proof of the fewest givens within a 12x12 puzzle takes minutes.
LARGEST_SIZE_OF_FEWEST = 9


class WantedTechnique(Enum):
    """The hardest technique that a wanted puzzle may need."""

    NAKED_SINGLES = "naked-singles"
    """A cell with only one open digit."""
    SINGLES = "singles"
    """Naked singles, or a digit with only one open place in a row, column or box."""


class Minimality(Enum):
    """How far givens are deleted."""

    NONE = "none"
    """Until there are as few as requested; without a requested number, hardly at all."""
    ORBITS = "orbits"
    """Until no orbit of the symmetry can be deleted; without symmetry, no given."""
    GIVENS = "givens"
    """Until no given can be deleted. Such puzzles are rare with a symmetry."""


Ratings = tuple[int, int | None]
"""The lowest and the highest wanted rating; None as the highest means no upper limit."""


@value(frozen=True)
class Request:
    """The conditions for every puzzle of a run.

    `board` has the shape and the rules, and no givens. `givens` is the smallest and the greatest
    number of givens; None means any number. If `symmetry` is None, a symmetry is chosen for each
    puzzle. `mask` lists the cells to be given. `solution` is the solution of all puzzles.
    `patience` is the number of conflicts after which a given is kept without knowing whether it is
    redundant; None means no limit, or a default on large boards. `is_fewest` requests the fewest
    givens, as `drafts.py` defines it. `drawn` are the names of the rules whose clues are drawn anew
    for each puzzle; with `has_needed_clues` none of these clues is redundant.
    """

    board: Puzzle
    seed: str = "0"
    givens: tuple[int, int] | None = None
    minimality: Minimality = Minimality.ORBITS
    symmetry: Symmetry | None = Symmetry.NONE
    mask: tuple[int, ...] | None = None
    solution: Grid | None = None
    technique: WantedTechnique | None = None
    has_random_regions: bool = False
    patience: int | None = None
    is_fewest: bool = False
    drawn: tuple[str, ...] = ()
    has_needed_clues: bool = False

    def __post_init__(self) -> None:
        refusal = next(find_refusals(self), None)
        if refusal is not None:
            raise SatdokuError(refusal)

    @property
    def geometry(self) -> Geometry:
        return self.board.geometry

    @property
    def conflicts_a_given(self) -> int | None:
        """Return the patience in conflicts; large boards have a default."""
        is_large_one = self.geometry.size >= LARGE_SIZE or (
            bool(self.drawn) and self.geometry.size > _MOST_WITH_CLUES
        )
        if self.patience is None and is_large_one:
            return PATIENCE_ON_LARGE_BOARDS
        return self.patience

    @property
    def most_tests(self) -> int | None:
        """Return the limit on tests of givens on huge boards; None if a number of givens is
        requested.
        """
        if not is_large(self.geometry) or self.minimality is Minimality.NONE:
            return None
        return max(1, _CANDIDATES_ASKED_ABOUT // variable_count(self.geometry))

    @property
    def is_classic(self) -> bool:
        """Whether the rules are rows, columns and boxes."""
        return self.board.is_classic and not self.has_random_regions and not self.drawn


def find_refusals(request: Request) -> Iterator[str]:
    """Yield reasons why no puzzle can be as requested, without making any."""
    if request.board.givens:
        yield "puzzles are made on an empty board; a full grid to start from is another option"
    if request.has_random_regions and request.board.regions is not None:
        yield "random regions cannot replace given regions"
    if request.has_needed_clues and not request.drawn:
        yield "no clues are drawn at random, as --rule killer:random does, so none can be tested"
    yield from _refuse_solution(request)
    yield from _refuse_mask(request)
    yield from _refuse_technique(request)
    yield from _refuse_givens(request)
    yield from _refuse_fewest(request)


def _wishes_of(request: Request) -> dict[str, bool]:
    """Return the wishes that some methods do not support, and whether each is requested."""
    return {
        "a number of givens": request.givens is not None,
        "a symmetry": request.symmetry is not Symmetry.NONE,
        "a mask": request.mask is not None,
        "a solution": request.solution is not None,
        "a technique": request.technique is not None,
        "givens that are not minimal": request.minimality is Minimality.NONE,
    }


def _refuse_solution(request: Request) -> Iterator[str]:
    if request.solution is None:
        return
    if request.has_random_regions:
        yield "a given solution excludes random regions"
    fault = find_fault(request.solution, request.board)
    if fault:
        yield f"the grid to start from is not a full grid that keeps the rules: {fault}"


def _refuse_mask(request: Request) -> Iterator[str]:
    if request.mask is None:
        return
    has_wish = _wishes_of(request)
    for name in ("a number of givens", "a symmetry", "a solution", "a technique"):
        if has_wish[name]:
            yield f"a mask fixes the pattern of givens; it excludes {name}"
    if request.is_classic:
        reason = find_reason_against(request.geometry, request.mask)
        if reason:
            yield f"no puzzle has this mask: {reason}"

    if request.drawn:
        yield "a mask changes the solution, to which random clues belong"


def _refuse_technique(request: Request) -> Iterator[str]:
    if request.technique is not None and request.minimality is Minimality.GIVENS:
        yield (
            f"puzzles for {request.technique.value} keep redundant givens; "
            "they cannot be asked to be minimal"
        )


def _refuse_givens(request: Request) -> Iterator[str]:
    if request.givens is None:
        return
    low, high = request.givens
    geometry = request.geometry
    if low > high:
        yield f"the range of givens {low}-{high} begins with its greater number"
        return
    if not 0 <= low <= high <= geometry.cell_count:
        numbers = str(low) if low == high else f"{low}-{high}"
        yield f"{numbers} givens do not fit a board of {geometry.cell_count} cells"
    if request.drawn and high == 0 and request.conflicts_a_given is not None:
        size = geometry.size
        yield f"that clues alone are enough is not proved on {size}x{size}; allow some givens"
    fewest = fewest_givens(geometry)
    if request.is_classic and high < fewest:
        yield f"no puzzle has {high} givens and one solution; at least {fewest} are needed"
    symmetries = symmetries_of(geometry) if request.symmetry is None else [request.symmetry]
    wanted = set(range(low, high + 1))
    if all(wanted.isdisjoint(possible_counts(s.orbits(geometry))) for s in symmetries):
        name = "random" if request.symmetry is None else request.symmetry.value
        yield f"no pattern with the symmetry {name} has {_range(low, high)} cells"


def _refuse_fewest(request: Request) -> Iterator[str]:
    if not request.is_fewest:
        return
    has_wish = _wishes_of(request)
    others = ("a number of givens", "a symmetry", "a mask", "a technique")
    for name in (*others, "givens that are not minimal"):
        if has_wish[name]:
            yield f"the fewest givens exclude {name}"
    if request.geometry.size > LARGEST_SIZE_OF_FEWEST:
        size = request.geometry.size
        yield (
            f"the fewest givens are proved up to {LARGEST_SIZE_OF_FEWEST}x"
            f"{LARGEST_SIZE_OF_FEWEST}, not on {size}x{size}"
        )


def _range(low: int, high: int) -> str:
    return str(low) if low == high else f"{low} to {high}"


class Wishes(NamedTuple):
    """A caller's wishes, all optional.

    Texts are names. `givens` is one number, or the smallest and the greatest number. Without
    `minimality`, givens are deleted as far as possible, unless a number of givens is requested.
    """

    givens: int | tuple[int, int] | None = None
    minimality: Minimality | str | None = None
    symmetry: Symmetry | str | None = Symmetry.NONE
    mask: str | None = None
    technique: WantedTechnique | str | None = None
    has_random_regions: bool = False
    is_fewest: bool = False
    drawn: tuple[str, ...] = ()
    has_needed_clues: bool = False


_DRAWN = "random"


def split_drawn(rules: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Split rules into texts, and names of rules with drawn clues, given as `killer:random`."""
    texts = list(rules)
    names = [text.partition(":") for text in texts]
    drawn = [name.strip() for name, _, argument in names if argument.strip() == _DRAWN]
    fixed = [text for text in texts if text.partition(":")[2].strip() != _DRAWN]
    if drawn:
        # Imported late: few puzzles have such clues.
        from satdoku.making.clues import require_drawn

        require_drawn(drawn)
    return tuple(fixed), tuple(dict.fromkeys(drawn))


def make_request(board: Puzzle, wishes: Wishes, seed: str | int | None = None) -> Request:
    """Return the request for a board; without a seed, a random seed is chosen.

    If the board is not empty, it is the solution of all puzzles.
    """
    minimality = wishes.minimality
    if minimality is None:
        minimality = Minimality.ORBITS if wishes.givens is None else Minimality.NONE
    is_empty = all(digit == EMPTY for digit in board.grid.digits)
    givens = (wishes.givens, wishes.givens) if isinstance(wishes.givens, int) else wishes.givens
    try:
        return Request(
            board.with_grid(Grid.empty(board.geometry)),
            token_hex(8) if seed is None else str(seed),
            givens,
            member_named(Minimality, minimality),
            None if wishes.symmetry is None else member_named(Symmetry, wishes.symmetry),
            None if wishes.mask is None else read_mask(wishes.mask, board.geometry),
            None if is_empty else board.grid,
            None if wishes.technique is None else member_named(WantedTechnique, wishes.technique),
            wishes.has_random_regions,
            is_fewest=wishes.is_fewest,
            drawn=wishes.drawn,
            has_needed_clues=wishes.has_needed_clues,
        )
    except ValueError as error:
        raise SatdokuError(str(error)) from None


def why_rare(request: Request, ratings: Ratings | None) -> str:
    """Return a sentence about wishes that may take hours; empty for other requests."""
    if ratings is not None and ratings[0] >= _RARE_RATING:
        return (
            "of 2,400 random minimal puzzles 51 have the rating 6, 9 the rating 7 and 2 a higher "
            "one: this may take hours"
        )
    is_usual = request.is_classic and request.geometry.size == _USUAL_SIZE
    if not is_usual or request.givens is None:
        return ""
    most, solved = request.givens[1], " that singles solve" if request.technique else ""
    few = _FEW_FOR_SINGLES if request.technique else _FEW
    if most >= few:
        return ""
    return (
        f"puzzles of {most} givens{solved} are very rare: this may take minutes or hours; "
        f"{few} givens take {'a moment' if request.technique else 'seconds'}"
    )


# Puzzles take minutes or more from this rating on, and below these numbers of givens: the first if
# singles must solve them.
_RARE_RATING = 7
_FEW_FOR_SINGLES = 22
_FEW = 20
_USUAL_SIZE = 9


# The wanted steps of a puzzle: some steps in its explanation, and its hardest step

# The hardest technique that each level allows; this is also the order of the techniques.
_LAST_OF = {
    Level.SINGLES: Technique.NAKED_SINGLE,
    Level.BASIC: Technique.HALL_SET,
    Level.CHAINS: Technique.GROUPED_CHAIN,
    Level.PATTERNS: Technique.FINNED_MUTANT_JELLYFISH,
}
_ORDER = list(Technique)


class Need(NamedTuple):
    """How often a technique has to occur: `low` times or more, and at most `high` times if it is
    set.
    """

    technique: Technique
    low: int = 1
    high: int | None = None


class Needs(NamedTuple):
    """The wanted steps of an explanation; without `hardest`, further steps may have any level."""

    needs: tuple[Need, ...] = ()
    hardest: Technique | None = None

    def are_met_by(self, puzzle: Puzzle) -> bool:
        """Whether the explanation of a puzzle with one solution has the wanted steps."""
        # Imported late: slow to import, and rarely needed.
        from satdoku.explaining.explain import Scope, explain

        way = explain(puzzle, Scope(self._level)).way
        if not way.is_full:
            return False
        count = Counter(step.technique for step in way.steps)
        if self.hardest is not None and max(count, key=_ORDER.index) is not self.hardest:
            return False
        return all(
            low <= count[technique] and (high is None or count[technique] <= high)
            for technique, low, high in self.needs
        )

    @property
    def _level(self) -> Level:
        """Return the level of the explanation to compute: the level of the hardest wanted step."""
        if self.hardest is None:
            return Level.ALL
        place = _ORDER.index(self.hardest)
        allowed = (level for level, last in _LAST_OF.items() if place <= _ORDER.index(last))
        return next(allowed, Level.ALL)


def read_needs(texts: Sequence[str], hardest: str | None) -> Needs | None:
    """Read wishes such as `x-wing`, `xy-wing:2` (at least two), `naked-pair:1-3`; may be None."""
    needs = tuple(map(_read_need, texts))
    if not needs and hardest is None:
        return None
    found = None if hardest is None else technique_named(hardest)
    for need in needs:
        if found is not None and need.low and _ORDER.index(need.technique) > _ORDER.index(found):
            raise SatdokuError(f"{need.technique.value} is harder than the hardest, {found.value}")
    return Needs(needs, found)


def _read_need(text: str) -> Need:
    name, colon, counts = text.partition(":")
    low, hyphen, high = counts.partition("-")
    numbers = [low, *([high] if hyphen else [])]
    if colon and not all(number.isdecimal() and len(number) < 5 for number in numbers):
        raise SatdokuError(f"{quote(text)} is not a wish; write x-wing, x-wing:2 or x-wing:1-3")
    if not colon:
        return Need(technique_named(name))
    if hyphen and int(high) < int(low):
        raise SatdokuError(f"no number of steps is between {low} and {high}")
    return Need(technique_named(name), int(low), int(high) if hyphen else None)
