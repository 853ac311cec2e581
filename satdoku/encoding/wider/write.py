"""Which shape of wider constraint is written how."""

from satdoku.encoding.wider.kit import GuardedKit, Kit
from satdoku.encoding.wider.machines import write_machine
from satdoku.encoding.wider.sets import write_sets
from satdoku.encoding.wider.totals import write_total
from satdoku.puzzle.constraints import Allowed, Constraint, Machine, Pair, Sets, Some, Total
from satdoku.puzzle.geometry import Unit


def write(constraint: Constraint, kit: Kit) -> None:
    """Adds the clauses of a constraint to the kit."""
    if isinstance(constraint, Some):
        kit.add(*(kit.within(cell, mask) for cell, mask in constraint.choices))
    elif isinstance(constraint, Sets):
        write_sets(constraint, kit)
    elif isinstance(constraint, Total):
        write_total(constraint, kit)
    elif isinstance(constraint, Machine):
        write_machine(constraint, kit)
    elif isinstance(constraint, Unit):
        kit.add_differing(constraint.cells)
    elif isinstance(constraint, Pair):
        kit.add_excluded(constraint.first, constraint.second, constraint.excludes)
    elif isinstance(constraint, Allowed):
        kit.add(kit.within(constraint.cell, constraint.digits))
    else:
        _write_choices(constraint.choices, kit)


def _write_choices(choices: tuple[tuple[Constraint, ...], ...], kit: Kit) -> None:
    """One of the lists holds: each behind a variable, of which at least one holds."""
    guards = [kit.fresh() for _ in choices]
    kit.add(*guards)
    for guard, choice in zip(guards, choices, strict=True):
        guarded = GuardedKit(kit, guard)
        for each in choice:
            write(each, guarded)
