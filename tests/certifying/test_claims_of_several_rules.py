"""Clauses about several rules at once: none that a solution breaks may be justified."""

from collections.abc import Iterator
from random import Random

import pytest

from satdoku.certifying.justify import Justifier
from satdoku.encoding.choices import Encoding
from satdoku.encoding.encode import encode
from satdoku.encoding.meanings import Choice, Meaning, meanings_of
from satdoku.encoding.variables import Clause
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.either import EitherRule
from tests.certifying.puzzles_with_rules import GridJudge, random_puzzles

# The largest formulas have as many clauses; those without auxiliaries are known from other tests.
_TRIED_OF_A_PUZZLE = 300


def named_twice(puzzle: Puzzle) -> dict[int, Meaning]:
    """The meanings of a puzzle's formula, and a second name for each choice.

    `verify` refuses such names when it reads them; here they test what would be said of them.
    """
    meanings = meanings_of(puzzle)
    choices = [
        Choice(place, number)
        for place, rule in enumerate(puzzle.rules)
        if isinstance(rule, EitherRule)
        for number in range(len(rule.choices))
    ]
    return meanings | dict(enumerate(choices, max(meanings, default=64) + 1))


def clauses_to_try(
    puzzle: Puzzle, meanings: dict[int, Meaning], rng: Random
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
        yield clause


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
    "wanted", [5_000, pytest.param(300_000, marks=pytest.mark.slow)], ids="{:,} accepted".format
)
def test_no_justified_clause_is_broken_by_a_solution(wanted: int) -> None:
    rng = Random(f"{wanted} accepted")
    accepted, with_solutions = 0, 0
    for puzzle in random_puzzles(rng):
        meanings = named_twice(puzzle)
        judge = GridJudge.of(puzzle, meanings)
        if not judge.solutions:
            continue  # any clause follows
        with_solutions += 1
        justifier = Justifier(puzzle, meanings)
        for clause in clauses_to_try(puzzle, meanings, rng):
            if justifier.is_justified(clause):
                accepted += 1
                told = [meanings.get(abs(literal), "a candidate") for literal in clause]
                assert judge.is_kept(clause), (puzzle.grid.line, puzzle.rule_texts, clause, told)
        if accepted >= wanted:
            break
