"""Whether a formula says nothing but the rules of Sudoku and a puzzle's givens.

This is a second statement of the rules, independent of the encoder: each clause must be one that
any solution of the puzzle satisfies for a reason that is checked here. What such a formula refutes
has no solution, however it was made.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import compress

from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid

Candidate = tuple[int, int]


class Referee:
    """Judges clauses over a puzzle's candidates, which are (cell, digit) pairs."""

    def __init__(self, puzzle: Grid) -> None:
        self._geometry = puzzle.geometry
        self._givens = puzzle.givens
        self._peers = {cell: puzzle.geometry.peers_of(cell) for cell in self._givens}
        self._excluded = set(self._find_excluded())

    def is_justified(self, clause: Sequence[int]) -> bool:
        """Whether every solution of the puzzle satisfies the clause.

        Known are a given; a candidate that a given excludes; two candidates that exclude each
        other; and all that is open for a cell, or for a digit in a row, column or box.
        """
        size = self._geometry.size
        if not clause or max(map(abs, clause)) > size**3:
            return False
        candidates = [((abs(n) - 1) // size, (abs(n) - 1) % size + 1) for n in clause]
        if clause[0] > 0:
            return min(clause) > 0 and self._is_one_true(candidates)
        if max(clause) > 0 or len(candidates) > 2:
            return False
        if len(candidates) == 1:
            return candidates[0] in self._excluded
        return self._clash(*candidates)

    def is_blocking(self, clause: Sequence[int], solution: Grid) -> bool:
        """Whether every solution of the puzzle but this one satisfies the clause.

        It denies digits of the solution: in every cell without a given, perhaps in more.
        """
        size = self._geometry.size
        literals = [-(cell * size + digit) for cell, digit in enumerate(solution.digits)]
        is_open = (cell not in self._givens for cell in range(len(literals)))
        return set(compress(literals, is_open)) <= set(clause) <= set(literals)

    def _is_one_true(self, candidates: Sequence[Candidate]) -> bool:
        if len(candidates) == 1 and self._givens.get(candidates[0][0]) == candidates[0][1]:
            return True
        named = set(candidates)
        groups = [self._group_of_cell(candidates[0]), *self._groups_of_digit(candidates[0])]
        return any(
            named <= group and group - named <= self._excluded
            for group in map(set[Candidate], groups)
        )

    def _clash(self, one: Candidate, other: Candidate) -> bool:
        (cell, digit), (other_cell, other_digit) = one, other
        if cell == other_cell:
            return digit != other_digit
        return digit == other_digit and other_cell in self._geometry.peers_of(cell)

    def _find_excluded(self) -> Iterator[Candidate]:
        for cell, given in self._givens.items():
            yield from ((cell, digit) for digit in self._digits if digit != given)
            yield from ((peer, given) for peer in self._peers[cell])

    @property
    def _digits(self) -> range:
        return range(1, self._geometry.size + 1)

    def _group_of_cell(self, candidate: Candidate) -> Iterable[Candidate]:
        return ((candidate[0], digit) for digit in self._digits)

    def _groups_of_digit(self, candidate: Candidate) -> Iterator[Iterable[Candidate]]:
        cell, digit = candidate
        geometry: Geometry = self._geometry
        for cells in (
            geometry.row_cells(geometry.row_of(cell)),
            geometry.column_cells(geometry.column_of(cell)),
            geometry.box_cells(geometry.box_of(cell)),
        ):
            yield [(other, digit) for other in cells]
