"""Chains in the notation of forums, which is called Eureka.

    (4)r1c6=(4)r2c6-(2)r2c6=(2)r2c8-(2=8)r1c9 => r1c6<>8

An equals sign is a strong link, a minus a weak one. Two digits of the same cells stand in one pair
of brackets, and cells of a row or a column are written together: `r1c46`.
"""

from collections.abc import Iterable

from satdoku.explaining.board import candidates_of
from satdoku.explaining.step import Step
from satdoku.explaining.words.names import Names


def write_eureka(names: Names, step: Step) -> str:
    """A chain with what it excludes; empty for steps that are no chains."""
    if not step.chain:
        return ""
    links = []
    for link in step.chain:
        off, on = _digits(names, link.off), _digits(names, link.on)
        cells = {truth.cell for truth in link.truths}
        if all(truth.unit is None for truth in link.truths):
            links.append(f"({off}={on}){_cells(names, cells)}")
        else:
            ends = (_cells(names, _cells_of(names, end)) for end in (link.off, link.on))
            links.append("=".join(f"({d}){c}" for d, c in zip((off, on), ends, strict=True)))
    placements = names.board.placements
    gone: dict[int, list[int]] = {}
    for cell, digit in (placements[candidate] for candidate in step.excludes):
        gone.setdefault(digit, []).append(cell)
    excluded = ", ".join(f"{_cells(names, c)}<>{names.digit(d)}" for d, c in sorted(gone.items()))
    return f"{'-'.join(links)} => {excluded}"


def _digits(names: Names, end: int) -> str:
    placements = names.board.placements
    return "".join(map(names.digit, sorted({placements[c].digit for c in candidates_of(end)})))


def _cells_of(names: Names, end: int) -> set[int]:
    return {names.board.placements[candidate].cell for candidate in candidates_of(end)}


def _cells(names: Names, cells: Iterable[int]) -> str:
    """Cells of a row or of a column together: `r1c46`, `r25c3`; others with a comma."""
    size = names.board.puzzle.geometry.size
    places = sorted({divmod(cell, size) for cell in cells})
    rows, columns = ({place[side] + 1 for place in places} for side in (0, 1))
    # Beyond 9 numbers that stand together could not be told apart.
    if size < 10 and len(places) == len(rows) * len(columns):
        row, column = ("".join(map(str, sorted(numbers))) for numbers in (rows, columns))
        return f"r{row}c{column}"
    return ",".join(f"r{row + 1}c{column + 1}" for row, column in places)
