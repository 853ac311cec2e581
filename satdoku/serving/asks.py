"""All questions of the API by name, the handling of their errors, and the worker that answers them.

`answer` uses no network and no processes, so that the page without a server can call it too. `work`
is the main loop of a worker process: it reads a question, and sends the parts of the answer.
"""

import contextlib
import ctypes
import gc
import json
import os
import shlex
import sys
import time
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, NoReturn

from satdoku.errors import SatdokuError, member_named
from satdoku.explaining.step import Level
from satdoku.notation.exchange.fpuzzles import Position, position_of, with_position
from satdoku.notation.formats import FORMATS, format_named
from satdoku.notation.hints import Hints
from satdoku.notation.reading import PuzzleReader
from satdoku.notation.spelling import USUAL
from satdoku.picture.documents import (
    DocumentKind,
    board_object,
    require_library,
    write_sketches,
    write_svg,
)
from satdoku.picture.figure import code_figure
from satdoku.picture.picture import Layout, Picture, Sketch, draft_rules_text, picture_of
from satdoku.puzzle.grid import WELL_KNOWN, Geometry, Grid
from satdoku.puzzle.puzzle import UNPUBLISHED, Puzzle
from satdoku.puzzle.symmetry import Symmetry, symmetries_of
from satdoku.serving.facts import describe_questions
from satdoku.serving.looking import WANTS
from satdoku.serving.messages import (
    ASK,
    ASKS,
    LAST,
    LONGEST_NAME,
    PART,
    READY,
    RECALL,
    bounded,
    puzzle_entries,
    read_box,
    read_digits,
    read_digits_at,
    read_puzzle,
    seconds_of,
    whole_number,
)
from satdoku.serving.tools import all_tools
from satdoku.solving.limits import LimitReachedError, Limits, Stop

try:
    import resource
except ImportError:  # on Windows, and in browsers
    resource = None  # type: ignore[assignment]

if TYPE_CHECKING:
    # A browser runs this module too, and has no pipes between processes.
    from multiprocessing.connection import Connection

Part = dict[str, Any]
Ask = Callable[[Mapping[str, Any], Limits], Iterator[Part]]

_MOST_ON_A_PAGE = 30
# Most characters of a paste: a longer text is no list of puzzles.
_LONGEST_PASTE = 100_000


def about(message: Mapping[str, Any], limits: Limits) -> Iterator[Part]:
    """Yield a description of the server: rules with their arguments, levels, formats, questions."""
    yield {
        "part": "about",
        "version": 1,
        "satdoku": version("satdoku"),
        "rules": list(all_tools()),
        "boards": [[str(Geometry.parse(name)), name] for name in WELL_KNOWN],
        "symmetries": [[symmetry.value, symmetry.description] for symmetry in Symmetry],
        "levels": [level.value for level in Level],
        "formats": [[name, each.description] for name, each in FORMATS.items()],
        "wants": list(WANTS),
        "questions": describe_questions(),
    }


def read(message: Mapping[str, Any], limits: Limits) -> Iterator[Part]:
    """Yield the puzzles of a text in any format, links included."""
    text = message.get("text")
    if not isinstance(text, str) or len(text) > _LONGEST_PASTE:
        raise SatdokuError(f"the entry 'text' is a text of at most {_LONGEST_PASTE:,} characters")
    box = message.get("box")
    hints = Hints(None if box is None else read_box(box))
    reader = PuzzleReader(text.splitlines(), "paste", None, hints)
    found = [(record, reader.parser(record, reader.bare_puzzle(record))) for record in reader]
    if not found:
        raise SatdokuError("there is no puzzle in this text")
    for record, puzzle in found[:50]:  # as many as a list on a page can show
        unread = reader.unread(record)
        # A puzzle that `read` returns must also be accepted in further questions, so its texts are
        # cut.
        fitting = bounded(puzzle)
        entries = puzzle_entries(read_puzzle(puzzle_entries(fitting)))
        if puzzle.publication.drawings and not fitting.publication.drawings:
            unread = "; ".join(filter(None, (unread, "its drawings are too large to be kept")))
        position = _position_entries(puzzle)
        yield {"part": "puzzle", **entries, **position, **({"unread": unread} if unread else {})}


def _position_entries(puzzle: Puzzle) -> Part:
    """Return the digits and marks entered on a board of f-puzzles; empty if there are none."""
    entered, *marks = position_of(puzzle)
    digits = [digit or entered.get(cell, 0) for cell, digit in enumerate(puzzle.grid.digits)]
    found: Part = {"entered": digits} if entered else {}
    for name, digits_at in zip(("marks", "corner"), marks, strict=True):
        if some := {str(cell): each for cell, each in digits_at.items() if each}:
            found[name] = some
    return found


