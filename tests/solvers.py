"""Which of the solvers that satdoku names this machine has."""

from importlib.util import find_spec

import pytest

from satdoku.solving.solvers import SOLVERS, Can

INSTALLED = [name for name in SOLVERS if name != "cryptosat" or find_spec("pycryptosat")]
LIMITABLE = [name for name in INSTALLED if Can.SLICE in SOLVERS[name].can]

every_solver = pytest.mark.parametrize("solver", INSTALLED)
every_limitable_solver = pytest.mark.parametrize("solver", LIMITABLE)
