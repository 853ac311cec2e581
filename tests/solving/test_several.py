"""Solutions of 9x9 boards come in order, the same with and without the compiled library."""

from collections.abc import Iterator
from itertools import islice

import pytest

from satdoku.lanes.library import VARIABLE
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.judge import find_fault
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving import counting
from satdoku.solving.limits import LimitReachedError, Limits
from satdoku.solving.questions import count, find_solutions, list_solutions
from satdoku.solving.solvers import Settings
from tests.boards import HARD, HARD_SOLUTION, read_grid
from tests.commands import run
from tests.each import for_each

# More solutions than are looked for at once, with the library and without.
MANY_LINE = ".8.7.....6.....9....7....5.4.......3..85..6......2..1...96..8......3..4......1..2"
MANY = Puzzle(read_grid(MANY_LINE))
# Each row the least that the rows above leave, as anybody can try.
FIRST_OF_ALL = "123456789456789123789123456214365897365897214897214365531642978642978531978531642"
CLASHING = Puzzle(read_grid("11" + "." * 79))
EMPTY_BOARD = Puzzle(Grid.empty(Geometry()))

with_and_without = for_each("lanes", ["1", "0"])


def listed(puzzle: Puzzle, most: int | None = None) -> list[tuple[int, ...]]:
    return [grid.digits for grid in islice(list_solutions(puzzle), most)]


@with_and_without
def test_all_solutions_come_in_the_order_of_their_digits(
    lanes: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, lanes)
    # A solver, one solution after the other, is another way to all of them.
    expected = sorted(grid.digits for grid in find_solutions(MANY))
    assert listed(MANY) == expected
    assert count(MANY).number == len(expected) == 462


@with_and_without
def test_the_first_ones_of_countless_ones(lanes: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, lanes)
    found = listed(EMPTY_BOARD, 300)
    assert found == sorted(set(found))
    assert found[0] == tuple(map(int, FIRST_OF_ALL))
    for digits in found[::10]:
        assert find_fault(Grid(Geometry(), digits), EMPTY_BOARD) == ""


@with_and_without
def test_one_solution_and_none(lanes: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, lanes)
    assert list(list_solutions(HARD)) == [HARD_SOLUTION]
    assert list(list_solutions(CLASHING)) == []


@with_and_without
def test_a_limit_ends_the_list(lanes: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, lanes)
    with pytest.raises(LimitReachedError):
        list(list_solutions(EMPTY_BOARD, Settings(limits=Limits(timeout=0.05))))


def test_who_names_a_solver_gets_its_order() -> None:
    named = list_solutions(MANY, Settings(solver="minisat22"))
    assert {grid.digits for grid in named} == set(listed(MANY))


class _Looks:
    """A bank that finds solutions in several looks: here two, and then three more."""

    def __init__(self, library: object) -> None: ...

    def __enter__(self) -> "_Looks":
        return self

    def __exit__(self, *_: object) -> None: ...

    def counts(self, digits: bytes, most: int) -> Iterator[int]:
        return iter([2, 3])


def test_solutions_of_several_looks_are_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "find_library", object)
    monkeypatch.setattr(counting, "Bank", _Looks)
    found = counting.count_in_lanes(MANY, Settings(), None)
    assert found is not None
    assert sum(found) == 5


@with_and_without
def test_the_command_prints_the_first_ones(lanes: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, lanes)
    lines = run("solve", MANY_LINE, "-n", "3").lines
    assert lines == ["".join(map(str, digits)) for digits in listed(MANY, 3)]
