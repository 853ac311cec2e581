"""Colours: what is told of a colour that excludes itself is so, and is told in words."""

from functools import reduce
from operator import or_

from satdoku.explaining.board import candidates_of
from satdoku.explaining.colouring import clash_of, colours_of
from satdoku.explaining.explain import Scope, explain
from satdoku.explaining.step import Level, Technique
from satdoku.explaining.words.explanation import describe
from satdoku.puzzle.constraints import mask_of
from satdoku.puzzle.puzzle import Puzzle
from tests.boards import read_grid
from tests.explaining.judging import StepJudge
from tests.explaining.samples import MEDUSA, of_file

COLOURED = (Technique.COLOURING, Technique.MEDUSA)


def test_a_colour_that_excludes_itself_is_told_with_all_that_follows() -> None:
    puzzle = Puzzle(read_grid(MEDUSA))
    explanation = explain(puzzle)
    StepJudge(puzzle).judge(explanation.way)
    told = [line for line in describe(explanation) if "3D medusa: " in line]
    assert [line.split(": ", 1)[1] for line in told] == [
        "either r1c4=1, r1c7=8, r2c9=1, r3c6=8, r9c5=1 and r9c6=8 hold or r1c4=8, r1c7=1, "
        "r3c8=8, r4c4=1, r9c5=8 and r9c9=1 do, as two of them in turn are all that is left of"
        " a cell or a unit; but r3c6=8 and r9c6=8 exclude each other, so the latter hold; so "
        "r1c4≠1, r1c7≠8, r2c9≠1, r3c6≠8, r3c8≠7, r4c4≠8, r4c7≠1, r5c5≠8, r5c8≠8, r6c6≠1, "
        "r7c8≠1, r8c8≠1, r9c5≠1, r9c6≠8, r9c9≠5."
    ]


def test_of_each_pair_one_has_either_colour_and_the_one_that_clashes_goes() -> None:
    seen = 0
    for puzzle in (Puzzle(read_grid(MEDUSA)), *of_file("stubborn", 40)):
        way = explain(puzzle, Scope(Level.CHAINS)).way
        links = way.board.links
        for step in way.steps:
            if step.technique not in COLOURED:
                continue
            seen += 1
            wrong, right = colours_of(step.truths, step.before, links)
            for truth in step.truths:
                pair = truth.members & step.before
                assert [(pair & colour).bit_count() for colour in (wrong, right)] == [1, 1]
            one, other = clash_of(wrong, links)
            assert wrong >> one & wrong >> other & links[one] >> other & 1
            excludes = mask_of(step.excludes)
            assert not wrong & ~excludes
            assert not right & excludes
            gone = reduce(or_, (links[candidate] for candidate in candidates_of(right)))
            assert gone & step.before == excludes
            digits = {way.board.placements[each].digit for each in candidates_of(right | wrong)}
            assert (step.technique is Technique.COLOURING) == (len(digits) == 1)
    assert seen > 1
