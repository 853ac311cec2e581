"""Reasons why a clue cannot be kept: each claim is compared with all fillings of a line."""

import random
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise, permutations

from satdoku.puzzle.constraints import digits_of, mask_of
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.rules.arguments import OutsideLine
from satdoku.puzzle.rules.outside import (
    HiddenSkyscraper,
    NumberedRoom,
    OutsideRule,
    Sandwich,
    Skyscraper,
    XSum,
)
from satdoku.puzzle.rules.ranks import FullRank
from satdoku.puzzle.rules.rule import Left
from tests.crossing import few_or_many

SIZE = 5
BOARD = Geometry(1, SIZE)
EVERY = (2 << SIZE) - 2
CELL = r"r\d+c\d+"
CELLS = rf"{CELL}(?:, {CELL})*(?:,? (?:and|or) {CELL})?"
VALUES = r"\d+(?:, \d+)*(?:,? (?:and|or) \d+)?"
Masks = Sequence[int]


def fillings(masks: Masks) -> Iterator[tuple[int, ...]]:
    for filling in permutations(range(1, SIZE + 1)):
        if all(mask >> digit & 1 for mask, digit in zip(masks, filling, strict=True)):
            yield filling


def cells_in(text: str) -> list[int]:
    names = {BOARD.name_of(cell): cell for cell in range(SIZE)}
    return [names[name] for name in re.findall(CELL, text)]


def numbers_in(text: str) -> list[str]:
    return re.findall(r"\d+", text)


