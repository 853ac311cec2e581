"""How grids, puzzles and outcomes show themselves: by printers that higher layers bring along.

What a board looks like, as text or as HTML, is known to `picture/`, which imports this package and
not the other way round. So each class that shows itself asks here for its printer, and
`satdoku.api` says which ones there are.
"""

from collections.abc import Callable
from typing import Any, NamedTuple


class Printer(NamedTuple):
    """Two functions that show an object of a class: for `print`, and for a notebook."""

    text: Callable[[Any], str]
    html: Callable[[Any], str]


# A 9x9 board and what makes a puzzle of it fit; longer lines break on most screens twice.
_LONGEST_LINE = 110

_PRINTERS: dict[type, Printer] = {}
# What will bring printers when the first of them is asked for: importing them takes long.
_BRINGERS: list[Callable[[], None]] = []


def show_by(kind: type, printer: Printer) -> None:
    """Has the objects of a class shown by this printer from now on."""
    _PRINTERS[kind] = printer


def show_later(bring: Callable[[], None]) -> None:
    """Has printers brought, by calls of `show_by`, as soon as an object is to be shown."""
    _BRINGERS.append(bring)


def fit_line(written: str, shortened: str) -> str:
    """What makes an object again, if it fits on a line, else a few words about it."""
    return written if len(written) <= _LONGEST_LINE else shortened


class Shown:
    """What shows itself; without a printer, as a program that never prints has none, by `repr`."""

    __slots__ = ()

    def __str__(self) -> str:
        printer = _printer_of(type(self))
        return repr(self) if printer is None else printer.text(self)

    def _repr_html_(self) -> str | None:
        """What notebooks ask for; with None they show the text."""
        printer = _printer_of(type(self))
        return None if printer is None else printer.html(self)


def _printer_of(kind: type) -> Printer | None:
    for bring in _BRINGERS:
        bring()
    _BRINGERS.clear()
    return _PRINTERS.get(kind)
