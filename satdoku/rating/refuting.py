"""Which candidates are refuted: assumed to be true, they lead to a contradiction.

Each assumption is a board of its own, and the assumptions of many puzzles share the lanes. The
boards of one puzzle lie side by side:

    bit 0       the puzzle as it is, without an assumption: singles go on here
    bit 1       its first candidate that is not alone in its cell is assumed
    bit 2       the second one is assumed ...
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from satdoku.rating.candidates import Candidates
from satdoku.rating.lanes import Boards, Lanes
from satdoku.solving.limits import Budget

Position = tuple[int, ...]
"""The open candidates of a puzzle, in order."""


class Refutation(NamedTuple):
    """What is left of a position after all its candidates were assumed, each for itself.

    It `is_impossible` where the position contradicts itself. It `is_final` when no assumption would
    go any further with more steps.
    """

    position: Position
    is_impossible: bool
    is_final: bool


def refute(
    candidates: Candidates, positions: Sequence[Position], steps: int, budget: Budget
) -> Iterator[Refutation]:
    """Removes what is refuted within so many steps, and what singles remove without assumption."""
    assumptions = [_choose_assumptions(candidates, position) for position in positions]
    # All puzzles get as many bits as the one with the most assumptions, in whole bytes.
    width = (max(map(len, assumptions)) + 8) // 8 * 8
    boards = _load(candidates, positions, assumptions, width)
    moving = boards.every
    for _ in range((steps + 1) // 2):
        budget.require()
        moving = boards.settle_singles(candidates.full_groups) & ~boards.bad
        if not moving:
            break
    # A round is two steps: singles that exclude each other are seen in the first of them, a group
    # that becomes empty in the second one.
    bad = boards.bad if steps % 2 else boards.find_contradictions()
    moving &= ~bad
    still_open = _read_first_bits(boards.open, width, len(positions))
    for number, (position, assumed) in enumerate(zip(positions, assumptions, strict=True)):
        mine = bad >> (number * width)
        refuted = {candidate for bit, candidate in enumerate(assumed, 1) if mine >> bit & 1}
        left = tuple(c for c in position if still_open[c][number] and c not in refuted)
        is_final = not moving >> (number * width) & ((1 << width) - 1)
        yield Refutation(left, bool(mine & 1), is_final)


def _choose_assumptions(candidates: Candidates, position: Position) -> Position:
    """The candidates that are worth assuming: one that is alone in its cell is true anyway."""
    in_cell = Counter(candidate // candidates.size for candidate in position)
    return tuple(c for c in position if in_cell[c // candidates.size] > 1)


def _load(
    candidates: Candidates,
    positions: Sequence[Position],
    assumptions: Sequence[Position],
    width: int,
) -> Boards:
    """The boards of all puzzles, with what their assumptions exclude removed."""
    open_ = [0] * candidates.count
    assumed = [0] * candidates.count
    every = 0
    for number, (position, chosen) in enumerate(zip(positions, assumptions, strict=True)):
        first = number * width
        mine = ((2 << len(chosen)) - 1) << first
        every |= mine
        for candidate in position:
            open_[candidate] |= mine
        for bit, candidate in enumerate(chosen, first + 1):
            assumed[candidate] |= 1 << bit
    boards = Boards(candidates, open_, every)
    boards.settle(assumed)
    return boards


def _read_first_bits(lanes: Lanes, width: int, count: int) -> list[bytes]:
    """For each lane one byte a puzzle: not 0 where the lane is on without an assumption."""
    first_bits = sum(1 << (number * width) for number in range(count))
    step = width // 8
    return [(lane & first_bits).to_bytes(step * count, "little")[::step] for lane in lanes]
