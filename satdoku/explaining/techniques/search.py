"""A search: how the steps of some techniques are found and worded, and their place in the order.

Each file of this folder that ends with a `SEARCH` is loaded automatically; no module names it. Its
techniques are members of `Technique` in `explaining/step.py`, which defines their order.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, NamedTuple

from satdoku.explaining.step import Deduction, Level, Technique
from satdoku.solving.limits import Budget

if TYPE_CHECKING:
    from satdoku.explaining.position import Finding, Position
    from satdoku.explaining.techniques.nets import Nets
    from satdoku.explaining.words.names import Names

PLACES = {technique: place for place, technique in enumerate(Technique)}


class Around(NamedTuple):
    """The arguments of a search: a position, the limits, and candidates that fail when supposed.

    A search may keep in `tried` the truths that it tried in vain, with their members at that time.
    """

    position: "Position"
    budget: Budget
    nets: "Nets"
    tried: dict[tuple[int, ...], tuple[int, ...]]


class Search(NamedTuple):
    """The functions that find and word the steps of some techniques.

    `elsewhere` has for each technique its names in other programs. `find` returns the easiest step
    for an explanation of this `level` or harder, or None; it is None itself for techniques that
    explanations do not use. `every` yields the findings for a list of all steps. `tell` returns the
    sentence of a step, without the technique's name; if it is None, chains and stories get their
    usual wording.
    """

    elsewhere: Mapping[Technique, tuple[str, ...]]
    level: Level
    find: "Callable[[Around], Finding | None] | None"
    every: "Callable[[Around], Iterator[Finding]]"
    tell: "Callable[[Names, Deduction], str] | None" = None

    @property
    def place(self) -> int:
        """The place of the search's first technique in the order of all techniques."""
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
def telling() -> "Mapping[Technique, Callable[[Names, Deduction], str]]":
    """Return the `tell` function of each technique that has one."""
    return {
        technique: search.tell
        for search in every_search()
        for technique in search.elsewhere
        if search.tell is not None
    }
