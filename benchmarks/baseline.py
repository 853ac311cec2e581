"""The baseline that satdoku is compared with: one long-lived python-sat solver, used in the plain
way.

All rules of the board are loaded once as the `extended` clauses. The givens of a puzzle are
assumptions. A second solution is ruled out by a blocking clause behind an activation literal, which
is retired afterwards. The well-known C++ programs around MiniSat do the same, and are about as
fast.
"""

from satdoku.encoding.choices import Encoding
from satdoku.encoding.encode import encode
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle

SOLVERS = ("glucose4", "minisat22", "cadical153")
REBUILDS = (20, 0)
"""Puzzles between two rebuilds of the solver; 0 means never."""
DIGITS = "123456789"


class Baseline:
    """Solves 9x9 puzzles one after another on one solver, and proves each solution unique."""

    def __init__(self, name: str, rebuild_every: int) -> None:
        self.name = name
        self.rebuild_every = rebuild_every
        groups = encode(Puzzle(Grid.empty(Geometry())), Encoding.EXTENDED)
        self.clauses = [list(clause) for group in groups for clause in group.clauses]
        self.literals = {digit: number for number, digit in enumerate(DIGITS, 1)}
        self.size = len(DIGITS)
        self._start()

    def _start(self) -> None:
        from pysat.solvers import Solver

        self.solver = Solver(name=self.name, bootstrap_with=self.clauses)
        self.age = 0
        self.activation = self.size**3

    def __str__(self) -> str:
        when = f"rebuilt every {self.rebuild_every}" if self.rebuild_every else "never rebuilt"
        return f"{self.name}, {when}"

    def answer(self, line: str) -> tuple[str, int]:
        """Return the solution, or "", and the number of solutions: 0, 1, or 2 for more than one."""
        if self.rebuild_every and self.age == self.rebuild_every:
            self.solver.delete()
            self._start()
        self.age += 1
        size = self.size
        givens = [
            cell * size + self.literals[char] for cell, char in enumerate(line) if char not in ".0"
        ]
        if not self.solver.solve(assumptions=givens):
            return "", 0
        model = self.solver.get_model() or []
        placed = [literal for literal in model[: size**3] if literal > 0]
        solution = "".join([DIGITS[(literal - 1) % size] for literal in placed])
        known = set(givens)
        self.activation += 1
        blocking = [-literal for literal in placed if literal not in known]
        self.solver.add_clause([*blocking, -self.activation])
        has_second = self.solver.solve(assumptions=[*givens, self.activation])
        self.solver.add_clause([-self.activation])
        return solution, 2 if has_second else 1
