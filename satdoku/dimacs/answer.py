"""Reads what a SAT solver printed, in whichever of the usual shapes.

    s SATISFIABLE      the SAT competition's: a status line, and values on lines with v,
    v 1 -2             in either order; comments with c
    v 3 0

    SAT                MiniSat's result file: a status word, and values on a line of their own
    1 -2 3 0

    1 -2 3             values alone

Other lines are a solver's talk and are passed over, unless they start like values.
"""

import re
from dataclasses import dataclass, field

from satdoku.dimacs.status import Status
from satdoku.errors import DimacsError

_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,9}")

_STATUS_WORDS = {
    "SAT": Status.SATISFIABLE,
    "SATISFIABLE": Status.SATISFIABLE,
    "UNSAT": Status.UNSATISFIABLE,
    "UNSATISFIABLE": Status.UNSATISFIABLE,
    "UNKNOWN": Status.UNKNOWN,
    "INDET": Status.UNKNOWN,
    "INDETERMINATE": Status.UNKNOWN,
}


@dataclass(frozen=True, slots=True)
class SolverAnswer:
    """A solver's status and the literals that it makes true, in its order.

    Nothing says that they are a model: literals may be missing, most of all if `is_complete` is
    false, for then the closing 0 has not been seen.
    """

    status: Status
    literals: tuple[int, ...] = ()
    is_complete: bool = False


def read_answer(text: str, source: str = "<answer>") -> SolverAnswer:
    """The answer in a solver's output; raises DimacsError where it contradicts itself.

    >>> read_answer("c noise\\ns SATISFIABLE\\nv 1 -2\\nv 3 0\\n").literals
    (1, -2, 3)
    """
    reader = _Reader(source)
    for number, line in enumerate(text.split("\n"), 1):
        tokens = line.split()
        if tokens:
            reader.read_line(number, tokens)
    return reader.finish()


@dataclass(slots=True)
class _Reader:
    """What has been read so far of an answer."""

    source: str
    status: Status | None = None
    status_line: int = 0
    has_given_up: bool = False
    value_lines: dict[int, int] = field(default_factory=dict)  # literal -> where it was read
    end_line: int = 0  # where the closing 0 was read

    def read_line(self, number: int, tokens: list[str]) -> None:
        kind, *rest = tokens
        if kind == "c":
            # All that cadical says at a limit is the comment "c UNKNOWN".
            self.has_given_up = self.has_given_up or rest == ["UNKNOWN"]
        elif kind == "s":
            self.read_status(number, " ".join(rest))
        elif kind == "v":
            self.read_values(number, rest)
        elif _INTEGER.fullmatch(kind):
            self.read_values(number, tokens)
        elif not rest and kind.upper() in _STATUS_WORDS:
            self.read_status(number, kind.upper())

    def read_status(self, number: int, word: str) -> None:
        status = _STATUS_WORDS.get(word)
        if status is None:
            raise self.error(f"{word[:20]!r} is not a solver's status", number)
        if self.status not in (None, status):
            raise self.error(
                f"the status is {word} here, but another on line {self.status_line}", number
            )
        self.status, self.status_line = status, number

    def read_values(self, number: int, tokens: list[str]) -> None:
        for token in tokens:
            if not _INTEGER.fullmatch(token):
                raise self.error(f"{token[:20]!r} is not a literal", number)
            if self.end_line:
                raise self.error(
                    f"values after the closing 0 of line {self.end_line};"
                    " is this more than one answer?",
                    number,
                )
            if token == "0":
                self.end_line = number
            else:
                self.read_value(number, int(token))

    def read_value(self, number: int, literal: int) -> None:
        if -literal in self.value_lines:
            raise self.error(
                f"the literal {literal} contradicts {-literal}"
                f" on line {self.value_lines[-literal]}",
                number,
            )
        self.value_lines.setdefault(literal, number)

    def finish(self) -> SolverAnswer:
        status = self.status
        if status is None and (self.value_lines or self.end_line):
            status = Status.SATISFIABLE
        elif status is None and self.has_given_up:
            status = Status.UNKNOWN
        if status is None:
            raise self.error("there is no answer: neither a status nor values", 0)
        if status is Status.UNSATISFIABLE and self.value_lines:
            raise self.error(
                "the status is UNSATISFIABLE, yet there are values", min(self.value_lines.values())
            )
        return SolverAnswer(status, tuple(self.value_lines), bool(self.end_line))

    def error(self, message: str, line: int) -> DimacsError:
        return DimacsError(message, self.source, line)
