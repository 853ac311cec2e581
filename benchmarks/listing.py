"""Count the positions of a library of techniques whose expected step is listed."""

from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import Path
from statistics import median
from time import process_time
from typing import NamedTuple

import click

from satdoku.encoding.variables import Placement
from satdoku.explaining.hint import find_every_hint
from satdoku.explaining.step import Technique as T
from satdoku.explaining.step import Way
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.single_cells import Candidates
from satdoku.solving.limits import Limits

_GEOMETRY = Geometry(3, 3)
_LIMITS = Limits(timeout=60)

_WINGS = {t for t in T if t.value.endswith("-wing") and t not in (T.X_WING, T.XYZ_WING)}
_TWO_LINKS = {T.SKYSCRAPER, T.TWO_STRING_KITE, T.TURBOT_FISH, T.EMPTY_RECTANGLE}
_FINNED_TWO = {T.FINNED_X_WING, T.SASHIMI_X_WING}
_X = {T.X_CHAIN, T.REMOTE_PAIR, T.LOOP} | _TWO_LINKS
_CHAINS = {T.CHAIN, T.LOOP, T.X_CHAIN, T.XY_CHAIN, T.XY_WING, T.REMOTE_PAIR} | _WINGS | _X
_GROUPED = {T.GROUPED_CHAIN, T.GROUPED_X_CHAIN} | _CHAINS | _FINNED_TWO
_FISH = {t for t in T if "Franken" in t.value or "mutant" in t.value}
_ALS = {T.ALS_XZ, T.ALS_XY_WING, T.ALS_W_WING, T.ALS_CHAIN}
_SETS = _ALS | {T.SUE_DE_COQ, T.XYZ_WING, T.WXYZ_WING, T.LOOP}

# The first four digits of HoDoKu's code for a technique, and the technique's names here.
OTHER_NAMES: dict[str, set[T]] = {
    "0100": {T.POINTING},
    "0101": {T.CLAIMING},
    "0110": {T.LOCKED_PAIR},
    "0111": {T.LOCKED_TRIPLE},
    "0200": {T.NAKED_PAIR, T.LOCKED_PAIR},
    "0201": {T.NAKED_TRIPLE, T.LOCKED_TRIPLE},
    "0202": {T.NAKED_QUAD},
    "0210": {T.HIDDEN_PAIR},
    "0211": {T.HIDDEN_TRIPLE},
    "0212": {T.HIDDEN_QUAD},
    "0300": {T.X_WING},
    "0301": {T.SWORDFISH},
    "0302": {T.JELLYFISH},
    "0310": {T.FINNED_X_WING},
    "0311": {T.FINNED_SWORDFISH},
    "0312": {T.FINNED_JELLYFISH},
    "0320": {T.SASHIMI_X_WING, T.SKYSCRAPER},
    "0321": {T.SASHIMI_SWORDFISH},
    "0322": {T.SASHIMI_JELLYFISH},
    "0340": {T.EMPTY_RECTANGLE, T.GROUPED_X_CHAIN, T.FISH_CHAIN} | _FINNED_TWO | _X,
    "0331": _FISH,
    "0332": _FISH,
    "0341": _FISH,
    "0342": _FISH,
    "0362": _FISH,
    "0363": _FISH,
    "0364": _FISH,
    "0404": _FISH,
    "0405": _FISH,
    "1201": {T.TEMPLATES},
    "1202": {T.TEMPLATES},
    "0400": {T.SKYSCRAPER},
    "0401": {T.TWO_STRING_KITE},
    "0402": {T.EMPTY_RECTANGLE},
    "0402-1": _TWO_LINKS,
    "0403": {T.TURBOT_FISH, T.SKYSCRAPER, T.TWO_STRING_KITE},
    "0500": {T.COLOURING} | _X,
    "0501": {T.COLOURING} | _X,
    "0502": {T.COLOURING} | _X,
    "0503": {T.COLOURING} | _X,
    "0606": {T.HIDDEN_RECTANGLE},
    "0607": {T.AVOIDABLE_RECTANGLE},
    "0608": {T.AVOIDABLE_RECTANGLE},
    "0610": {T.BUG},
    "0701": _X,
    "0702": {T.XY_CHAIN, T.XY_WING, T.REMOTE_PAIR, T.LOOP},
    "0703": {T.REMOTE_PAIR, T.XY_CHAIN},
    "0706": {T.LOOP, T.XY_CHAIN, T.X_CHAIN},
    "0707": _CHAINS,
    "0708": _CHAINS,
    "0709": _GROUPED | _SETS,
    "0710": _GROUPED | _SETS,
    "0711": _GROUPED | _SETS,
    "0800": {T.XY_WING},
    "0801": {T.XYZ_WING},
    "0802": {T.WXYZ_WING},
    "0803": {T.W_WING},
    "0901": _SETS,
    "0902": {T.ALS_XY_WING, T.ALS_W_WING, T.ALS_CHAIN},
    "0903": {T.ALS_W_WING, T.ALS_CHAIN},
    "0904": {T.DEATH_BLOSSOM},
    "1101": {T.SUE_DE_COQ},
} | {f"060{kind}": {T.UNIQUE_RECTANGLE, T.HIDDEN_RECTANGLE} for kind in range(6)}


