"""The rules that the user names beside a text are added to every puzzle that is read from it."""

from functools import lru_cache

from satdoku.errors import FormatError, SatdokuError
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.rule import Rule


def add_rules(puzzle: Puzzle, texts: tuple[str, ...], source: str, line: int = 0) -> Puzzle:
    """The puzzle with these rules, written as `--rule` takes them."""
    if not texts:
        return puzzle
    try:
        return puzzle.with_rules(_read_rules(texts, puzzle.geometry))
    except SatdokuError as error:
        raise FormatError(str(error), source, line) from None


# A run names its rules once, for a million puzzles that nearly always have the same size.
@lru_cache(maxsize=16)
def _read_rules(texts: tuple[str, ...], geometry: Geometry) -> tuple[Rule, ...]:
    # Imported here: most runs name no rules.
    from satdoku.puzzle.rules.registry import read_rules

    return read_rules(texts, geometry)
