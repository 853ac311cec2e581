"""Sentences for rules about one cell or about pairs of cells: dots, odd cells, chess moves."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from itertools import product
from operator import or_
from typing import NamedTuple

from satdoku.encoding.variables import Placement
from satdoku.errors import join
from satdoku.explaining.board import AREAS, LINES, MOST_KINDS, Block, candidates_of
from satdoku.explaining.step import Deduction
from satdoku.explaining.techniques.compared import makes_equal
from satdoku.explaining.techniques.wider import PairsAlong
from satdoku.explaining.words.names import Names
from satdoku.puzzle.constraints import (
    Masks,
    Pair,
    digits_of,
    every_digit,
    mask_of,
)
from satdoku.puzzle.grid import Geometry, Unit
from satdoku.puzzle.puzzle import constraints_of
from satdoku.puzzle.rules.indexers import IndexRule
from satdoku.puzzle.rules.outside import NumberedRoom
from satdoku.puzzle.rules.rule import Rule, lowest_of

# The most pairs to name one by one (fewer along a line); for more, the rule is named.
_MOST_PAIRS, _MOST_ALONG = 4, 2


@lru_cache(maxsize=MOST_KINDS)
def _pairs_at(geometry: Geometry, rules: tuple[Rule, ...]) -> dict[int, list[int]]:
    """Return for each cell the indices of the pairs that it is part of."""
    found: dict[int, list[int]] = {}
    for index, pair in enumerate(constraints_of(geometry, rules).pairs):
        for cell in pair[:2]:
            found.setdefault(cell, []).append(index)
    return found


def _pairs_of(names: Names, cells: Collection[int]) -> list[Pair]:
    """Return the pair constraints with one of these cells, in the order of the rules."""
    puzzle = names.board.puzzle
    pairs = puzzle.constraints.pairs
    at = _pairs_at(puzzle.geometry, puzzle.rules)
    return [pairs[index] for index in sorted({i for cell in cells for i in at.get(cell, ())})]


def pairs_among(names: Names, cells: Collection[int], left: int) -> list[Pair]:
    """Return the pair constraints among these cells that exclude some of their candidates."""
    masks = names.board.digits_in(left)
    here = masks.keys() & set(cells)
    return [
        pair
        for pair in _pairs_of(names, here)
        if pair.first in here
        and pair.second in here
        and _excludes(pair.excludes, masks[pair.first], masks[pair.second])
    ]


def pairs_that_exclude(names: Names, excludes: Collection[int], members: int) -> list[Pair]:
    """Return the pair constraints by which these candidates are excluded, given these members."""
    holding, gone = map(names.board.digits_in, (members, mask_of(excludes)))
    return [
        pair
        for pair in _pairs_of(names, gone.keys())
        if any(
            _excludes(masks, holding.get(one, 0), gone.get(other, 0))
            for one, other, masks in pair.both_ways()
        )
    ]


def tell_pairs(names: Names, pairs: Collection[Pair]) -> list[str]:
    """Return the sentences of pairs, one each; for many pairs of a rule, the rule's sentence."""
    geometry = names.board.puzzle.geometry
    told: dict[str, None] = {}
    few: list[Pair] = []
    for rule in names.board.puzzle.rules if pairs else ():
        said = _said_by(rule, geometry)
        own = [pair for pair in pairs if (pair.first, pair.second, pair.sentence) in said]
        most = _MOST_ALONG if isinstance(rule, PairsAlong) else _MOST_PAIRS
        clauses = list(say_pairs(names, own))
        if len(clauses) > most:
            told[rule.sentence(geometry)] = None
        elif clauses and isinstance(rule, IndexRule):
            for cell in dict.fromkeys(pair.first for pair in own):
                listed = "; ".join(say_pairs(names, [p for p in own if p.first == cell]))
                told[f"{rule.said_by(geometry, cell)}: {listed}"] = None
        elif clauses and isinstance(rule, NumberedRoom):
            # Its pairs do not say which clue they follow from.
            told[f"{rule.sentence(geometry)}: {'; '.join(clauses)}"] = None
        else:
            few += own
    return [*told, *say_pairs(names, few)]


