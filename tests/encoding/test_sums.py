"""Sums as solvers get them: exact on every grid, and limits of groups that hold and say it all."""

from itertools import combinations, product
from random import Random

from pysat.solvers import Solver

from satdoku.encoding.variables import TRUE, Auxiliaries
from satdoku.encoding.wider.sums import limits, write
from satdoku.encoding.wider.write import Kit
from satdoku.puzzle.constraints import Total
from tests.each import for_each


# Of four digits of nine, some sets follow from no three facts.
@for_each("size, count", [*((7, count) for count in range(1, 7)), (9, 4), (9, 5)])
def test_limits_hold_and_say_what_each_set_is_worth(size: int, count: int) -> None:
    every = range(1, size + 1)
    for worths in (tuple(every), tuple(Random(count).sample(range(-9, 9), size))):
        found = limits(worths, count)
        for digits in combinations(every, count):
            worth = sum(worths[digit - 1] for digit in digits)
            facts = {digit if digit in digits else -digit for digit in every}
            said = [most for few, most in found if facts.issuperset(few)]
            assert min(said) == worth


@for_each("seed", range(40))
def test_a_total_is_kept_by_just_the_digits_that_sum_to_it(seed: int) -> None:
    rng = Random(seed)
    size, cells = rng.choice([(3, 6), (4, 5)])
    unit = frozenset(rng.sample(range(cells), rng.randint(2, size)))
    differ = [unit - {cell} if cell in unit else frozenset() for cell in range(cells)]
    tables = [tuple(range(size + 1)), (0, *rng.choices(range(-3, 4), k=size))]
    # Digits that are worth the same are added one by one, where many cells have this table.
    others = rng.choice([0.2, 1])
    worths = tuple(tables[rng.random() < others] for _ in range(cells))
    low = rng.randint(4, 12)
    total = Total(tuple(range(cells)), worths, low, low + rng.choice([0, 0, 2]), "")
    # What a given settles is no variable.
    given = rng.choice([0, 0, 1])

    def literal(cell: int, digit: int) -> int:
        return (TRUE if digit == given else -TRUE) if given > cell else cell * size + digit

    kit = Kit(literal, Auxiliaries(cells * size), size, differ, units=[unit])
    write(total, kit)
    with solver_of(kit, cells) as solver:
        for digits in product(range(1, size + 1), repeat=cells):
            literals = [literal(cell, digit) for cell, digit in enumerate(digits)]
            differing = len({digits[cell] for cell in unit}) == len(unit)
            if differing and -TRUE not in literals:
                worth = sum(map(tuple.__getitem__, worths, digits))
                is_kept = total.low <= worth <= total.high
                assert solver.solve([each for each in literals if each != TRUE]) == is_kept


def solver_of(kit: Kit, cells: int) -> Solver:
    """A solver that knows the clauses of a kit, and that no cell holds two digits."""
    for cell in range(cells):
        for one, other in combinations(kit.literals_of(cell)[1:], 2):
            kit.add(-one, -other)
    solver = Solver("glucose4", bootstrap_with=filter(None, kit.clauses))
    if not all(kit.clauses):
        solver.append_formula([[1], [-1]])
    return solver
