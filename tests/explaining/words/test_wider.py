"""What sentences of rules say of cells: what these see, what they sum to, what is left."""

import random
import re
from collections.abc import Iterator
from itertools import combinations, product

from satdoku.encoding.variables import Placement
from satdoku.explaining.board import build_board
from satdoku.explaining.step import Deduction, Level, Technique
from satdoku.explaining.way import find_way
from satdoku.explaining.words.names import Names
from satdoku.explaining.words.steps import Teller
from satdoku.explaining.words.sums import Summed
from satdoku.explaining.words.ways import _tell_rest
from satdoku.puzzle.constraints import Total, digits_of, mask_of
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import read_rules
from satdoku.solving.limits import Budget
from tests.crossing import few_or_many
from tests.explaining.judging import StepJudge

SMALL = Geometry(2, 2)
CELL = r"r\d+c\d+"
LIST = rf"{CELL}(?:, {CELL})*(?:,? (?:and|or) {CELL})?"
SEES = re.compile(rf"({LIST}) sees? (?:({LIST})|(?:both|all) of these)")
COMES = re.compile(rf"\(({LIST}) (?:is|come to) (at least|at most|)(?: ?)(\d+)")
ONLY = re.compile(rf"only ({LIST}) can be (\d(?:(?:, | or )\d)*)(?=[;,])")

# Clues whose cells are drawn at random.
KINDS = ["arrow:{}={},{}", "zipper:{},{},{}", "contain:1/2={},{},{}", "contain-exact:3/4={},{},{}"]
KINDS += ["quadruple:1/2=r2c2", "double-arrow:{},{},{}", "sequence:{},{},{}"]


def every_way(chance: random.Random, count: int) -> Iterator[tuple[Puzzle, Deduction, str]]:
    """The steps of puzzles with two random clues that rest on these."""
    names = [SMALL.name_of(cell) for cell in range(16)]
    for _ in range(count):
        rules = [kind.format(*chance.sample(names, 3)) for kind in chance.sample(KINDS, 2)]
        puzzle = Puzzle(Grid.empty(SMALL)).with_rules(read_rules(rules, SMALL))
        way = find_way(build_board(puzzle), Level.BASIC, Budget())
        for step, text in zip(way.steps, Teller(way).tell(), strict=True):
            if step.technique is not Technique.TOGETHER and step.truths[0].wider:
                yield puzzle, step, text


class Told:
    """A sentence, with what is left before its step."""

    def __init__(self, puzzle: Puzzle, step: Deduction, text: str) -> None:
        self._board, self._text, self._step = build_board(puzzle), text, step
        self._judge = StepJudge(puzzle)
        self._masks = self._board.digits_in(step.before)
        self._gone = [self._board.placements[each] for each in step.excludes]

    def check_sight(self) -> int:
        """Each cell that is said to see others excludes what it loses from them; count them."""
        found = list(SEES.finditer(self._text))
        for each in found:
            listed = each[2] or re.findall(LIST, self._text[: each.start()])[-1]
            for cell, other in product(cells_in(each[1]), cells_in(listed)):
                for place in self._gone:
                    if place.cell == cell and self._masks[other] >> place.digit & 1:
                        assert self._judge._exclude_each_other(place, (other, place.digit))
        return len(found)

    def check_sums(self) -> int:
        """The bounds in brackets are those of all fillings; returns how many there are."""
        found = list(COMES.finditer(self._text))
        for each in found:
            sums = [sum(filling) for filling in self._fillings(cells_in(each[1]))]
            said = int(each[3])
            assert not each[2] or (min if each[2] == "at least" else max)(sums) == said, self._text
            assert each[2] or {*sums} == {said}, self._text
        return len(found)

    def check_places(self) -> int:
        """The cells that are said to hold a digit alone are all that can; returns how many."""
        rule = self._step.truths[0].wider
        found = list(ONLY.finditer(self._text))
        for each in found:
            digits = set(map(int, re.findall(r"\d+", each[2])))
            able = {c for c in rule.cells if digits & {*digits_of(self._masks[c])}} if rule else {}
            assert able == {*cells_in(each[1])}, self._text
        return len(found)

    def _fillings(self, cells: list[int]) -> Iterator[tuple[int, ...]]:
        for filling in product(*(digits_of(self._masks[cell]) for cell in cells)):
            placed = list(zip(cells, filling, strict=True))
            if not any(
                self._judge._exclude_each_other(one, other)
                for n, one in enumerate(placed)
                for other in placed[:n]
            ):
                yield filling


def cells_in(text: str) -> list[int]:
    names = {SMALL.name_of(cell): cell for cell in range(16)}
    return [names[name] for name in re.findall(CELL, text)]


@few_or_many("count", 35, 400)
def test_what_is_said_of_cells_beside_a_rule_is_so(count: int) -> None:
    counts = [0, 0, 0]
    for puzzle, step, text in every_way(random.Random(4), count):
        told = Told(puzzle, step, text)
        for place, check in enumerate((told.check_sight, told.check_sums, told.check_places)):
            counts[place] += check()
    assert min(counts) > 2


NEEDS = re.compile(rf"with (\d) in ({LIST}) (?:the others?|they) would be (.*?)(?=;| and with|$)")
REASON = re.compile(
    rf"none of them can be (?P<none>\d(?:(?:, | or )\d)*)|(?P<empty>{CELL}) can be n"
    rf"|(?P<pair>{LIST}) would both be (?P<one>\d)"
    rf"|of these (?P<few>{LIST}) can be only (?P<left>\d(?:(?:, | or )\d)*)"
)


