"""Write puzzles as models in MiniZinc, a language for CP solvers; models are never read.

Each type of constraint has a word there (`alldifferent`, `regular`, sums), so nothing is encoded
and no auxiliary variable is needed. Puzzles with hidden regions, connected cells, counts of digits
or ranks of lines are refused.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import IO

from satdoku.encoding.files.dimacs import Export
from satdoku.errors import SatdokuError
from satdoku.notation.spelling import write_cells
from satdoku.puzzle.constraints import (
    Allowed,
    Constraint,
    Either,
    Machine,
    Pair,
    Sets,
    Some,
    Total,
    Wider,
    digits_of,
)
from satdoku.puzzle.grid import EMPTY, Geometry, Unit
from satdoku.puzzle.rules.rule import write_rule


def write_minizinc(
    export: Export, stream: IO[str], program: str, require_time: Callable[[], None] = lambda: None
) -> None:
    """Write the model; `program` and `require_time` are as in `write_cnf`.

    The export's encoding and at-most-one method are not used.
    """
    lines = []
    for line in _lines(export, program):
        require_time()
        lines.append(line + "\n")
    # Only a whole model is written: rules without a word in MiniZinc are refused while it is made.
    stream.writelines(lines)


def _lines(export: Export, program: str) -> Iterator[str]:
    puzzle, size = export.puzzle, export.puzzle.geometry.size
    puzzle.require_plain("models of MiniZinc are for")
    yield f"% {program}"
    yield f"% sudoku {write_cells(puzzle.grid)}"
    for rule in () if puzzle.is_classic else puzzle.rules:
        yield f"% rule {write_rule(rule, puzzle.geometry)}"
    if puzzle.symbols_of_rules:
        yield f"% the digits 1 to {size} stand for {' '.join(puzzle.symbols_of_rules)}"
    yield 'include "alldifferent.mzn";'
    yield 'include "regular.mzn";'
    yield f"array[1..{size}, 1..{size}] of var 1..{size}: x;"
    for expression, reason in _constraints(export):
        yield f"constraint {expression}; % {reason}"
    yield "solve satisfy;"
    row = f'join(" ", [show(x[r, c]) | c in 1..{size}])'
    yield f'output [{row} ++ "\\n" | r in 1..{size}];'


def _constraints(export: Export) -> Iterator[tuple[str, str]]:
    """Yield each constraint, as text, with its reason."""
    puzzle, geometry = export.puzzle, export.puzzle.geometry
    constraints, cells = puzzle.constraints, _Cells(geometry)
    for cell, digit in puzzle.givens.items():
        yield f"{cells.name(cell)} = {digit}", "given"
    for unit in constraints.units:
        yield cells.write(unit), str(unit)
    for pair in constraints.pairs:
        names = geometry.name_of(pair.first), geometry.name_of(pair.second)
        yield cells.write(pair), pair.sentence.format(*names)
    for allowed in constraints.allowed:
        yield cells.write(allowed), allowed.sentence.format(geometry.name_of(allowed.cell))
    for wider in constraints.wider:
        yield cells.write(wider), wider.sentence
    if export.blocked is not None:
        digits = enumerate(zip(export.blocked.digits, puzzle.grid.digits, strict=True))
        others = (f"{cells.name(cell)} != {d}" for cell, (d, given) in digits if given == EMPTY)
        yield _any_of(others), "any solution but the known one"


class _Cells:
    """Writes constraints on the cells of a board as expressions."""

    def __init__(self, geometry: Geometry) -> None:
        self._size = geometry.size

    def name(self, cell: int) -> str:
        return f"x[{cell // self._size + 1},{cell % self._size + 1}]"

    def write(self, constraint: Constraint) -> str:
        """Return a constraint as an expression."""
        if isinstance(constraint, Unit):
            return f"alldifferent({self._list(constraint.cells)})"
        if isinstance(constraint, Allowed):
            return f"{self.name(constraint.cell)} in {_set_of(digits_of(constraint.digits))}"
        return self._pair(constraint) if isinstance(constraint, Pair) else self._wider(constraint)

    def _wider(self, constraint: Wider) -> str:
        if isinstance(constraint, Some):
            return _any_of(
                f"{self.name(cell)} in {_set_of(digits_of(mask))}"
                for cell, mask in constraint.choices
            )
        if isinstance(constraint, Sets):
            return _any_of(self._all_in(constraint.cells, mask) for mask in constraint.sets)
        if isinstance(constraint, Total):
            return self._total(constraint)
        if isinstance(constraint, Machine):
            return self._machine(constraint)
        if isinstance(constraint, Either):
            return _any_of(_all_of(map(self._inside, choice)) for choice in constraint.choices)
        raise SatdokuError(f"MiniZinc has no word for this rule: {constraint.sentence}")

    def _inside(self, constraint: Constraint) -> str:
        if isinstance(constraint, Machine):
            raise SatdokuError(
                "MiniZinc has no word for a choice between automata, which this puzzle has"
            )
        return self.write(constraint)

    def _list(self, cells: Iterable[int]) -> str:
        return f"[{', '.join(map(self.name, cells))}]"

    def _all_in(self, cells: Iterable[int], mask: int) -> str:
        digits = _set_of(digits_of(mask))
        return _all_of(f"{self.name(cell)} in {digits}" for cell in cells)

    def _pair(self, pair: Pair) -> str:
        one, other = self.name(pair.first), self.name(pair.second)
        excludes = pair.excludes[1:]
        if all(mask == 1 << digit for digit, mask in enumerate(excludes, 1)):
            return f"{one} != {other}"
        return _all_of(
            f"({one} != {digit} \\/ not ({other} in {_set_of(digits_of(mask))}))"
            for digit, mask in enumerate(excludes, 1)
            if mask
        )

    def _total(self, total: Total) -> str:
        terms = [
            self._worth(cell, worths[1:])
            for cell, worths in zip(total.cells, total.worths, strict=True)
        ]
        amount = " + ".join(terms) or "0"
        if total.low == total.high:
            return f"({amount} = {total.low})"
        return f"({amount} >= {total.low} /\\ {amount} <= {total.high})"

    def _worth(self, cell: int, worths: tuple[int, ...]) -> str:
        """Return the expression of a cell's weight: its digit, or an entry of a table."""
        if worths == tuple(range(1, self._size + 1)):
            return self.name(cell)
        return f"{list(worths)}[{self.name(cell)}]"

    def _machine(self, machine: Machine) -> str:
        """Return the automaton; the states of all layers are numbered from 1, and 0 is the failing
        state.
        """
        first = [1]
        for layer in machine.layers:
            first.append(first[-1] + len(layer))
        # Any state after the last cell accepts.
        last = max((s for state in machine.layers[-1] for s in state[1:]), default=0) + 1
        count = first[-1] + max(last, 1) - 1
        rows = [
            ", ".join(str(first[place + 1] + after if after >= 0 else 0) for after in state[1:])
            for place, layer in enumerate(machine.layers)
            for state in layer
        ]
        rows += [", ".join("0" for _ in range(self._size))] * (count - len(rows))
        table = " | ".join(rows)
        cells = self._list(machine.cells)
        return f"regular({cells}, {count}, {self._size}, [| {table} |], 1, {first[-1]}..{count})"


def _set_of(digits: Iterable[int]) -> str:
    return f"{{{', '.join(map(str, digits))}}}"


def _any_of(texts: Iterable[str]) -> str:
    return _joined(texts, " \\/ ", "false")


def _all_of(texts: Iterable[str]) -> str:
    return _joined(texts, " /\\ ", "true")


def _joined(texts: Iterable[str], sign: str, empty: str) -> str:
    found = list(texts)
    return f"({sign.join(found)})" if found else empty
