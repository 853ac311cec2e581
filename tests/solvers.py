"""Which of the solvers that satdoku names this machine has."""

from importlib.util import find_spec

from satdoku.solving.solvers import SOLVERS, Can
from tests.each import for_each

INSTALLED = [name for name in SOLVERS if name != "cryptosat" or find_spec("pycryptosat")]
LIMITABLE = [name for name in INSTALLED if Can.SLICE in SOLVERS[name].can]

every_solver = for_each("solver", INSTALLED)
every_limitable_solver = for_each("solver", LIMITABLE)