def board(message: Mapping[str, Any], limits: Limits) -> Iterator[Part]:
    """Yield the empty board with its rules drawn, the captions of the drawing, and a rules text."""
    puzzle = replace(read_puzzle(message.get("puzzle")), publication=UNPUBLISHED)
    picture = picture_of(puzzle.with_grid(Grid.empty(puzzle.geometry)))
    yield {
        "part": "board",
        **board_object(replace(picture, captions=(), title="")),
        "captions": list(picture.captions),
        "sentences": [rule.sentence(puzzle.geometry) for rule in puzzle.further_rules],
        "rules": puzzle.rule_texts,
        "rules_text": draft_rules_text(puzzle),
        **_partners(message.get("symmetry", Symmetry.NONE), puzzle.geometry),
    }


def _partners(name: Any, board: Geometry) -> Part:
    """Return for each cell those that a symmetry maps to each other; empty if the board has not
    that symmetry.
    """
    symmetry = member_named(Symmetry, name)
    if symmetry is Symmetry.NONE or symmetry not in symmetries_of(board):
        return {}
    orbit_of = {cell: orbit for orbit in symmetry.orbits(board) for cell in orbit}
    return {"partners": [orbit_of[cell] for cell in range(board.cell_count)]}


def write(message: Mapping[str, Any], limits: Limits) -> Iterator[Part]:
    """Yield a puzzle in a format, or the `command` that checks it; boards of f-puzzles and links to
    them include a position.
    """
    if message.get("to") == "command":
        yield {"part": "text", "text": _command(read_puzzle(message.get("puzzle")))}
        return
    target = format_named(str(message.get("to", "line")))
    puzzle = read_puzzle(message.get("puzzle"))
    if any(message.get(name) for name in ("entered", "marks", "corner")):
        digits = read_digits(message.get("entered", []), "entered")
        givens = puzzle.grid.digits
        entered = {
            cell: d for cell, d in enumerate(digits[: len(givens)]) if d and not givens[cell]
        }
        marks = (read_digits_at(message.get(n), n, puzzle) for n in ("marks", "corner"))
        puzzle = with_position(puzzle, Position(entered, *marks))
    yield {"part": "text", "text": target.opening() + target.write(puzzle, USUAL, 1)}


def _command(puzzle: Puzzle) -> str:
    """Return the command line that checks a puzzle: its cells as a line, its rules as options."""
    cells = [puzzle.name_of_digit(digit) if digit else "." for digit in puzzle.grid.digits]
    line = (" " if max(map(len, cells)) > 1 else "").join(cells)
    options = [word for rule in puzzle.rule_texts for word in ("--rule", rule)]
    return shlex.join(["satdoku", "check", line, "--box", str(puzzle.geometry), *options])


def draw(message: Mapping[str, Any], limits: Limits) -> Iterator[Part]:
    """Yield drawings of some puzzles as one file; file formats that are not text are sent as
    base64.

    `qr` is the format of a link that is drawn as a QR code below each board.
    """
    values = message.get("puzzles") or [message.get("puzzle")]
    try:
        kind = DocumentKind(f".{message.get('to', 'svg')}")
    except ValueError:
        raise SatdokuError("the entry 'to' is one of: svg, png, pdf") from None
    require_library(kind)
    if not isinstance(values, list) or len(values) > 50:
        raise SatdokuError("the entry 'puzzles' is a list of at most 50")
    puzzles = list(map(read_puzzle, values))
    pictures = map(picture_of, puzzles)
    if (name := message.get("qr")) is not None:
        links = [format_named(str(name)).write(puzzle).strip() for puzzle in puzzles]
        pictures = map(_with_link, pictures, links)
    sketches = [Sketch((picture,)) for picture in pictures]
    data = write_sketches(sketches, kind, _read_layout(message))
    yield {"part": "file", "kind": kind.value[1:], "base64": b64encode(data).decode()}


def _with_link(picture: Picture, link: str) -> Picture:
    return replace(picture, link=link)


def _read_layout(message: Mapping[str, Any]) -> Layout:
    """Return the layout of pages: boards per page, title, and paper."""
    per_page, title = message.get("per_page"), message.get("title", "")
    if per_page is not None:
        whole_number(per_page, "per_page", _MOST_ON_A_PAGE)
    if not isinstance(title, str) or len(title) > LONGEST_NAME:
        raise SatdokuError(f"the entry 'title' is a text of at most {LONGEST_NAME:,} characters")
    return Layout(per_page, title, paper=str(message.get("paper", "a4")))


