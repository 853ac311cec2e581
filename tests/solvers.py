"""Which of the solvers that satdoku names this machine has."""

import pytest

from satdoku.solving.solvers import SOLVERS, Can, is_installed
from tests.each import for_each

INSTALLED = list(filter(is_installed, SOLVERS))
LIMITABLE = [name for name in INSTALLED if Can.SLICE in SOLVERS[name].can]

every_solver = for_each("solver", INSTALLED)
every_limitable_solver = for_each("solver", LIMITABLE)


def needs(*names: str) -> pytest.MarkDecorator:
    """Skip a test where one of these solvers is not installed."""
    missing = [name for name in names if not is_installed(name)]
    return pytest.mark.skipif(bool(missing), reason=f"there is no {', '.join(missing)}")


def present(*names: str) -> list[str]:
    """Return those of the solvers that are installed."""
    return list(filter(is_installed, names))
