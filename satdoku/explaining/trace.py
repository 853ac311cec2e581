"""Extract the steps of a way that lead to a conclusion."""

from collections.abc import Iterable
from dataclasses import replace

from satdoku.explaining.board import candidates_of, excluded_by
from satdoku.explaining.position import Finding, Trail
from satdoku.explaining.step import GRAVES, Deduction, Technique, Way, excluded_by_each
from satdoku.explaining.techniques.nets import Telling, finding_of
from satdoku.puzzle.constraints import mask_of
from satdoku.puzzle.grid import EMPTY
from satdoku.solving.limits import Budget

# Techniques whose text explains particular candidates, so their exclusions are kept as found.
_AS_FOUND = {
    Technique.SEARCH,
    Technique.CASES,
    Technique.BOUNDS,
    Technique.EQUAL,
    Technique.NEIGHBOURS,
    Technique.PARTNERS,
    Technique.NEEDED,
}


def without_idle_steps(way: Way) -> Way:
    """Return the way without the steps that neither a placement nor the dead end needs."""
    if all(step.places is not None for step in way.steps):
        return way
    kept = _keep(way, _needed(way))
    return replace(kept, left_out=len(way.steps) - len(kept.steps))


def argument_of(way: Way) -> Way:
    """Return the steps that lead to the way's dead end, each as close as possible to its use."""
    return _told_anew(_keep(way, _in_order_of_use(way, way.dead_end_rests_on)))


def why_placed(way: Way, cell: int) -> Way | None:
    """Return the steps that the digit of a cell rests on; None if no step fills the cell."""
    placements = way.board.placements
    for step in way.steps:
        if step.places is not None and placements[step.places].cell == cell:
            return _up_to(way, step)
    return None


def why_excluded(way: Way, candidate: int) -> Way | None:
    """Return the steps that the exclusion of a candidate rests on; None if no step excludes it."""
    for step in way.steps:
        links = 0 if step.places is None else way.board.links[step.places]
        if candidate in step.excludes or links >> candidate & 1:
            return _up_to(way, step)
    return None


def _up_to(way: Way, step: Deduction) -> Way:
    """Return a way with the steps that this one needs, and this one as the last."""
    kept = _keep(way, _in_order_of_use(way, (step.number,)))
    # A recomputed step may exclude more than before, so that a later step is not needed.
    while len(used := _in_order_of_use(kept, (len(kept.steps),))) < len(kept.steps):
        kept = _keep(kept, used)
    kept = replace(kept, dead_end=None, dead_end_rests_on=(), is_full=False, is_complete=True)
    return _told_anew(kept)


def _told_anew(way: Way) -> Way:
    """Return a way whose full houses fill a unit of which the steps kept leave one cell empty.

    Other full houses become hidden singles: steps that filled other cells have been left out.
    """
    steps, digits = list(way.steps), digits_after(way, 0)
    for place, step in enumerate(steps):
        if step.technique is Technique.FULL_HOUSE:
            unit = step.truths[0].unit
            if unit is None or sum(digits[cell] == EMPTY for cell in unit.cells) > 1:
                steps[place] = step._replace(technique=Technique.HIDDEN_SINGLE)
        if step.places is not None:
            cell, digit = way.board.placements[step.places]
            digits[cell] = digit
    return replace(way, steps=tuple(steps))


def _needed(way: Way) -> list[int]:
    """Return the numbers of all placements and of the steps that they or the dead end rest on."""
    needed = []
    # The exclusions that the kept steps need, from the last one on.
    wanted = 0 if way.dead_end is None else way.dead_end.members
    for step in reversed(way.steps):
        if step.places is not None or step.taken.gone[step.number - 1] & wanted:
            needed.append(step.number)
            wanted |= ~step.before if step.technique in GRAVES else 0
            for truth in step.truths:
                wanted |= truth.members & ~step.before
    return needed[::-1]


def _in_order_of_use(way: Way, numbers: Iterable[int]) -> list[int]:
    """Return the steps and their supports, ordered so that each support comes just before its use.

    In the order in which they were found, steps jump about the board.
    """
    ordered: list[int] = []
    seen: set[int] = set()
    # Entries are visited twice: first their own supports are pushed on top of them, then they are
    # emitted.
    waiting = [(number, False) for number in sorted(numbers, reverse=True)]
    while waiting:
        number, is_due = waiting.pop()
        if is_due:
            ordered.append(number)
        elif number not in seen:
            seen.add(number)
            waiting.append((number, True))
            rests_on = way.steps[number - 1].rests_on
            waiting += [(support, False) for support in reversed(rests_on)]
    return ordered


