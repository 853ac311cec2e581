"""The rules of a usual puzzle, and how further rules are added to them.

They do not stand in `registry.py`, which imports every rule: most puzzles need these alone.
"""

from collections.abc import Iterable

from satdoku.errors import SatdokuError
from satdoku.puzzle.rules.boxes import Boxes
from satdoku.puzzle.rules.lines import Columns, Rows
from satdoku.puzzle.rules.regions import Regions
from satdoku.puzzle.rules.rule import Rule

CLASSIC: tuple[Rule, ...] = (Rows(), Columns(), Boxes())
"""The rules of every puzzle that names no others."""


def arrange(rules: Iterable[Rule]) -> tuple[Rule, ...]:
    """Rules without repeats; of boxes and regions only the regions, in the place of the boxes."""
    distinct = list(dict.fromkeys(rules))
    regions = [rule for rule in distinct if isinstance(rule, Regions)]
    if len(regions) > 1:
        raise SatdokuError("a puzzle has one set of regions, not two different ones")
    # Puzzles are equal when their rules are, in the same order. So regions go to the place of the
    # boxes, whether they were given first or last.
    if regions and Boxes() in distinct:
        distinct.remove(regions[0])
        distinct[distinct.index(Boxes())] = regions[0]
    return tuple(distinct)
