"""Questions about a puzzle while it is being set: the verdict, its details, and the reasons.

Parts are ordered by how long they take, and each is sent as soon as it is known; if the user
presses a key meanwhile, the rest is cancelled. Further questions are hints, explanations step by
step, and why a cell holds a digit or cannot hold it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from satdoku.answering.hinter import hint_lines
from satdoku.errors import SatdokuError, member_named, quote
from satdoku.explaining import explain as explaining
from satdoku.explaining.clash import (
    SmallestClash,
    find_clashing_rules,
    find_repairs,
    find_rule_repairs,
    find_smallest_clash,
)
from satdoku.explaining.explain import Scope
from satdoku.explaining.hint import Hint, position_of
from satdoku.explaining.slides import end_of, heading_of_clashes, slide_of, slides_of
from satdoku.explaining.step import Level, Way
from satdoku.explaining.true_candidates import count_candidates, find_true_candidates
from satdoku.explaining.why import Answer, answer, read_question, why_excluded_everywhere
from satdoku.making.minimizer import Minimizer
from satdoku.picture.documents import SlideObjects
from satdoku.picture.picture import Emphasis, Slide, picture_of
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.judge import find_clashes
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.rule import Clash, Rule, write_rule
from satdoku.puzzle.rules.single_cells import Candidates
from satdoku.puzzle.symmetry import Symmetry, symmetries_of
from satdoku.puzzle.verdict import Outcome, Verdict
from satdoku.rating.rater import rate_all
from satdoku.rating.rating import Rating
from satdoku.serving.facts import find_facts
from satdoku.serving.messages import read_digits, read_marks, read_puzzle, whole_number
from satdoku.solving.kept import kept_here
from satdoku.solving.limits import Budget, Limits
from satdoku.solving.questions import count
from satdoku.solving.solvers import Settings

Part = dict[str, Any]

# Most solutions that the first count finds: a thousand of a classic 9x9 board take 3 ms, fifty of
# another board up to 40. The question `count` goes on from there.
_MOST_COUNTED, _MOST_COUNTED_ELSEWHERE = 1_000, 50
# Puzzles whose ratings are kept: a rating of a 16x16 board takes 400 ms, and users undo edits.
_RATINGS_REMEMBERED = 64
# The usual cap is that of other tools: a candidate with eight solutions is far from unique.
_USUAL_CAP, _HIGHEST_CAP = 8, 1_000

WANTS = ("symmetry", "count", "candidates", "rating", "needless", "why")
"""The details of a verdict that may be requested."""


def look(message: Mapping[str, Any], limits: Limits) -> Iterator[Part]:
    """Yield the verdict on a puzzle, and the requested details."""
    puzzle = read_puzzle(message.get("puzzle"))
    wanted = _read_wants(message)
    budget = Budget(limits)
    cap = whole_number(message.get("cap", _USUAL_CAP), "cap", _HIGHEST_CAP)
    outcome = kept_here().decide(puzzle, budget)
    yield _verdict(outcome)
    found = {
        Verdict.UNIQUE: _of_unique,
        Verdict.MULTIPLE: _of_several,
        Verdict.NONE: _of_none,
    }.get(outcome.verdict)
    if "symmetry" in wanted:
        yield _symmetries(puzzle)
    if found is not None:
        yield from found(_Look(outcome, budget, wanted, cap))


class _Look(NamedTuple):
    """A verdict and the details requested; `cap` limits the count for each candidate."""

    outcome: Outcome
    budget: Budget
    wanted: list[str]
    cap: int


def _read_wants(message: Mapping[str, Any]) -> list[str]:
    wanted = message.get("want", list(WANTS))
    if not isinstance(wanted, list):
        raise SatdokuError(f"the entry 'want' is a list of some of: {', '.join(WANTS)}")
    unknown = next((want for want in wanted if want not in WANTS), None)
    if unknown is not None:
        known = ", ".join(WANTS)
        raise SatdokuError(f"`want` cannot have {quote(str(unknown), 40)}; it may have {known}")
    return wanted


def _verdict(outcome: Outcome) -> Part:
    puzzle = outcome.puzzle
    part: Part = {
        "part": "verdict",
        "verdict": outcome.verdict.value,
        "givens": len(puzzle.givens),
    }
    # Only an undecided verdict has a reason, so the entry is often left out.
    if outcome.reason:
        part["reason"] = outcome.reason
    for name, grid in zip(("solution", "second"), outcome.solutions, strict=True):
        if grid is not None:
            part[name] = list(grid.digits)
    if outcome.second is not None:
        part["differences"] = list(outcome.differences)
    if outcome.clashes:
        part["clashes"] = _clash_objects(outcome.clashes, puzzle)
    return part


def _clash_objects(clashes: Iterable[Clash], puzzle: Puzzle) -> list[Part]:
    return [
        {"cells": list(clash.cells), "text": clash.describe(puzzle.name_of_digit)}
        for clash in clashes
    ]


def clashes(message: Mapping[str, Any], limits: Limits) -> Iterator[Part]:
    """Yield what the entered digits show without a solver: which of them clash, and whether the
    board is full.

    A full board without clashes is a solution.
    """
    puzzle = read_puzzle(message.get("puzzle"))
    entered, _ = _read_position(message, puzzle)
    board = puzzle.with_grid(entered or puzzle.grid)
    found = _clash_objects(find_clashes(board), puzzle)
    yield {"part": "clashes", "clashes": found, "full": board.grid.is_full}


def _symmetries(puzzle: Puzzle) -> Part:
    """Return the symmetries of the pattern of givens; none if there are no givens."""
    givens = set(puzzle.givens)
    names = [
        symmetry.value
        for symmetry in symmetries_of(puzzle.geometry)
        if symmetry is not Symmetry.NONE
        and givens
        and all(
            givens.issuperset(orbit) or givens.isdisjoint(orbit)
            for orbit in symmetry.orbits(puzzle.geometry)
        )
    ]
    return {"part": "symmetry", "names": names}


def _of_unique(look: _Look) -> Iterator[Part]:
    outcome, budget, wanted, cap = look
    puzzle = outcome.puzzle
    if "candidates" in wanted and outcome.solution is not None:
        # The only solution contains every true candidate, each once.
        yield _candidates([{digit: 1} for digit in outcome.solution.digits], cap, True)
    if "needless" in wanted and outcome.solution is not None:
        yield _needless(look, outcome.solution)
    # The rating comes last, since on 16x16 it takes three times as long as all parts before.
    if "rating" in wanted:
        rating = rating_of(puzzle, budget.rest())
        if rating is not None:
            yield {
                "part": "rating",
                "number": rating.number,
                "level": rating.level.value,
                "text": rating.sentence,
            }


def _needless(look: _Look, solution: Grid) -> Part:
    """Return the redundant givens and, if a solver is kept for the puzzle, the redundant rules,
    each taken by itself.
    """
    puzzle = look.outcome.puzzle
    kept = None if _is_small(puzzle) else kept_here().of(puzzle, look.budget)
    if kept is None:
        with Minimizer(limits=look.budget.rest()) as minimizer:
            return {"part": "needless", "cells": minimizer.find_redundant(look.outcome)}
    found = kept.find_needless(solution)
    geometry = solution.geometry
    rules = [write_rule(rule, geometry) for rule in found.rules]
    return {"part": "needless", "cells": found.cells, "rules": rules}


def _is_small(puzzle: Puzzle) -> bool:
    """Whether a puzzle is so quick to search that no solver needs to stay loaded for it."""
    return puzzle.is_classic and puzzle.geometry.size <= Geometry().size


def rating_of(puzzle: Puzzle, limits: Limits) -> Rating | None:
    """Return the rating of a puzzle; None if its size or one of its rules has no ratings."""
    if puzzle in _RATINGS:
        return _RATINGS[puzzle]
    try:
        [rated] = rate_all([puzzle], limits)
    except SatdokuError:
        # The rating is only one of several details, so its failure must not end the answer.
        return None
    if rated.rating is not None:
        _RATINGS[puzzle] = rated.rating
        if len(_RATINGS) > _RATINGS_REMEMBERED:
            _RATINGS.pop(next(iter(_RATINGS)))
    return rated.rating


_RATINGS: dict[Puzzle, Rating] = {}


def _of_several(look: _Look) -> Iterator[Part]:
    outcome, budget, wanted, cap = look
    puzzle = outcome.puzzle
    if "count" in wanted:
        most = _MOST_COUNTED if _is_small(puzzle) else _MOST_COUNTED_ELSEWHERE
        found = count(puzzle, most, Settings(limits=budget.rest()))
        budget.require()
        yield {"part": "count", "number": found.number, "complete": found.is_complete}
    if "candidates" in wanted:
        counted = count_candidates(puzzle, cap, budget)
        budget.require()
        yield _candidates(counted.numbers, cap, counted.is_complete)


def _of_none(look: _Look) -> Iterator[Part]:
    outcome, budget, wanted, _ = look
    puzzle = outcome.puzzle
    if "why" not in wanted:
        return
    rules: Sequence[Rule] = ()
    # Rules are examined first if that is quick: if they clash, givens need not be examined.
    if not (puzzle.is_classic or outcome.clashes) and kept_here().of(puzzle, budget) is not None:
        rules = find_clashing_rules(puzzle, budget, solvers=kept_here())
    smallest = SmallestClash((), True, 0) if rules else find_smallest_clash(puzzle, budget)
    # After a recall the result may be incomplete, so it must not be sent.
    budget.require()
    if smallest is not None:
        yield {
            "part": "clash",
            "cells": list(smallest.cells),
            "proven": smallest.is_proven,
            "at_least": smallest.at_least,
        }
        if not smallest.cells:
            yield from _clashing_rules(puzzle, rules or find_clashing_rules(puzzle, budget))
            budget.require()
            yield from _rule_repairs(puzzle, budget)
            return
    repairs = find_repairs(puzzle, budget)
    budget.require()
    yield {
        "part": "repairs",
        "unique": [[list(change) for change in changes] for changes in repairs.unique],
        "others": repairs.others,
        "drop": [list(cells) for cells in repairs.dropped],
        "complete": repairs.is_complete,
    }
    yield from _rule_repairs(puzzle, budget)


def _rule_repairs(puzzle: Puzzle, budget: Budget) -> Iterator[Part]:
    """Yield the rules that may be dropped or changed, each by itself, if there are any."""
    geometry = puzzle.geometry
    repairs = [
        {
            "rule": write_rule(rule, geometry),
            "unique": [write_rule(other, geometry) for other in unique],
            "several": [write_rule(other, geometry) for other in several],
        }
        for rule, unique, several in find_rule_repairs(puzzle, budget, kept_here())
    ]
    if repairs:
        yield {"part": "rule_repairs", "repairs": repairs}


def _clashing_rules(puzzle: Puzzle, rules: Sequence[Rule]) -> Iterator[Part]:
    """Yield the rules that together leave no grid, each with its cells."""
    if rules:
        geometry = puzzle.geometry
        yield {
            "part": "rules",
            "rules": [write_rule(rule, geometry) for rule in rules],
            "cells": [sorted(rule.cells(geometry)) for rule in rules],
        }


def _candidates(numbers: list[dict[int, int]], cap: int, is_complete: bool) -> Part:
    """Return the true candidates of each cell, each with its number of solutions up to the cap."""
    return {
        "part": "candidates",
        "cells": [[[digit, found[digit]] for digit in sorted(found)] for found in numbers],
        "cap": cap,
        "complete": is_complete,
    }


def hint(message: Mapping[str, Any], limits: Limits) -> Iterator[Part]:
    """Yield the next step after the entered digits and marks, as text parts and as a slide."""
    puzzle = read_puzzle(message.get("puzzle"))
    entered, marks = _read_position(message, puzzle)
    found = find_facts("hint", message, puzzle, limits, entered=entered, marks=marks)
    yield _hint_part(found.result, puzzle)


def _read_position(
    message: Mapping[str, Any], puzzle: Puzzle
) -> tuple[Grid | None, Candidates | None]:
    """Return the digits on the player's board, and the player's marks; None for each that is
    missing.
    """
    entered = message.get("entered")
    grid = None if entered is None else Grid(puzzle.geometry, read_digits(entered, "entered"))
    return grid, read_marks(message.get("marks"), puzzle)


def _hint_part(found: Hint, puzzle: Puzzle) -> Part:
    outcome = found.outcome
    part: Part = {"part": "hint", "verdict": outcome.verdict.value}
    if found.wrong:
        return part | {"wrong": list(found.wrong)}
    if found.way is None:
        # The page has a button of this name, which the command of that name is to a terminal.
        told = "; ".join(hint_lines(found, puzzle)).replace("`explain`", "Explain")
        return part | {"text": told}
    part |= {"where": found.where, "what": found.what, "how": found.how}
    if found.begin:
        part["begin"] = found.begin
    slide = slide_of(found.way)
    return part | {"slide": _slides(found.way.board.puzzle).of(slide)}


def walk(message: Mapping[str, Any], limits: Limits) -> Iterator[Part]:
    """Yield the steps of an explanation, each as soon as it is proved, and the final position.

    The explanation begins with the entered digits and marks; if these are wrong, the answer is a
    hint that says so.
    """
    puzzle = read_puzzle(message.get("puzzle"))
    budget = Budget(limits)
    entered, marks = _read_position(message, puzzle)
    if marks is not None or entered not in (None, puzzle.grid):
        found, position = position_of(puzzle, entered, marks, budget)
        if position is None and found.outcome.puzzle == puzzle and not found.wrong + found.missing:
            position = puzzle  # the puzzle itself has no solution: the steps show why
        if position is None:
            yield _hint_part(found, puzzle)
            return
        puzzle = position
    level = member_named(Level, message.get("level", Level.ALL.value))
    scope = Scope(level, budget.rest())
    slides = _slides(puzzle)
    told, way = 0, None
    for way in explaining.walk(puzzle, scope):
        # The last item says how the path ends, and has no further step.
        if len(way.steps) > told:
            told = len(way.steps)
            yield {"part": "step", **slides.of(slide_of(way))}
    if way is None:
        yield {"part": "end", **slides.of(_clashing(puzzle))}
        return
    yield {"part": "end", "settled": way.is_settled, **slides.of(end_of(way))}
    if not way.is_complete:
        budget.require()


def why(message: Mapping[str, Any], limits: Limits) -> Iterator[Part]:
    """Yield the reason why a cell has a digit or cannot have it: a sentence and steps."""
    puzzle = read_puzzle(message.get("puzzle"))
    text = message.get("question")
    if not isinstance(text, str):
        raise SatdokuError("the entry 'question' is a text such as r4c5, r4c5=7 or r4c5!=3")
    question = read_question(text, puzzle)
    explanation = explaining.explain(puzzle, Scope(limits=limits))
    answers: Iterable[Answer]
    if explanation.verdict is Verdict.UNIQUE or not explanation.is_complete:
        answers = (answer(question, explanation.way),)
    else:
        # Even with several solutions, a question may be why none of them has a digit in a cell.
        true = find_true_candidates(puzzle, Budget(limits))
        answers = why_excluded_everywhere(question, explanation.way, true)
    for each in answers:
        yield {"part": "why", "text": each.sentence}
        if each.way is not None:
            yield from _steps_of(each.way)


def _steps_of(way: Way) -> Iterator[Part]:
    slides = _slides(way.board.puzzle)
    for slide in slides_of(way):
        yield {"part": "step", **slides.of(slide)}


def _clashing(puzzle: Puzzle) -> Slide:
    """Return the slide of a puzzle whose givens clash, for which there are no steps."""
    clashes = list(find_clashes(puzzle))
    cells = {cell: Emphasis.CLASHING for clash in clashes for cell in clash.cells}
    text = ". ".join(clash.describe(puzzle.name_of_digit) for clash in clashes)
    return Slide(picture_of(puzzle, marked=cells), heading_of_clashes(clashes), text)


def _slides(puzzle: Puzzle) -> SlideObjects:
    # Rules shade cells too, and the board drawn below the slides has these shades already.
    drawn = (each for rule in puzzle.rules for each in rule.drawing(puzzle.geometry))
    return SlideObjects(sum(name == "shade" for name, *_ in drawn))