def say_pairs(names: Names, pairs: Collection[Pair]) -> Iterator[str]:
    """Yield the sentences of pairs, one for all pairs of a cell about which the same is said."""
    others: dict[str, dict[int, dict[int, None]]] = {}
    for pair in pairs:
        cells = others.setdefault(pair.sentence, {})
        cells.setdefault(pair.first, {})[pair.second] = None
        if pair.sentence.startswith(_SAID_OF_BOTH):
            cells.setdefault(pair.second, {})[pair.first] = None
    for sentence, cells in others.items():
        while cells:
            cell = max(cells, key=lambda each: len(cells[each]))
            beside = cells.pop(cell)
            for other in beside if sentence.startswith(_SAID_OF_BOTH) else ():
                del cells[other][cell]
            if beside:
                yield from _say_beside(names, sentence, cell, list(beside))
            cells = {each: left for each, left in cells.items() if left}


# How sentences begin that are said of two cells in either order.
_SAID_OF_BOTH = "{} and {} "


def _say_beside(names: Names, sentence: str, cell: int, others: Sequence[int]) -> Iterator[str]:
    """Yield what is said of a cell with each of some others, as one sentence if possible."""
    if sentence.startswith(_SAID_OF_BOTH) and len(others) > 1:
        yield sentence.format(names.cell(cell), f"each of {names.cells(others)}")
    elif sentence.startswith(_SAID_OF_BOTH):
        yield sentence.format(*map(names.cell, sorted([cell, *others])))
    elif " than {}" in sentence:
        yield sentence.format(names.cell(cell), names.cells(others))
    else:
        yield from (sentence.format(names.cell(cell), names.cell(other)) for other in others)


def say_pair(names: Names, pair: Pair) -> str:
    """Return the sentence of a pair with the names of its cells."""
    return pair.sentence.format(*map(names.cell, pair[:2]))


def tell_block(names: Names, block: Block, digits: Sequence[int]) -> str:
    """Return the reason of a block: the sentence of its pair, and the digit of its filled cell."""
    assert block.pair is not None, "what two cells of a unit exclude takes no sentence"
    holds = f"{names.cell(block.cell)} is {names.digit(digits[block.cell])}"
    said = say_pair(names, block.pair)
    # After a condition, the fact could be read as part of what follows from it.
    return f"{holds}, and {said}" if said.startswith("if ") else f"{said}, and {holds}"


def said_of_cell(names: Names, place: Placement) -> str:
    """Return the sentence of the rule that forbids a digit in a cell, a template for its name.

    Empty if no rule about this cell alone forbids the digit.
    """
    for allowed in names.board.puzzle.constraints.allowed:
        if allowed.cell == place.cell and not allowed.digits >> place.digit & 1:
            return allowed.sentence
    return ""


def _excludes(masks: Masks, digits: int, others: int) -> bool:
    """Whether some of these digits exclude some of the others."""
    return any(masks[digit] & others for digit in digits_of(digits))


@lru_cache(maxsize=1024)
def _said_by(rule: Rule, geometry: Geometry) -> frozenset[tuple[int, int, str]]:
    """Return the cells and the sentence of each pair that a rule states."""
    return frozenset(
        (each.first, each.second, each.sentence)
        for each in rule.constraints(geometry)
        if isinstance(each, Pair)
    )


def rules_of_pairs(names: Names, pairs: Collection[Pair]) -> list[Rule]:
    """Return the rules that state some of these pairs."""
    puzzle = names.board.puzzle
    told = {(pair.first, pair.second, pair.sentence) for pair in pairs}
    return [rule for rule in puzzle.rules if told and told & _said_by(rule, puzzle.geometry)]


# The most excluded digits to word with the digits that they need in another cell, the most digits
# that one of them may need, and all may; of a relation without words, these are told in any case.
_MOST_NEEDS, _MOST_PARTNERS, _MOST_WANTED = 4, 4, 8

WITHOUT_WORDS = "pairs of digits"
"""How the sentence of a relation ends that has no words."""


