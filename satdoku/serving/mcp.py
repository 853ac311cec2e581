"""A server for assistants by the Model Context Protocol: JSON-RPC, one message per line.

Standard input and output are the connection, so the process must not print anything else. A thread
reads messages while a call is answered, so that the client can cancel the call; calls are answered
in order.
"""

import json
import threading
from base64 import b64encode
from collections.abc import Callable, Collection, Iterator, Mapping
from importlib.metadata import version
from itertools import count as all_numbers
from itertools import islice
from queue import SimpleQueue
from typing import Any, BinaryIO, NamedTuple

from satdoku.answering.asked import options_of, read_entries
from satdoku.answering.fact_finder import Json
from satdoku.answering.grader import Grader, JudgeOfClaims
from satdoku.answering.maker import Wanted
from satdoku.answering.output.ending import Ending
from satdoku.answering.task import Facts
from satdoku.errors import SatdokuError
from satdoku.making.generator import generate_all, keep_distinct
from satdoku.notation.hints import Hints
from satdoku.notation.outcomes import puzzle_object, write_grid
from satdoku.notation.reading import PuzzleReader
from satdoku.picture.documents import DocumentKind, require_library, write_sketches
from satdoku.picture.picture import Sketch, picture_of
from satdoku.picture.text import render_picture
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import RULES, read_rule, require_rule_name
from satdoku.rating.rater import find_rating
from satdoku.serving.facts import answerer_of
from satdoku.serving.messages import MOST_SECONDS, seconds_of, whole_number
from satdoku.solving.limits import Budget, LimitReachedError, Limits

VERSIONS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
"""The supported versions of the protocol, the newest first."""

INSTRUCTIONS = (
    "Puzzles are texts: 81 characters with dots for empty cells, rows, JSON, or a link of "
    "f-puzzles, SudokuPad or the Interactive Sudoku Solver. Cells are r1c1 to r9c9, row first. "
    "Further rules are written as the tool `rules` lists them, such as anti-knight or "
    "killer:7=r1c1,r1c2; rules in words are not read. A verdict is unique, multiple, none or "
    "undecided; undecided means that time was up, and `seconds` may be raised."
)

_PARSE_ERROR, _INVALID_REQUEST, _NO_METHOD, _INVALID_PARAMS = -32700, -32600, -32601, -32602

_USUAL_SECONDS = 10.0
_LONGEST_TEXT = 100_000
_LONGEST_MESSAGE = 1_000_000
_MOST_MADE = 50
_MOST_STEPS = 100
_USUALLY_COUNTED = 1_000_000
# Largest board; larger ones are of no use to an assistant.
_MOST_DIGITS = 36

Values = dict[str, Any]
Ask = Callable[[Mapping[str, Any], Limits], Values]

_TEXT = {"type": "string"}
_PUZZLE = {
    "puzzle": _TEXT | {"description": "A puzzle as text: a line of cells, rows, JSON or a link."},
    "rules": {
        "type": "array",
        "items": _TEXT,
        "description": "Further rules, such as diagonals, anti-knight or killer:7=r1c1,r1c2.",
    },
    "box": _TEXT | {"description": "Box shape if the text does not show it, such as 2x3."},
}
_SECONDS = {
    "type": "number",
    "exclusiveMinimum": 0,
    "maximum": MOST_SECONDS,
    "default": _USUAL_SECONDS,
    "description": "Time limit of the call.",
}
# Options left out of tools: they are for a terminal, or their answers are not JSON objects.
_LEFT_OUT = {"hint": ("--more", "--all", "--technique"), "check": ("--any",)}


class Tool(NamedTuple):
    """A tool that an assistant can call; `inputs` are the JSON Schemas of its arguments."""

    ask: Ask
    description: str
    inputs: Mapping[str, Any]
    needed: tuple[str, ...] = ("puzzle",)

    def listed(self, name: str) -> Values:
        """Return the tool as an entry of `tools/list`."""
        schema = {
            "type": "object",
            "properties": {**self.inputs, "seconds": _SECONDS},
            "required": list(self.needed),
            "additionalProperties": False,
        }
        hints = {"readOnlyHint": True, "idempotentHint": True, "openWorldHint": False}
        return {
            "name": name,
            "description": self.description,
            "inputSchema": schema,
            "annotations": hints,
        }


