"""What the files of techniques list follows, is told, and is not what a plain fish says."""

import random
import re
from collections.abc import Sequence

import pytest

from satdoku.explaining.board import build_board, candidates_of
from satdoku.explaining.hint import find_every_hint
from satdoku.explaining.position import Finding, Position
from satdoku.explaining.step import Placed, Technique, Way
from satdoku.explaining.techniques.nets import Nets
from satdoku.explaining.techniques.search import Around, every_search
from satdoku.explaining.words.names import Names
from satdoku.explaining.words.steps import Teller
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.limits import Budget
from satdoku.solving.questions import check
from tests.boards import NUGGET, read_grid
from tests.explaining.judging import StepJudge
from tests.explaining.samples import of_file


def positions(number: int, most: int) -> list[tuple[Puzzle, Position]]:
    """Stubborn puzzles with some candidates excluded at random that the solution has not."""
    found = []
    for count, puzzle in enumerate(of_file("stubborn", number)):
        rng = random.Random(count)
        solution = check(puzzle).solution
        assert solution is not None
        position = Position(build_board(puzzle))
        placements = position.board.placements
        wrong = [
            candidate
            for candidate in candidates_of(position.left)
            if solution.digits[placements[candidate].cell] != placements[candidate].digit
        ]
        gone = tuple(rng.sample(wrong, rng.randrange(len(wrong) * most // 100)))
        if gone:
            position.apply(Finding(Technique.CASES, (), excludes=gone))
        found.append((puzzle, position))
    return found


def judge(puzzle: Puzzle, position: Position, finding: Finding) -> None:
    """Fails unless a finding follows, and is told."""
    placements = position.board.placements
    judge = StepJudge(puzzle)
    judge.left &= {placements[c] for c in candidates_of(position.left)} | {
        (cell, digit) for cell, digit in judge.left if puzzle.grid.digits[cell]
    }
    step = position.step_of(finding)
    judge.judge(Way(position.board, (step,)))
    assert next(Teller(Way(position.board, (step._replace(number=1),))).tell())


@pytest.mark.parametrize(
    ("number", "most", "every"), [(2, 60, 30), pytest.param(60, 80, 10, marks=pytest.mark.slow)]
)
def test_what_is_listed_follows_from_its_truths(number: int, most: int, every: int) -> None:
    seen = set()
    for puzzle, position in positions(number, most):
        budget = Budget()
        around = Around(position, budget, Nets(position, budget), {})
        for search in every_search():
            for count, finding in enumerate(search.every(around)):
                seen.add(finding.technique)
                if count % every == 0:
                    judge(puzzle, position, finding)
    assert {Technique.WHIP, Technique.TEMPLATES} <= seen
    assert any(technique.value.endswith("Franken swordfish") for technique in seen)


def test_an_exocet_names_its_base_its_digits_and_its_lines() -> None:
    puzzle = Puzzle(read_grid(NUGGET))
    _, ways = find_every_hint(puzzle, wanted={Technique.JUNIOR_EXOCET})
    assert next(Teller(ways[0]).tell()) == (
        "Junior exocet: the base r1c7 and r2c7 holds two of 1, 2, 4 and 7. Rows 3, 4 and 7 need "
        "each of these digits three times and, outside columns 7 to 9, have room for it at most "
        "twice (1 only in columns 2 and 4; 2 only in columns 1 and 4; 4 only in columns 2 and 6; "
        "7 only in columns 1 and 6), so at least one of the three lies within columns 7 to 9. "
        "There a digit of the base can only be in the targets, r4c8 and r7c9, as the other cells "
        "see the base or lack these digits. So the targets hold the same two digits as the base; "
        "so r7c9≠3."
    )
    for way in ways:
        StepJudge(puzzle).judge(way)


def test_two_exocets_of_a_band_exclude_more_together() -> None:
    puzzle = Puzzle(read_grid("." * 81))
    position = Position(build_board(puzzle))
    # The bases are r1c1, r1c2 and r2c4, r2c5, the crossing lines columns 3, 6 and 7.
    bases, across = {0: (1, 2), 1: (3, 4), 12: (1, 2), 13: (3, 4)}, (2, 5, 6)
    targets = {9 * 2 + 2, 9 * 2 + 5, 9 + 6, 6}
    below = {1: (3, 6), 2: (3, 6), 3: (4, 7), 4: (4, 7)}

    def is_gone(cell: int, digit: int) -> bool:
        if cell in bases:
            return digit not in bases[cell]
        if (cell, digit) in [(65, 3), (65, 4)]:
            # So three cells of column 3 are left for three digits.
            return True
        is_base_digit_across = digit <= 4 and cell % 9 in across and cell not in targets
        return is_base_digit_across and cell // 9 not in below[digit]

    placements = position.board.placements
    gone = tuple(c for c in candidates_of(position.left) if is_gone(*placements[c]))
    position.apply(Finding(Technique.CASES, (), excludes=gone))
    around = Around(position, Budget(), Nets(position, Budget()), {})
    search = next(s for s in every_search() if Technique.DOUBLE_EXOCET in s.elsewhere)
    tell = search.tell
    assert tell is not None
    found = {finding.technique: finding for finding in search.every(around)}
    double = found[Technique.DOUBLE_EXOCET]
    excluded = {placements[candidate] for candidate in double.excludes}
    alone = {placements[candidate] for candidate in found[Technique.JUNIOR_EXOCET].excludes}
    # What is not in a target is refuted by trying all pairs of digits, unless that is long.
    names = Names(position.board)
    [step] = (position.step_of(each) for each in found.values() if each is not double)
    beside = next(c for c in step.excludes if placements[c] == (6, 9))
    told = tell(names, step._replace(excludes=(beside,)))
    assert told.splitlines()[0].endswith("so r1c7≠9"), told
    beside = next(c for c in step.excludes if placements[c].cell not in targets)
    told = tell(names, step._replace(excludes=(beside,)))
    pairs = re.findall(
        r"(\d) and (\d)", " ".join(one for one in told.splitlines() if "With" in one)
    )
    assert sorted(map("".join, pairs)) == ["12", "13", "14", "23", "24", "34"], told
    assert "which is too long to tell: r" in tell(names, step)
    assert Doubles(puzzle, tell(names, position.step_of(double))).judge() > 3
    # The targets hold digits of the bases; in the lines of the bases these stand nowhere else.
    assert {(20, 5), (23, 9), (15, 5), (6, 9)} <= alone < excluded
    assert {(3, 1), (4, 4), (9, 2), (10, 3)} <= excluded - alone
    judge = StepJudge(puzzle)
    judge.left &= {placements[c] for c in candidates_of(position.left)}
    some = double._replace(excludes=double.excludes[::30])
    judge.judge(Way(position.board, (position.step_of(some),)))


class Doubles:
    """A reader of the sentences of two exocets, which knows only the board's cells and units."""

    def __init__(self, puzzle: Puzzle, text: str) -> None:
        self._geometry = puzzle.geometry
        self._cell_of = {self._geometry.name_of(c): c for c in range(self._geometry.cell_count)}
        first, *self._lines = text.splitlines()
        self._bases, self._targets = (
            [self._cells(each) for each in re.findall(rf"{what} (r\dc\d and r\dc\d)", first)]
            for what in ("base", "targets,")
        )
        self._digits = {*re.findall(r"\d", first.split("two of ")[1].split(", and so")[0])}
        kind, crossing = re.findall(r"(Row|Column)s ([\d, and]+) need each", first)[0]
        self._kind = kind.lower()
        self._crossing = {*re.findall(r"\d", crossing)}
        # By digit, the lines that cover it outside the band.
        self._named = dict(re.findall(r"(\d) only in ([^;)]*)", first.split("twice (")[1]))

    def judge(self) -> int:
        """Judges each reason; returns how many there are."""
        reasons = {
            "in both bases": self._judge_bases,
            "within": self._judge_crossing,
            "nowhere else": self._judge_covers,
            "that sees such a pair": self._judge_seen,
            "fill": self._judge_full,
        }
        judged = 0
        for line in self._lines:
            why, _, gone = line.partition(": ")
            lost = [
                (self._cell_of[cell], digit)
                for cell, digits in re.findall(r"(r\dc\d)≠([\d/]+)", gone)
                for digit in digits.split("/")
            ]
            for words, judge in reasons.items():
                if words in why:
                    judge(why, lost)
                    judged += 1
                    break
        return judged

    def _cells(self, text: str) -> list[int]:
        return [self._cell_of[name] for name in re.findall(r"r\dc\d", text)]

    def _line(self, cell: int, kind: str) -> str:
        geometry = self._geometry
        return str((geometry.row_of(cell) if kind == "row" else geometry.column_of(cell)) + 1)

    def _sees(self, cell: int, others: Sequence[int]) -> bool:
        return all(
            any({cell, other} <= {*unit.cells} for unit in self._geometry.units) for other in others
        )

    def _judge_bases(self, why: str, lost: list[tuple[int, str]]) -> None:
        both = self._cells(why.partition("which")[0])
        assert [sum(cell in each for cell in both) for each in self._targets] == [1, 1]
        boxes = [self._geometry.box_of(cell) for cell in both]
        bases = {self._geometry.box_of(base[0]) for base in self._bases}
        assert boxes[0] == boxes[1] not in bases
        assert len(bases) == 2
        assert not lost

    def _judge_crossing(self, _: str, lost: list[tuple[int, str]]) -> None:
        targets = {cell for each in self._targets for cell in each}
        boxes = {self._geometry.box_of(cell) for cell in targets}
        for cell, digit in lost:
            assert self._line(cell, self._kind) in self._crossing
            assert self._geometry.box_of(cell) in boxes
            assert cell not in targets
            assert digit in self._digits

    def _judge_covers(self, _: str, lost: list[tuple[int, str]]) -> None:
        other = "column" if self._kind == "row" else "row"
        for cell, digit in lost:
            along = re.findall(r"\d", self._named[digit].partition(f" and {self._kind}")[0])
            if self._line(cell, other) in along and other in self._named[digit]:
                assert self._line(cell, self._kind) not in self._crossing
            else:
                assert f"{self._kind} {self._line(cell, self._kind)}" in self._named[digit]

    def _judge_seen(self, _: str, lost: list[tuple[int, str]]) -> None:
        for cell, digit in lost:
            assert digit in self._digits
            for base, targets in zip(self._bases, self._targets, strict=True):
                assert self._sees(cell, base) or self._sees(cell, targets)

    def _judge_full(self, why: str, lost: list[tuple[int, str]]) -> None:
        filled = self._cells(why)
        (line,) = {self._line(cell, self._kind) for cell in filled}
        held = [c for each in self._targets for c in each if self._line(c, self._kind) == line]
        assert len(filled) + len(held) == len(self._digits) == 4
        assert {cell for cell, _ in lost} <= {*filled}
        assert not {digit for _, digit in lost} & self._digits


def test_each_placement_of_a_whip_leads_to_the_next() -> None:
    whips = 0
    for _, position in positions(8, 60):
        links = position.board.links
        around = Around(position, Budget(), Nets(position, Budget()), {})
        search = next(s for s in every_search() if Technique.WHIP in s.elsewhere)
        for finding in search.every(around):
            whips += 1
            (story,) = finding.stories
            last = story.suppose
            for item in story.items:
                assert isinstance(item, Placed)
                assert links[last] & item.truth.members & position.left
                last = item.candidate
            assert links[last] & story.dead_end.members & position.left
    assert whips > 20