class Claims:
    """The claims of a reason about a line with these digits left."""

    def __init__(self, rule: OutsideRule, masks: Masks, text: str) -> None:
        self._kept: Callable[[Sequence[int]], bool] = lambda f: rule.is_kept(BOARD, 0, f)
        self._masks = masks
        self._text = text
        self.count = 0

    def check(self) -> None:
        for part in self._text.split("; "):
            said = re.match(rf"(?:with ((?:[\d, or]+ in {CELL}(?: and )?)+), )?(.*)", part)
            assert said is not None
            masks = list(self._masks)
            for digits, cell in re.findall(rf"([\d, or]+) in ({CELL})", said[1] or ""):
                masks[cells_in(cell)[0]] &= mask_of(map(int, numbers_in(digits)))
            for check in (self._would_be, self._stands, self._greater, self._rise):
                check(said[2], masks)
            for check in (self._seen, self._sums, self._lost, self._rest, self._hidden):
                check(said[2], masks)
            self._first_hidden(said[2], masks)
            # Cells right behind the cell of a digit would be read with it.
            assert not re.match(rf"with [^;]* in {CELL}, {CELL}(?:,| and)", part), self._text

    def _kept_with(self, masks: Masks, cells: Sequence[int]) -> Iterator[tuple[int, ...]]:
        """The fillings that keep the clue if these cells could hold anything."""
        wider = [EVERY if place in cells else mask for place, mask in enumerate(masks)]
        return filter(self._kept, fillings(wider))

    def _would_be(self, text: str, masks: Masks) -> None:
        not_greater = r"(?:cannot be greater than \w+, so it )?"
        found = re.search(
            rf"({CELLS}) {not_greater}would (?:be|hold) ({VALUES})(, which|, and)?", text
        )
        if found is None or "digits seen" in text:
            return
        cells, ways = cells_in(found[1]), numbers_in(found[2])
        for filling in self._kept_with(masks, cells):
            if "cannot be greater" in text and filling[0] < filling[1]:
                continue
            held = "".join(map(str, sorted(filling[cell] for cell in cells)))
            assert held in ways, self._text
        here = [masks[cell] for cell in cells]
        if found[3] == ", which":
            assert not any(
                "".join(map(str, sorted(way))) in ways
                and all(mask >> digit & 1 for mask, digit in zip(here, way, strict=True))
                for way in permutations(range(1, SIZE + 1), len(cells))
            ), self._text
        self.count += 1

    def _stands(self, text: str, masks: Masks) -> None:
        found = re.search(rf"(\d) would be (?:.* cells away|beside it), in ({CELLS})", text)
        if found is not None:
            bit, cells = 1 << int(found[1]), cells_in(found[2])
            for filling in filter(self._kept, fillings([mask | bit for mask in masks])):
                assert filling.index(int(found[1])) in cells, self._text
            assert not any(masks[cell] & bit for cell in cells), self._text
            self.count += 1

    def _greater(self, text: str, masks: Masks) -> None:
        found = re.search(rf"({CELLS}), before (\d), would be greater", text)
        if found is not None:
            cells, digit = cells_in(found[1]), int(found[2])
            for cell in cells:
                assert not any(each > digit for each in digits_of(masks[cell])), self._text
            for filling in self._kept_with(masks, cells):
                assert filling[filling.index(digit) - 1] > digit
            self.count += 1

    def _rise(self, text: str, masks: Masks) -> None:
        found = re.search(rf"the digits rise at most up to ({CELL})", text)
        if found is not None:
            behind = cells_in(found[1])[0] + 2
            assert not any(list(f[:behind]) == sorted(f[:behind]) for f in fillings(masks))
            self.count += 1

    def _seen(self, text: str, masks: Masks) -> None:
        seen = [
            {digit for n, digit in enumerate(f) if digit == max(f[: n + 1])}
            for f in fillings(masks)
        ]
        found = re.search(
            rf"({VALUES}) (?:digits )?(can be seen|are (?:both|all) seen|would be seen)", text
        )
        if listed := re.search(rf"digits seen would be ({VALUES}), not", text):
            assert {"".join(map(str, sorted(s))) for s in seen} <= {*numbers_in(listed[1])}
        elif found is not None and found[2] == "would be seen":
            low, high = min(map(len, seen), default=9), max(map(len, seen), default=0)
            assert high <= int(found[1]) if "at most" in text else low >= int(found[1])
        elif found is not None:
            split = numbers_in if "can" in found[2] else list
            named = {*map(int, split(found[1]))}
            assert all(each <= named if "can" in found[2] else each >= named for each in seen)
        self.count += bool(listed or found)

    def _sums(self, text: str, masks: Masks) -> None:
        if found := re.search(rf"({CELLS}) cannot come to (\d+)", text):
            for filling in permutations(range(1, SIZE + 1), len(cells_in(found[1]))):
                here = zip(cells_in(found[1]), filling, strict=True)
                if all(masks[cell] >> digit & 1 for cell, digit in here):
                    assert sum(filling) != int(found[2]), self._text
            self.count += 1

    def _lost(self, text: str, masks: Masks) -> None:
        if found := re.search(r"(\d) would have no place", text):
            inside = cells_in(text)
            outside = [m for place, m in enumerate(masks) if place not in inside]
            assert not any(m >> int(found[1]) & 1 and m.bit_count() > 1 for m in outside)
            self.count += 1

    def _rest(self, text: str, masks: Masks) -> None:
        """Check that the cells of the rest are all others, and that these cannot hold it."""
        found = re.search(
            rf"({CELLS}) would hold ({VALUES}), and .*?({CELLS}) could not hold ({VALUES})", text
        )
        if found is None:
            return
        inside, outside = cells_in(found[1]), cells_in(found[3])
        sets, rests = numbers_in(found[2]), numbers_in(found[4])
        assert len(sets) == len(rests)
        assert not {*inside} & {*outside}
        for filling in fillings(masks):
            held = "".join(map(str, sorted(filling[cell] for cell in outside)))
            inner = "".join(map(str, sorted(filling[cell] for cell in inside)))
            assert held not in rests or inner not in sets, self._text
        self.count += 1

    def _hidden(self, text: str, masks: Masks) -> None:
        said = rf"({CELL}) would be less than ({CELL}), so it would be the first hidden digit"
        if found := re.search(rf"{said}, which must be (\d)", text):
            second, first = (masks[cells_in(name)[0]] for name in (found[1], found[2]))
            assert not second >> int(found[3]) & 1, self._text
            assert all(a > b for a in digits_of(first) for b in digits_of(second) if a != b), (
                self._text
            )
            self.count += 1

    def _first_hidden(self, text: str, masks: Masks) -> None:
        if found := re.search(rf"first digit behind a greater one would be ({VALUES})", text):
            hidden = [next((b for a, b in pairwise(f) if b < a), 0) for f in fillings(masks)]
            assert {*map(str, hidden)} <= {*numbers_in(found[1])}, self._text
            self.count += 1