def _entries_of(kind: Any, left_out: Collection[str] = ()) -> Values:
    """Return the schemas of the options that the answerer of a question declares."""
    options = options_of(kind).values()
    return {each.entry: each.schema() for each in options if each.name not in left_out}


def _question(name: str, description: str) -> Tool:
    """Return the tool that gives the same answers as the command of this name."""
    kind = answerer_of(name)

    def ask(arguments: Mapping[str, Any], limits: Limits) -> Values:
        fields = read_entries(kind, _beside_puzzle(arguments))
        return _values_of(kind(Json(False), **fields), arguments, limits)

    return Tool(ask, description, {**_PUZZLE, **_entries_of(kind, _LEFT_OUT.get(name, ()))})


def _count(arguments: Mapping[str, Any], limits: Limits) -> Values:
    kind = answerer_of("count")
    fields = read_entries(kind, {"limit": _USUALLY_COUNTED, **_beside_puzzle(arguments)})
    return _values_of(kind(Json(False), **fields), arguments, limits)


def _explain(arguments: Mapping[str, Any], limits: Limits) -> Values:
    """Return an explanation: a limited number of steps, with the entries that a reader needs."""
    kind = answerer_of("explain")
    rest = dict(arguments)
    most = whole_number(rest.pop("most_steps", _MOST_STEPS), "most_steps")
    fields = read_entries(kind, _beside_puzzle(rest))
    values = _values_of(kind(Json(False), **fields), rest, limits)
    kept = ("n", "technique", "size", "place", "exclude", "rests_on", "text")
    for part in (values, *values.get("why", ())):
        steps = part.get("steps", [])
        part["steps"] = [{name: step[name] for name in kept} for step in steps[:most]]
        if len(steps) > most:
            part["steps_left_out"] = len(steps) - most
    return values


def _on_answer(kind: Any, name: str) -> Ask:
    """Return the function for questions about a player's answer, which the entry `name` has."""

    def ask(arguments: Mapping[str, Any], limits: Limits) -> Values:
        rest = dict(arguments)
        text = _text(rest.pop(name, None), name)
        fields = read_entries(kind, _beside_puzzle(rest))
        return _values_of(kind(Json(False), answer=text or None, **fields), rest, limits)

    return ask


def _generate(arguments: Mapping[str, Any], limits: Limits) -> Values:
    rest = dict(arguments)
    number = whole_number(rest.pop("number", 1), "number", _MOST_MADE)
    board = _read_board(rest)
    wanted = Wanted(**read_entries(Wanted, {"seed": "0", **_beside_puzzle(rest)}))
    if wanted.start is not None:
        board = _read_puzzle({**arguments, "puzzle": wanted.start})
    request = wanted.request(board)
    made = generate_all(request, all_numbers(), wanted.ratings, limits, wanted.steps)
    if wanted.distinct is not None:
        made = keep_distinct(made, number, wanted.distinct)
    puzzles: list[Values] = []
    reason = ""
    try:
        for each in islice(made, number):
            rating = find_rating(each.puzzle)
            puzzles.append(
                puzzle_object(each.puzzle)
                | {"solution": write_grid(each.solution, each.puzzle), "givens": each.givens}
                | {"rating": rating.number, "level": rating.level.value}
            )
    except LimitReachedError as limit:
        reason = str(limit)
    return {"puzzles": puzzles, "seed": request.seed, "reason": reason}


def _draw(arguments: Mapping[str, Any], limits: Limits) -> Values:
    """Return a drawing; a PNG is returned as an image."""
    rest = dict(arguments)
    kind = rest.pop("kind", "text")
    puzzle = _read_puzzle(rest)
    for name in _beside_puzzle(rest):
        raise SatdokuError(f"this question has no entry {name!r}; there are: kind")
    picture = picture_of(puzzle)
    if kind == "text":
        return {"text": render_picture(picture)}
    if kind not in ("svg", "png"):
        raise SatdokuError("the entry 'kind' is one of: text, svg, png")
    document = DocumentKind(f".{kind}")
    require_library(document)
    data = write_sketches([Sketch((picture,))], document)
    return {"svg": data.decode()} if kind == "svg" else {"png": b64encode(data).decode()}


