"""The marks of a step in a picture: roles of candidates, blocks, and links."""

from collections.abc import Iterator, Sequence
from enum import Enum
from typing import NamedTuple

from satdoku.explaining.board import Board, candidates_of, sight_of
from satdoku.explaining.step import Deduction, Story, Technique, Way, petals_of
from satdoku.explaining.trace import digits_after
from satdoku.puzzle.value import value


class Role(Enum):
    """The role of a candidate in a step.

    In a chain, a candidate supposed not to hold and the excluded ones are "off"; the candidates
    that the chain then shows to hold are those it "rests on".
    """

    PLACES = "places"
    EXCLUDES = "excludes"
    RESTS_ON = "rests on"
    OFF = "is off"


class Link(NamedTuple):
    """An arrow between two candidates of a chain or of a story.

    Strong: if the first does not hold, the second does. Weak, in a chain: if the first holds, the
    second does not. Weak, in a story: the first excludes members of a truth of which the second is
    the last one left.
    """

    first: int
    second: int
    is_strong: bool


@value(frozen=True)
class Marks:
    """The marks of one step.

    `roles` are by candidate; the candidates left in the step's truths are those it rests on.
    `blocks` are filled cells that exclude a digit from the other places of a truth. `links` are the
    arrows of a chain or of a story, in the order in which they are followed.
    """

    roles: dict[int, Role]
    blocks: tuple[int, ...] = ()
    links: tuple[Link, ...] = ()


def marks_of(way: Way) -> Iterator[Marks]:
    """Yield the marks of each step of a way."""
    digits = digits_after(way, 0)
    for step in way.steps:
        yield marks_of_step(way.board, step, digits)
        if step.places is not None:
            placement = way.board.placements[step.places]
            digits[placement.cell] = placement.digit


def marks_of_step(board: Board, step: Deduction, digits: Sequence[int]) -> Marks:
    """Return the marks of a step on the board with the digits before it."""
    blocks: Sequence[int] = ()
    if step.places is not None and step.truths[0].wider is None:
        sight = sight_of(board.puzzle)
        placement = board.placements[step.places]
        found, _ = sight.cover(digits, sight.missing(step.truths[0], digits, placement))
        blocks = sorted({block.cell for block in found})
    return Marks(roles_of(step), tuple(blocks), tuple(_links(board, step)))


def roles_of(step: Deduction) -> dict[int, Role]:
    """Return the role of each candidate in a step."""
    roles = {
        candidate: Role.RESTS_ON
        for truth in step.truths
        for candidate in candidates_of(truth.members & step.before)
    }
    for link in step.chain:
        roles |= dict.fromkeys(candidates_of(link.off), Role.OFF)
    # A second loop, because one link may suppose off the candidate that another link shows to hold.
    for link in step.chain:
        roles |= dict.fromkeys(candidates_of(link.on), Role.RESTS_ON)
    roles |= dict.fromkeys(step.excludes, Role.EXCLUDES)
    if step.places is not None:
        roles[step.places] = Role.PLACES
    return roles


def _links(board: Board, step: Deduction) -> Iterator[Link]:
    if step.technique is Technique.DEATH_BLOSSOM:
        for member, petal in petals_of(step, board.links):
            if petal is not None:
                yield Link(member, candidates_of(petal.off)[0], False)
                yield Link(candidates_of(petal.off)[0], candidates_of(petal.on)[0], True)
    else:
        yield from _links_of_chain(step)
    for story in step.stories:
        yield from _links_of_story(board, story, step.before, [])


def _links_of_chain(step: Deduction) -> Iterator[Link]:
    """Yield strong links from candidates that are off, each with the weak link to the next one."""
    reached: int | None = None
    for link in step.chain:
        # If an end has several candidates, the arrow goes to the first.
        off, on = candidates_of(link.off)[0], candidates_of(link.on)[0]
        if reached is not None:
            yield Link(reached, off, False)
        yield Link(off, on, True)
        reached = on


def _links_of_story(
    board: Board, story: Story, before: int, holding: Sequence[int]
) -> Iterator[Link]:
    """Yield links to each placement, also in cases, from what excludes others of its truth."""
    known = [*holding, story.suppose]
    for item in story.items:
        if isinstance(item, Story):
            yield from _links_of_story(board, item, before, known)
            continue
        others = item.truth.members & before & ~(1 << item.candidate)
        for candidate in known:
            if board.links[candidate] & others:
                yield Link(candidate, item.candidate, False)
        known.append(item.candidate)
