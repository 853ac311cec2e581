"""What a picture of a step shows: the role of each candidate, what blocks, and links."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from satdoku.explaining.board import candidates_of
from satdoku.explaining.sight import Sight
from satdoku.explaining.step import Placed, Step, Story
from satdoku.explaining.trace import digits_after
from satdoku.explaining.way import Way


class Role(Enum):
    """What a candidate has to do with a step."""

    PLACES = "places"
    EXCLUDES = "excludes"
    RESTS_ON = "rests on"


class Link(NamedTuple):
    """An arrow of a chain between two candidates.

    A strong one says: if the first does not hold, the second does. Others say: if the first holds,
    the second does not.
    """

    first: int
    second: int
    is_strong: bool


@dataclass(frozen=True)
class Marks:
    """The marks of one step.

    `roles` are by candidate; those that are left of the step's truths are what it rests on.
    `blocks` are filled cells that keep a digit out of the other places of a truth. `supposed` are
    the candidates that a story supposes, and `forced` those that follow from them, in order.
    """

    roles: dict[int, Role]
    blocks: tuple[int, ...] = ()
    links: tuple[Link, ...] = ()
    supposed: tuple[int, ...] = ()
    forced: tuple[int, ...] = ()


def marks_of(way: Way) -> Iterator[Marks]:
    """The marks of each step of a way."""
    sight = Sight(way.board.puzzle)
    digits = digits_after(way, 0)
    for step in way.steps:
        blocks: Sequence[int] = ()
        if step.places is not None:
            placement = way.board.placements[step.places]
            blocks, _ = sight.cover(digits, sight.missing(step.truths[0], digits, placement))
            digits[placement.cell] = placement.digit
        yield Marks(roles_of(step), tuple(blocks), _links(step), *_told(step.story))


def roles_of(step: Step) -> dict[int, Role]:
    """What each candidate has to do with a step."""
    roles = {
        candidate: Role.RESTS_ON
        for truth in step.truths
        for candidate in candidates_of(truth.members & step.before)
    }
    roles |= dict.fromkeys(step.excludes, Role.EXCLUDES)
    if step.places is not None:
        roles[step.places] = Role.PLACES
    return roles


def _links(step: Step) -> tuple[Link, ...]:
    """Strong links from what is off to what must hold, and from there to what is off next."""
    links = []
    reached = 0
    for candidate, truth in step.chain:
        others = truth.members & step.before & ~(1 << candidate)
        (off,) = candidates_of(others)
        if reached:
            links.append(Link(reached, off, False))
        links.append(Link(off, candidate, True))
        reached = candidate
    return tuple(links)


def _told(story: Story | None) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """What a story supposes, and what follows, through all its cases."""
    if story is None:
        return (), ()
    supposed, forced = [story.suppose], list[int]()
    for item in story.items:
        if isinstance(item, Placed):
            forced.append(item.candidate)
        else:
            inner_supposed, inner_forced = _told(item)
            supposed += inner_supposed
            forced += inner_forced
    return tuple(supposed), tuple(forced)
