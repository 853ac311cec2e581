"""Sudoku of any size, solved, counted, certified and exported with SAT solvers."""

import os
import sys
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
        return _version()
    if name == "__all__" or not name.startswith("_"):
        api = import_module("satdoku.api")
        if name == "__all__" or name in api.__all__:
            return getattr(api, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _version() -> str:
    """Return the version of the installed package.

    The folder with its metadata has the version in its name. The module that reads such folders
    takes as long to import as the rest of a command.
    """
    for folder in filter(os.path.isdir, sys.path):
        for name in os.listdir(folder):
            if name.startswith("satdoku-") and name.endswith(".dist-info"):
                return name.removeprefix("satdoku-").removesuffix(".dist-info")
    version: str = import_module("importlib.metadata").version("satdoku")
    return version


def __dir__() -> list[str]:
    names: list[str] = import_module("satdoku.api").__all__
    return names
