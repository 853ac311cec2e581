"""Colours: what is told of a colour that excludes itself is so, and is told in words."""

import re
from functools import reduce
from operator import or_

from satdoku.explaining.board import candidates_of
from satdoku.explaining.explain import explain
from satdoku.explaining.step import Technique
from satdoku.explaining.techniques.colouring import clash_of, colours_of
from satdoku.explaining.words.explanation import describe
from satdoku.explaining.words.steps import Teller
from satdoku.puzzle.constraints import mask_of
from satdoku.puzzle.puzzle import Puzzle
from tests.boards import read_grid
from tests.explaining.judging import StepJudge
from tests.explaining.samples import MEDUSA

NAMES = (Technique.COLOURING, Technique.MEDUSA)
COLOURED = (
    MEDUSA,
    ".....9..527...8.4..38...1....78....9.6..9..12......5.6716.......93.2...8.....7...",
    "..1.83.457....69..28.7.....82......7.....26.3..........7...82.91........4..69....",
)


def test_a_colour_that_excludes_itself_is_told_with_all_that_follows() -> None:
    puzzle = Puzzle(read_grid(MEDUSA))
    explanation = explain(puzzle)
    StepJudge(puzzle).judge(explanation.way)
    told = [line for line in describe(explanation) if "3D medusa: " in line]
    assert [line.split(": ", 1)[1] for line in told] == [
        "colour r1c2=1, r1c2=2, r4c2=7, r4c5=1, r4c7=9 and r5c7=2 red, r4c2=1, r4c3=7, r4c5=9, "
        "r5c2=2, r5c7=9 and r9c2=7 blue. Each is joined to one of the other colour, as the last "
        "two candidates of a cell or of a digit in a unit, so all the red ones hold or all the "
        "blue ones. But r1c2 cannot be both 1 and 2, so the blue ones hold; so r1c2≠1/2, r4c2≠7, "
        "r4c3≠6, r4c5≠1, r4c7≠9, r5c2≠4, r5c3≠9, r5c7≠2, r6c1≠1, r6c3≠2, r6c5≠9, r8c3≠7, "
        "r9c2≠4, r9c8≠7."
    ]


def test_of_each_pair_one_has_either_colour_and_the_one_that_clashes_goes() -> None:
    seen = 0
    for line in COLOURED:
        way = explain(Puzzle(read_grid(line))).way
        links = way.board.links
        for step, text in zip(way.steps, Teller(way).tell(), strict=True):
            if step.technique not in NAMES:
                continue
            seen += 1
            wrong, right = colours_of(step.truths, step.before, links)
            for truth in step.truths:
                pair = truth.members & step.before
                assert [(pair & colour).bit_count() for colour in (wrong, right)] == [1, 1]
            one, other = clash_of(wrong, links)
            assert wrong >> one & wrong >> other & links[one] >> other & 1
            assert str(way.board.placements[one].digit) in text.split("But ")[1].split(", so")[0]
            red, blue = re.findall(r"(r[^.]*?) (?:red|blue)", text.partition(". ")[0])
            for colour, listed in ((wrong, red), (right, blue)):
                assert re.findall(r"r\dc\d=\d", listed) == [
                    way.board.name_of(candidate) for candidate in candidates_of(colour)
                ]
            excludes = mask_of(step.excludes)
            assert not wrong & ~excludes
            assert not right & excludes
            gone = reduce(or_, (links[candidate] for candidate in candidates_of(right)))
            assert gone & step.before == excludes
            digits = {way.board.placements[each].digit for each in candidates_of(right | wrong)}
            assert (step.technique is Technique.COLOURING) == (len(digits) == 1)
    assert seen > 3