def _keep(way: Way, numbers: list[int]) -> Way:
    """Return the way with these steps only, renumbered, in this order if possible.

    Each step is recomputed after the kept ones before it: it excludes all that its truths exclude
    there, and is left out if that is nothing.
    """
    shorter = _without_idle_cases(way, numbers)
    if shorter == way.steps and numbers == list(range(1, len(way.steps) + 1)):
        return way
    way = replace(way, steps=shorter)
    in_order = sorted(numbers)
    # In their original order and with their original exclusions, the steps always fit.
    trail = (
        _retraced(way, numbers, True)
        or _retraced(way, in_order, True)
        or _retraced(way, in_order, False)
    )
    assert trail is not None, "the steps fit in their first order"
    dead_end = () if way.dead_end is None else (way.dead_end,)
    rests_on = trail.taken.behind(dead_end, trail.left)
    return replace(way, steps=tuple(trail.steps), dead_end_rests_on=rests_on)


def _without_idle_cases(way: Way, numbers: list[int]) -> tuple[Deduction, ...]:
    """Return the steps; steps with cases lose the stories of exclusions that no other step needs.

    A story with cases is long, and readers do not miss it: unlike a pair's further exclusions, it
    is not visible.
    """
    steps = list(way.steps)
    # The exclusions that the kept steps need, from the last one on.
    needed = 0 if way.dead_end is None else way.dead_end.members
    for number in sorted(numbers, reverse=True):
        step = steps[number - 1]
        if step.technique is Technique.CASES and len(step.stories) > 1:
            stories = tuple(story for story in step.stories if needed >> story.suppose & 1)
            stories = stories or step.stories[:1]
            excludes = tuple(story.suppose for story in stories)
            truths = finding_of(stories, step.technique).truths
            steps[number - 1] = step = step._replace(
                stories=stories, excludes=excludes, truths=truths
            )
        if step.technique in GRAVES:
            needed |= ~step.before
        for truth in step.truths:
            needed |= truth.members & ~step.before
    return tuple(steps)


def _retraced(way: Way, numbers: list[int], is_whole: bool) -> Trail | None:
    """Return a trail of these steps; None if one has fewer candidates before it than at first.

    The text of such a step would name candidates that are gone.
    """
    trail = Trail(way.board)
    for step in (way.steps[number - 1] for number in numbers):
        if step.places is None and not mask_of(step.excludes) & trail.left:
            continue
        if step.places is not None and trail.placed >> step.places & 1:
            continue
        if any(t.members & step.before & ~trail.left for t in step.truths):
            return None
        trail.apply(_whole(step, trail) if is_whole else _same(step, trail))
    return trail


def _same(step: Deduction, trail: Trail) -> Finding:
    """Return a step with its original exclusions, as far as they are left."""
    excludes = tuple(c for c in step.excludes if trail.left >> c & 1)
    stories = tuple(story for story in step.stories if trail.left >> story.suppose & 1)
    return Finding(step.technique, step.truths, step.places, excludes, step.chain, stories)


def _whole(step: Deduction, trail: Trail) -> Finding:
    """Return a step with all candidates that its truths exclude by the same technique."""
    finding = _same(step, trail)
    if step.places is not None or step.before == trail.left:
        return finding
    if step.technique in _AS_FOUND:
        return finding
    if step.technique is Technique.FINNED_CHAIN:
        every = excluded_by_each(step.chain, trail.board.links, trail.left)
    else:
        masks = [truth.members for truth in step.truths]
        every = excluded_by(masks, trail.board.links, trail.left) or 0
    more = candidates_of(every & ~mask_of(finding.excludes))
    if not step.stories:
        return finding._replace(excludes=tuple(sorted((*finding.excludes, *more))))
    telling = Telling(trail.board, trail.left, step.truths, Budget())
    told = [story for story in map(telling.follow, more) if story is not None]
    excludes = (*finding.excludes, *(story.suppose for story in told))
    return finding._replace(excludes=excludes, stories=(*finding.stories, *told))


def named_exclusions(way: Way) -> dict[int, int]:
    """Return for each candidate that steps name as excluded the number of the first such step."""
    numbers: dict[int, int] = {}
    for step in way.steps:
        for candidate in step.excludes:
            numbers.setdefault(candidate, step.number)
    return numbers


def every_exclusion(way: Way) -> dict[int, int]:
    """Return for each candidate that a way removes the number of the step that removed it."""
    numbers: dict[int, int] = {}
    for step in way.steps:
        gone = step.excludes
        if step.places is not None:
            gone = tuple(candidates_of(way.board.links[step.places] & way.board.every_candidate))
        for candidate in gone:
            numbers.setdefault(candidate, step.number)
    return numbers


def digits_after(way: Way, count: int) -> list[int]:
    """Return the digits of the board after so many steps, cell by cell."""
    digits = list(way.board.puzzle.grid.digits)
    for step in way.steps[:count]:
        if step.places is not None:
            cell, digit = way.board.placements[step.places]
            digits[cell] = digit
    return digits


def left_after(way: Way, count: int) -> int:
    """Return the candidates that are left after so many steps."""
    left = way.board.every_candidate
    for step in way.steps[:count]:
        left &= ~mask_of(step.excludes)
        if step.places is not None:
            left &= ~way.board.links[step.places]
    return left