def _rules(arguments: Mapping[str, Any], limits: Limits) -> Values:
    rest = dict(arguments)
    name = rest.pop("name", None)
    for other in rest.keys() - {"seconds"}:
        raise SatdokuError(f"this question has no entry {other!r}; there are: name")
    if name is not None:
        require_rule_name(_text(name, "name"))
    names = RULES if name is None else [str(name)]
    own = ("rows", "columns", "boxes")
    return {"rules": [_rule_object(each) for each in names if each not in own]}


def _rule_object(name: str) -> Values:
    kind = RULES[name]
    text = f"{name}:{kind.example}" if kind.example else name
    board = Geometry()
    try:
        rule = read_rule(text, board)
    except SatdokuError:
        board = kind.example_board
        rule = read_rule(text, board)
    return {"name": name, "example": text, "form": kind.form, "meaning": rule.sentence(board)}


def _tools() -> dict[str, Tool]:
    answer = _TEXT | {"description": "The answer: a board, with or without words around it."}
    claims = _TEXT | {"description": "Claims such as r3c6: 5 or r3c6 is not 4, or a board."}
    kinds = {"enum": ["text", "svg", "png"], "default": "text"}
    most = {"type": "integer", "minimum": 1, "default": _MOST_STEPS}
    number = {"type": "integer", "minimum": 1, "maximum": _MOST_MADE, "default": 1}
    about = {name: _PUZZLE[name] for name in ("rules", "box")}
    counter = {**_PUZZLE, **_entries_of(answerer_of("count"))}
    explainer = {**_PUZZLE, **_entries_of(answerer_of("explain")), "most_steps": most}
    return {
        "check": _question(
            "check",
            "Whether a puzzle has exactly one solution, several (two of them, and the cells that "
            "differ) or none (and which givens clash).",
        ),
        "solve": _question("solve", "The solution of a puzzle, with the verdict as in check."),
        "count": Tool(_count, "How many solutions a puzzle has.", counter),
        "hint": _question(
            "hint",
            "The next step after the digits on the board: where to look, what to look for, and the "
            "step; digits that were entered wrongly come first.",
        ),
        "explain": Tool(
            _explain,
            "The steps a person would take to the solution, or why there is none or several; a "
            "solver has proved each step.",
            explainer,
        ),
        "rate": _question("rate", "How hard a puzzle is: a number and a level."),
        "generate": Tool(
            _generate,
            "New puzzles with exactly one solution, the same from a seed on every machine.",
            {**about, **_entries_of(Wanted), "number": number},
            (),
        ),
        "draw": Tool(_draw, "A drawing of a puzzle with its rules.", {**_PUZZLE, "kind": kinds}),
        "judge": Tool(
            _on_answer(JudgeOfClaims, "claims"),
            "What claims about cells are worth, one by one on the board as it then is: wrong, "
            "filled, follows, unseen (true, but other steps come first), guess or open.",
            {**_PUZZLE, "claims": claims, **_entries_of(JudgeOfClaims)},
            ("puzzle", "claims"),
        ),
        "grade": Tool(
            _on_answer(Grader, "answer"),
            "Whether a full or partial board is right, wrong (and where) or incomplete.",
            {**_PUZZLE, "answer": answer},
            ("puzzle", "answer"),
        ),
        "rules": Tool(
            _rules,
            "The further rules that puzzles may have, each with an example and its meaning.",
            {"name": _TEXT | {"description": "Only the rule of this name."}},
            (),
        ),
    }


# The meaning of arguments


def _beside_puzzle(arguments: Mapping[str, Any]) -> Values:
    """Return the arguments that are options of the question, without those that describe the
    puzzle.
    """
    known = (*_PUZZLE, "seconds")
    return {name: value for name, value in arguments.items() if name not in known}


