"""The meanings of a formula's auxiliaries, without the formula."""

from satdoku.encoding.encode import notes_for, wider_rules
from satdoku.encoding.meanings import Meaning
from satdoku.encoding.variables import Auxiliaries, variable_count
from satdoku.puzzle.puzzle import Puzzle


def meanings_of(puzzle: Puzzle) -> dict[int, Meaning]:
    """The meaning of each auxiliary of a full formula with at-most-one stated by pairs."""
    notes = notes_for(puzzle)
    for _ in wider_rules(puzzle, Auxiliaries(variable_count(puzzle.geometry)), notes=notes):
        pass
    return notes.meanings
