"""The library in a few calls. A puzzle is a text, a list of rows, a Puzzle, or a Grid.

Each name is imported on first use, so that a program that only solves puzzles does not load the
modules for explaining, rating and making them.
"""

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

from satdoku.puzzle.value import show_later

if TYPE_CHECKING:
    from satdoku.api.names import *  # noqa: F403 - only the names that it imports


def _modules_of_names() -> dict[str, str]:
    """Return the module of each name, as listed in `names.py`."""
    name = f"{__name__}.names"
    # Read the source by the loader: the package may be inside an archive.
    loader: Any = globals()["__loader__"]
    try:
        text: bytes = loader.get_data(os.path.join(os.path.dirname(__file__), "names.py"))
    except OSError:
        # Frozen programs have no source files of modules; they import all names at once.
        return {each: name for each in vars(import_module(name)) if not each.startswith("_")}
    words = (line.split() for line in text.decode().splitlines())
    return {each[3]: each[1] for each in words if each[:1] == ["from"]}


_MODULE_OF = _modules_of_names()

if not TYPE_CHECKING:
    # Type checkers see the import above, and need this list spelled out.
    __all__ = sorted(_MODULE_OF)


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(_MODULE_OF[name]), name)
    # Cache the name as a global, so that the next access does not get here.
    globals()[name] = found
    return found


def _bring_printers() -> None:
    from satdoku.api.showing import bring_printers

    bring_printers()


# Register printers when an object is first shown, because the modules that draw are slow to import.
show_later(_bring_printers)