def check_rests(cage: list[int], masks: dict[int, int], told: str, board: Geometry) -> int:
    """Each reason why other cells of a cage cannot hold some digits is so; count the reasons."""
    names = {board.name_of(cell): cell for cell in cage}
    found = 0
    for _, here, rest in NEEDS.findall(told):
        for cell in re.findall(CELL, here):
            others = {c: {*digits_of(masks[c])} for c in cage if c != names[cell]}
            for sets, why in re.findall(r"([\d,{} or]+)(?: \(|, but )([^)]*)", rest):
                wanted = sets_in(sets)
                reason = REASON.search(why)
                assert reason, told
                assert is_so(reason, wanted, {board.name_of(c): each for c, each in others.items()})
                found += 1
    return found


def sets_in(text: str) -> list[set[int]]:
    """The sets of digits of a text, which are in braces, or alone."""
    return [{*map(int, re.findall(r"\d", each))} for each in re.findall(r"{[^}]*}|\d", text)]


def check_common(cage: list[int], masks: dict[int, int], told: str, board: Geometry) -> int:
    """Digits that every combination has are in all that are listed, and left in as many cells."""
    found = re.search(rf"each combination has (.*), which only ({LIST}) can be", told)
    if found is None:
        return 0
    digits = {*map(int, re.findall(r"\d", found[1]))}
    able = {board.name_of(c) for c in cage if digits & {*digits_of(masks[c])}}
    assert able == {*re.findall(CELL, found[2])}, told
    assert len(able) == len(digits), told
    listed = re.search(r"only ([\d,{} or]+);", told)
    assert all(digits <= each for each in sets_in(listed[1] if listed else "")), told
    return 1


def is_so(reason: re.Match[str], wanted: list[set[int]], others: dict[str, set[int]]) -> bool:
    """Whether a reason shows that none of the wanted sets fits the other cells."""
    every = set.union(*wanted)
    if reason["none"]:
        gone = {*map(int, re.findall(r"\d", reason["none"]))}
        able = {digit for each in others.values() for digit in each}
        return not gone & able and all(gone & each for each in wanted)
    if reason["empty"]:
        return not others[reason["empty"]] & every
    cells = re.findall(CELL, reason["pair"] or reason["few"])
    left = {*map(int, re.findall(r"\d", reason["one"] or reason["left"]))}
    here = set.union(*(others[cell] for cell in cells)) & every
    return len(wanted) == 1 and here == left and len(left) < len(cells)


@few_or_many("count", 16, 150)
def test_what_the_others_of_a_cage_cannot_be_is_so(count: int) -> None:
    chance, board, found, common = random.Random(2), Geometry(), 0, 0
    for _ in range(count):
        cells = chance.sample([0, 1, 2, 9, 10, 11, 18, 19, 20], chance.choice([3, 3, 4, 5]))
        own = ",".join(
            f"{board.name_of(c)}={'/'.join(map(str, chance.sample(range(1, 10), 4)))}"
            for c in cells
        )
        names = ",".join(map(board.name_of, cells))
        rules = [f"killer:{chance.randint(3, 6) * len(cells)}={names}", f"candidates:{own}"]
        puzzle = Puzzle(Grid.empty(board)).with_rules(read_rules(rules, board))
        way = find_way(build_board(puzzle), Level.BASIC, Budget())
        for step, text in zip(way.steps, Teller(way).tell(), strict=True):
            if step.technique is Technique.SUM:
                masks = way.board.digits_in(step.before)
                found += check_rests(cells, masks, text, board)
                common += check_common(cells, masks, text, board)
    assert found > count // 4 < common * 4


def test_a_side_of_many_cells_comes_to_what_is_said_with_the_excluded_digits() -> None:
    rule = "arrow:r1c1,r1c2=r2c1,r2c2,r2c3,r2c4,r3c4"
    puzzle = Puzzle(Grid.empty(SMALL)).with_rules(read_rules([rule], SMALL))
    board = build_board(puzzle)
    (total,) = puzzle.constraints.wider
    assert isinstance(total, Total)
    cells = dict(zip(total.cells, [2, 4, 30, 30, 30, 30, 14], strict=True))
    gone = [board.number_of[Placement(total.cells[-1], digit)] for digit in (3,)]
    assert Summed(Names(board), total, cells).tell(gone) == (
        "r2c1, r2c2, r2c3, r2c4 and r3c4 come to at least 11 and the number in r1c1,r1c2 is 12, "
        "but with 3 in r3c4 its cells would come to at least 13"
    )


def test_many_rests_of_a_cage_without_a_digit_that_all_lack_are_left_out() -> None:
    names = Names(build_board(Puzzle(Grid.empty(Geometry(2, 3)))))
    others = {0: 1 << 1, 1: 1 << 1, 2: mask_of(range(1, 7))}
    rests = [mask_of(each) for each in combinations(range(2, 7), 3)]
    assert _tell_rest(names, others, rests) == ("", "")
    others[2] = mask_of(range(1, 4))
    assert _tell_rest(names, others, [each for each in rests if each >> 6 & 1])[0] == "need 6"
