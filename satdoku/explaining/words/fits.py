"""Why no digits fit the cells of a sum, a cage or a machine: the cells that matter, and one cell's
digits that would fit.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import reduce
from itertools import combinations
from operator import or_
from string import ascii_lowercase

from satdoku.errors import join
from satdoku.explaining.words.compared import say_pair
from satdoku.explaining.words.names import Names
from satdoku.explaining.words.sums import sum_of_sides
from satdoku.puzzle.constraints import (
    Allowed,
    Constraint,
    Either,
    Machine,
    Pair,
    Sets,
    Total,
    Wider,
    differing,
    digits_of,
    every_digit,
    mask_of,
)
from satdoku.puzzle.rules.either import EitherRule
from satdoku.puzzle.rules.outside import NumberedRoom
from satdoku.puzzle.rules.rule import Left, Rule, board_of

NOTHING_FITS = "nothing fits beside it"
"""The reason where no other cells matter."""

# The most cells beside the supposed ones whose digits are told.
_MOST_CELLS = 4

# The most cells of which only some differ for which this counts.
_FEW_CELLS = 4

# The most cells of one side of a sum all of whose sums are looked at.
_MOST_ON_SIDE = 4

# The most choices that are refuted one by one.
_MOST_CHOICES = 4

# The most cells to look at together that have too few digits left.
_MOST_ALIKE = 3

# How the sentences of automata go on, which have a name or a number of states.
_OF_AUTOMATA = " follow "

# The most digits of the cell that would fit.
_MOST_DIGITS = 4

# The most digits to append to fillings that are begun.
_MOST_STEPS = 60_000


def why_none(names: Names, rule: Wider, masks: Mapping[int, int], supposed: Collection[int]) -> str:
    """Return why no digits left in the cells of a rule fit; empty if that is long.

    What the supposed cells hold is not said again.
    """
    return (
        _too_few(names, rule, masks)
        or why_none_by_rule(names, rule, masks)
        or _by_cells(names, rule, masks, supposed)
        or _by_count(names, rule, masks)
        or _by_sides(names, rule, masks)
        or _by_choices(names, rule, masks, supposed)
        or why_none_by_rule(names, rule, masks, is_brief=True)
    )


def _by_count(names: Names, rule: Wider, masks: Mapping[int, int]) -> str:
    """Return how often a digit would be in circles that all or none of its number have."""
    cases = rule.by_cases if isinstance(rule, Machine) else None
    if not isinstance(cases, Either) or not all(isinstance(c, Allowed) for c in cases.choices[0]):
        return ""
    none, *some = cases.choices
    totals = [each[0] for each in some if len(each) == 1]
    every = every_digit(names.board.puzzle.geometry.size)
    (digit, *others) = digits_of(every & ~none[0].digits) if isinstance(none[0], Allowed) else [0]
    if others or not digit or len(totals) != 1 or len(none) < len(rule.cells):
        return ""
    total, places = totals[0], _surely_in(names, rule.cells, masks, digit)
    if not places or not isinstance(total, Total):
        return ""
    alone = [cell for each in places if len(each) == 1 for cell in each]
    where = [f"in {names.cells(alone)}"] if alone else []
    where += [f"in {names.cells(each, 'or')}" for each in places if len(each) > 1]
    told = f"{names.digit(digit)} is {join(where)}"
    if len(places) > total.high:
        return f"{told}, more than {total.high} of the circles"
    few = sum_of_sides(names, total, masks)
    return f"{told}, so in {total.low} of the circles, but {few}" if few else ""


def _surely_in(
    names: Names, cells: Sequence[int], masks: Mapping[int, int], digit: int
) -> list[tuple[int, ...]]:
    """Return cells, and groups of two or three cells, each of which has to hold a digit."""
    differ = differing(names.board.puzzle.constraints)
    found: list[tuple[int, ...]] = []
    for count in range(1, _MOST_ALIKE + 1):
        few = [c for c in cells if masks[c].bit_count() <= count]
        for some in combinations(few, count):
            every = reduce(or_, (masks[cell] for cell in some))
            if (
                every >> digit & 1
                and every.bit_count() == count
                and all(other in differ[cell] for cell, other in combinations(some, 2))
                and not any({*some} & {*each} for each in found)
            ):
                found.append(some)
    return found


def _by_sides(names: Names, rule: Wider, masks: Mapping[int, int]) -> str:
    """Return the few sums that each of two sides can come to, if these are not the same."""
    if not isinstance(rule, Total) or rule.low != 0 or rule.high != 0:
        return ""
    worths = dict(zip(rule.cells, rule.worths, strict=True))
    sides = [[c for c in worths if (worths[c][-1] > 0) is is_on] for is_on in (True, False)]
    if not all(sides) or max(map(len, sides)) > _MOST_ON_SIDE:
        return ""
    differ = differing(names.board.puzzle.constraints)
    sums = [{abs(each) for each in _sums(side, worths, masks, differ)} for side in sides]
    if not all(0 < len(each) <= _MOST_DIGITS for each in sums) or sums[0] & sums[1]:
        return ""
    told = []
    for side, found in zip(sides, sums, strict=True):
        amounts = join([str(each) for each in sorted(found)], "or")
        told.append(f"{names.cells(side)} {'is' if len(side) == 1 else 'come to'} {amounts}")
    return join(told, "but")


def _sums(
    cells: Sequence[int],
    worths: Mapping[int, Sequence[int]],
    masks: Mapping[int, int],
    differ: Sequence[frozenset[int]],
) -> set[int]:
    """Return all sums of what some cells are worth."""
    found: set[int] = set()

    def add(filled: dict[int, int], total: int) -> None:
        if len(filled) == len(cells):
            found.add(total)
            return
        cell = cells[len(filled)]
        taken = mask_of(filled[other] for other in differ[cell] & filled.keys())
        for digit in digits_of(masks[cell] & ~taken):
            add({**filled, cell: digit}, total + worths[cell][digit])

    add({}, 0)
    return found


def why_none_briefly(
    names: Names, rule: Wider, masks: Mapping[int, int], supposed: Collection[int]
) -> str:
    """Return what a rule says of the reason in a few words that name no digits left."""
    if isinstance(rule, Either):
        return _by_choices(names, rule, masks, supposed, is_brief=True)
    return why_none_by_rule(names, rule, masks, is_brief=True)


def _by_choices(
    names: Names,
    rule: Wider,
    masks: Mapping[int, int],
    supposed: Collection[int],
    is_brief: bool = False,
) -> str:
    """Return why each of a few choices cannot be kept."""
    if not isinstance(rule, Either) or len(rule.choices) > _MOST_CHOICES:
        return ""
    if not is_brief and len(rule.choices) > 1:
        # What is said of all choices at once is shorter than the reason of each.
        brief = _by_choices(names, rule, masks, supposed, is_brief=True)
        if brief.startswith("the first digit behind"):
            return brief
    told: dict[str, list[str]] = {}
    rules = _rules_of_choices(names, rule)
    for place, choice in enumerate(rule.choices):
        left = _narrowed(names, choice, masks)
        reasons = [_why_not(names, each, left, supposed, is_brief) for each in choice]
        reasons += [_why_not_rules(names, rules[place], masks)] if rules else []
        reason = next((reason for reason in reasons if reason), "")
        if not reason:
            return ""
        told.setdefault(reason.replace("; ", ", and "), []).append(f"({ascii_lowercase[place]})")
    return _each_fails(told, tuple(f"{names.cell(cell)} cannot" for cell in supposed), rule)


def _each_fails(told: Mapping[str, list[str]], unsaid: tuple[str, ...], either: Either) -> str:
    """Return the reasons why choices fail, each with the letters or the places of its choices.

    How reasons begin that go without saying, as a supposed cell is not something else, is `unsaid`.
    """
    if len(told) == 1:
        return next(iter(told))
    others = {text: which for text, which in told.items() if not text.startswith(unsaid)} or told
    if "(b)" in either.sentence:
        fails = [f"{join(which)} fail{'s' * (len(which) == 1)} as" for which in others.values()]
    elif len(others) == 1:
        return next(iter(others))
    else:
        fails = ["the first fails as", "the second as", "the third as", "the fourth as"]
    return ", and ".join(f"{which} {text}" for which, text in zip(fails, others, strict=False))


def _rules_of_choices(names: Names, either: Either) -> Sequence[Sequence[Rule]]:
    """Return the rules of each choice; empty if the puzzle has no such rule."""
    puzzle = names.board.puzzle
    for rule in puzzle.rules:
        if isinstance(rule, EitherRule) and rule.sentence(puzzle.geometry) == either.sentence:
            return rule.choices
    return ()


def _why_not_rules(names: Names, rules: Sequence[Rule], masks: Mapping[int, int]) -> str:
    """Return why a numbered room cannot be kept; what other rules state is looked at alone."""
    geometry = names.board.puzzle.geometry
    for rule in rules:
        if isinstance(rule, NumberedRoom):
            reason = rule.why_none(board_of(rule, geometry), Left(masks, False, False))
            if reason:
                return reason
    return ""


def _why_not(
    names: Names,
    constraint: Constraint,
    masks: Mapping[int, int],
    supposed: Collection[int],
    is_brief: bool,
) -> str:
    """Return why one constraint of a choice cannot be kept; empty if it can, or that is long."""
    if isinstance(constraint, Allowed):
        return _not_allowed(names, constraint.cell, constraint.digits, masks)
    if isinstance(constraint, Pair):
        one, other = masks[constraint.first], masks[constraint.second]
        fits = any(other & ~constraint.excludes[digit] for digit in digits_of(one))
        return "" if fits else _why_not_pair(names, constraint, supposed)
    if not isinstance(constraint, Machine | Total | Sets):
        return ""
    differ = differing(names.board.puzzle.constraints)
    if _Fillings(constraint, differ).fit(masks) is not False:
        return ""
    if len(constraint.cells) == 1:
        return _not_allowed(names, *_of_one_cell(names, constraint), masks)
    bounds = sum_of_sides(names, constraint, masks) if isinstance(constraint, Total) else ""
    reason = bounds or why_none_by_rule(names, constraint, masks, is_brief)
    reason = reason or _by_cells(names, constraint, masks, supposed)
    return "" if reason == NOTHING_FITS else reason


def _why_not_pair(names: Names, pair: Pair, supposed: Collection[int]) -> str:
    """Return what a relation of two cells would ask for, which they cannot hold."""
    said = say_pair(names, pair)
    if not said.startswith("if "):
        return f"it cannot be that {said}"
    # The condition holds, as it is the only digit left, and is told unless it is supposed.
    first, would = said.removeprefix("if ").replace(" is ", " would be ").split(", ", 1)
    cannot = "" if pair.second in supposed else ", which it cannot"
    here = "" if pair.first in supposed else f", as {first.replace(' would be ', ' is ')}"
    return f"{would}{here or cannot}"


def _of_one_cell(names: Names, constraint: Machine | Total | Sets) -> tuple[int, int]:
    """Return the only cell of a constraint, and the digits that it allows."""
    (cell,), every = constraint.cells, every_digit(names.board.puzzle.geometry.size)
    fillings = _Fillings(constraint, differing(names.board.puzzle.constraints))
    return cell, mask_of(d for d in digits_of(every) if fillings.fit({cell: 1 << d}))


def _narrowed(
    names: Names, choice: Sequence[Constraint], masks: Mapping[int, int]
) -> Mapping[int, int]:
    """Return the digits left in cells if the constraints of a choice about one cell hold.

    A cell that would have none keeps its digits.
    """
    left = dict(masks)
    for each in choice:
        if isinstance(each, Allowed):
            cell, digits = each.cell, each.digits
        elif isinstance(each, Machine | Total | Sets) and len(each.cells) == 1:
            cell, digits = _of_one_cell(names, each)
        else:
            continue
        left[cell] = left[cell] & digits or left[cell]
    return left


def _not_allowed(names: Names, cell: int, allowed: int, masks: Mapping[int, int]) -> str:
    digits = digits_of(allowed)
    if masks[cell] & allowed or not 0 < len(digits) <= _MOST_DIGITS:
        return ""
    return f"{names.cell(cell)} cannot be {names.digits(digits, 'or')}"


def _too_few(names: Names, rule: Wider, masks: Mapping[int, int]) -> str:
    """Return two or three cells that differ, but have fewer digits left."""
    if len(rule.cells) > names.board.puzzle.geometry.size + 1:
        return ""
    differ = differing(names.board.puzzle.constraints)
    few = [cell for cell in dict.fromkeys(rule.cells) if masks[cell].bit_count() < _MOST_ALIKE]
    for count in range(2, _MOST_ALIKE + 1):
        for cells in combinations(few, count):
            every = reduce(or_, (masks[cell] for cell in cells))
            if every.bit_count() < count and all(
                other in differ[cell] for cell, other in combinations(cells, 2)
            ):
                return f"{names.cells(cells)} have only {names.digits(digits_of(every))} left"
    return ""


def why_none_by_rule(
    names: Names, rule: Wider, masks: Mapping[int, int], is_brief: bool = False
) -> str:
    """Return what the rule itself says of the reason."""
    puzzle = names.board.puzzle
    for each in (part for whole in puzzle.rules for part in whole.alternatives()):
        if type(each).why_none is not Rule.why_none and each.reading is None:
            geometry = board_of(each, puzzle.geometry)
            if each.sentence(geometry) == rule.sentence:
                left = Left(masks, _are_different(names, rule.cells), is_brief)
                return each.why_none(geometry, left)
    return ""


def _are_different(names: Names, cells: Collection[int]) -> bool:
    if len(cells) > names.board.puzzle.geometry.size:
        return False
    differ = differing(names.board.puzzle.constraints)
    return all(differ[cell].issuperset({*cells} - {cell}) for cell in cells)


def _by_cells(
    names: Names, rule: Wider, masks: Mapping[int, int], supposed: Collection[int]
) -> str:
    """Return which digits would fit in one cell, beside the fewest other cells."""
    if not isinstance(rule, Machine | Total | Sets) or len(set(rule.cells)) < len(rule.cells):
        return ""
    fillings = _Fillings(rule, differing(names.board.puzzle.constraints))
    if fillings.fit(masks) is not False:
        return ""
    every = every_digit(names.board.puzzle.geometry.size)
    assumed, needed = dict(masks), list[int]()
    open_cells = [cell for cell in rule.cells if cell not in supposed and masks[cell] != every]
    # Cells with many digits left say least, so they are tried first.
    for cell in sorted(open_cells, key=lambda each: -masks[each].bit_count()):
        wider = {**assumed, cell: every}
        if fillings.fit(wider) is False:
            assumed = wider
        else:
            needed.append(cell)
    if not needed:
        return _same(names, rule, assumed) or NOTHING_FITS
    if len(needed) > _MOST_CELLS:
        return ""
    needed.sort(key=rule.cells.index)
    fitting = {cell: _fitting(fillings, assumed, cell, every) for cell in needed}
    able = [cell for cell in needed if 0 < fitting[cell].bit_count() <= _MOST_DIGITS]
    if not able:
        told = _told(names, masks, needed)
        return f"{told}, and no digits of the others fit" if len(needed) > 1 else ""
    cell = min(able, key=lambda each: fitting[each].bit_count())
    would = _would_be(names, rule, assumed, (cell, fitting[cell]))
    others = _told(names, masks, [each for each in needed if each != cell])
    return f"{others}, so {would}" if others else would


def _would_be(names: Names, rule: Wider, masks: Mapping[int, int], fitting: tuple[int, int]) -> str:
    """Return which digits a rule would ask for in a cell, none of which is left there."""
    geometry, (cell, mask) = names.board.puzzle.geometry, fitting
    digits, is_one = names.digits(digits_of(mask), "or"), mask.bit_count() == 1
    if isinstance(rule, Machine) and _OF_AUTOMATA in rule.sentence:
        # The sentence does not say which digits go together. That cells differ is no part of it.
        alone = _Fillings(rule, [frozenset()] * geometry.cell_count)
        if _fitting(alone, masks, cell, every_digit(geometry.size)) == mask:
            cannot = "which cannot hold it" if is_one else "which can hold none of them"
            return f"the automaton allows only {digits} in {names.cell(cell)}, {cannot}"
    # Some of many digits may have just been excluded.
    cannot = "which it cannot" if is_one else "none of which it can be"
    return f"{names.cell(cell)} would be {digits}, {cannot}"


def _same(names: Names, rule: Machine | Total | Sets, masks: Mapping[int, int]) -> str:
    """Return two cells that would hold the same digit, but differ."""
    differ = differing(names.board.puzzle.constraints)
    nowhere: list[frozenset[int]] = [frozenset()] * len(differ)
    if len(rule.cells) > _FEW_CELLS or not _Fillings(rule, nowhere).fit(masks):
        return ""
    for one, other in combinations(rule.cells, 2):
        alone = [*nowhere]
        alone[one], alone[other] = frozenset({other}), frozenset({one})
        if other in differ[one] and _Fillings(rule, alone).fit(masks) is False:
            constraints = names.board.puzzle.constraints
            shared = sorted({*constraints.units_of[one]} & {*constraints.units_of[other]})
            where = f", but both are in {constraints.units[shared[0]]}" if shared else ""
            return f"{names.cells((one, other))} would hold the same digit{where}"
    return ""


def _told(names: Names, masks: Mapping[int, int], cells: Collection[int]) -> str:
    cells_with: dict[int, list[int]] = {}
    for cell in cells:
        cells_with.setdefault(masks[cell], []).append(cell)
    told = [f"{names.cells(each)} {names.may_be(m, len(each))}" for m, each in cells_with.items()]
    return join(told) if told else ""


def _fitting(fillings: "_Fillings", masks: Mapping[int, int], cell: int, every: int) -> int:
    """Return the digits of a cell that would fit beside the others; 0 if that is not known."""
    found = {d: fillings.fit({**masks, cell: 1 << d}) for d in digits_of(every & ~masks[cell])}
    return 0 if None in found.values() else mask_of(d for d, fits in found.items() if fits)


class _Fillings:
    """The ways to fill the cells of a rule one after the other.

    That cells differ counts if all of them do, or if they are few.
    """

    def __init__(self, rule: Machine | Total | Sets, differ: Sequence[frozenset[int]]) -> None:
        self._rule = rule
        cells = rule.cells
        self._are_different = all(differ[cell].issuperset({*cells} - {cell}) for cell in cells)
        is_watched = not self._are_different and len(cells) <= _FEW_CELLS
        # The earlier places from which each place differs, where only some cells do.
        self._watched = [
            [n for n, other in enumerate(cells[:place]) if is_watched and other in differ[cell]]
            for place, cell in enumerate(cells)
        ]
        self._steps = 0

    def fit(self, masks: Mapping[int, int]) -> bool | None:
        """Whether some digits of the masks fit; None after very many steps."""
        is_few = any(self._watched)
        states: set[tuple[int, int, tuple[int, ...]]] = {(0, 0, ())}
        for place, cell in enumerate(self._rule.cells):
            follow = self._follow(place)
            after = set()
            for state, used, before in states:
                taken = used | mask_of(before[n] for n in self._watched[place])
                for digit in digits_of(masks[cell] & ~taken):
                    behind = follow(state, digit)
                    if behind is not None:
                        now = used | 1 << digit if self._are_different else 0
                        after.add((behind, now, (*before, digit) if is_few else ()))
                self._steps += 1
            states = after
            if self._steps > _MOST_STEPS:
                return None
        return any(self._is_end(state) for state, _, _ in states)

    def _follow(self, place: int) -> Callable[[int, int], int | None]:
        """Return the state behind a place: of a machine, or the sum or set of digits so far."""
        rule = self._rule
        if isinstance(rule, Machine):
            layer = rule.layers[place]

            def follow(state: int, digit: int) -> int | None:
                behind = layer[state][digit]
                return None if behind < 0 else behind

            return follow
        if isinstance(rule, Total):
            worths = rule.worths[place]
            return lambda state, digit: state + worths[digit]
        return lambda state, digit: state | 1 << digit

    def _is_end(self, state: int) -> bool:
        rule = self._rule
        if isinstance(rule, Total):
            return rule.low <= state <= rule.high
        return isinstance(rule, Machine) or state in rule.sets
