"""Lessons stand just before a step: the step is there, follows, and all else is as it was."""

from satdoku.explaining.explain import explain
from satdoku.explaining.hint import find_hint
from satdoku.explaining.step import Technique
from satdoku.explaining.teach import find_lessons
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import read_rules
from satdoku.solving.limits import Budget
from satdoku.solving.questions import check
from tests.boards import read_grid
from tests.crossing import sampled
from tests.explaining.judging import StepJudge

# Made by satdoku; it has pointing, and two naked pairs that lead on.
PUZZLE = "..2..8.7.3.....862..5.6..........9.5...39....7..62.3.......17..4.3.....9..8...1.."


@sampled(2, "technique", [Technique.NAKED_PAIR, Technique.POINTING, Technique.HIDDEN_SINGLE])
def test_a_lesson_has_the_step_and_the_solution(technique: Technique) -> None:
    puzzle = Puzzle(read_grid(PUZZLE))
    solution = check(puzzle).solution
    assert solution is not None
    lessons = list(find_lessons(puzzle, technique, Budget()))
    steps = [step for step in explain(puzzle).way.steps if step.technique is technique]
    assert 0 < len(lessons) <= len(steps)
    for lesson in lessons[:4]:
        given = dict(puzzle.givens)
        filled = dict(enumerate(lesson.grid.digits))
        assert all(filled[cell] == digit for cell, digit in given.items())
        assert all(digit in (0, solution.digits[cell]) for cell, digit in filled.items())
        assert all(solution.digits[cell] in digits for cell, digits in lesson.marks.sets)
        assert {cell for cell, _ in lesson.marks.sets} == {c for c, d in filled.items() if not d}
        assert [step.technique for step in lesson.way.steps] == [technique]
        StepJudge(lesson.way.board.puzzle).judge(lesson.way)
        assert lesson.parts[-1] == lesson.hint.how


def test_no_easier_single_is_made_by_what_is_filled_in() -> None:
    puzzle = Puzzle(read_grid(PUZZLE))
    for lesson in find_lessons(puzzle, Technique.NAKED_PAIR, Budget()):
        hint = find_hint(puzzle, lesson.grid, marks=lesson.marks)
        assert hint.step is not None
        assert hint.step.placement is None


def test_lessons_with_rules() -> None:
    empty = read_grid("." * 16)
    cages = [
        "killer:6=r1c1-3",
        "killer:5=r1-2c4",
        "killer:10=r2-4c1,r3c2",
        "killer:7=r2c2-3,r3c3",
        "killer:5=r3-4c4",
        "killer:7=r4c2-3",
    ]
    puzzle = Puzzle(empty).with_rules(read_rules(cages, empty.geometry))
    for lesson in find_lessons(puzzle, Technique.RULE_OF_45, Budget()):
        assert lesson.parts[-1].startswith("Rule of 45: ")
        StepJudge(lesson.way.board.puzzle).judge(lesson.way)
        break
    else:
        raise AssertionError("this puzzle has steps by the rule of 45")


def test_a_puzzle_with_several_solutions_has_no_lessons() -> None:
    assert not list(find_lessons(Puzzle(read_grid("." * 16)), Technique.NAKED_PAIR, Budget()))
