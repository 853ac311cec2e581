"""A whole explanation as text."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from satdoku.errors import count_of, join
from satdoku.explaining.board import candidates_of
from satdoku.explaining.clash import Change, Repairs, number_in
from satdoku.explaining.explain import Explanation
from satdoku.explaining.marks import Role, roles_of
from satdoku.explaining.several import Clues, OtherSolution
from satdoku.explaining.step import Level, Technique, Way
from satdoku.explaining.trace import digits_after, every_exclusion, left_after
from satdoku.explaining.words.names import Names
from satdoku.explaining.words.steps import Teller, Wording
from satdoku.notation.outcomes import write_grid
from satdoku.picture.text import draw_texts
from satdoku.puzzle.rules.rule import Clash, Rule, write_rule
from satdoku.puzzle.verdict import Verdict

# More repairs than this are counted, not listed.
_MOST_REPAIRS = 10


class Style(NamedTuple):
    """The style of a written explanation.

    With `has_boards`, the candidates are drawn before every step that excludes some. With
    `is_eureka`, chains are in the notation of forums.
    """

    wording: Wording = Wording.USUAL
    is_ascii: bool = False
    has_boards: bool = False
    is_eureka: bool = False

    @property
    def unequal(self) -> str:
        """The sign between a cell and a digit that it does not hold."""
        return "!=" if self.is_ascii else "≠"


USUAL = Style()


def describe(explanation: Explanation, style: Style = USUAL) -> Iterator[str]:
    """Yield the text of an explanation, paragraph by paragraph, without line ends."""
    names = Names(explanation.way.board, style.unequal)
    if explanation.verdict is Verdict.UNIQUE:
        yield from _unique(explanation, style)
    elif explanation.verdict is Verdict.NONE:
        yield from _none(explanation, names, style)
    elif explanation.verdict is Verdict.MULTIPLE:
        yield from _several(explanation, names, style)
    else:
        yield from numbered(explanation.way, style)
    if not explanation.is_complete:
        yield f"This is not all: {explanation.reason or 'the limit was reached'}."


def numbered(way: Way, style: Style = USUAL) -> Iterator[str]:
    """Yield the steps with their numbers; further lines of a step are indented."""
    width = len(str(len(way.steps)))
    texts = Teller(way, style.unequal, style.is_eureka).tell(style.wording)
    for step, text in zip(way.steps, texts, strict=True):
        if style.has_boards and step.places is None:
            yield draw_candidates(way, step.number, style.is_ascii)
        # Cases, and the additions of `full`, are separate lines below the sentence of a step.
        first, *others = text.splitlines()
        moved = [f"{' ' * width} {line}" for line in others]
        yield "\n".join([f"{step.number:{width}} {first}", *moved])


def describe_exclusions(way: Way, style: Style = USUAL) -> Iterator[str]:
    """Yield a line for each cell with its excluded candidates and the steps that exclude them."""
    names = Names(way.board, style.unequal)
    # By cell and step number, the digits that the step excludes from the cell.
    cells: dict[int, dict[int, list[str]]] = {}
    for candidate, number in sorted(every_exclusion(way).items()):
        cell, digit = way.board.placements[candidate]
        cells.setdefault(cell, {}).setdefault(number, []).append(names.digit(digit))
    for cell, excluded in cells.items():
        parts = [f"{'/'.join(digits)} by step {number}" for number, digits in excluded.items()]
        yield f"{names.cell(cell)}: not {', '.join(parts)}"


def draw_candidates(way: Way, number: int, is_ascii: bool = False) -> str:
    """Return the board with all candidates before a step.

    A minus marks a candidate that the step excludes, a plus one that it rests on.
    """
    board, step = way.board, way.steps[number - 1]
    placed = digits_after(way, number - 1)
    roles = roles_of(step)
    names = Names(board)
    texts: list[list[str]] = [[names.digit(digit)] if digit else [] for digit in placed]
    for candidate in candidates_of(left_after(way, number - 1)):
        cell, digit = board.placements[candidate]
        if not placed[cell]:
            sign = _SIGNS.get(roles.get(candidate), "")
            texts[cell].append(f"{sign}{names.digit(digit)}")
    return draw_texts(board.puzzle, texts, is_ascii).rstrip()


# Candidates that a chain supposes not to hold get a plus, too: two signs are enough in text.
_SIGNS: dict[Role | None, str] = {Role.EXCLUDES: "-", Role.RESTS_ON: "+", Role.OFF: "+"}


def summary(way: Way) -> str:
    """Return the number of steps of each kind, and the size of the largest."""
    if not way.steps:
        return "0 steps"
    number_of = Counter(step.technique for step in way.steps)
    # Listed in the order in which the techniques are tried, from easy to hard.
    listed = ", ".join(
        f"{number_of[kind]} {kind.singular if number_of[kind] == 1 else kind.plural}"
        for kind in Technique
        if number_of[kind]
    )
    text = f"{count_of(len(way.steps), 'step')} ({listed})"
    if way.biggest > 1:
        has_rules = way.board.puzzle.constraints.wider
        parts = "cells, units and rules" if has_rules else "cells and units"
        text += f"; the largest step rests on {way.biggest} {parts}"
    if way.left_out:
        those = f"{count_of(way.left_out, 'step')} that {'leads' if way.left_out == 1 else 'lead'}"
        text += f"; {those} nowhere {'is' if way.left_out == 1 else 'are'} left out"
    return text


def _unique(explanation: Explanation, style: Style) -> Iterator[str]:
    way = explanation.way
    yield from numbered(way, style)
    if not way.is_full:
        yield _where_logic_ends(explanation)
    elif way.steps:
        yield f"Exactly one solution: {summary(way)}."
    else:
        yield "The board is full, and right."


def _where_logic_ends(explanation: Explanation) -> str:
    way = explanation.way
    level = explanation.level
    steps = f"after {count_of(len(way.steps), 'step')}"
    if level is Level.ALL:
        return f"Logic ends here, {steps}."
    return f"No step of the level {level.value} leads on from here, {steps}."


def _none(explanation: Explanation, names: Names, style: Style) -> Iterator[str]:
    puzzle, way = explanation.puzzle, explanation.way
    if explanation.clashes:
        yield f"No solution: {how_givens_clash(explanation.clashes)}."
        for clash in explanation.clashes:
            yield f"  {clash.describe(puzzle.name_of_digit)}"
    elif way.dead_end is not None:
        yield "No solution:"
        yield from numbered(way, style)
        yield Teller(way, names.unequal).dead_end()
    else:
        yield "No solution."
        yield from numbered(way, style)
        yield _where_logic_ends(explanation)
    # If givens clash directly, the smallest clash is mostly one of those already named.
    smallest = explanation.smallest
    if smallest is not None and smallest.cells not in {each.cells for each in explanation.clashes}:
        yield _smallest(explanation, names)
    if explanation.repairs is not None:
        yield from _repairs(explanation, explanation.repairs, names)
    yield from _rule_repairs(explanation)


def how_givens_clash(clashes: Iterable[Clash]) -> str:
    """Return in words what givens do that clash directly."""
    numbers = {len(clash.cells) for clash in clashes}
    if numbers == {1}:
        return "a rule forbids a given"
    return "two givens clash directly" if numbers == {2} else "givens clash directly"


def _smallest(explanation: Explanation, names: Names) -> str:
    smallest = explanation.smallest
    assert smallest is not None
    if not smallest.cells:
        rules = _rule_texts(explanation, explanation.clashing_rules)
        # Rules that make values are never dropped in the search for a clash.
        geometry = explanation.puzzle.geometry
        are_affected = any(
            each.reading is not None and each.reading.affects(each.cells(geometry))
            for each in explanation.clashing_rules
        )
        makers = [each for each in explanation.puzzle.rules if each.makes_values and are_affected]
        beside = f" beside {join(_rule_texts(explanation, makers))}" if makers else ""
        clash = f"clash{beside}, and any of them may go"
        if len(rules) == 1:
            clash = f"does so{beside or ' by itself'}"
        told = f": {join(rules)} {clash}" if rules else ""
        return f"The rules exclude every grid, whatever the givens{told}."
    digits = explanation.puzzle.grid.digits
    givens = [f"{names.cell(cell)}={names.digit(digits[cell])}" for cell in smallest.cells]
    proven = "no fewer do"
    if not smallest.is_proven:
        proven = f"not proven to be the fewest; at least {smallest.at_least} are needed"
    subject = "This given is" if len(givens) == 1 else f"These {len(givens)} givens are"
    return f"{subject} enough to clash ({proven}): {join(givens)}."


def _repairs(explanation: Explanation, repairs: Repairs, names: Names) -> Iterator[str]:
    if not repairs.changed:
        # Repairs of rules are told below, if there are any.
        what = "repair of givens" if explanation.rule_repairs else "repair"
        if not repairs.is_complete:
            yield f"No {what} was found before the search ended."
        elif not explanation.rule_repairs:
            yield "No repair was found."
        return
    number = "one given" if repairs.changed == 1 else f"{repairs.changed} givens"
    for changes in repairs.unique[:_MOST_REPAIRS]:
        yield f"Repair: {_changes(names, changes)} makes it unique."
    further = len(repairs.unique) - _MOST_REPAIRS
    if further > 0:
        yield f"{further} further changes of {number} make it unique."
    if repairs.others:
        is_one, other = repairs.others == 1, "other " if repairs.unique else ""
        least = "" if repairs.is_complete else "at least "
        ways = f"is {least}1 {other}way" if is_one else f"are {least}{repairs.others} {other}ways"
        leaves = "leaves" if is_one else "leave"
        yield f"There {ways} to change {number} that {leaves} several solutions."
    dropped = [join([names.cell(cell) for cell in cells]) for cells in repairs.dropped]
    more = ", ..." if len(dropped) > _MOST_REPAIRS else ""
    if len(dropped) == 1:
        yield f"Without {dropped[0]} there is a solution."
        return
    without = "one of these givens" if repairs.changed == 1 else "these givens"
    listed = (", " if repairs.changed == 1 else ", or ").join(dropped[:_MOST_REPAIRS])
    yield f"Without {without} there is a solution: {listed}{more}."


def _rule_texts(explanation: Explanation, rules: Iterable[Rule]) -> list[str]:
    return [write_rule(rule, explanation.puzzle.geometry) for rule in rules]


def _rule_repairs(explanation: Explanation) -> Iterator[str]:
    for rule, unique, several in explanation.rule_repairs:
        [text] = _rule_texts(explanation, [rule])
        instead = f"instead of {number_in(rule)} in {text}"
        if unique:
            yield f"Repair: {_numbers(unique)} {instead} makes it unique."
        elif several:
            yield f"With {_numbers(several)} {instead} there are several solutions."
        else:
            yield f"Without {text} there is a solution."


def _numbers(rules: Sequence[Rule]) -> str:
    """Return the numbers of rules as text, successive ones as a range: `3, 6 or 9 to 15`."""
    told: list[str] = []
    ordered = sorted({number for rule in rules if (number := number_in(rule)) is not None})
    # Successive numbers have the same difference from their places.
    for _, run in groupby(enumerate(ordered), key=lambda entry: entry[1] - entry[0]):
        numbers = [str(number) for _, number in run]
        told += numbers if len(numbers) < _SHORTEST_RANGE else [f"{numbers[0]} to {numbers[-1]}"]
    return join(told, "or")


# A range of two numbers is no shorter than both of them.
_SHORTEST_RANGE = 3


def _changes(names: Names, changes: Sequence[Change]) -> str:
    return join(
        [
            f"{names.cell(c.cell)}={names.digit(c.before)} changed to {names.digit(c.after)}"
            for c in changes
        ]
    )


def _several(explanation: Explanation, names: Names, style: Style) -> Iterator[str]:
    way = explanation.way
    yield from numbered(way, style)
    # Only steps that place a candidate fill a cell.
    placed = sum(step.places is not None for step in way.steps)
    yield f"Several solutions. {_where_logic_ends(explanation)}"
    yield f"{count_of(placed, 'cell')} can be filled by logic."
    nearest, farthest, clues = explanation.nearest, explanation.farthest, explanation.clues
    known = [each for each in (nearest, farthest, clues) if each is not None]
    if not all(each.is_of_all for each in known):
        grid = write_grid(explanation.solution, explanation.puzzle)
        yield f"Here the solution {grid} is compared with the others."
    if nearest is not None:
        yield _nearest(nearest, names)
    if farthest is not None:
        subject = "Two solutions differ" if farthest.is_of_all else "Others differ from it"
        most = "" if farthest.is_proven else "at least "
        yield f"{subject} in up to {most}{count_of(len(farthest.cells), 'cell')}."
    if clues is not None:
        yield _clues(clues, names)


def _nearest(nearest: OtherSolution, names: Names) -> str:
    swapped = [
        f"{names.cell(cell)} {names.digit(nearest.one.digits[cell])} or "
        f"{names.digit(nearest.grid.digits[cell])}"
        for cell in nearest.cells
    ]
    subject = "Two solutions differ" if nearest.is_of_all else "Another one differs from it"
    only = "only " if nearest.is_proven else ""
    count = count_of(len(nearest.cells), "cell")
    return f"{subject} in {only}{count}: {', '.join(swapped)}."


def _clues(clues: Clues, names: Names) -> str:
    digits = clues.solution.digits
    given = [f"{names.cell(cell)}={names.digit(digits[cell])}" for cell in clues.cells]
    effect = "make it unique" if clues.is_of_all else "leave only this solution"
    proven = "no fewer do" if clues.is_proven else f"at least {clues.at_least} are needed"
    return f"{count_of(len(given), 'further given')} would {effect} ({proven}): {join(given)}."
