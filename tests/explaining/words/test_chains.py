"""Chains read as they are printed: each reason in brackets holds, and so does the last sentence."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import reduce
from itertools import combinations
from operator import or_

import pytest

from satdoku.encoding.variables import Placement
from satdoku.explaining.board import build_board, candidates_of
from satdoku.explaining.step import Deduction, Technique
from satdoku.explaining.words.chains import (
    _by_one_place,
    _by_rules_too,
    _fin_is,
    _fins_not,
    _seen,
    _up_to_contradiction,
)
from satdoku.explaining.words.names import Names
from satdoku.explaining.words.steps import Teller
from satdoku.puzzle.constraints import mask_of
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import read_rules
from tests.boards import read_grid
from tests.explaining.samples import BLOSSOM, explained

# Chains with almost locked sets, fish and fins.
ALS = "...6.......8.9..1...6.154........97152..7...4...8..2..7..3........56...246...7..."
FINS = ".....5.4231.2..7...6.7..5.....98.....9.3.2.1...3.54.....78.9.5...9...6...3......7"
LOOP = "........583...2.......7...22..3......56....9....2..61.4.....1...95...3....1.947.."
# A chain that meets an end again before its last.
CLOSED = "..53.....8......2..7..1.5..4....53...1..7...6..32...8..6.5....9..4....3......97.."

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
# The end of a chain by two lines, of which one has a single place left.
TWO = re.compile(
    rf"\((row|column) (\d) then has (\d) only in ({CELL}), so \1 (\d) has it in ({CELL})"
)
CELLS = rf"{CELL}(?:(?:, | and | or ){CELL})*"
FINS_OFF = re.compile(
    rf"(?: and|,) (?:the fin|neither of the fins|none of the fins) ({CELLS}) is (?:not )?(\d)"
)
PLACED = re.compile(rf"(?:one of )?({CELLS})(?:=| is )(\d) \(([^()]*)\)")
EACH_WAY = re.compile(
    rf"If ({CELL})(?:=| is )([\d, or]+), it is not (\d); otherwise "
    rf"(?:one of )?({CELLS})(?:=| is )(\d), and \1 sees (it|both|all of these)"
)
ROUND = re.compile(
    rf"if (?:neither |none of )?({CELLS}(?: nor {CELL})*) is (?:not )?([\d, or]+), it leads round "
    r"to (.*?): (.*?), so ([^;]*)"
)


def numbers(text: str) -> set[int]:
    return set(map(int, re.findall(r"\d+", text)))


class Reader:
    """One step, and what is left before it."""

    def __init__(self, puzzle: Puzzle, step: Deduction, told: str) -> None:
        text, *further = re.split(
            r"\. (?=If r|The chain is|By the same chain|The \ds of both sets see each other as)",
            told,
        )
        self._further = further
        self.is_blossom = step.technique is Technique.DEATH_BLOSSOM
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
        return self._denied(
            re.split(r"\b(?:if|so|then) ", FINS_OFF.sub("", self._text[:start]))[-2]
        )

    def _denied(self, said: str) -> set[Placement]:
        denied = re.search(r"(?:neither|none of)? ?(r.*?) (?:is|is not) ([\d, or]+),? $", said)
        assert denied, said
        cells, digits = self._cells(denied[1]), numbers(denied[2])
        return {Placement(cell, digit) for cell in cells for digit in digits}

    def _off(self, start: int) -> set[Placement]:
        """All that the text before this place has supposed or shown to be off."""
        text = self._text[:start]
        places = [at.end() for at in re.finditer(r", then ", text)]
        off = {
            Placement(cell, int(digit))
            for cells, digit in FINS_OFF.findall(text)
            for cell in self._cells(cells)
        }
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

    def check_two(self) -> int:
        """Compares what is left in two lines, of which one has one place; how many there are."""
        found = list(TWO.finditer(self._text))
        for each in found:
            there = self._left_of_two(each, self._left - self._without(each.start()))
            left = {place.cell for place in there - self._off(each.start())}
            assert left in ({self._names[each[6]]}, set()), self._text
        return len(found)

    def _left_of_two(self, said: "re.Match[str]", left: set[Placement]) -> set[Placement]:
        """What is left in the second line beside the only place of the first one."""
        along, across = self._geometry.row_of, self._geometry.column_of
        if said[1] == "column":
            along, across = across, along
        only = self._names[said[4]]
        first, second = (
            {p for p in left if p.digit == int(said[3]) and along(p.cell) + 1 == int(line)}
            for line in (said[2], said[5])
        )
        assert {p.cell for p in first} == {only}, self._text
        return {p for p in second if across(p.cell) != across(only)}

    def ends(self) -> set[Placement]:
        """The candidates of which the last sentence says that one holds."""
        said = re.split(r"(?:^|\. )So ", self._text)[-1]
        said = re.split(r"; |, so ", said)[0]
        said = re.sub("one of the fins ", "one of ", said)
        said = re.sub(rf"the fin ({CELL}) is (\d)", r"\1=\2", said)
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
        if any(EACH_WAY.match(said) for said in self._further):
            self._check_each_way()
            return True
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

    def _check_each_way(self) -> None:
        """Compares both halves of each sentence with what may hold by the sentence before."""
        ends, gone = self.ends(), set()
        for cell, own, digit, others, same, sees in EACH_WAY.findall(". ".join(self._further)):
            here = self._names[cell]
            assert {p.digit for p in ends if p.cell == here} == numbers(own), self._text
            assert {p.cell for p in ends if p.cell != here} == self._cells(others), self._text
            assert {p.digit for p in ends if p.cell != here} == {int(same)} == {int(digit)}
            assert all(self._sees(here, other) for other in self._cells(others)), self._text
            assert sees == ["it", "both", "all of these"][min(len(self._cells(others)), 3) - 1]
            gone.add(Placement(here, int(digit)))
        assert gone <= set(map(self._placed, self._step.excludes))

    def check_contradiction(self) -> int:
        """Whether the chain ends with a contradiction, which is then looked for."""
        found = re.search(r"so ([^()]*?, )and ([^()]*): a contradiction\. So ", self._text)
        if found is None:
            return 0
        off = self._off(found.start()) | self._denied(found[1])
        self._check_short(found[2], self._left - off)
        return 1

    def _check_short(self, said: str, left: set[Placement]) -> None:
        """Fails unless these candidates are too few, as said."""
        units = {str(unit): {*unit.cells} for unit in self._geometry.units}
        for unit, digit in re.findall(r"(\w+ \d+) has no place for (\d)", said):
            assert not any(p.cell in units[unit] and p.digit == int(digit) for p in left), said
        for cell in re.findall(rf"({CELL}) has no digit left", said):
            assert not any(p.cell == self._names[cell] for p in left), said
        for cells, digits in re.findall(
            rf"({CELLS}) have only the digits? ([\d, and]+) left", said
        ):
            own = self._cells(cells)
            assert {p.digit for p in left if p.cell in own} == numbers(digits), said
            assert len(numbers(digits)) < len(own), said
        for kind, base, digit, lines in re.findall(
            r"(row|column)s ([\d, and]+) have their (\d)s only in \w+ ([\d, and]+)", said
        ):
            inside = set().union(*(units[f"{kind} {number}"] for number in numbers(base)))
            across = self._geometry.column_of if kind == "row" else self._geometry.row_of
            there = {across(p.cell) + 1 for p in left if p.cell in inside and p.digit == int(digit)}
            assert there == numbers(lines), said
            assert len(there) < len(numbers(base)), said
        for unit, digit, cells, seen in re.findall(
            rf"(\w+ \d+) then has its (\d) only in ({CELLS}), which sees? ({CELL}=\d)", said
        ):
            there = {p.cell for p in left if p.cell in units[unit] and p.digit == int(digit)}
            assert there == self._cells(cells), said
            assert f"{seen} (" in self._text, said
            assert seen.endswith(digit), said
            assert all(self._sees(each, *self._cells(seen)) for each in there), said
        assert re.search("no place|no digit|have only|only in", said), said

    def check_supposed(self) -> int:
        """Follows what is said to follow from each further exclusion; returns their number."""
        count = 0
        for told in self._further:
            found = re.match(
                r"If (r.*?), then (?:either way |in each case )?(.*); so (r.*?)\.?$", told
            )
            if found is None:
                continue
            gone = {
                Placement(self._names[cell], digit)
                for cell, digits in re.findall(rf"({CELL})≠([\d/]+)", found[3])
                for digit in numbers(digits)
            }
            supposed = re.findall(rf"({CELL})=(\d)", found[1])
            assert gone == {Placement(self._names[cell], int(digit)) for cell, digit in supposed}
            for place in gone:
                self._follow(found[2], self._left - self._excluded([place.cell], place.digit))
            count += len(gone)
        return count

    def _follow(self, said: str, left: set[Placement]) -> None:
        for cells, digit, reason in PLACED.findall(said):
            end, number = self._cells(cells), int(digit)
            here = left
            if unit := re.fullmatch(rf"only {number}s? left in (\w+ \d+)", reason):
                (named,) = (u for u in self._geometry.units if str(u) == unit[1])
                here = {p for p in left if p.cell in named.cells}
            elif some := SETS.fullmatch(f"({reason})"):
                here = {p for p in left if p.cell in self._cells(some[1])}
                digits = {p.digit for p in here}
                assert digits == numbers(some[2]), said
                assert len(digits) == len(self._cells(some[1])), said
            elif fish := FISH.match(f"({reason}"):
                along, across = self._geometry.row_of, self._geometry.column_of
                if fish[1] == "column":
                    along, across = across, along
                base = [
                    p for p in left if p.digit == number and along(p.cell) + 1 in numbers(fish[2])
                ]
                assert {across(p.cell) + 1 for p in base} == numbers(fish[4]), said
                assert len(numbers(fish[2])) == len(numbers(fish[4])), said
                here = {p for p in base if across(p.cell) + 1 == int(fish[5])}
            elif two := TWO.match(f"({reason}"):
                here = self._left_of_two(two, left)
            else:
                assert reason == "only digit left", said
                assert {p.digit for p in left if p.cell in end} == {number}, said
                assert len(end) == 1, said
                here = {p for p in left if p.cell in end}
            assert {p.cell for p in here if p.digit == number} == end, said
            left = left - self._excluded(end, number)
        self._check_short(PLACED.sub("", said), left)

    def _excluded(self, cells: Iterable[int], digit: int) -> set[Placement]:
        """What cannot hold if one of these cells has a digit."""
        return {
            p
            for p in self._left
            if all(
                p.digit != digit
                if p.cell == cell
                else p.digit == digit and self._sees(cell, p.cell)
                for cell in cells
            )
        }

    def check_loop(self) -> int:
        """Compares what a loop leads round to with its links; returns how many such there are."""
        (loop,) = [each for each in self._further if each.startswith("The chain")] or [""]
        if not loop:
            return 0
        last, first = re.match(  # type: ignore[union-attr]
            r"The chain is a loop: (.*?) also means that (.*?), which starts", loop
        ).groups()
        begin = FINS_OFF.sub("", self._text.partition("if ")[2].partition(", then ")[0])
        assert first == begin, loop
        end = re.findall(r", then (.*?) \(", self._text)[-1]
        assert last == end, loop
        found = ROUND.findall(loop)
        for cells, digits, on, _, _ in found:
            off = {Placement(c, d) for c in self._cells(cells) for d in numbers(digits)}
            links = [at.end() for at in re.finditer(r", then ", self._text)]
            assert off in [self._without(at) for at in links], loop
            assert f"then {on} (" in self._text, loop
        assert found, loop
        return len(found)

    def _placed(self, candidate: int) -> Placement:
        return self._board.placements[candidate]


def check(reader: Reader) -> Counter[str]:
    """Judges the text of a step; counts what it has judged."""
    told = Counter(supposed=reader.check_supposed())
    if not reader.is_blossom:
        told += Counter(
            links=reader.check_links(),
            sets=reader.check_sets(),
            fish=reader.check_fish() + reader.check_two(),
            ends=int(reader.check_end()),
            contradictions=reader.check_contradiction(),
            loops=reader.check_loop(),
        )
    return told


@pytest.mark.parametrize("line", [ALS, FINS, LOOP, BLOSSOM])
def test_each_reason_in_a_chain_holds_and_its_ends_give_away_what_goes(line: str) -> None:
    puzzle = Puzzle(read_grid(line))
    way = explained(puzzle).way
    told: Counter[str] = Counter()
    for step, text in zip(way.steps, Teller(way).tell(), strict=True):
        if step.chain:
            told += check(Reader(puzzle, step, text))
    assert min(told["links"], told["ends"]) > 2
    assert told["sets"] > 0 or line in (LOOP, FINS)
    assert told["fish"] > 0 or line != BLOSSOM
    assert min(told["supposed"], told["contradictions"], told["loops"]) > 0 or line != ALS


@pytest.mark.parametrize(
    ("left", "told"),
    [
        ({5, 9}, ("row 1", "r1c6", "row 2")),
        ({5, 7, 9}, None),
        ({9}, None),
        ({0, 9}, None),  # the place beside the end, which the chain has turned off
    ],
)
def test_a_line_is_told_by_its_one_place_only_if_it_has_one(left: set[int], told: object) -> None:
    names = Names(build_board(Puzzle(read_grid("." * 81))))
    rows = names.board.puzzle.geometry.units[:2]
    assert _by_one_place(names, rows, left, {0}) == told


def test_ends_that_lose_a_digit_to_each_other_by_a_rule_say_so() -> None:
    geometry = Geometry(3, 3)
    relation = "a-b>1orb-a>1"
    rules = [f"pair:{pair}:{relation}" for pair in ("r4c1,r6c1", "r4c1,r7c2", "r6c1,r7c2")]
    puzzle = Puzzle(Grid.empty(geometry)).with_rules(read_rules(rules, geometry))
    names = Names(build_board(puzzle))

    def candidates(cells: Iterable[int], digit: int) -> int:
        return sum(1 << names.board.number_of[Placement(cell, digit)] for cell in cells)

    assert _by_rules_too(names, candidates((27, 45, 55), 5), candidates((27, 45), 6)) == (
        "r4c1 and r6c1 are 5 themselves or cannot be 6 beside it: r4c1 and each of r6c1 and r7c2 "
        "differ by at least 2; r6c1 and r7c2 differ by at least 2"
    )


def test_a_chain_ends_where_it_meets_what_it_has_shown_to_be_off() -> None:
    """No end that is reached before the contradiction was said to be off before."""
    met = 0
    for line in (ALS, FINS, LOOP, CLOSED):
        puzzle = Puzzle(read_grid(line))
        way = explained(puzzle).way
        for step in way.steps:
            if step.chain and step.technique is not Technique.DEATH_BLOSSOM:
                chain, is_closed = _up_to_contradiction(step)
                met += is_closed and len(chain) < len(step.chain)
                for count in range(2, len(chain) + 1 - is_closed):
                    off = reduce(or_, (link.off for link in chain[:count]))
                    assert chain[count - 1].on & ~off
    assert met


def test_what_may_hold_is_told_apart_from_what_is_seen() -> None:
    board = build_board(Puzzle(read_grid("." * 81)))
    names = Names(board)

    def mask(*named: str) -> int:
        return mask_of(c for c in board.number_of.values() if board.name_of(c) in named)

    itself = _seen(names, mask("r1c1=1", "r1c5=2", "r2c2=2"), mask("r1c1=2"), "")
    assert itself == ". In each case r1c1 sees a 2 or is itself 1, so r1c1≠2"
    either = _seen(names, mask("r1c1=1", "r1c5=2", "r2c2=2"), mask("r1c1=2"), "either way")
    assert either == (
        ". If r1c1=1, it is not 2; otherwise one of r1c5 and r2c2 is 2, and r1c1 sees both; "
        "so r1c1≠2"
    )
    fins = mask("r1c1=1", "r1c5=2", "r2c2=2", "r3c3=4", "r3c4=4", "r3c5=4")
    assert list(_fins_not(names, fins)) == [
        "the fin r1c1 is not 1",
        "neither of the fins r1c5 and r2c2 is 2",
        "none of the fins r3c3, r3c4 and r3c5 is 4",
    ]
    assert list(_fins_not(names, mask("r1c5=2", "r1c5=4"))) == ["the fin r1c5 is neither 2 nor 4"]
    assert list(_fins_not(names, mask("r1c5=2", "r1c5=3", "r1c5=4"))) == [
        "the fin r1c5 is not 2, 3 or 4"
    ]
    assert _fin_is(names, mask("r1c5=2", "r1c5=4")) == "the fin r1c5 is 2 or 4"
    assert _fin_is(names, mask("r1c5=2", "r2c2=2")) == "one of the fins r1c5 and r2c2 is 2"
    assert _fin_is(names, mask("r1c5=2", "r2c2=3")) == "one of the fins r1c5=2 and r2c2=3 holds"
