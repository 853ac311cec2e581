"""Which of the solvers that satdoku names this machine has."""

from collections.abc import Callable
from typing import Any

import pytest

from satdoku.solving.solvers import SOLVERS, Can, is_installed
from tests.crossing import crossed

INSTALLED = list(filter(is_installed, SOLVERS))
LIMITABLE = [name for name in INSTALLED if Can.SLICE in SOLVERS[name].can]


def every_solver(test: Callable[..., None]) -> Any:
    """Has a test ask every third solver always, the others as a slow test; others first by name."""
    return _shared_out(INSTALLED, test)


def every_limitable_solver(test: Callable[..., None]) -> Any:
    """The same for the solvers that stop at limits."""
    return _shared_out(LIMITABLE, test)


def _shared_out(solvers: list[str], test: Callable[..., None]) -> Any:
    first = sum(map(ord, test.__name__)) % 3
    return crossed(3, solver=[*solvers[first:], *solvers[:first]])(test)


def needs(*names: str) -> pytest.MarkDecorator:
    """Skip a test where one of these solvers is not installed."""
    missing = [name for name in names if not is_installed(name)]
    return pytest.mark.skipif(bool(missing), reason=f"there is no {', '.join(missing)}")


def present(*names: str) -> list[str]:
    """Return those of the solvers that are installed."""
    return list(filter(is_installed, names))
