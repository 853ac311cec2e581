"""A long-lived solver that only ever propagates: it learns nothing, so no puzzle sees another."""

import weakref
from collections.abc import Iterator
from operator import getitem

from satdoku.encoding.constraint import Clause, Rule
from satdoku.encoding.encode import Encoding, encode
from satdoku.encoding.variables import variable, variable_count
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.solving.bulk.calls import Calls


def propagation_clauses(geometry: Geometry, encoding: Encoding) -> Iterator[Clause]:
    """The rules with every variable turned round: -v says that candidate v is placed.

    Most candidates end excluded, so most literals come back positive, and Python keeps the
    integers up to 256 ready instead of making them anew. That a digit is once in a segment goes
    without saying: the cells of a row's segment lie in different segments of columns, and of
    those a box allows the digit one.
    """
    for group in encode(Grid.empty(geometry), encoding):
        if group.reason.rule is not Rule.SEGMENT_ONCE:
            for clause in group.clauses:
                yield tuple(-literal for literal in clause)


class Propagator:
    """Unit propagation of placements through the rules of one geometry.

    With the triads encoding it settles more puzzles, with the extended one it is a third faster.
    """

    def __init__(self, geometry: Geometry, encoding: Encoding, calls: Calls) -> None:
        clauses = list(propagation_clauses(geometry, encoding))
        digits = range(1, geometry.size + 1)
        cells = range(geometry.cell_count)
        count = variable_count(geometry)
        self.variable_count = max(count, *(max(map(abs, clause)) for clause in clauses))
        self.placements = frozenset(range(-count, 0))
        """The literals that place a digit."""
        self.facts = frozenset(range(-self.variable_count, 0))
        """Those, and the literals that place a digit in a segment."""
        self._literals = [
            [0, *(-variable(geometry, cell, digit) for digit in digits)] for cell in cells
        ]
        self._digit_of = [0, *(list(reversed(digits)) * len(cells))].__getitem__
        """By negative index: the digit that literal -v places."""
        in_places = [digit << 8 * place for place in cells for digit in reversed(digits)]
        self._byte_of = [0, *in_places].__getitem__
        """By negative index: the digit that literal -v places, in the byte of its cell."""
        self._cell_count = geometry.cell_count
        self._propagate = calls.propagate
        self._solver = calls.new_propagator(clauses)
        weakref.finalize(self, calls.delete_propagator, self._solver)

    def propagate(self, digits: bytes) -> tuple[bool, list[int]]:
        """Whether no conflict came up, and every literal that was derived, the givens included.

        As many literals as there are variables are a solution, and the only one.
        """
        givens = list(filter(None, map(getitem, self._literals, digits)))
        return self._propagate(self._solver, givens)

    def read_solution(self, placements: frozenset[int]) -> bytes:
        """The digits of one placement a cell, sooner than `read_grid`."""
        return bytes(map(self._digit_of, sorted(placements, reverse=True)))

    def read_grid(self, placements: frozenset[int]) -> bytes:
        """The digits of consistent placements; 0 for a cell without one."""
        return sum(map(self._byte_of, placements)).to_bytes(self._cell_count, "big")