def qr(message: Mapping[str, Any], limits: Limits) -> Iterator[Part]:
    """Yield a QR code of a text, as SVG."""
    text = message.get("text")
    if not isinstance(text, str) or not text:
        raise SatdokuError("the entry 'text' is the text of the code")
    yield {"part": "qr", "svg": write_svg(code_figure(text), has_dark=False)}


def function_of(ask: str) -> Ask:
    """Return the function that answers a question of this name."""
    file, _ = ASKS[ask]
    found: Ask = getattr(import_module(f"satdoku.serving.{file}"), ask)
    return found


def answer(message: Any, stop: Stop) -> Iterator[Part]:
    """Yield the parts of the answer; an error is the last part, as a sentence."""
    try:
        if not isinstance(message, Mapping) or message.get("ask") not in ASKS:
            raise SatdokuError(f"the entry 'ask' is one of: {', '.join(sorted(ASKS))}")
        limits = Limits(seconds_of(message), stop=stop)
        yield from function_of(message["ask"])(message, limits)
    except LimitReachedError as limit:
        yield {"undecided": str(limit)}
    except SatdokuError as error:
        yield {"error": str(error)}
    except MemoryError:
        yield {"undecided": "out of memory"}
    except RecursionError:
        yield {"error": "the message has too many brackets inside each other"}
    except Exception as fault:  # the worker goes on, and no part of a puzzle gets into a log
        yield {"undecided": f"a fault of satdoku ({type(fault).__name__})"}


# Most memory of a worker in bytes: a 36x36 board with all its steps needs a fifth of it.
_MOST_MEMORY = 3 << 30
# Polling the pipe takes some microseconds, and solvers ask more often than needed.
_SECONDS_BETWEEN_LOOKS = 0.002


class Recall:
    """The stop event of the limits: set if the question that is being answered was recalled."""

    def __init__(self, connection: "Connection") -> None:
        self._connection = connection
        self._number = ""
        self._is_set = False
        self._looked = 0.0

    def begin(self, number: str) -> None:
        """Record which question is answered from now on."""
        self._number, self._is_set = number, False

    def is_set(self) -> bool:
        now = time.perf_counter()
        if self._is_set or now - self._looked < _SECONDS_BETWEEN_LOOKS:
            return self._is_set
        self._looked = now
        while self._connection.poll():
            # While a question is answered, only recalls arrive. A recall sent after its question
            # had ended has an earlier number, and is ignored.
            what, _, number = self._connection.recv_bytes().decode().partition(" ")
            self._is_set |= what == RECALL and number == self._number
        return self._is_set


def work(connection: "Connection", niceness: int) -> None:
    """Answer questions until the pipe closes, even in the middle of an answer."""
    _limit(niceness)
    # Imported objects stay in memory shared with the parent, as the garbage collector will not
    # write to them.
    gc.freeze()
    with contextlib.suppress(EOFError, ConnectionError):
        _answer_all(connection)


def _answer_all(connection: "Connection") -> NoReturn:
    recall = Recall(connection)
    connection.send_bytes(READY)
    while True:
        what, _, rest = connection.recv_bytes().decode().partition(" ")
        if what == ASK:
            number, _, text = rest.partition(" ")
            recall.begin(number)
            _answer(connection, json.loads(text), recall)
            # Only if no question waits, since this takes a millisecond or two.
            if not connection.poll():
                _give_back()


def _give_back() -> None:
    """Free memory that answers and solvers no longer use, if the C library can return it.

    It is several MB per worker; a board of 16x16 makes a worker three times as large.
    """
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(0)


def _answer(connection: "Connection", question: Any, recall: Recall) -> None:
    """Send each part of the answer as soon as it is known, and then the end of the answer."""
    for part in answer(question, recall):
        connection.send_bytes(PART + _text(question, part))
        if recall.is_set():
            break
    connection.send_bytes(LAST + _text(question, {"done": True}))


def _text(question: Any, part: dict[str, Any]) -> bytes:
    return json.dumps({"id": question.get("id"), **part}, separators=(",", ":")).encode()


def _limit(niceness: int) -> None:
    """Limit the memory and the priority of a worker, so that it does not slow down the whole
    machine.
    """
    if resource is None:
        return
    os.nice(niceness)
    # Too much memory ends the question with MemoryError, before the machine starts to swap. macOS
    # may reject the limit.
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))
