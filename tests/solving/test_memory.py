import pytest

from satdoku.encoding.choices import Encoding
from satdoku.errors import TooLargeError
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.verdict import Verdict
from satdoku.solving import memory
from satdoku.solving.memory import estimate_memory, require_memory_for_proof
from satdoku.solving.questions import check
from satdoku.solving.settings import Settings
from tests.boards import HARD
from tests.each import for_each


@for_each("encoding", Encoding)
def test_a_board_that_does_not_fit_is_refused_in_one_sentence(
    encoding: Encoding, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "_free_memory", lambda: 100_000_000)
    empty = Puzzle(Grid.empty(Geometry(6, 6)))
    with pytest.raises(TooLargeError, match=r"36x36 board has .* GB of memory; 0\.1 GB are free"):
        check(empty, Settings(solver="glucose4", encoding=encoding))
    assert check(HARD, Settings(solver="glucose4", encoding=encoding)).verdict is Verdict.UNIQUE


def test_nothing_is_refused_where_the_system_does_not_tell(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(memory, "_free_memory", lambda: None)
    assert check(HARD).verdict is Verdict.UNIQUE


def test_pairs_take_more_than_native_constraints() -> None:
    geometry = Geometry(5, 5)
    native, pairs = (estimate_memory(geometry, 25**3, is_native) for is_native in (True, False))
    assert 25_000_000 < native < pairs


def test_a_proof_that_does_not_fit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_free_memory", lambda: 100_000_000)
    require_memory_for_proof(Geometry(), 10_000)
    with pytest.raises(TooLargeError, match=r"36x36 board has 3,000,000 clauses and would take"):
        require_memory_for_proof(Geometry(6, 6), 3_000_000)