class _Need(NamedTuple):
    """A digit of a cell, and the mask of digits one of which it needs in another cell.

    `is_same` is for a digit that needs itself there, which a shared unit excludes.
    """

    cell: int
    digit: int
    other: int
    needs: int
    is_same: bool = False


def tell_needs(names: Names, step: Deduction) -> str:
    """Return which digits the excluded ones need in the step's cell; empty if that is long."""
    truth = step.truths[0]
    pairs = pairs_that_exclude(names, step.excludes, truth.members & step.before)
    needs = list(_needs(names, step, pairs, {truth.cell}))
    if not needs:
        return ""
    if all(pair.sentence.startswith("if ") for pair in pairs):
        # These sentences themselves say what a digit needs, but nothing of a digit that stands in
        # a unit already.
        lacking = [need for need in needs if need.needs]
        if not lacking or by_unit_alone(names, step):
            return ""
        twice = _both_in_unit(names, [need for need in needs if need.is_same])
        return f"but {'; '.join([_cannot_be(names, lacking), *twice])}"
    return _say_needs(names, needs)


def _both_in_unit(names: Names, needs: Iterable[_Need]) -> Iterator[str]:
    """Yield in which units digits would stand twice that need themselves in another cell."""
    constraints = names.board.puzzle.constraints
    for cells in dict.fromkeys((need.cell, need.other) for need in needs):
        shared = min({*constraints.units_of[cells[0]]} & {*constraints.units_of[cells[1]]})
        yield f"{names.cells(cells)} are both in {constraints.units[shared]}"


def by_unit_alone(names: Names, step: Deduction) -> list[Placement]:
    """Return what the step's cell excludes by a unit too, where no `if` of a pair covers it."""
    truth, board = step.truths[0], names.board
    pairs = pairs_that_exclude(names, step.excludes, truth.members & step.before)
    left = board.digits_in(truth.members & step.before).get(truth.cell, 0)
    found = []
    for place in (board.placements[candidate] for candidate in step.excludes):
        # The condition of such a sentence is a digit of its first cell.
        ends = place.cell, truth.cell
        by_pair = any(pair[:2] == ends and pair.excludes[place.digit] for pair in pairs)
        if left >> place.digit & 1 and not by_pair and _share_unit(names, truth.cell, place.cell):
            found.append(place)
    return found


def tell_index_cases(names: Names, step: Deduction) -> str:
    """Say what follows from each digit that an indexer's cell, the step's, has left.

    Empty if other rules, or needs of the excluded digits, come in.
    """
    truth, board = step.truths[0], names.board
    geometry = board.puzzle.geometry
    pairs = pairs_that_exclude(names, step.excludes, truth.members & step.before)
    rules = rules_of_pairs(names, pairs)
    is_own = all(pair.first == truth.cell for pair in pairs)
    if (
        len(rules) != 1
        or not isinstance(rules[0], IndexRule)
        or not is_own
        or tell_needs(names, step)
    ):
        return ""
    gone = [board.placements[candidate] for candidate in step.excludes]
    constraints, told = board.puzzle.constraints, []
    for digit in digits_of(board.digits_in(truth.members & step.before)[truth.cell]):
        here = [pair for pair in pairs if pair.excludes[digit]]
        units = {
            min({*constraints.units_of[truth.cell]} & {*constraints.units_of[cell]}): None
            for cell, other in gone
            if other == digit and _share_unit(names, truth.cell, cell)
        }
        found = [f"it is the {names.digit(digit)} of {constraints.units[unit]}" for unit in units]
        found += [say_pair(names, pair).partition(", ")[2] for pair in here]
        told.append(f"if it is {names.digit(digit)}, {join(found)}")
    return f"{rules[0].said_by(geometry, truth.cell)}: {'; '.join(told)}"


def tell_needs_along(names: Names, step: Deduction, pairs: Collection[Pair]) -> str:
    """Return which digits the excluded ones need in cells beside theirs; empty if that is long."""
    needs = list(_needs(names, step, pairs, {truth.cell for truth in step.truths}))
    return _say_needs(names, needs) if needs else ""