def _values_of(finder: Any, arguments: Mapping[str, Any], limits: Limits) -> Values:
    """Return the values that a question finds for the puzzle in the arguments."""
    puzzle = _read_puzzle(arguments)
    facts: Facts = finder.facts(puzzle, Budget(limits))
    if facts.ending is Ending.UNREADABLE:
        raise SatdokuError(str(facts.values["reason"]))
    return dict(facts.values)


def _read_puzzle(arguments: Mapping[str, Any]) -> Puzzle:
    text = _text(arguments.get("puzzle"), "puzzle")
    reader = PuzzleReader(text.splitlines(), "puzzle", None, _read_hints(arguments))
    found = [(record, reader.parser(record, reader.bare_puzzle(record))) for record in reader]
    if len(found) != 1:
        raise SatdokuError(f"{len(found)} puzzles found, expected one")
    record, puzzle = found[0]
    if unread := reader.unread(record):
        # Without these rules, the answer would be about another puzzle than the one that is meant.
        raise SatdokuError(f"{unread}; state the rules in the entry 'rules'")
    if puzzle.geometry.size > _MOST_DIGITS:
        raise SatdokuError(f"boards here have at most {_MOST_DIGITS}x{_MOST_DIGITS} cells")
    return puzzle


def _read_board(arguments: Mapping[str, Any]) -> Puzzle:
    """Return the empty board that the arguments describe."""
    hints = _read_hints(arguments)
    board = Puzzle(Grid.empty(hints.geometry or Geometry()))
    rules = [read_rule(text, board.geometry) for text in hints.rules]
    return board.with_rules(rules)


def _read_hints(arguments: Mapping[str, Any]) -> Hints:
    rules = arguments.get("rules", [])
    if not isinstance(rules, list) or not all(isinstance(rule, str) for rule in rules):
        raise SatdokuError("the entry 'rules' is a list of texts")
    box = arguments.get("box")
    geometry = None if box is None else Geometry.parse(_text(box, "box"))
    if geometry is not None and geometry.size > _MOST_DIGITS:
        most, size = _MOST_DIGITS, geometry.size
        raise SatdokuError(
            f"boards here have at most {most}x{most} cells, and boxes of {box} make {size}x{size}"
        )
    return Hints(geometry, rules=tuple(rules))


def _text(value: Any, name: str) -> str:
    if not isinstance(value, str) or len(value) > _LONGEST_TEXT:
        raise SatdokuError(f"the entry {name!r} is a text of at most {_LONGEST_TEXT:,} characters")
    return value


# The protocol


