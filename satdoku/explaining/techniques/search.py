"""A search: how the steps of some techniques are found, how they are told, and where they stand.

A technique is a file of this folder that ends with a `SEARCH`. The names of its techniques stand in
the list of all (`Technique` in `explaining/step.py`), which is their order; nothing else knows the
file.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, NamedTuple

from satdoku.explaining.step import Level, Step, Technique
from satdoku.solving.limits import Budget

if TYPE_CHECKING:
    from satdoku.explaining.position import Finding, Position
    from satdoku.explaining.techniques.nets import Nets
    from satdoku.explaining.words.names import Names

PLACES = {technique: place for place, technique in enumerate(Technique)}


class Around(NamedTuple):
    """What a search looks at: a position, the limits, and what fails there when supposed.

    In `tried` a search may keep of which truths it tried how much was left.
    """

    position: "Position"
    budget: Budget
    nets: "Nets"
    tried: dict[tuple[int, ...], tuple[int, ...]]


class Search(NamedTuple):
    """How the steps of some techniques are found and told.

    `elsewhere` names for each technique what other programs call the same. `find` returns the
    easiest step for an explanation, if the `level` allows it, or None; where explanations have no
    such steps, it is None itself. `every` yields what a list of all steps has. `tell` returns a
    step in words, without the name; chains and stories are told as usual if it is None.
    """

    elsewhere: Mapping[Technique, tuple[str, ...]]
    level: Level
    find: "Callable[[Around], Finding | None] | None"
    every: "Callable[[Around], Iterator[Finding]]"
    tell: "Callable[[Names, Step], str] | None" = None

    @property
    def place(self) -> int:
        """The place of its first technique among all."""
        return min(map(PLACES.__getitem__, self.elsewhere))


@lru_cache(maxsize=1)
def every_search() -> tuple[Search, ...]:
    """Return the searches of all files of this folder, in the order of their first techniques."""
    package = __name__.rpartition(".")[0]
    names = [module.name for module in iter_modules(import_module(package).__path__)]
    modules = [import_module(f"{package}.{name}") for name in names]
    searches = [module.SEARCH for module in modules if hasattr(module, "SEARCH")]
    return tuple(sorted(searches, key=lambda search: search.place))


@lru_cache(maxsize=1)
def telling() -> "Mapping[Technique, Callable[[Names, Step], str]]":
    """Return how the steps of each technique are told that has a search here."""
    return {
        technique: search.tell
        for search in every_search()
        for technique in search.elsewhere
        if search.tell is not None
    }
