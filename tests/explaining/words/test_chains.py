"""Chains read as they are printed: each reason in brackets holds, and so does the last sentence."""

import re
from collections.abc import Iterator
from itertools import combinations

import pytest

from satdoku.encoding.variables import Placement
from satdoku.explaining.board import candidates_of
from satdoku.explaining.step import Deduction, Technique
from satdoku.explaining.words.steps import Teller
from satdoku.puzzle.puzzle import Puzzle
from tests.boards import read_grid
from tests.explaining.samples import BLOSSOM, explained

# Chains with almost locked sets, fish and fins.
ALS = "...6.......8.9..1...6.154........97152..7...4...8..2..7..3........56...246...7..."
FINS = ".....5.4231.2..7...6.7..5.....98.....9.3.2.1...3.54.....78.9.5...9...6...3......7"
LOOP = "........583...2.......7...22..3......56....9....2..61.4.....1...95...3....1.947.."

CELL = r"r\d+c\d+"
SETS = re.compile(
    rf"\(((?:{CELL}(?:, | and )?)+) then have only ([\d, and]+) left(?:, (\d) only in (.*?))?\)"
)
LINKS = re.compile(
    rf"(?<=, then )((?:one of )?(?:{CELL}(?:, | and )?)+(?:=| is )\d) "
    r"\(only (digit|(\d)s?) left(?: in (\w+ \d+))?(?: without [^)]*)?\)"
)
FISH = re.compile(
    r"\((?:X-wing|swordfish|jellyfish): (row|column)s ([\d, and]+) then have (\d) only in "
    r"(?:row|column)s ([\d, and]+), so "
    r"(?:(?:row|column) (\d) has its \3 in (?:row|column) ([\d, or]+)"
    r"|these (?:row|column)s have their \3s in (?:row|column)s ([\d, and]+))"
)
FINS_OFF = re.compile(r" and the fins? ((?:\S+?(?:, | and )?)+) do(?:es)? not hold")


def numbers(text: str) -> set[int]:
    return set(map(int, re.findall(r"\d+", text)))


