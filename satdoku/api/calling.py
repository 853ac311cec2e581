"""Common parts of the calls: accepted forms of a puzzle, keywords such as `timeout`, progress."""

import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypedDict, TypeVar

from satdoku.encoding.choices import Encoding, Method
from satdoku.errors import FormatError, SatdokuError
from satdoku.notation.hints import Hints
from satdoku.notation.json_format import read_lists, rows_of
from satdoku.notation.parser import add_rules
from satdoku.notation.plain_lines import plain_board
from satdoku.notation.reading import PuzzleReader
from satdoku.notation.spelling import Alphabet
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.limits import Limits, Stop
from satdoku.solving.solvers import Settings


class LimitKeywords(TypedDict, total=False):
    """The keyword arguments for `Limits`."""

    timeout: float | None
    conflicts: int | None
    stop: Stop | None


class SettingKeywords(LimitKeywords, total=False):
    """The keyword arguments for `Settings` and `Limits`."""

    solver: str
    encoding: Encoding | str
    at_most_one: Method | str | None
    command: str
    portfolio: Iterable[str]
    seed: int


def settings_of(settings: Settings | None, keywords: SettingKeywords) -> Settings | None:
    """Return the settings that were passed, or those of the keywords; None without either."""
    if not keywords:
        if not (settings is None or isinstance(settings, Settings)):
            raise SatdokuError(
                f"settings={settings!r} is no Settings, such as Settings(solver='cadical195')"
            )
        if settings is not None:
            _require_not_negative(settings.limits)
        return settings
    if settings is not None:
        raise SatdokuError(f"settings= already says what {_first(keywords)}= would")
    rest = {name: value for name, value in keywords.items() if name not in Limits._fields}
    _refuse_unknown(rest, SettingKeywords.__annotations__)
    chosen: dict[str, Any] = rest
    return Settings(limits=_limits(keywords), **chosen)


def limits_of(limits: Limits | None, keywords: LimitKeywords) -> Limits | None:
    """Return the limits that were passed, or those of the keywords; None without either."""
    if not keywords:
        return limits if limits is None else _require_not_negative(limits)
    if limits is not None:
        raise SatdokuError(f"limits= already says what {_first(keywords)}= would")
    _refuse_unknown(keywords, LimitKeywords.__annotations__)
    return _limits(keywords)


def _limits(keywords: Mapping[str, Any]) -> Limits:
    limits = Limits(**{name: keywords[name] for name in Limits._fields if name in keywords})
    limits.require_sense()
    return _require_not_negative(limits)


def _require_not_negative(limits: Limits) -> Limits:
    """Return the limits; a ValueError for one below 0, which only work that goes on may have."""
    for name, value in (("timeout", limits.timeout), ("conflicts", limits.conflicts)):
        if value is not None and value < 0:
            raise ValueError(f"{name}={value!r} is below 0")
    return limits


def _first(keywords: Mapping[str, object]) -> str:
    return next(iter(keywords))


def _refuse_unknown(keywords: Mapping[str, object], known: Mapping[str, object]) -> None:
    """Raise TypeError for an unknown keyword, like any Python call, but list the known ones."""
    for name in keywords:
        if name not in known:
            raise TypeError(f"there is no keyword {name!r}; there are {', '.join(known)}")


T = TypeVar("T")

# Least seconds between two reports: people read no faster, and a page need not be redrawn more
# often.
_SECONDS_BETWEEN = 0.1


class Progress(NamedTuple):
    """Progress of a call: puzzles done, their total if known, and the time since the start.

    For `count` the numbers are solutions; for `minimize`, givens tested. For `minimize` with
    `fewest` both are bounds: at least `done` givens are needed, and `total` are enough. The bounds
    converge until they are equal, or time is up.
    """

    done: int
    total: int | None
    seconds: float


class Reporter:
    """Reporter that calls a callback from time to time and at the end; no-op without a callback."""

    def __init__(self, callback: Callable[[Progress], object] | None, total: int | None) -> None:
        self._callback = callback
        self._total = total
        self._started = self._last = time.monotonic()
        self._done = 0

    def follow(self, items: Iterable[T]) -> Iterator[T]:
        """Yield the items, and report each as it passes."""
        for number, item in enumerate(items, 1):
            self.reach(number)
            yield item
        self.finish()

    def reach(self, done: int, total: int | None = None) -> None:
        """Note that `done` are done, and the total if it has changed."""
        self._done = done
        self._total = self._total if total is None else total
        if self._callback is None:
            return
        now = time.monotonic()
        if now - self._last >= _SECONDS_BETWEEN:
            self._last = now
            self._tell(now)

    def finish(self) -> None:
        """Report the final numbers."""
        self._tell(time.monotonic())

    def _tell(self, now: float) -> None:
        if self._callback is not None:
            self._callback(Progress(self._done, self._total, now - self._started))


