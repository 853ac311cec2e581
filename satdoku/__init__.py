"""Sudoku of any size, solved, counted, certified and exported with SAT solvers."""

from importlib import import_module

# Like `typing.TYPE_CHECKING`, without the slow import of `typing`, during which Ctrl-C would end in
# a traceback.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from satdoku.api import *  # noqa: F403 - only the names in its __all__


def __getattr__(name: str) -> "Any":
    """Return a name of the library, imported on first use.

    The command line imports this module first, and must configure garbage collection before it
    imports more.
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