def _needs(
    names: Names, step: Deduction, pairs: Collection[Pair], others: Collection[int]
) -> Iterator[_Need]:
    """Yield what each excluded digit needs in one of some cells and lacks there.

    Nothing if that is long, or if something is excluded for another reason.
    """
    before = names.board.digits_in(step.before)
    found = []
    for cell, mask in names.board.digits_in(mask_of(step.excludes)).items():
        beside = list(_beside(pairs, cell, others))
        for digit in digits_of(mask):
            wanted = _Need(cell, digit, -1, 0)
            for other, masks in beside:
                needs = _partners(names, cell, other, digit, masks)
                if not needs & before.get(other, 0):
                    here = [pair for pair in pairs if {*pair[:2]} == {cell, other}]
                    is_same = not needs and any(_wants_same(names, p, digit) for p in here)
                    wanted = _Need(cell, digit, other, needs, is_same)
                    break
            found.append(wanted)
    counts = [each[2].bit_count() for each in {need[1:4] for need in found if need.needs}]
    is_long = len(counts) > _MOST_NEEDS or sum(counts) > _MOST_WANTED
    is_long = is_long or max(counts, default=0) > _MOST_PARTNERS
    # What goes with no digit at all is seen from the relation, if that has words.
    is_worded = not all(pair.sentence.endswith(WITHOUT_WORDS) for pair in pairs)
    # That a digit would stand twice is not seen from a clue that says where it stands.
    is_twice = any(need.is_same for need in found) and all(p.sentence[:3] == "if " for p in pairs)
    is_seen = is_worded and not counts and not is_twice
    if all(need.other >= 0 for need in found) and not (is_worded and is_long) and not is_seen:
        yield from found


def _beside(
    pairs: Collection[Pair], cell: int, others: Collection[int]
) -> Iterator[tuple[int, Masks]]:
    """Yield each cell that is compared with this one, and what digits here exclude there."""
    tables: dict[int, list[Masks]] = {}
    for pair in pairs:
        for one, other, masks in pair.both_ways():
            if one == cell and other in others:
                tables.setdefault(other, []).append(masks)
    for other, found in tables.items():
        yield other, tuple(reduce(or_, each) for each in zip(*found, strict=True))


def _say_needs(names: Names, needs: Sequence[_Need]) -> str:
    """Say what digits need in other cells, and that these cannot hold it."""
    told = list(_say_same(names, [need for need in needs if need.is_same]))
    alone = [need for need in needs if not need.needs and not need.is_same]
    if alone:
        told.append(_say_alone(names, alone))
    ways: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for cell, digit, other, mask, _ in needs:
        if mask:
            ways.setdefault((cell, other), []).append((digit, mask))
    while ways:
        (cell, other), wanted = next(iter(ways.items()))
        if ways.get((other, cell)) == wanted and len(wanted) == 1:
            del ways[cell, other], ways[other, cell]
            ((digit, mask),) = wanted
            lacking = names.digits(digits_of(mask), "or")
            told.append(
                f"{names.digit(digit)} in one of them needs {lacking} in the other, but neither "
                f"can be {lacking}"
            )
            continue
        # What is needed of a cell is told together.
        here = {cell: ways.pop((cell, there)) for cell, there in list(ways) if there == other}
        some = [need for need in needs if need.other == other and need.cell in here]
        told.append(f"{_say_needs_of(names, here, other)}, but {_cannot_be(names, some)}")
    return "; ".join(told)


def _say_alone(names: Names, alone: Sequence[_Need]) -> str:
    """Say which digits go with no digit of another cell; of which cells, if that matters."""
    digits = {need.digit for need in alone}
    if all(_is_alone_in_both(names, need) for need in alone):
        # A relation may allow equal digits, which a shared unit excludes.
        shares = any(_share_unit(names, need.cell, need.other) for need in alone)
        verb = "goes" if len(digits) == 1 else "go"
        return f"{names.digits(digits)} {verb} with no {'other ' * shares}digit"
    digits_in: dict[tuple[int, int], list[int]] = {}
    for need in alone:
        digits_in.setdefault((need.cell, need.other), []).append(need.digit)
    return join(
        [
            f"{names.digits(each)} in {names.cell(cell)} {'goes' if len(each) == 1 else 'go'} "
            f"with no digit in {names.cell(other)}"
            for (cell, other), each in digits_in.items()
        ]
    )


