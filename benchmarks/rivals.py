"""Other engines on the same boards: find a solution, then search for another one.

python -m benchmarks.rivals cpsat|clingo FILE RxC
"""

import sys
from pathlib import Path
from typing import Any

from satdoku.notation.hints import Hints
from satdoku.notation.reading import read_puzzles
from satdoku.puzzle.constraints import digits_of
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle, find_candidates, find_missing

_WORDS = {0: "none", 1: "unique", 2: "multiple"}

_CLINGO = """
1 { x(C,D) : open(C,D) } 1 :- cell(C).
1 { x(C,D) : open(C,D), in(C,U) } 1 :- lacks(U,D).
#show x/2.
"""


def count_with_cpsat(grid: Grid) -> int:
    """Return the number of solutions, up to two, with an integer variable for each open cell."""
    from ortools.sat.python import cp_model

    model: Any = cp_model.CpModel()
    candidates = dict(find_candidates(Puzzle(grid), find_missing(Puzzle(grid))))
    cells = [
        digit
        if digit
        else model.new_int_var_from_domain(
            cp_model.Domain.from_values(digits_of(candidates[cell])), f"c{cell}"
        )
        for cell, digit in enumerate(grid.digits)
    ]
    for unit in grid.geometry.units:
        model.add_all_different([cells[cell] for cell in unit.cells])
    solver: Any = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solved = (cp_model.OPTIMAL, cp_model.FEASIBLE)
    if solver.solve(model) not in solved:
        return 0
    differs = []
    for cell in candidates:
        flag = model.new_bool_var(f"d{cell}")
        model.add(cells[cell] != solver.value(cells[cell])).only_enforce_if(flag)
        differs.append(flag)
    model.add_bool_or(differs)
    return 2 if solver.solve(model) in solved else 1


def count_with_clingo(grid: Grid) -> int:
    """Return the number of solutions, up to two, with an atom for each open candidate."""
    import clingo

    puzzle = Puzzle(grid)
    missing = find_missing(puzzle)
    facts = []
    for cell, mask in find_candidates(puzzle, missing):
        facts.append(f"cell({cell}).")
        facts += [f"open({cell},{digit})." for digit in digits_of(mask)]
    for unit, mask in zip(puzzle.constraints.units, missing, strict=True):
        name = f"{unit.kind}{unit.number}"
        facts += [f"in({cell},{name})." for cell in unit.cells if not grid.digits[cell]]
        facts += [f"lacks({name},{digit})." for digit in digits_of(mask)]
    control: Any = clingo.Control(["2", "--warn=none"])
    control.add("base", [], "\n".join(facts) + _CLINGO)
    control.ground([("base", [])])
    count = 0
    with control.solve(yield_=True) as models:
        for _ in models:
            count += 1
    return count


if __name__ == "__main__":
    engine, file, box = sys.argv[1:]
    hints = Hints(Geometry.parse(box))
    with Path(file).open() as lines:
        puzzle = next(read_puzzles(lines, file, hints=hints))
    counters = {"cpsat": count_with_cpsat, "clingo": count_with_clingo}
    print(_WORDS[counters[engine](puzzle.grid)])