# Pairs of a cell and a digit.
_Places = frozenset[tuple[int, int]]


class Case(NamedTuple):
    """A position of the library, with the candidates that should be excluded or the digits to be
    placed.
    """

    code: str
    puzzle: Puzzle
    entered: Grid
    marks: Candidates
    gone: _Places
    placed: _Places

    @property
    def is_fail_case(self) -> bool:
        return self.code.endswith("-x")


def read_cases(path: Path) -> Iterator[Case]:
    """Yield the positions of a library, except those of singles."""
    for line in path.read_text().splitlines():
        if line.startswith(":") and not line.startswith(":000"):
            _, code, _, digits, deleted, gone, placed, *_ = line.split(":")
            yield _case(code, digits, _candidates(deleted), _candidates(gone), _candidates(placed))


def _candidates(text: str) -> _Places:
    return frozenset((int(one[1]) * 9 + int(one[2]) - 10, int(one[0])) for one in text.split())


def _case(code: str, text: str, deleted: _Places, *expected: _Places) -> Case:
    givens, entered = [], []
    is_entered = False
    for char in text:
        if char == "+":
            is_entered = True
            continue
        digit = int(char) if char.isdigit() else 0
        entered.append(digit)
        givens.append(0 if is_entered else digit)
        is_entered = False
    puzzle = Puzzle(Grid(_GEOMETRY, tuple(givens)))
    lost: dict[int, set[int]] = {}
    for cell, digit in deleted:
        lost.setdefault(cell, set()).add(digit)
    marks = {c: sorted(set(range(1, 10)) - digits) for c, digits in lost.items() if not entered[c]}
    return Case(code, puzzle, Grid(_GEOMETRY, tuple(entered)), Candidates.of(marks), *expected)


def judge(case: Case) -> bool:
    """Return whether a step of the technique has the expected effect; in a fail case, whether none
    has.
    """
    names = frozenset(OTHER_NAMES.get(case.code) or OTHER_NAMES.get(case.code[:4], set()))
    assumes = case.code.startswith("06")
    _, ways = find_every_hint(case.puzzle, case.entered, _LIMITS, case.marks, assumes, names)
    if case.is_fail_case:
        return not ways
    return any(_fits(case, way) for way in ways)


def _fits(case: Case, way: Way) -> bool:
    """Whether a step excludes and places what is expected."""
    gone = {way.board.placements[candidate] for candidate in way.steps[0].excludes}
    return case.gone <= gone and _places(case, way, gone)


def _places(case: Case, way: Way, gone: Collection[Placement]) -> bool:
    """Whether the step leaves only the expected digit in each cell that should be placed."""
    before = way.steps[0].before
    return all(
        place in gone
        for number, place in enumerate(way.board.placements)
        for cell, digit in case.placed
        if place.cell == cell and place.digit != digit and before >> number & 1
    )


@click.command()
@click.argument("path", type=click.Path(exists=True, path_type=Path))
@click.argument("wanted", nargs=-1, metavar="[CODE]...")
def listing(path: Path, wanted: tuple[str, ...]) -> None:
    """Count the positions of a library of techniques in which the expected step is listed.

    The library is HoDoKu's, in the format that its head describes. CODEs choose some techniques. A
    fail case must list no step of its technique.
    """
    right, every = Counter[str](), Counter[str]()
    times = []
    for case in read_cases(path):
        if not wanted or case.code.startswith(wanted):
            begun = process_time()
            right[case.code] += judge(case)
            times.append(process_time() - begun)
            every[case.code] += 1
    for code, count in every.items():
        print(f"{code:8} {right[code]:4} of {count:4}")
    print(f"right in {right.total()} of {every.total()}")
    print(f"{median(times):.3f} s in the median, {max(times):.2f} s at most")
