"""The links that single truths make, beside all ways to part what is left of each."""

from collections.abc import Iterator
from random import Random
from threading import Event

import pytest

from satdoku.explaining.board import Truth, build_board, candidates_of, linked_to_all
from satdoku.explaining.position import Finding, Position
from satdoku.explaining.step import Technique
from satdoku.explaining.techniques.strong_links import StrongLinks
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.limits import Budget, LimitReachedError, Limits
from tests.crossing import few_or_many
from tests.explaining.samples import of_file, ruled_puzzle, shared_board

PUZZLES = [
    *of_file("sparse", 2),
    ruled_puzzle("anti-knight", 1, 36),
    ruled_puzzle("diagonals", 2, 36),
]


def cuts(position: Position, truth: Truth, members: int) -> dict[int, int]:
    """What each candidate beside a truth, left or not, excludes of some members of it."""
    links = position.board.links
    beside = candidates_of(position.board.every_candidate & ~truth.members)
    return {one: links[one] & members for one in beside if links[one] & members}


def parted(position: Position, truth: Truth, members: int) -> Iterator[tuple[int, int]]:
    """Both ways round the parts of which a candidate excludes exactly one, and one the other."""
    every = set(cuts(position, truth, members).values())
    for one in every:
        other = members ^ one
        if other and any(not other & ~cut for cut in every):
            links, left = position.board.links, position.left
            if all(linked_to_all(part, links, left & ~members) for part in (one, other)):
                yield from ((one, other), (other, one))


def wanted(position: Position) -> set[tuple[int, int, int]]:
    """The links without fins, by the truth and both ends."""
    found = set()
    for truth in position.open_truths:
        pairs = parted(position, truth, truth.members & position.left)
        found |= {(truth.number, *pair) for pair in pairs}
    return found


def wanted_with_fins(position: Position, suspects: int) -> set[tuple[int, int, int, int]]:
    """The links with fins, by the truth, both ends and who of the suspects excludes the fins."""
    found = set()
    for truth in position.open_truths:
        members = truth.members & position.left
        who_cuts: dict[int, int] = {}
        for one, cut in cuts(position, truth, members).items():
            who_cuts[cut] = who_cuts.get(cut, 0) | 1 << one
        for fins, who in who_cuts.items():
            if members.bit_count() > 2 and who & suspects:
                pairs = parted(position, truth, members ^ fins)
                found |= {(truth.number, *pair, who & suspects) for pair in pairs}
    return found


def found(links: StrongLinks) -> set[tuple[int, int, int]]:
    """The links without fins, as `wanted` has them."""
    masks = links.ends.masks
    every = [(truth.number, masks[start], masks[end]) for start, end, (truth,) in links.of_truths()]
    assert len(every) == len(set(every))
    return set(every)


def found_with_fins(links: StrongLinks, suspects: int) -> set[tuple[int, int, int, int]]:
    """The links with fins, as `wanted_with_fins` has them."""
    masks = links.ends.masks
    return {
        (truth.number, masks[start], masks[end], only)
        for (start, end, (truth,)), only in links.of_finned(suspects)
    }


@few_or_many("amount", (PUZZLES[::4], 120, 60), (PUZZLES, 90, 40))
def test_links_are_all_that_part_what_is_left_of_a_truth(
    amount: tuple[list[Puzzle], int, int],
) -> None:
    puzzles, least, step = amount
    for puzzle in puzzles:
        require_all_links(puzzle, least, step)


def require_all_links(puzzle: Puzzle, least: int, step: int) -> None:
    """Look while more than `least` candidates are left, of which `step` go at a time."""
    rng = Random(7)
    for board in (build_board(puzzle), shared_board(puzzle)):
        position = Position(board)
        kept = StrongLinks(position)
        with_fins = 0
        while position.left.bit_count() > least:
            suspects = position.left & rng.getrandbits(len(board.links))
            plain, finned = wanted(position), wanted_with_fins(position, suspects)
            for links in (kept, StrongLinks(position)):
                assert found(links) == plain
                assert found_with_fins(links, suspects) == finned
            with_fins += len(finned)
            # Whether they may be excluded does not matter here: links are about what is left.
            gone = tuple(rng.sample(candidates_of(position.left), step))
            position.apply(Finding(Technique.LOCKED, (), excludes=gone))
        assert with_fins


def test_a_search_for_links_ends_with_its_budget() -> None:
    """The links of an empty 25x25 board take seconds to find."""
    stop = Event()
    stop.set()
    position = Position(build_board(PUZZLES[0]))
    links = StrongLinks(position, Budget(Limits(stop=stop)))
    for search in (links.of_truths, lambda: links.of_finned(position.left), links.of_sets):
        with pytest.raises(LimitReachedError):
            search()
