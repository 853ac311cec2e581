from collections import Counter
from random import Random

import pytest

from satdoku.encoding.choices import Encoding, Method
from satdoku.encoding.encode import measure
from satdoku.errors import SatdokuError
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.verdict import Outcome, Verdict
from satdoku.solving import compare as module
from satdoku.solving.compare import (
    Contestant,
    DisagreementError,
    LoadedSize,
    compare,
    measure_formula,
    usable_solvers,
)
from satdoku.solving.limits import Budget, LimitReachedError, Limits
from satdoku.solving.questions import check
from satdoku.solving.solvers import SOLVERS, Can, Settings
from tests.boards import TOO_HARD, clashing_puzzle, random_puzzle
from tests.crossing import crossed

CONTESTANTS = [
    Contestant("minicard", Encoding.REDUCED),
    Contestant("cadical195", Encoding.EXTENDED, Method.PRODUCT),
    Contestant("glucose4", Encoding.TRIADS),
]


def puzzles() -> list[Puzzle]:
    rng = Random(7)
    found = [random_puzzle(rng, Geometry(2, 3)) for _ in range(4)]
    return [*found, clashing_puzzle(Geometry(2, 3))]


def test_everyone_gets_every_puzzle_in_every_round_puzzle_by_puzzle() -> None:
    trials = list(compare(puzzles(), CONTESTANTS, rounds=2))
    seen = Counter((str(trial.contestant), trial.puzzle, trial.round) for trial in trials)
    assert set(seen.values()) == {1}
    assert len(seen) == len(CONTESTANTS) * 5 * 2
    assert [(trial.round, trial.puzzle) for trial in trials] == [
        (turn, number) for turn in (1, 2) for number in (1, 2, 3, 4, 5) for _ in CONTESTANTS
    ]
    firsts = {str(trials[start].contestant) for start in range(0, len(trials), len(CONTESTANTS))}
    assert len(firsts) > 1, "somebody always went first"


def test_verdicts_and_sizes_are_those_of_the_library() -> None:
    made = puzzles()
    for trial in compare(made, CONTESTANTS):
        assert trial.verdict is check(made[trial.puzzle - 1]).verdict
        assert trial.formula is not None
        assert (trial.formula.natives > 0) == (trial.contestant.method == "native")
        assert trial.seconds >= 0
        assert trial.conflicts is not None


def test_a_limit_leaves_a_puzzle_undecided() -> None:
    [trial] = compare([TOO_HARD], CONTESTANTS[:1], limits=Limits(conflicts=1))
    assert trial.verdict is Verdict.UNDECIDED


def test_contestants_that_disagree_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def lie(puzzle: Puzzle, settings: Settings) -> Outcome:
        is_liar = settings.solver == "glucose4"
        return Outcome(puzzle, Verdict.UNIQUE if is_liar else Verdict.MULTIPLE)

    monkeypatch.setattr(module, "check", lie)
    with pytest.raises(DisagreementError, match=r"puzzle 1 is .* glucose4 triads pairwise"):
        list(compare(puzzles(), CONTESTANTS))


def test_what_an_encoding_cannot_say_is_refused_before_anything_is_timed() -> None:
    from satdoku import parse

    jigsaw = parse("................", rules=["anti-knight"])
    with pytest.raises(SatdokuError, match="anti-knight"):
        next(compare([jigsaw], CONTESTANTS))


def test_usable_solvers_answer() -> None:
    usable = usable_solvers(Limits(conflicts=100))
    assert {"cadical195", "minicard"} <= set(usable)
    assert all(Can.SLICE in SOLVERS[name].can for name in usable)
    assert "kissat404" in usable_solvers(Limits())


def test_at_most_one_is_native_where_the_solver_can_and_nobody_chose() -> None:
    assert Contestant("minicard", Encoding.REDUCED).method == "native"
    assert Contestant("cadical195", Encoding.REDUCED).method == "pairwise"
    assert Contestant("minicard", Encoding.REDUCED, Method.LADDER).method == "ladder"


EMPTY = Puzzle(Grid.empty(Geometry(3, 3)))
FULL = [encoding for encoding in Encoding if encoding is not Encoding.REDUCED]


@crossed(2, encoding=FULL, method=[Method.PAIRWISE, Method.TEXTBOOK, Method.SEQUENTIAL])
def test_the_formula_of_a_solver_is_as_large_as_the_exported_one(
    encoding: Encoding, method: Method
) -> None:
    settings = Settings("cadical195", encoding, method)
    found = measure_formula(EMPTY, settings, Budget(Limits()))
    assert found == (*measure(EMPTY, encoding, method), 0)


def test_native_constraints_are_counted_apart() -> None:
    found = measure_formula(EMPTY, Settings("minicard", Encoding.EXTENDED), Budget(Limits()))
    assert found == LoadedSize(variables=729, clauses=324, natives=324)


def test_a_formula_that_takes_too_long_is_no_formula() -> None:
    large = Puzzle(Grid.empty(Geometry(6, 6)))
    settings = Settings("cadical195", Encoding.EXTENDED)
    with pytest.raises((LimitReachedError, SatdokuError)):
        measure_formula(large, settings, Budget(Limits(timeout=1e-9)))
