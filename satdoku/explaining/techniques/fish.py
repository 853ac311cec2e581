"""Franken and mutant fish, with fins too: a digit in units of several kinds.

In some units, the *base*, all places of a digit lie in as many other units, the *cover*, apart from
some *fins*. The base needs as many places as it has units, no two of them in the same unit of the
cover. So a candidate in the cover, outside the base, that sees all fins is excluded: if it held,
the rest of the cover would be too small.

If the base has rows and the cover columns, or the other way round, the fish is plain
(`subsets.py`). With boxes in either, it is a *Franken* fish; if base or cover has both rows and
columns, it is *mutant*.

In nearly all positions, grouped chains of one digit exclude the same and are found before. So these
fish appear only in lists of all steps: explanations of the hardest puzzles never needed one.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from satdoku.errors import join
from satdoku.explaining.board import LINES, Truth, candidates_of, excluded_by
from satdoku.explaining.position import Finding, Position
from satdoku.explaining.step import Deduction, Level, Technique
from satdoku.explaining.techniques.search import Around, Search
from satdoku.explaining.words.names import Names
from satdoku.puzzle.constraints import digits_of, mask_of
from satdoku.puzzle.grid import Unit

# Numbers of base units: fish of two units are chains of two links, and nobody sees those of five.
_SIZES = (3, 4)

# Names by size, then whether the fish is mutant, then whether it has fins.
_NAMES = {
    3: (
        (Technique.FRANKEN_SWORDFISH, Technique.FINNED_FRANKEN_SWORDFISH),
        (Technique.MUTANT_SWORDFISH, Technique.FINNED_MUTANT_SWORDFISH),
    ),
    4: (
        (Technique.FRANKEN_JELLYFISH, Technique.FINNED_FRANKEN_JELLYFISH),
        (Technique.MUTANT_JELLYFISH, Technique.FINNED_MUTANT_JELLYFISH),
    ),
}


class _Places(NamedTuple):
    """The places of a digit, numbered from 0, and its units, as masks of places.

    `links` has for each place the mask of the places that it excludes.
    """

    candidates: list[int]
    truths: list[Truth]
    masks: list[int]
    links: list[int]


class _Fish(NamedTuple):
    """A base and a cover, by the numbers of their units, and one place that they exclude.

    The last unit of the cover contains that place.
    """

    base: tuple[int, ...]
    cover: tuple[int, ...]
    target: int


def _places(position: Position) -> Iterator[_Places]:
    """Yield the places of each digit."""
    of_digit: dict[int, list[Truth]] = {}
    for truth in position.open_truths:
        if truth.unit is not None:
            of_digit.setdefault(truth.digit, []).append(truth)
    for _, truths in sorted(of_digit.items()):
        yield _places_in(position.board.links, position.left, truths)


def _places_in(links: Sequence[int], left: int, truths: Sequence[Truth]) -> _Places:
    every = 0
    for truth in truths:
        every |= truth.members & left
    candidates = candidates_of(every)
    place_of = {candidate: place for place, candidate in enumerate(candidates)}

    def among(mask: int) -> int:
        return mask_of(place_of[candidate] for candidate in candidates_of(mask & every))

    # Units with the same places are the same here, so one is kept.
    masks = {among(truth.members & left): truth for truth in reversed(truths)}
    found = sorted(masks.items(), key=lambda item: item[1].number)
    linked = [among(links[candidate]) for candidate in candidates]
    return _Places(candidates, [t for _, t in found], [mask for mask, _ in found], linked)


def _every_fish(places: _Places, targets: Iterable[int], size: int) -> Iterator[_Fish]:
    """Yield fish of `size` units that exclude one of these places and contain no smaller fish."""
    for target in targets:
        away = places.links[target] | 1 << target
        rest = [mask & ~away for mask in places.masks]
        outside = [n for n, mask in enumerate(places.masks) if not mask >> target & 1]
        if not all(rest[n] for n in outside):
            continue  # a single unit excludes it
        around = [n for n, mask in enumerate(places.masks) if mask >> target & 1]
        seen: set[tuple[int, ...]] = set()
        for cover in combinations(outside, size - 1):
            covered = 0
            for number in cover:
                covered |= rest[number]
            within = [n for n in outside if not rest[n] & ~covered and n not in cover]
            if len(within) < size:
                continue
            for base in set(combinations(within, size)) - seen:
                if _is_whole([rest[n] for n in base]):
                    yield from (_Fish(base, (*cover, last), target) for last in around)
                seen.add(base)


def _is_whole(rest: Sequence[int]) -> bool:
    """Whether these masks are disjoint."""
    together = 0
    for mask in rest:
        if mask & together:
            return False
        together |= mask
    return True


def _rank(places: _Places, fish: _Fish) -> tuple[bool, bool, bool] | None:
    """Return whether a fish is mutant, and whether it has fins; None for a plain one."""
    base, cover = ({_kind(places.truths[n].unit) for n in ns} for ns in (fish.base, fish.cover))
    if len(base) == len(cover) == 1 and base | cover == set(LINES):
        return None
    is_franken = any(base <= {one, ""} and cover <= {other, ""} for one, other in _CROSSING)
    return not is_franken, bool(_fins(places, fish)), fish.cover[-1] != 0


_CROSSING = (LINES, LINES[::-1])


def _kind(unit: Unit | None) -> str:
    """Return `row` or `column`; an empty text for other units."""
    return unit.kind if unit is not None and unit.kind in LINES else ""


def _fins(places: _Places, fish: _Fish) -> int:
    """Return the places of the base outside of the cover."""
    fins = 0
    for number in fish.base:
        fins |= places.masks[number]
    for number in fish.cover:
        fins &= ~places.masks[number]
    return fins


def _findings(position: Position, places: _Places, targets: int, size: int) -> Iterator[Finding]:
    """Yield a finding for each base of `size` units, named by its simplest cover."""
    best: dict[tuple[int, ...], tuple[bool, bool, bool]] = {}
    plain: set[tuple[int, ...]] = set()
    for fish in _every_fish(places, digits_of(targets), size):
        rank = _rank(places, fish)
        if rank is None:
            plain.add(fish.base)
        else:
            best[fish.base] = min(rank, best.get(fish.base, rank))
    for base, (is_mutant, has_fins, _) in best.items():
        if base not in plain:
            truths = tuple(places.truths[number] for number in base)
            masks = [truth.members for truth in truths]
            excluded = excluded_by(masks, position.board.links, position.left)
            if excluded:
                name = _NAMES[size][is_mutant][has_fins]
                yield Finding(name, truths, excludes=tuple(candidates_of(excluded)))


def _every(around: Around) -> Iterator[Finding]:
    for size in _SIZES:
        for places in _places(around.position):
            around.budget.require()
            yield from _findings(around.position, places, (1 << len(places.candidates)) - 1, size)


def _tell(names: Names, step: Deduction) -> str:
    """Return a sentence with the base, and the cover and fins that exclude most."""
    board, before = names.board, step.before
    digit, size = step.truths[0].digit, step.size
    truths = [t for t in board.truths if t.unit is not None and t.digit == digit]
    places = _places_in(board.links, before, [t for t in truths if t.members & before])
    wanted = {t.members & before for t in step.truths}
    gone = mask_of(n for n, c in enumerate(places.candidates) if c in step.excludes)
    told = [
        (_rank(places, fish) or (False, False, False), fish)
        for fish in _every_fish(places, digits_of(gone), size)
        if {places.truths[n].members & before for n in fish.base} == wanted
    ]
    whole = [each for each in told if not gone & ~_excluded(places, each[1])]
    so = f"so {names.without(step.excludes)}"
    units = names.units([t.unit for t in step.truths if t.unit is not None])
    name = names.digit(digit)
    if not whole:
        known = [f"{names.truth(t)} ({join(names.left(t, before), 'or')})" for t in step.truths]
        return f"whichever of these holds in {join(known)}, {so}"
    _, fish = min(whole)
    fins = _fins(places, fish)
    cells = [board.placements[places.candidates[place]].cell for place in digits_of(fins)]
    cover = sorted((places.truths[n] for n in fish.cover), key=lambda truth: truth.number)
    crossing = join([str(truth.unit) for truth in cover])
    only = f"in {units}, {name} can only be in {crossing}"
    if not fins:
        return f"{only}, each of which so has its {name} there; {so}"
    fin, one = ("fin", "it") if len(cells) == 1 else ("fins", "one of them")
    return (
        f"{only}, apart from the {fin} {names.cells(cells)}; so {one} is {name}, or each of "
        f"{crossing} has its {name} in {units}; {so}"
    )


def _excluded(places: _Places, fish: _Fish) -> int:
    """Return the places in the cover, outside of the base, that see all fins."""
    inside = seen = 0
    for number in fish.cover:
        seen |= places.masks[number]
    for number in fish.base:
        inside |= places.masks[number]
    for fin in digits_of(_fins(places, fish)):
        seen &= places.links[fin]
    return seen & ~inside


SEARCH = Search(
    {
        Technique.FRANKEN_SWORDFISH: ("HoDoKu 0331",),
        Technique.FINNED_FRANKEN_SWORDFISH: ("HoDoKu 0341", "HoDoKu 0404", "HoDoKu 0405"),
        Technique.MUTANT_SWORDFISH: ("HoDoKu 0351",),
        Technique.FINNED_MUTANT_SWORDFISH: ("HoDoKu 0361",),
        Technique.FRANKEN_JELLYFISH: ("HoDoKu 0332",),
        Technique.FINNED_FRANKEN_JELLYFISH: ("HoDoKu 0342",),
        Technique.MUTANT_JELLYFISH: ("HoDoKu 0352",),
        Technique.FINNED_MUTANT_JELLYFISH: ("HoDoKu 0362",),
    },
    Level.PATTERNS,
    None,
    _every,
    _tell,
)
