"""The library in a few calls. A puzzle is a text, a list of rows, a Puzzle, or a Grid.

Each name is imported when a program first asks for it: one that solves a puzzle should not wait for
what explains, rates and makes puzzles.
"""

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

from satdoku.puzzle.value import show_later

if TYPE_CHECKING:
    from satdoku.api.names import *  # noqa: F403 - just what it imports


def _modules_of_names() -> dict[str, str]:
    """Where each name stands, as `names.py` says."""
    name = f"{__name__}.names"
    # By the loader: the package may be in an archive.
    loader: Any = globals()["__loader__"]
    try:
        text: bytes = loader.get_data(os.path.join(os.path.dirname(__file__), "names.py"))
    except OSError:
        # Programs that are frozen have no texts of modules; they get all names at once.
        return {each: name for each in vars(import_module(name)) if not each.startswith("_")}
    words = (line.split() for line in text.decode().splitlines())
    return {each[3]: each[1] for each in words if each[:1] == ["from"]}


_MODULE_OF = _modules_of_names()

if not TYPE_CHECKING:
    # Type checkers know what is imported above, and want this list written out.
    __all__ = sorted(_MODULE_OF)


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(_MODULE_OF[name]), name)
    # From now on Python finds the name without asking here.
    globals()[name] = found
    return found


def _bring_printers() -> None:
    from satdoku.api.showing import bring_printers

    bring_printers()


# Objects are made by programs that never show one, and these should not wait for what draws.
show_later(_bring_printers)
