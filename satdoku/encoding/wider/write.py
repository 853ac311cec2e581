"""How wider constraints are written, for each shape where its file is; choices are written here.

`full.py` has the formulas whose candidates all have their number. Whoever asks a solver what
follows from one constraint alone gets it behind a selector (`guarded_clauses`).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from satdoku.encoding.variables import TRUE, Auxiliaries, Clause
from satdoku.encoding.wider.kit import ChoiceKit, GuardedKit, Kit
from satdoku.puzzle.constraints import (
    Allowed,
    Constraint,
    Constraints,
    Either,
    Enclosed,
    HiddenRegions,
    Machine,
    Pair,
    Sets,
    Some,
    Total,
    Wider,
    differing,
)
from satdoku.puzzle.geometry import Unit
from satdoku.puzzle.puzzle import Puzzle

if TYPE_CHECKING:
    from satdoku.encoding.meanings import Notes


def write(constraint: Constraint | Enclosed, kit: Kit) -> None:
    """Adds the clauses of a constraint to the kit."""
    if isinstance(constraint, Unit):
        kit.add_differing(constraint.cells)
    elif isinstance(constraint, Pair):
        kit.add_excluded(constraint.first, constraint.second, constraint.excludes)
    elif isinstance(constraint, Allowed):
        kit.add(kit.within(constraint.cell, constraint.digits))
    else:
        _write_wider(constraint, kit)


def _write_wider(constraint: Wider | Enclosed, kit: Kit) -> None:
    # Each file is imported here: most puzzles have constraints of one or two of these shapes.
    if isinstance(constraint, Some):
        kit.add(*(kit.within(cell, mask) for cell, mask in constraint.choices))
    elif isinstance(constraint, Sets):
        from satdoku.encoding.wider.sets import write_sets

        write_sets(constraint, kit)
    elif isinstance(constraint, Total):
        from satdoku.encoding.wider.sums import write_total

        write_total(constraint, kit)
    elif isinstance(constraint, Machine | Enclosed):
        from satdoku.encoding.wider.machines import write_machine

        write_machine(constraint, kit)
    elif isinstance(constraint, HiddenRegions):
        from satdoku.encoding.wider.hidden_regions import write_hidden_regions

        write_hidden_regions(constraint, kit)
    else:
        _write_choices(constraint, kit)


def _write_choices(either: Either, kit: Kit) -> None:
    """One of the lists holds: each behind a variable, of which at least one holds."""
    guards = [kit.fresh() for _ in either.choices]
    if kit.notes is not None:
        kit.notes.add_choices(either, guards)
    kit.add(*guards)
    for guard, choice in zip(guards, either.choices, strict=True):
        guarded = ChoiceKit(kit, guard)
        for each in choice:
            by_cases = _cases_of(each, kit) if kit.notes is None else None
            write(by_cases or each, guarded)


def kit_for(
    constraints: Constraints,
    literal: Callable[[int, int], int],
    auxiliaries: Auxiliaries,
    size: int,
    notes: "Notes | None" = None,
    add_at_most: Callable[[Sequence[int], int], object] | None = None,
) -> Kit:
    """A kit for the wider constraints of a board.

    What solvers that have `add_at_most` may know besides they get by it.
    """
    units = [frozenset(unit.cells) for unit in constraints.units]
    return Kit(literal, auxiliaries, size, differing(constraints), notes, units, add_at_most)


def write_all(
    constraints: Constraints, kit: Kit
) -> Iterator[tuple[Wider, Sequence[Clause], Sequence[Clause]]]:
    """Each wider constraint with its clauses, and with literals of which at most one holds.

    A clause without literals means that the constraint cannot be kept.
    """
    for constraint in constraints.wider:
        # Auxiliaries of machines are told to others by their states.
        by_cases = _cases_of(constraint, kit) if kit.notes is None else None
        write(by_cases or constraint, kit)
        yield (constraint, *kit.take())


def _cases_of(constraint: Constraint, kit: Kit) -> Either | Enclosed | Machine | None:
    """The cases of a machine, where they say the same of its cells.

    They know which digits cells hold together, which a machine does not: of puzzles with x-sums
    they take a hundredth of the conflicts, and of hard ones with sandwiches a twentieth.
    """
    if not isinstance(constraint, Machine) or constraint.by_cases is None:
        return None
    if not constraint.cases_are_of_different:
        return constraint.by_cases
    cells = frozenset(constraint.cells)
    differ = len(cells) == len(constraint.cells) and all(
        kit.differ[cell] >= cells - {cell} for cell in cells
    )
    return constraint.by_cases if differ else None


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
    kit = kit_for(puzzle.constraints, literal, auxiliaries, size)
    guarded = GuardedKit(kit, guard)
    for cell in dict.fromkeys(constraint.cells):
        guarded.add(*(literal(cell, digit) for digit in range(1, size + 1)))
    write(constraint, guarded)
    return kit.clauses