AnyPuzzle = str | Sequence[Sequence[Any]] | Puzzle | Grid
"""The forms of a puzzle that every call accepts."""

_PLAIN = Hints()


def parse(
    puzzle: AnyPuzzle,
    *,
    format: str | None = None,
    box: Geometry | None = None,
    alphabet: str | None = None,
    rules: Iterable[str] = (),
) -> Puzzle:
    """Return the puzzle described by a text in any format, or by a list of rows.

    `rules` are further rules as `--rule` takes them, or `regions:` with one letter for each cell.

    >>> parse("1... ..2. .3.. ...4".replace(" ", "")).givens
    {0: 1, 6: 2, 9: 3, 15: 4}
    >>> [rule.name for rule in parse("1...............", rules=["anti-knight"]).rules]
    ['rows', 'columns', 'boxes', 'anti-knight']
    """
    return read_any(puzzle, "puzzle", format, make_hints(box, alphabet, rules))


def make_hints(
    box: Geometry | None,
    alphabet: str | None,
    rules: Iterable[str],
    rules_column: str | None = None,
) -> Hints:
    """Return the hints for reading that correspond to the arguments of a call."""
    require_geometry(box)
    # Accept a single rule as a text: otherwise it would be read as a list of letters.
    texts = (rules,) if isinstance(rules, str) else tuple(rules)
    for text in texts:
        if not isinstance(text, str):
            raise SatdokuError(f"{text!r} in rules= is no text, such as 'killer:3=r1c1,r1c2'")
    spelled = Alphabet(alphabet) if alphabet else None
    return Hints(box, spelled, rules_column=rules_column, rules=texts)


def read_any(puzzle: AnyPuzzle, source: str, format: str | None, hints: Hints) -> Puzzle:
    """Return the puzzle of a value in any accepted form; messages call it `source`."""
    if isinstance(puzzle, Puzzle):
        return add_rules(puzzle, hints.rules, source, 1)
    if isinstance(puzzle, Grid):
        return add_rules(Puzzle(puzzle), hints.rules, source, 1)
    if not isinstance(puzzle, str):
        return add_rules(Puzzle(_read_rows(puzzle, hints, source)), hints.rules, source, 1)
    # Most puzzles are plain lines of cells, which need no search for a format.
    board = plain_board(puzzle) if format is None and hints == _PLAIN else None
    if board is not None:
        # Nearly all texts are such lines, and the general reader takes ten times as long.
        return Puzzle(board.grid)
    reader = PuzzleReader(puzzle.splitlines(), source, format, hints)
    read = [(record, reader.parser(record, reader.bare_puzzle(record))) for record in reader]
    # It is unclear which of several puzzles is meant; `check_many` takes all.
    if len(read) != 1:
        raise FormatError(f"{len(read)} puzzles found, expected one", source)
    ((record, found),) = read
    if unread := reader.unread(record):
        # Four frames up is usually the caller's own code.
        warnings.warn(unread, stacklevel=4)
    return found


def require_geometry(box: Geometry | None) -> None:
    """Raise TypeError if the box is a tuple or a text instead of a Geometry."""
    if not (box is None or isinstance(box, Geometry)):
        raise SatdokuError(f"box={box!r} is no Geometry, such as Geometry(2, 3)")


def _read_rows(puzzle: Sequence[Any], hints: Hints, source: str) -> Grid:
    """Return the board in a list; errors give the row as line, the cell as column."""
    if not isinstance(puzzle, Iterable) or isinstance(puzzle, bytes | Mapping):
        kind = type(puzzle).__name__
        raise FormatError(f"a puzzle is a text or a list of rows, not {kind}", source)
    each_row: Iterable[Any] = rows_of(puzzle)
    rows = [list(r) if isinstance(r, Iterable) and not isinstance(r, str) else r for r in each_row]
    is_flat = not any(isinstance(row, list | str) and len(row) > 1 for row in rows)
    # A flat list is a single row of all cells; the square of its length exceeds every cell number.
    width = len(rows) ** 2 if is_flat else len(rows)

    def place_of(cell: int) -> tuple[int, int]:
        return cell // (width or 1) + 1, cell % (width or 1) + 1

    return read_lists(rows, hints, place_of, source)
