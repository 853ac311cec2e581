"""Clauses about several rules at once: none that a solution breaks may be justified."""

from collections.abc import Iterator
from itertools import count
from random import Random

import pytest

from satdoku.certifying.justify import Justifier
from satdoku.encoding.choices import Encoding
from satdoku.encoding.encode import encode
from satdoku.encoding.meanings import Choice, Meaning
from satdoku.encoding.variables import Clause
from satdoku.puzzle.puzzle import Puzzle
from tests.certifying.meanings import meanings_of
from tests.certifying.puzzles_with_rules import GridJudge, random_puzzles

# The largest formulas have as many clauses; those without auxiliaries are known from other tests.
_TRIED_OF_A_PUZZLE = 300


def named_twice(puzzle: Puzzle) -> tuple[dict[int, Meaning], dict[int, int]]:
    """The meanings of a puzzle's formula with a second name for each, and these names.

    Formulas of ours have two names for an amount or a state that choices, or sums, have in common.
    `verify` refuses those of choices when it reads them; here they test what would be said of them.
    """
    meanings = meanings_of(puzzle)
    seconds = dict(zip(meanings, count(max(meanings, default=64) + 1), strict=False))
    return meanings | {seconds[number]: each for number, each in meanings.items()}, seconds


def clauses_to_try(
    puzzle: Puzzle, meanings: dict[int, Meaning], seconds: dict[int, int], rng: Random
) -> Iterator[tuple[int, ...]]:
    """Clauses of the encoder with up to three changes, and some made up."""
    ours = [c for group in encode(puzzle, Encoding.EXTENDED) for c in group.clauses]
    ours = [clause for clause in ours if max(map(abs, clause)) > 64] or ours
    highest = max(meanings, default=64)
    choices = [number for number, meaning in meanings.items() if isinstance(meaning, Choice)]

    def literal() -> int:
        return rng.choice((1, -1)) * rng.randint(1, highest)

    for _ in range(_TRIED_OF_A_PUZZLE):
        made_up = tuple(literal() for _ in range(rng.randint(1, 4)))
        clause: Clause = rng.choice(ours) if rng.random() < 0.85 else made_up
        for _ in range(rng.choice((0, 1, 1, 2, 3))):
            clause = changed(clause, literal(), choices, rng)
        yield tuple(renamed(each, seconds, rng) for each in clause)


def renamed(literal: int, seconds: dict[int, int], rng: Random) -> int:
    """A literal, or one time in four that of the second name."""
    other = seconds.get(abs(literal), 0)
    if not other or rng.random() < 0.75:
        return literal
    return other if literal > 0 else -other


def changed(clause: Clause, literal: int, choices: list[int], rng: Random) -> tuple[int, ...]:
    """A clause with a literal less, turned round, or another in its place or beside it."""
    place = rng.randrange(len(clause))
    before, after = tuple(clause[:place]), tuple(clause[place + 1 :])
    denied = (-rng.choice(choices),) if choices else (literal,)
    return rng.choice(
        (
            before + after or (literal,),
            (*before, -clause[place], *after),
            (*before, literal, *after),
            before + denied + after,
            (*before, *denied, clause[place], *after),
            (*before, *denied, clause[place], *after),
        )
    )


@pytest.mark.parametrize(
    "wanted", [700, pytest.param(300_000, marks=pytest.mark.slow)], ids="{:,} accepted".format
)
def test_no_justified_clause_is_broken_by_a_solution(wanted: int) -> None:
    rng = Random(f"{wanted} accepted")
    accepted = by_both_names = 0
    for puzzle in random_puzzles(rng):
        meanings, seconds = named_twice(puzzle)
        judge = GridJudge.of(puzzle, meanings)
        if not judge.solutions:
            continue  # any clause follows
        justifier = Justifier(puzzle, meanings)
        for clause in clauses_to_try(puzzle, meanings, seconds, rng):
            if justifier.is_justified(clause):
                accepted += 1
                named = {*map(abs, clause)}
                by_both_names += any(seconds.get(each) in named for each in named)
                told = [meanings.get(abs(literal), "a candidate") for literal in clause]
                assert judge.is_kept(clause), (puzzle.grid.line, puzzle.rule_texts, clause, told)
        if accepted >= wanted:
            break
    assert by_both_names > 15
