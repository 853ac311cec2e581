"""A wider constraint behind a selector, for solvers that are asked what follows from it alone."""

from collections.abc import Mapping

from satdoku.encoding.constraint import Clause
from satdoku.encoding.variables import Auxiliaries
from satdoku.encoding.wider.kit import TRUE, GuardedKit, Kit
from satdoku.encoding.wider.write import write
from satdoku.puzzle.constraints import Wider, differing
from satdoku.puzzle.puzzle import Puzzle


def guarded_clauses(
    puzzle: Puzzle,
    constraint: Wider,
    numbers: Mapping[tuple[int, int], int],
    guard: int,
    auxiliaries: Auxiliaries,
) -> list[Clause]:
    """The clauses of a constraint that hold where the guard does, over numbered candidates.

    They say besides that each cell of the constraint has a digit, without which it means nothing.
    What has no number and is not given does not hold.
    """
    digits = puzzle.grid.digits

    def literal(cell: int, digit: int) -> int:
        number = numbers.get((cell, digit))
        if number is not None:
            return number
        return TRUE if digits[cell] == digit else -TRUE

    size = puzzle.geometry.size
    kit = Kit(literal, auxiliaries, size, differing(puzzle.constraints))
    guarded = GuardedKit(kit, guard)
    for cell in dict.fromkeys(constraint.cells):
        guarded.add(*(literal(cell, digit) for digit in range(1, size + 1)))
    write(constraint, guarded)
    return kit.clauses