class Reader:
    """One step, and what is left before it."""

    def __init__(self, puzzle: Puzzle, step: Deduction, text: str) -> None:
        self._board = explained(puzzle).way.board
        self._geometry = puzzle.geometry
        cells = range(puzzle.geometry.cell_count)
        self._names = {puzzle.geometry.name_of(cell): cell for cell in cells}
        self._step = step
        self._text = text
        self._left = {self._board.placements[each] for each in candidates_of(step.before)}

    def _cells(self, text: str) -> set[int]:
        return {self._names[name] for name in re.findall(CELL, text)}

    def _sees(self, one: int, other: int) -> bool:
        return one != other and any({one, other} <= {*unit.cells} for unit in self._geometry.units)

    def _without(self, start: int) -> set[Placement]:
        """What the link before this place of the text says is not so."""
        said = re.split(r"\b(?:if|so|then) ", FINS_OFF.sub("", self._text[:start]))[-2]
        denied = re.search(r"(?:neither|none of)? ?(r.*?) (?:is|is not) ([\d, or]+),? $", said)
        assert denied, said
        cells, digits = self._cells(denied[1]), numbers(denied[2])
        return {Placement(cell, digit) for cell in cells for digit in digits}

    def _off(self, start: int) -> set[Placement]:
        """All that the text before this place has supposed or shown to be off."""
        text = self._text[:start]
        first = FINS_OFF.search(text)
        named = re.findall(rf"({CELL})=(\d+)", first[1]) if first else []
        places = [at.end() for at in re.finditer(r", then ", text)]
        off = {Placement(self._names[cell], int(digit)) for cell, digit in named}
        return off.union(*map(self._without, places))

    def check_links(self) -> int:
        """Compares what is left of each cell or unit with the end reached; returns their number.

        Nothing is left where the chain shows that its beginning holds after all.
        """
        found = list(LINKS.finditer(self._text))
        for each in found:
            end, left = self._cells(each[1]), self._left - self._off(each.end(1))
            if each[3] is None:
                (cell,) = end
                digits = {place.digit for place in left if place.cell == cell}
                assert digits in (numbers(re.sub(CELL, "", each[1])), set()), self._text
            else:
                (unit,) = (u for u in self._geometry.units if str(u) == each[4])
                digit = int(each[3])
                here = {p.cell for p in left if p.digit == digit and p.cell in unit.cells}
                assert here in (end, set()), self._text
        return len(found)

    def check_sets(self) -> int:
        """Compares what is left of each set; returns how many there are."""
        found = list(SETS.finditer(self._text))
        for each in found:
            cells, digits = self._cells(each[1]), numbers(each[2])
            left = {p for p in self._left - self._without(each.start()) if p.cell in cells}
            assert {place.digit for place in left} == digits, self._text
            assert len(cells) == len(digits), self._text
            if each[3]:
                only = {
                    place.cell
                    for place in left - self._off(each.start())
                    if place.digit == int(each[3])
                }
                named = self._cells(each[4].partition(" without ")[0])
                assert named != cells, self._text
                assert only in (named, set()), self._text
        return len(found)

    def check_fish(self) -> int:
        """Compares what is left in the lines of each fish; returns how many there are."""
        found = list(FISH.finditer(self._text))
        for each in found:
            base, digit, crossing = numbers(each[2]), int(each[3]), numbers(each[4])
            assert len(base) == len(crossing), self._text
            gone = self._without(each.start())
            sides = self._geometry.row_of, self._geometry.column_of
            along, across = sides if each[1] == "row" else sides[::-1]
            left = [p for p in self._left - gone if p.digit == digit and along(p.cell) + 1 in base]
            assert {across(place.cell) + 1 for place in left} == crossing, self._text
            assert numbers(each[6] or each[7] or "") == base, self._text
            if each[5]:
                end = re.split(r"\bthen ", self._text[: each.start()])[-1]
                there = {
                    place.cell
                    for place in set(left) - self._off(each.start())
                    if across(place.cell) + 1 == int(each[5])
                }
                assert there in (self._cells(end), set()), self._text
        return len(found)

    def ends(self) -> set[Placement]:
        """The candidates of which the last sentence says that one holds."""
        said = re.split(r"(?:^|\. )So ", self._text)[-1]
        said = re.split(r"; |, so ", said)[0]
        return {
            *self._one_of(said),
            *(Placement(self._names[c], int(d)) for c, d in re.findall(rf"({CELL})=(\d+)", said)),
        }

    def _one_of(self, said: str) -> Iterator[Placement]:
        for cells, digit in re.findall(rf"one of ((?:{CELL}(?:, | and )?)+) is (\d)", said):
            yield from (Placement(cell, int(digit)) for cell in self._cells(cells))
        for digit, cells in re.findall(r"^(\d) is in (.*)", said):
            yield from (Placement(cell, int(digit)) for cell in self._cells(cells))
        for cell, digits in re.findall(rf"^({CELL}) is ([\d, or]+)", said):
            yield from (Placement(self._names[cell], digit) for digit in numbers(digits))

    def check_end(self) -> bool:
        """Whether the last sentence says which cells see what, which is then compared."""
        said = self._text.rpartition(". So ")[2].partition(". ")[0].removesuffix(".")
        seen = re.fullmatch(r".*?; (.*), so (.*≠\S+?)(?: either way| in each case)?", said)
        if seen is None:
            return False
        ends = self.ends()
        assert len(ends) > 1, self._text
        for cell, digits in re.findall(rf"({CELL})≠([\d/]+)", seen[2]):
            assert any(self._names[cell] == p.cell for p in map(self._placed, self._step.excludes))
            for digit in numbers(digits):
                for end in ends:
                    same = end.cell == self._names[cell]
                    sees = self._sees(end.cell, self._names[cell])
                    assert same or (sees and end.digit == digit), self._text
        own = {end.cell for end in ends} - self._cells(re.split(" sees? ", seen[1])[0])
        told = self._cells(seen[1].partition(" see")[2]) or own
        if "see each other" in seen[1]:
            (pair,) = combinations({end.cell for end in ends}, 2)
            assert self._sees(*pair), self._text
        else:
            assert ("both" in seen[1]) <= (len(own) == 2), self._text
            assert told == own, self._text
        return True

    def _placed(self, candidate: int) -> Placement:
        return self._board.placements[candidate]


@pytest.mark.parametrize("line", [ALS, FINS, LOOP, BLOSSOM])
def test_each_reason_in_a_chain_holds_and_its_ends_give_away_what_goes(line: str) -> None:
    puzzle = Puzzle(read_grid(line))
    way = explained(puzzle).way
    told = {"links": 0, "sets": 0, "fish": 0, "ends": 0}
    for step, text in zip(way.steps, Teller(way).tell(), strict=True):
        if step.chain and step.technique is not Technique.DEATH_BLOSSOM:
            reader = Reader(puzzle, step, text)
            told["links"] += reader.check_links()
            told["sets"] += reader.check_sets()
            told["fish"] += reader.check_fish()
            told["ends"] += reader.check_end()
    assert min(told["links"], told["ends"]) > 2
    assert told["sets"] > 0 or line in (LOOP, FINS)
    assert told["fish"] > 0 or line != BLOSSOM
