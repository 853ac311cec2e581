from random import Random
from typing import Any

import pytest

import satdoku
from satdoku.errors import SatdokuError
from satdoku.making.generator import Distinct, Seen, key_of, require_distinguishable
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.puzzle import Puzzle
from tests.boards import HARD
from tests.making.requests import make, request
from tests.random_twins import random_twin

BOARD = Geometry(2, 2)


def test_each_puzzle_is_kept_that_none_before_it_was_like() -> None:
    """Compared with a plain list, in which every pair is looked at."""
    everything = make(request(BOARD, seed="1"), 120)
    for distinct in Distinct:
        expected: list[Puzzle] = []
        for made in everything:
            form = made.puzzle
            if distinct is Distinct.ISOMORPHIC:
                form = Puzzle(satdoku.canonical(made.puzzle).grid)
            if form not in expected:
                expected.append(form)
        found = list(satdoku.generate(len(expected), seed="1", box=BOARD, distinct=distinct.value))
        assert [made.index for made in found] == sorted({made.index for made in found})
        assert found == [everything[made.index] for made in found]
        assert len(found) == len(expected)
        # Among so many of 4x4 some are twins: the comparison has something to leave out.
        assert distinct is Distinct.EXACT or len(expected) < 100


def test_twins_have_one_key_and_others_have_another() -> None:
    twin = Puzzle(random_twin(Random(1), HARD.grid))
    assert key_of(twin, Distinct.ISOMORPHIC) == key_of(HARD, Distinct.ISOMORPHIC)
    assert key_of(twin, Distinct.EXACT) != key_of(HARD, Distinct.EXACT)
    other = HARD.with_grid(HARD.grid.with_digits({0: 0}))
    assert key_of(other, Distinct.ISOMORPHIC) != key_of(HARD, Distinct.ISOMORPHIC)


def test_the_same_givens_in_other_regions_are_another_puzzle() -> None:
    [one] = make(request(Geometry(2, 3), seed="1", has_random_regions=True))
    plain = Puzzle(one.puzzle.grid)
    assert key_of(one.puzzle, Distinct.EXACT) != key_of(plain, Distinct.EXACT)


def test_a_search_that_finds_nothing_new_ends() -> None:
    with pytest.raises(SatdokuError, match=r"only 1 puzzle differs: the last [\d,]+ were made"):
        list(
            satdoku.generate(
                2, seed=1, box=Geometry(1, 2), givens=1, minimality="none", distinct="isomorphic"
            )
        )


def test_an_unknown_kind_of_difference_is_refused_with_those_that_are_known() -> None:
    kind: Any = "twice"
    with pytest.raises(SatdokuError, match="'twice' is none of exact, isomorphic"):
        list(satdoku.generate(1, distinct=kind))


def test_a_large_collection_is_not_given_up_sooner_than_it_has_puzzles() -> None:
    seen = Seen()
    for number in range(1500):
        assert seen.is_new(str(number).encode())
    for _ in range(1499):
        assert not seen.is_new(b"0")
    assert not seen.is_exhausted
    assert not seen.is_new(b"0")
    assert seen.is_exhausted
    assert seen.left_out == 1500


def test_twins_are_not_looked_for_where_nobody_knows_them() -> None:
    for wanted in (request(BOARD, "anti-king"), request(Geometry(4, 5))):
        with pytest.raises(SatdokuError, match="twins are found"):
            require_distinguishable(wanted, Distinct.ISOMORPHIC)
        require_distinguishable(wanted, Distinct.EXACT)