def _is_alone_in_both(names: Names, need: _Need) -> bool:
    """Whether a digit, which goes with none in the other cell, would not do so there either."""
    pairs = [p for p in _pairs_of(names, [need.cell]) if {*p[:2]} == {need.cell, need.other}]
    masks = [m[need.digit] for p in pairs for one, _, m in p.both_ways() if one == need.other]
    same = 1 << need.digit if _share_unit(names, need.cell, need.other) else 0
    every = every_digit(names.board.puzzle.geometry.size)
    return reduce(or_, masks, same) & every == every


def _wants_same(names: Names, pair: Pair, digit: int) -> bool:
    """Whether a pair's sentence allows a digit beside itself only: half of a sum, or a clue's."""
    number = digit + lowest_of(names.board.puzzle.rules) - 1
    says_so = pair.sentence.startswith("if ") and pair.sentence.endswith(f" is {number}")
    return says_so or pair.sentence.endswith(f" sum to {2 * number}")


def _say_same(names: Names, needs: Sequence[_Need]) -> Iterator[str]:
    """Say which digits would need the same digit in another cell of a unit."""
    constraints = names.board.puzzle.constraints
    ways: dict[tuple[int, ...], dict[int, None]] = {}
    for need in needs:
        ways.setdefault(tuple(sorted((need.cell, need.other))), {})[need.digit] = None
    for cells, digits in ways.items():
        shared = min({*constraints.units_of[cells[0]]} & {*constraints.units_of[cells[1]]})
        here, unit = names.cells(cells), constraints.units[shared]
        same = names.digits(digits) if len(digits) == 1 else "the same digit"
        goes = "goes" if len(digits) == 1 else "go"
        yield f"{names.digits(digits)} {goes} only with {same}, but {here} are both in {unit}"


def _say_needs_of(names: Names, wanted: Mapping[int, Sequence[tuple[int, int]]], other: int) -> str:
    """Say what digits of some cells need in another one; `wanted` has these digits by cell."""
    cells_with: dict[tuple[tuple[int, int], ...], list[int]] = {}
    for cell, each in wanted.items():
        cells_with.setdefault(tuple(each), []).append(cell)
    told: list[str] = []
    for needs, cells in cells_with.items():
        parts: list[str] = []
        for place, (digit, mask) in enumerate(needs):
            here = "" if place else f" in {names.cells(cells, 'or')}"
            where = "" if told or parts else f" in {names.cell(other)}"
            lacking = names.digits(digits_of(mask), "or")
            parts.append(f"{names.digit(digit)}{here} needs {lacking}{where}")
        told.append(join(parts))
    # Digits of another cell would be read with those of the one before.
    return "; and ".join(told)


def _cannot_be(names: Names, needs: Sequence[_Need]) -> str:
    """Say that a cell can hold nothing of what digits of others need there."""
    lacking = digits_of(reduce(or_, (need.needs for need in needs)))
    return f"{names.cell(needs[0].other)} cannot be {names.digits(lacking, 'or')}"


def tell_twice(names: Names, step: Deduction) -> str:
    """Say in which unit the excluded digits would stand twice; empty if not all of them would.

    A rule may say that a cell has a digit if another one has the same digit.
    """
    cell, constraints = step.truths[0].cell, names.board.puzzle.constraints
    gone = [names.board.placements[candidate] for candidate in step.excludes]
    cells_in: dict[int, set[int]] = {}
    for other, digit in gone:
        shared = sorted({*constraints.units_of[cell]} & {*constraints.units_of[other]})
        pairs = [pair for pair in _pairs_of(names, [cell]) if {*pair[:2]} == {cell, other}]
        # Pairs that say of all digits what they need leave out what the unit excludes anyway.
        needs_same = any(
            masks[digit] == every_digit(len(masks) - 1) & ~(1 << digit)
            and sum(map(bool, masks)) == 1
            for pair in pairs
            for one, _, masks in pair.both_ways()
            if one == other
        )
        if not shared or not needs_same:
            return ""
        cells_in.setdefault(shared[0], {cell}).add(other)
    told = [
        f"{names.cells(cells)} are {'both' if len(cells) == 2 else 'all'} in {constraints.units[n]}"
        for n, cells in cells_in.items()
    ]
    return join(told)


