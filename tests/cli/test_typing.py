"""A person at a terminal gets each answer as soon as a puzzle is complete."""

import os
import pty
import re
import sys
import time

import pytest

from tests.commands import CLASHING, EASY, SMALL, start
from tests.waiting import SOON

if sys.platform == "win32":
    pytest.skip("there are no pseudo-terminals", allow_module_level=True)

ROWS = "\n".join(EASY[at : at + 9] for at in range(0, 81, 9))


class Person:
    """Types into a terminal, and looks at the screen until something is there."""

    def __init__(self, *arguments: str) -> None:
        self._ours, theirs = pty.openpty()
        environment = {"TERM": "dumb", "COLUMNS": "80"}
        self.process = start(
            *arguments,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=os.environ | environment,
            start_new_session=True,
        )
        os.close(theirs)
        self.screen = ""

    def type(self, text: str) -> None:
        self.screen = ""
        os.write(self._ours, text.encode())

    def wait_for(self, pattern: str) -> str:
        """What is on the screen since the last input, once the pattern is found in it."""
        end = time.monotonic() + SOON
        while not re.search(pattern, self.screen, re.M):
            assert time.monotonic() < end, self.screen
            try:
                self.screen += os.read(self._ours, 1 << 16).decode().replace("\r\n", "\n")
            except OSError:
                break
        assert re.search(pattern, self.screen, re.M), self.screen
        return self.screen

    def leave(self) -> int:
        os.write(self._ours, b"\x04")
        code = self.process.wait(SOON)
        os.close(self._ours)
        return code


def test_lines_and_blocks_are_answered_one_by_one() -> None:
    person = Person("check")
    person.wait_for("an empty line ends an incomplete one")
    for text, answer in (
        (EASY, "^unique$"),
        (CLASHING, "^none: "),
        (ROWS, "^unique$"),
        ("\n".join(f"> {row}" for row in ROWS.split("\n")) + "\n", "^unique$"),
        (EASY[1:], "^satdoku: stdin:22:81: 80 cells found"),
        (EASY[2:], "^satdoku: stdin:23:80: 79 cells found"),
        (f"{SMALL}\n", "^unique$"),
    ):
        person.type(f"{text}\n")
        person.wait_for(answer)
    assert person.leave() == 1


def test_boards_have_their_place_above_them() -> None:
    person = Person("solve", "-")
    person.wait_for("Ctrl-D")
    for line in (1, 2):
        person.type(f"{EASY} easy\n")
        person.wait_for(rf"^stdin:{line}: easy\n\+-------\+")
    assert person.leave() == 0


def test_ctrl_d_ends_what_was_not_complete() -> None:
    person = Person("check")
    person.wait_for("Ctrl-D")
    person.type(f"{SMALL}\n\x04")
    person.wait_for("^unique$")
    assert person.process.wait(SOON) == 0


def test_what_is_pasted_is_answered_without_an_end() -> None:
    person = Person("check")
    person.wait_for("Ctrl-D")
    for text in (
        "Givens:\n" + "\n".join(f"Row {n}: {row}" for n, row in enumerate(ROWS.split("\n"), 1)),
        f"{EASY} # easy",
        "<pre>\n" + ROWS + "\n</pre>",
    ):
        person.type(text + "\n")
        assert "unique" in person.wait_for("unique")
    # What cannot be read is ended by an empty line.
    person.type(ROWS[:-11] + "\n")
    person.type("\n")
    person.wait_for("expected 9")
    assert person.leave() == 1


def test_what_is_pasted_and_not_whole_says_how_it_ends() -> None:
    """A damaged board may go on, and who pasted it need not know what ends it."""
    person = Person("check")
    person.wait_for("Type or paste")
    person.type(ROWS[:-12] + "\n")
    person.wait_for("not complete yet; continue, or end it with an empty line")
    person.type("\n")
    person.wait_for("8 rows found|cells found")
    assert person.leave() == 1
