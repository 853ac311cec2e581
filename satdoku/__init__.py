"""Sudoku of any size, solved, counted, certified and exported with SAT solvers."""

from importlib import import_module

# As in `typing`, which takes longer to import than this. Ctrl-C in that time would not find the
# command line ready for it.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from satdoku.api import *  # noqa: F403 - just what its __all__ names


def __getattr__(name: str) -> "Any":
    """The names of the library, imported when one is asked for.

    The command line starts with this module and wants to set up first how garbage is collected.
    """
    if name == "__version__":
        return import_module("importlib.metadata").version("satdoku")
    if name == "__all__" or not name.startswith("_"):
        api = import_module("satdoku.api")
        if name == "__all__" or name in api.__all__:
            return getattr(api, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    names: list[str] = import_module("satdoku.api").__all__
    return names