def tell_lacking(names: Names, step: Deduction, pairs: Collection[Pair]) -> list[str]:
    """Say which digits, needed by the other cell's excluded digits, each cell lacks."""
    before, gone = map(names.board.digits_in, (step.before, mask_of(step.excludes)))
    lacking: dict[int, int] = {}
    for pair in pairs:
        for cell, other, masks in pair.both_ways():
            for digit in digits_of(gone.get(cell, 0)):
                needs = _partners(names, cell, other, digit, masks)
                lacking[other] = lacking.get(other, 0) | needs & ~before.get(other, 0)
    return [
        f"{names.cell(cell)} cannot be {names.digits(digits_of(mask), 'or')}"
        for cell, mask in sorted(lacking.items())
        if mask
    ]


def _partners(names: Names, cell: int, other: int, digit: int, masks: Masks) -> int:
    """Return the digits that a cell may hold if another cell has this digit."""
    # The masks of a pair omit the exclusion of equal digits that a shared unit implies.
    same = 1 << digit if _share_unit(names, cell, other) else 0
    return every_digit(len(masks) - 1) & ~masks[digit] & ~same


def _share_unit(names: Names, cell: int, other: int) -> bool:
    units_of = names.board.puzzle.constraints.units_of
    return not {*units_of[cell]}.isdisjoint(units_of[other])


def describe_equal(names: Names, step: Deduction) -> str:
    """Return the sentence of equal cells: a digit that one of them lacks is excluded from all."""
    masks = names.board.digits_in(sum(truth.members for truth in step.truths) & step.before)
    missing = mask_of(names.board.placements[candidate].digit for candidate in step.excludes)
    told = []
    for truth in step.truths:
        here = missing & ~masks[truth.cell]
        missing &= ~here
        if here:
            told.append(f"{names.cell(truth.cell)} cannot be {names.digits(digits_of(here), 'or')}")
    pairs = equal_pairs(names, {truth.cell for truth in step.truths})
    said = "; ".join([*tell_pairs(names, pairs), join(told)])
    return f"{said}; so {names.result(step.excludes, step.before)}"


def equal_pairs(names: Names, cells: Collection[int]) -> list[Pair]:
    """Return the pair constraints that make two of these cells equal."""
    return [p for p in _pairs_of(names, cells) if {*p[:2]} <= {*cells} and makes_equal(p)]


def describe_neighbours(names: Names, step: Deduction) -> str:
    """Return the sentence of two cells with the digits forced by each digit of the cell between."""
    board = names.board
    one, other = (truth.cell for truth in step.truths)
    between = board.placements[step.excludes[0]].cell
    digits_by: dict[tuple[int, ...], list[int]] = {}
    for candidate in step.excludes:
        kept = (truth.members & step.before & ~board.links[candidate] for truth in step.truths)
        forced = tuple(board.placements[c].digit for each in kept for c in candidates_of(each))
        digits_by.setdefault(forced, []).append(board.placements[candidate].digit)
    told: list[str] = []
    for forced, digits in digits_by.items():
        digit = names.digits(digits, "or")
        where = "" if told else f" in {names.cell(between)},"
        who = "they" if told else f"{names.cell(one)} and {names.cell(other)}"
        if len(set(forced)) == 1:
            told.append(f"with {digit}{where} {who} would both be {names.digit(forced[0])}")
        else:
            cells = f"{names.cell(one)} would be {names.digit(forced[0])} and {names.cell(other)}"
            told.append(f"with {digit}{where} {cells} {names.digit(forced[1])}")
    said = tell_pairs(names, pairs_between(names, step))
    together = _why_not_both(names, one, other)
    return f"{'; '.join(said)}: {join(told)}, {together}; so {names.without(step.excludes)}"