class RefusedError(Exception):
    """Raised to answer a message with an error of the protocol."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code


class Connection:
    """Reads the messages of a client, and answers them in order."""

    def __init__(self, incoming: BinaryIO, outgoing: BinaryIO) -> None:
        self._incoming, self._outgoing = incoming, outgoing
        self._waiting: SimpleQueue[Any] = SimpleQueue()
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._current: Any = None
        self._cancelled: set[str] = set()
        self._tools = _tools()

    def serve(self) -> None:
        """Answer messages until the client closes the connection."""
        threading.Thread(target=self._read, daemon=True).start()
        while (message := self._waiting.get()) is not _END:
            reply = self._reply_to(message)
            if reply is not None:
                self._outgoing.write(json.dumps(reply, separators=(",", ":")).encode() + b"\n")
                self._outgoing.flush()

    def _read(self) -> None:
        """Put messages into the queue; a cancellation stops the call that is being answered."""
        for line in self._lines():
            try:
                message = json.loads(line)
            except (ValueError, RecursionError):
                message = _UNREADABLE
            if isinstance(message, dict) and message.get("method") == "notifications/cancelled":
                params = message.get("params")
                self._cancel(params.get("requestId") if isinstance(params, dict) else None)
            else:
                self._waiting.put(message)
        self._waiting.put(_END)

    def _lines(self) -> Iterator[bytes]:
        while line := self._incoming.readline(_LONGEST_MESSAGE):
            if not line.endswith(b"\n") and len(line) == _LONGEST_MESSAGE:
                while (rest := self._incoming.readline(_LONGEST_MESSAGE)) and rest[-1:] != b"\n":
                    pass
                line = b"too long"
            if line.strip():
                yield line

    def _cancel(self, number: Any) -> None:
        with self._lock:
            self._cancelled.add(repr(number))
            if self._current == repr(number):
                self._stop.set()

    def _reply_to(self, message: Any) -> Values | None:
        """Return the answer to a message; None for a notification, or for a call that was
        cancelled.
        """
        number = message.get("id") if isinstance(message, dict) else None
        try:
            if message is _UNREADABLE:
                raise RefusedError(_PARSE_ERROR, "a message is a JSON object on a line")
            if not isinstance(message, dict) or not isinstance(message.get("method"), str):
                raise RefusedError(_INVALID_REQUEST, "a message is an object with a method")
            if "id" not in message:
                return None
            found = self._answer(message["method"], message.get("params") or {}, number)
        except RefusedError as refused:
            error = {"code": refused.code, "message": str(refused)}
            return {"jsonrpc": "2.0", "id": number, "error": error}
        return None if found is None else {"jsonrpc": "2.0", "id": number, "result": found}

    def _answer(self, method: str, params: Any, number: Any) -> Values | None:
        if not isinstance(params, dict):
            raise RefusedError(_INVALID_PARAMS, "params is an object")
        if method == "initialize":
            return _greeting(params)
        if method == "ping":
            return {}
        if method == "tools/list":
            return {"tools": [tool.listed(name) for name, tool in self._tools.items()]}
        if method == "tools/call":
            return self._call(params, number)
        raise RefusedError(_NO_METHOD, f"there is no method {method!r}")

    def _call(self, params: Mapping[str, Any], number: Any) -> Values | None:
        tool = self._tools.get(params.get("name", ""))
        arguments = params.get("arguments") or {}
        if tool is None or not isinstance(arguments, dict):
            names = ", ".join(self._tools)
            raise RefusedError(_INVALID_PARAMS, f"there is no such tool; there are: {names}")
        with self._lock:
            if repr(number) in self._cancelled:
                self._cancelled.discard(repr(number))
                return None
            self._current = repr(number)
        values, is_fault = _result_of(tool, arguments, self._stop)
        with self._lock:
            self._current = None
            self._stop.clear()
            is_cancelled = repr(number) in self._cancelled
            self._cancelled.discard(repr(number))
        return None if is_cancelled else _shown(values, is_fault)


_END, _UNREADABLE = object(), object()


def _greeting(params: Mapping[str, Any]) -> Values:
    asked = params.get("protocolVersion")
    return {
        "protocolVersion": asked if asked in VERSIONS else VERSIONS[0],
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "satdoku", "version": version("satdoku")},
        "instructions": INSTRUCTIONS,
    }


def _result_of(
    tool: Tool, arguments: Mapping[str, Any], stop: threading.Event
) -> tuple[Values, bool]:
    """Return the result of a tool, and whether it is an error, which is a sentence to the model."""
    try:
        for name in tool.needed:
            if name not in arguments:
                raise SatdokuError(f"the entry {name!r} is missing")
        return tool.ask(arguments, Limits(seconds_of(arguments, _USUAL_SECONDS), stop=stop)), False
    except LimitReachedError as limit:
        return {"verdict": Ending.UNDECIDED.value, "reason": str(limit)}, False
    except MemoryError:
        return {"verdict": Ending.UNDECIDED.value, "reason": "out of memory"}, False
    except SatdokuError as error:
        return {"error": str(error)}, True
    except Exception as fault:  # the server goes on, and no part of a puzzle gets into a log
        return {"error": f"a fault of satdoku ({type(fault).__name__})"}, True


def _shown(values: Values, is_fault: bool) -> Values:
    """Return the result of a call: its values, also as text or as an image."""
    if "png" in values:
        image = {"type": "image", "data": values["png"], "mimeType": "image/png"}
        return {"content": [image], "isError": False}
    content = [{"type": "text", "text": json.dumps(values)}]
    return {"content": content, "structuredContent": values, "isError": is_fault}
