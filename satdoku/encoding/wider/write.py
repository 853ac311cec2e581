"""How wider constraints are written: machines and choices here, sums in a file of their own.

Formulas whose candidates all have their number get all of them (`wider_rules`); whoever asks a
solver what follows from one alone gets it behind a selector (`guarded_clauses`).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType

from satdoku.encoding.constraint import AtMostOne, Clauses, Reason, Why
from satdoku.encoding.variables import (
    TRUE,
    Auxiliaries,
    Choice,
    Clause,
    Meaning,
    State,
    variable,
    variable_count,
)
from satdoku.encoding.wider.kit import GuardedKit, Kit
from satdoku.encoding.wider.sums import write_sets, write_total
from satdoku.puzzle.constraints import (
    Allowed,
    Constraint,
    Constraints,
    Either,
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
        _write_choices(constraint, kit)


def _write_choices(either: Either, kit: Kit) -> None:
    """One of the lists holds: each behind a variable, of which at least one holds."""
    rule = kit.numbers.get(either, -1)
    guards = [kit.fresh(Choice(rule, number)) for number in range(len(either.choices))]
    kit.add(*guards)
    for guard, choice in zip(guards, either.choices, strict=True):
        guarded = GuardedKit(kit, guard)
        for each in choice:
            write(each, guarded)


def write_machine(machine: Machine, kit: Kit) -> None:
    """The digits of the cells lead from the first state to some state of the last layer."""
    live = _live_states(machine, kit)
    # Tables are long to hash, and only certificates ask for their number.
    name = -1 if kit.meanings is None else kit.numbers.get(machine, -1)
    here = {0: TRUE}
    if 0 not in live[0]:
        kit.add()
        return
    for number, (cell, layer) in enumerate(zip(machine.cells, machine.layers, strict=True)):
        states = sorted(live[number + 1])
        # Of a single state there is nothing to tell.
        there = {states[0]: TRUE}
        if len(states) > 1:
            there = {state: kit.fresh(State(name, number + 1, state)) for state in states}
        _write_layer(cell, layer, here, there, kit)
        # That one of them holds follows from the clauses; that no two do, solvers would learn late.
        kit.add_at_most_one(list(there.values()))
        here = there


def _write_layer(
    cell: int,
    layer: tuple[tuple[int, ...], ...],
    here: dict[int, int],
    there: dict[int, int],
    kit: Kit,
) -> None:
    """What follows from a state and the digit of a cell, and what a state follows from."""
    bits = [(digit, 1 << digit) for digit in kit.open_digits(cell)]
    add, within = kit.add, kit.within
    entered_by = dict.fromkeys(there, 0)
    entered_from: dict[int, list[int]] = {state: [] for state in there}
    for state, literal in here.items():
        row = layer[state]
        leading: dict[int, int] = {}
        for digit, bit in bits:
            # All ways that end nowhere share a clause, whatever they lead to.
            target = row[digit]
            if target not in there:
                target = -1
            leading[target] = leading.get(target, 0) | bit
        for target, mask in leading.items():
            # Digits that lead to the same state share a clause, and their literal with others.
            if target < 0:
                add(-literal, -within(cell, mask))
            else:
                add(-literal, -within(cell, mask), there[target])
                entered_by[target] |= mask
                entered_from[target].append(literal)
    for target, literal in there.items():
        add(-literal, *entered_from[target])
        add(-literal, within(cell, entered_by[target]))


def _live_states(machine: Machine, kit: Kit) -> list[set[int]]:
    """The states before each cell, and behind the last, that open digits lead to and on from."""
    digits = [kit.open_digits(cell) for cell in machine.cells]
    # Forwards, then backwards: givens make most states of a table unreachable.
    reached: list[set[int]] = [{0}]
    for opened, layer in zip(digits, machine.layers, strict=True):
        reached.append({layer[s][d] for s in reached[-1] for d in opened} - {-1})
    for number in range(len(machine.layers) - 1, -1, -1):
        layer, after = machine.layers[number], reached[number + 1]
        reached[number] = {
            s for s in reached[number] if any(layer[s][d] in after for d in digits[number])
        }
    return reached


def wider_rules(
    puzzle: Puzzle, auxiliaries: Auxiliaries, candidates: Mapping[int, int] | None = None
) -> Iterator[Clauses | AtMostOne]:
    """All wider constraints; `candidates` has the digits of empty cells, if givens are settled."""
    geometry = puzzle.geometry
    literal = _literals(puzzle, candidates)
    for constraint, clauses, exclusive in write_all(
        puzzle.constraints, literal, auxiliaries, geometry.size, {}
    ):
        reason = Reason(Why.WIDER, geometry, text=constraint.sentence)
        kept = tuple(filter(None, clauses))
        if len(kept) < len(clauses):
            kept += tuple(_contradiction(puzzle, constraint))
        yield Clauses(reason, kept)
        for literals in exclusive:
            yield AtMostOne(reason, literals)


def write_all(
    constraints: Constraints,
    literal: Callable[[int, int], int],
    auxiliaries: Auxiliaries,
    size: int,
    meanings: dict[int, Meaning] | None = None,
    numbers: Mapping[Wider, int] = MappingProxyType({}),
) -> Iterator[tuple[Wider, Sequence[Clause], Sequence[Clause]]]:
    """Each wider constraint with its clauses, and with literals of which at most one holds.

    A clause without literals means that the constraint cannot be kept.
    """
    kit = Kit(literal, auxiliaries, size, differing(constraints), meanings, numbers)
    for constraint in constraints.wider:
        write(constraint, kit)
        yield (constraint, *kit.take())


def meanings_of(puzzle: Puzzle) -> dict[int, Meaning]:
    """What the auxiliaries of a full formula say, by their numbers.

    They are numbered as `wider_rules` numbers them, where at most one is said by pairs.
    """
    meanings: dict[int, Meaning] = {}
    if puzzle.constraints.wider:
        auxiliaries = Auxiliaries(variable_count(puzzle.geometry))
        numbers = _numbers_of(puzzle)
        literal, size = _literals(puzzle, None), puzzle.geometry.size
        for _ in write_all(puzzle.constraints, literal, auxiliaries, size, meanings, numbers):
            pass
    return meanings


def _numbers_of(puzzle: Puzzle) -> dict[Wider, int]:
    """What meanings call machines and choices: by their place among those of all rules."""
    numbers: dict[Wider, int] = {}
    machines: list[Machine] = []
    for place, rule in enumerate(puzzle.rules):
        for each in rule.constraints(puzzle.geometry):
            if isinstance(each, Either):
                numbers.setdefault(each, place)
                inner = (c for choice in each.choices for c in choice)
                machines += (c for c in inner if isinstance(c, Machine))
            elif isinstance(each, Machine):
                machines.append(each)
    for number, machine in enumerate(machines):
        numbers.setdefault(machine, number)
    return numbers


def _literals(puzzle: Puzzle, candidates: Mapping[int, int] | None) -> Callable[[int, int], int]:
    geometry, digits = puzzle.geometry, puzzle.grid.digits
    if candidates is None:
        return lambda cell, digit: variable(geometry, cell, digit)

    def literal(cell: int, digit: int) -> int:
        if digits[cell]:
            return TRUE if digits[cell] == digit else -TRUE
        is_open = candidates[cell] >> digit & 1
        return variable(geometry, cell, digit) if is_open else -TRUE

    return literal


def _contradiction(puzzle: Puzzle, constraint: Wider) -> Iterator[Clause]:
    """Clauses that cannot hold together with the givens and a digit in each cell.

    Many readers of DIMACS refuse a clause without literals.
    """
    geometry, digits = puzzle.geometry, puzzle.grid.digits
    cell = next((cell for cell in constraint.cells if not digits[cell]), None)
    if cell is not None:
        for digit in range(1, geometry.size + 1):
            yield (-variable(geometry, cell, digit),)
    else:
        yield tuple(-variable(geometry, each, digits[each]) for each in constraint.cells)


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