def pairs_between(names: Names, step: Deduction) -> list[Pair]:
    """Return the pair constraints of two cells with the cell between that loses candidates."""
    between = {names.board.placements[candidate].cell for candidate in step.excludes}
    cells = {truth.cell for truth in step.truths}
    return [
        pair for pair in _pairs_of(names, between) if {*pair[:2]} & cells and {*pair[:2]} & between
    ]


def partners_of(names: Names, candidate: int, other: int) -> int:
    """Return the digits that rules about two cells let a cell hold beside a candidate."""
    cell, digit = names.board.placements[candidate]
    allowed = every_digit(names.board.puzzle.geometry.size)
    for pair in _pairs_of(names, [cell]):
        for one, beside, masks in pair.both_ways():
            if (one, beside) == (cell, other):
                allowed &= _partners(names, cell, other, digit, masks)
    return allowed


def pairs_across(names: Names, step: Deduction) -> list[Pair]:
    """Return the pair constraints by which digits of the first truth leave others one digit."""
    members, partners = step.truths[0].members, sum(t.members for t in step.truths[1:])
    stem, others = (names.board.digits_in(mask & step.before) for mask in (members, partners))
    return [
        pair
        for pair in _pairs_of(names, stem.keys())
        if any(
            (left := others.get(other, 0) & _partners(names, one, other, digit, masks))
            and left != others[other]
            and not left & (left - 1)
            for one, other, masks in pair.both_ways()
            for digit in digits_of(stem.get(one, 0))
        )
    ]


def _why_not_both(names: Names, one: int, other: int) -> str:
    """Return why two cells exclude each other: a shared unit, or a rule's sentence."""
    constraints = names.board.puzzle.constraints
    shared = sorted({*constraints.units_of[one]} & {*constraints.units_of[other]})
    if shared:
        return f"both in {constraints.units[shared[0]]}"
    pairs = [pair for pair in _pairs_of(names, [one]) if {*pair[:2]} == {one, other}]
    return f"but {join(tell_pairs(names, pairs))}"


def by_rules(names: Names, holds: int, gone: int) -> str:
    """Return, in brackets, the rules by which the candidates `holds` exclude the candidates `gone`.

    Units other than rows, columns and boxes are named as well, as they are not seen at once.
    """
    board = names.board
    places = [board.placements[each] for each in candidates_of(holds)]
    by_rule = [
        candidate
        for candidate in candidates_of(gone)
        if not all(is_seen(names, each, board.placements[candidate]) for each in places)
    ]
    said = tell_pairs(names, pairs_that_exclude(names, by_rule, holds)) if by_rule else []
    said += _by_further_units(names, places, [board.placements[c] for c in candidates_of(gone)])
    return f" ({'; '.join(said)})" if said else ""


def _by_further_units(
    names: Names, holds: Sequence[Placement], gone: Sequence[Placement]
) -> Iterator[str]:
    """Yield the units, no rows, columns or areas, that alone let placements exclude others."""
    constraints = names.board.puzzle.constraints
    cells_in: dict[Unit, set[int]] = {}
    for one, other in product(holds, gone):
        shared = {*constraints.units_of[one.cell]} & {*constraints.units_of[other.cell]}
        units = [constraints.units[place] for place in sorted(shared)]
        is_usual = any(unit.kind in (*LINES, *AREAS) for unit in units)
        if one.cell != other.cell and one.digit == other.digit and units and not is_usual:
            cells_in.setdefault(units[0], set()).update((one.cell, other.cell))
    for unit, cells in cells_in.items():
        yield f"{names.cells(cells)} are {'both' if len(cells) == 2 else 'all'} in {unit}"


def is_seen(names: Names, placed: Placement, place: Placement) -> bool:
    """Whether a candidate excludes another by its cell or by a unit, without a rule of pairs."""
    if placed.cell == place.cell:
        return placed.digit != place.digit
    return placed.digit == place.digit and _share_unit(names, placed.cell, place.cell)