def hides_another(rule: OutsideRule, masks: Masks) -> bool:
    """Whether some digit is the first behind a greater one, but never the clue's digit."""
    hidden = [next((b for a, b in pairwise(f) if b < a), 0) for f in fillings(masks)]
    return all(each not in (0, rule.number) for each in hidden)


def rules(chance: random.Random) -> Iterator[OutsideRule]:
    line = OutsideLine(True, 0)
    yield Skyscraper(line, chance.randint(1, SIZE))
    yield HiddenSkyscraper(line, chance.randint(1, SIZE - 1))
    yield Sandwich(line, chance.choice([0, 2, 3, 4, 5, 6, 7, 9]))
    yield XSum(line, chance.randint(3, 15))


@few_or_many("number", 150, 600)
def test_each_claim_of_a_reason_holds_for_all_fillings_of_the_line(number: int) -> None:
    chance = random.Random(9)
    counts: dict[str, int] = {}
    silent = another = named = 0
    for _ in range(number):
        for rule in rules(chance):
            masks = [
                chance.randrange(2, EVERY + 1, 2) | chance.randrange(0, 33, 2) & EVERY
                for _ in range(SIZE)
            ]
            if any(rule.is_kept(BOARD, 0, filling) for filling in fillings(masks)):
                continue
            left = Left(dict(enumerate(masks)), True, False)
            text = rule.why_none(BOARD, left)
            silent += not text
            claims = Claims(rule, masks, text)
            claims.check()
            counts[rule.name] = counts.get(rule.name, 0) + claims.count
            # Brief reasons are always there.
            brief = rule.why_none(BOARD, left._replace(is_brief=True))
            assert brief
            Claims(rule, masks, brief)._first_hidden(brief, masks)
            named += "would be" in brief and rule.name == "hidden-skyscraper"
            if brief.startswith("another digit would be the first behind"):
                another += 1
                assert hides_another(rule, masks)
    assert len(counts) == 4
    assert min(counts.values()) > number // 20
    assert another + named > number // 60 < named
    assert silent < sum(counts.values()) / 2


def test_the_place_of_a_line_is_bounded_by_lines_that_are_lower_in_any_case() -> None:
    board, every = Geometry(2, 2), 0b11110
    masks = dict.fromkeys(range(16), every)
    # Row 1 begins with 12, column 1 with 13.
    masks |= {0: 0b10, 1: 0b100, 4: 0b1000}
    left = Left(masks, False, False)
    first, column = OutsideLine(True, 0), OutsideLine(False, 0)
    assert FullRank(column, 1).why_none(board, left) == (
        "row 1 is lower, so its place is at least 2"
    )
    assert FullRank(first, 1).why_none(board, left) == ""
    brief = left._replace(is_brief=True)
    assert FullRank(column, 1).why_none(board, brief) == "its place would be higher"
    assert FullRank(first, 1).why_none(board, brief) == "its place would be another, or shared"


def test_a_clue_that_no_line_keeps_is_told_as_such() -> None:
    left = Left(dict.fromkeys(range(SIZE), EVERY), True, False)
    assert Sandwich(OutsideLine(True, 0), 10).why_none(BOARD, left) == (
        "different digits between 1 and 5 cannot sum to 10"
    )


def test_a_digit_that_can_be_at_no_place_is_told_with_these_places() -> None:
    """Of random lines, the reason is there just where no filling keeps the clue, and true."""
    chance, told = random.Random(4), 0
    for _ in range(200):
        rule = NumberedRoom(OutsideLine(True, 0), chance.randint(1, SIZE))
        masks = [chance.randrange(2, EVERY + 1, 2) for _ in range(SIZE)]
        text = rule.why_none(BOARD, Left(dict(enumerate(masks)), True, False))
        bit = 1 << rule.number
        places = [digit - 1 for digit in digits_of(masks[0])]
        kept = any(masks[p] & bit and (p > 0 or rule.number == 1) for p in places)
        assert bool(text) == (not kept)
        if found := re.search(rf"{rule.number} would be in ({CELLS}), as r1c1 is", text):
            assert cells_in(found[1]) == places
            told += 1
    assert told > 20
