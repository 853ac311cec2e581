"""The moves themselves are compared with plain ones in `test_compiled_walk.py`."""

from typing import Any

import numba
import pytest

from satdoku.solving.large import compiled_moves, walk
from satdoku.solving.large.compiled_moves import compile_and_keep


@pytest.mark.parametrize("name", ["BARRED", "SAMPLE", "MOST_EXTRA"])
def test_numbers_are_those_of_plain_moves(name: str) -> None:
    assert getattr(compiled_moves, name) == getattr(walk, name)


def test_machine_code_that_cannot_be_kept_is_made_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """So it is where a program is installed for all and its user has no folder of his own."""
    make = numba.njit

    def make_or_fail(function: Any = None, **options: Any) -> Any:
        if options.get("cache"):
            raise RuntimeError("cannot cache function: no locator available")
        return make(function, **options)

    monkeypatch.setattr(numba, "njit", make_or_fail)
    assert compile_and_keep(lambda number: number + 1)(1) == 2
