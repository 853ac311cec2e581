"""What calls have in common: what they take for a puzzle, keywords such as `timeout`, progress."""

import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypedDict, TypeVar

from satdoku.encoding.choices import Encoding, Method
from satdoku.errors import FormatError, SatdokuError
from satdoku.notation.hints import Hints
from satdoku.notation.lists.board import read_lists, rows_of
from satdoku.notation.parser import add_rules
from satdoku.notation.plain_lines import plain_board
from satdoku.notation.reading import PuzzleReader
from satdoku.notation.spelling import Alphabet
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.limits import Limits, Stop
from satdoku.solving.solvers import Settings


class LimitKeywords(TypedDict, total=False):
    """What `Limits` take."""

    timeout: float | None
    conflicts: int | None
    stop: Stop | None


class SettingKeywords(LimitKeywords, total=False):
    """What `Settings` and `Limits` take."""

    solver: str
    encoding: Encoding | str
    at_most_one: Method | str | None
    command: str
    portfolio: Iterable[str]
    seed: int


def settings_of(settings: Settings | None, keywords: SettingKeywords) -> Settings | None:
    """The settings that were passed whole, or those of the keywords; None where neither were."""
    if not keywords:
        return settings
    if settings is not None:
        raise SatdokuError(f"settings= already says what {_first(keywords)}= would")
    rest = {name: value for name, value in keywords.items() if name not in Limits._fields}
    _refuse_unknown(rest, SettingKeywords.__annotations__)
    chosen: dict[str, Any] = rest
    return Settings(limits=_limits(keywords), **chosen)


def limits_of(limits: Limits | None, keywords: LimitKeywords) -> Limits | None:
    """The limits that were passed whole, or those of the keywords; None where neither were."""
    if not keywords:
        return limits
    if limits is not None:
        raise SatdokuError(f"limits= already says what {_first(keywords)}= would")
    _refuse_unknown(keywords, LimitKeywords.__annotations__)
    return _limits(keywords)


def _limits(keywords: Mapping[str, Any]) -> Limits:
    limits = Limits(**{name: keywords[name] for name in Limits._fields if name in keywords})
    limits.require_sense()
    return limits


def _first(keywords: Mapping[str, object]) -> str:
    return next(iter(keywords))


def _refuse_unknown(keywords: Mapping[str, object], known: Mapping[str, object]) -> None:
    """A TypeError, as of every call in Python, but one that tells what there is."""
    for name in keywords:
        if name not in known:
            raise TypeError(f"there is no keyword {name!r}; there are {', '.join(known)}")


T = TypeVar("T")

# A person reads no faster, and a page need not be drawn more often.
_SECONDS_BETWEEN = 0.1


class Progress(NamedTuple):
    """How many puzzles are answered or made, of how many where that is known, and since when.

    Of `count` it is how many solutions are counted; of `minimize`, how many givens are tested. Of
    `minimize` with `fewest` both are bounds: no fewer than `done` givens are enough, and `total`
    are. They come closer until they are equal, or time ends.
    """

    done: int
    total: int | None
    seconds: float


class Reporter:
    """Calls back now and then, and at the end; does nothing without a callback."""

    def __init__(self, callback: Callable[[Progress], object] | None, total: int | None) -> None:
        self._callback = callback
        self._total = total
        self._started = self._last = time.monotonic()
        self._done = 0

    def follow(self, items: Iterable[T]) -> Iterator[T]:
        """Gives the same items, and reports each as it comes."""
        for number, item in enumerate(items, 1):
            self.reach(number)
            yield item
        self.finish()

    def reach(self, done: int, total: int | None = None) -> None:
        """Notes that so many are done, and of how many where that has changed."""
        self._done = done
        self._total = self._total if total is None else total
        if self._callback is None:
            return
        now = time.monotonic()
        if now - self._last >= _SECONDS_BETWEEN:
            self._last = now
            self._tell(now)

    def finish(self) -> None:
        """Tells the last numbers."""
        self._tell(time.monotonic())

    def _tell(self, now: float) -> None:
        if self._callback is not None:
            self._callback(Progress(self._done, self._total, now - self._started))


AnyPuzzle = str | Sequence[Sequence[Any]] | Puzzle | Grid
"""What every call takes for a puzzle."""

_PLAIN = Hints()


def parse(
    puzzle: AnyPuzzle,
    *,
    format: str | None = None,
    box: Geometry | None = None,
    alphabet: str | None = None,
    rules: Iterable[str] = (),
) -> Puzzle:
    """The puzzle that a text in any format, or a list of rows, describes.

    `rules` are further rules as `--rule` takes them; `regions:` and one letter a cell is one too.

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
    """The hints for reading that the arguments of a call give."""
    require_geometry(box)
    # A single rule may come as a text; taken for a list, it would be one of letters.
    # A single rule in place of a list is a slip that cannot mean anything else.
    texts = (rules,) if isinstance(rules, str) else tuple(rules)
    spelled = Alphabet(alphabet) if alphabet else None
    return Hints(box, spelled, rules_column=rules_column, rules=texts)


def read_any(puzzle: AnyPuzzle, source: str, format: str | None, hints: Hints) -> Puzzle:
    """The puzzle that anything describes; `source` is what messages call it."""
    if isinstance(puzzle, Puzzle):
        return add_rules(puzzle, hints.rules, source, 1)
    if isinstance(puzzle, Grid):
        return add_rules(Puzzle(puzzle), hints.rules, source, 1)
    if not isinstance(puzzle, str):
        return add_rules(Puzzle(_read_rows(puzzle, hints, source)), hints.rules, source, 1)
    # Most puzzles are such a line, and no format has to be looked for.
    board = plain_board(puzzle) if format is None and hints == _PLAIN else None
    if board is not None:
        # Nearly all texts are such lines, and any other way to read them takes ten times as long.
        return Puzzle(board.grid)
    reader = PuzzleReader(puzzle.splitlines(), source, format, hints)
    read = [(record, reader.parser(record, reader.bare_puzzle(record))) for record in reader]
    # Which of several was meant, nobody knows; `check_many` takes all.
    if len(read) != 1:
        raise FormatError(f"{len(read)} puzzles found, expected one", source)
    ((record, found),) = read
    if unread := reader.unread(record):
        # Four calls up is, as a rule, the program that asked.
        warnings.warn(unread, stacklevel=4)
    return found


def require_geometry(box: Geometry | None) -> None:
    """Refuses a tuple or a text, which a program may give for the box as well."""
    if not (box is None or isinstance(box, Geometry)):
        raise SatdokuError(f"box={box!r} is no Geometry, such as Geometry(2, 3)")


def _read_rows(puzzle: Sequence[Any], hints: Hints, source: str) -> Grid:
    """The board of a list; the line of a fault is its row, the column its cell in the row."""
    if not isinstance(puzzle, Iterable) or isinstance(puzzle, bytes | Mapping):
        kind = type(puzzle).__name__
        raise FormatError(f"a puzzle is a text or a list of rows, not {kind}", source)
    each_row: Iterable[Any] = rows_of(puzzle)
    rows = [list(r) if isinstance(r, Iterable) and not isinstance(r, str) else r for r in each_row]
    is_flat = not any(isinstance(row, list | str) and len(row) > 1 for row in rows)
    # A flat list is a single row, of any number of cells; the square of its length is more.
    width = len(rows) ** 2 if is_flat else len(rows)

    def place_of(cell: int) -> tuple[int, int]:
        return cell // (width or 1) + 1, cell % (width or 1) + 1

    return read_lists(rows, hints, place_of, source)
