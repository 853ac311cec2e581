"""The live protocol, as the userscript of f-puzzles speaks it."""

import json
import os
from collections.abc import Iterator
from typing import Any

import pytest

import satdoku
from satdoku.notation.exchange.lzstring import pack
from tests.commands import CLASHING, EASY, EASY_SOLUTION, IMPOSSIBLE
from tests.serving.client import Socket, serving
from tests.serving.ports import free_port

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")

# Nothing can be placed in it before candidates are excluded.
LOCKED = "....4...1.3.6.....8........1.9..5.........87....2......7....26.5...94.........3.."
ORIGIN = {"Origin": "https://f-puzzles.com"}


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    number = free_port()
    with serving("--live", str(number)):
        yield number


def rows_of(line: str) -> list[list[dict[str, Any]]]:
    size = round(len(line) ** 0.5)
    cells = [{} if sign == "." else {"value": int(sign), "given": True} for sign in line]
    return [cells[at : at + size] for at in range(0, len(cells), size)]


def board(line: str, **further: Any) -> str:
    """A board as f-puzzles packs it."""
    rows = rows_of(line)
    return pack(json.dumps({"size": len(rows), "grid": rows, **further}))


def ask(socket: Socket, command: str, data: str, nonce: int = 5) -> dict[str, Any]:
    message = {"nonce": nonce, "command": command, "dataType": "fpuzzles", "data": data}
    socket.send(json.dumps(message))
    found = socket.part()
    assert found["nonce"] == nonce
    return found


@pytest.fixture
def socket(port: int) -> Iterator[Socket]:
    with Socket(port, ORIGIN, "/") as socket:
        yield socket


@pytest.mark.parametrize(("line", "count"), [(EASY, 1), ("." * 81, 2), (IMPOSSIBLE, 0)])
def test_check_counts_to_two(socket: Socket, line: str, count: int) -> None:
    data = board(line, disabledlogic=["tuples"], truecandidatesoptions=["colored"])
    found = ask(socket, "check", data)
    assert (found["type"], found["count"], found["inProgress"]) == ("count", count, False)


def test_solve_and_true_candidates_with_their_numbers(socket: Socket) -> None:
    found = ask(socket, "solve", board(EASY))
    assert "".join(map(str, found["solution"])) == EASY_SOLUTION
    line = "1.....2........4"
    options = ["truecandidatesnumsolutions=8"]
    found = ask(socket, "truecandidates", board(line, truecandidatesoptions=options))
    solutions = list(satdoku.solutions(line))
    for place, number in enumerate(found["solutionsPerCandidate"]):
        cell, digit = divmod(place, 4)
        assert number == min(8, sum(grid.digits[cell] == digit + 1 for grid in solutions))


def test_counting_tells_how_far_it_is_and_ends_when_it_is_cancelled(socket: Socket) -> None:
    assert ask(socket, "count", board("1" + "." * 15))["count"] == 72
    assert ask(socket, "count", board("." * 81), 8)["inProgress"]
    socket.send(json.dumps({"nonce": 9, "command": "cancel"}))
    found = [socket.part()]
    while found[-1] != {"nonce": 9, "type": "canceled"}:
        found.append(socket.part())
    assert {"nonce": 8, "type": "canceled"} in found


def test_steps_place_what_the_solution_has(socket: Socket) -> None:
    found = ask(socket, "step", board(EASY))
    placed = [cell["value"] for cell in found["cells"]]
    assert sum(map(bool, placed)) == len(EASY.replace(".", "")) + 1
    found = ask(socket, "solvepath", board(EASY))
    assert "".join(str(cell["value"]) for cell in found["cells"]) == EASY_SOLUTION


def test_a_step_goes_on_from_the_marks_of_the_one_before(socket: Socket) -> None:
    """The userscript writes what is left as centre marks, and sends them with the next question."""
    grid = rows_of(LOCKED)
    left = []
    for _ in range(3):
        found = ask(socket, "step", pack(json.dumps({"size": 9, "grid": grid})))
        left.append(sum(len(cell.get("candidates", ())) for cell in found["cells"]))
        for place, cell in enumerate(found["cells"]):
            if not cell["value"]:
                grid[place // 9][place % 9] = {"centerPencilMarks": cell["candidates"]}
    assert left[0] > left[1] > left[2]
    # Marks that leave out the solution's digit are named, and what is no mark is none.
    grid[0][1] = {"centerPencilMarks": [8]}
    assert "r1c2" in ask(socket, "step", pack(json.dumps({"size": 9, "grid": grid})))["message"]
    grid[0][1] = {"centerPencilMarks": [0, "2", [1], None]}
    assert ask(socket, "step", pack(json.dumps({"size": 9, "grid": grid})))["type"] == "logical"
    grid[0][1] = {"value": "5"}
    found = ask(socket, "step", pack(json.dumps({"size": 9, "grid": grid})))
    assert (found["type"], "no digit" in found["message"]) == ("invalid", True)


def test_a_path_says_how_it_ends(socket: Socket) -> None:
    found = ask(socket, "solvepath", board(IMPOSSIBLE))
    assert (found["type"], found["isValid"]) == ("logical", False)
    assert "contradiction" in found["message"]
    assert ask(socket, "step", board(IMPOSSIBLE))["message"] == "No solutions found."


def test_what_cannot_be_answered_is_invalid_with_a_reason(socket: Socket) -> None:
    for command, data in (("estimate", board(EASY)), ("check", "%%"), ("solve", board(CLASHING))):
        found = ask(socket, command, data)
        assert (found["type"], len(found["message"]) > 5) == ("invalid", True)
    found = ask(socket, "check", board(EASY, unheardof=[{"cells": ["R1C1"]}]))
    assert found["type"] == "invalid"


def test_what_the_userscript_sends_while_a_person_edits(socket: Socket) -> None:
    """After each change the candidates, then what is clicked; a message ends the one before it."""

    def send(nonce: int, command: str, data: str = "", kind: str = "fpuzzles") -> None:
        message = {"nonce": nonce, "command": command}
        socket.send(json.dumps(message | ({"dataType": kind, "data": data} if data else {})))

    def until(nonce: int) -> list[dict[str, Any]]:
        found = [socket.part()]
        while found[-1]["nonce"] != nonce or found[-1].get("inProgress"):
            found.append(socket.part())
        return found

    options = ["truecandidatesnumsolutions=8", "logical"]
    # Changes faster than answers: each earlier one ends with one word, and in order.
    for nonce in range(1, 5):
        send(nonce, "truecandidates", board("." * 80 + str(nonce), truecandidatesoptions=options))
    *earlier, last = until(4)
    assert [(part["nonce"], part["type"]) for part in earlier] == [
        (nonce, "canceled") for nonce in (1, 2, 3)
    ]
    assert len(last["solutionsPerCandidate"]) == 9 * 81
    # A count that goes on is ended by a click on another button, and tells nothing after it.
    send(5, "count", board("." * 81))
    first = socket.part()
    assert (first["type"], first["inProgress"]) == ("count", True)
    send(6, "solve", board(EASY))
    *counts, solved = until(6)
    numbers = [first["count"], *(part["count"] for part in counts if part["type"] == "count")]
    assert numbers == sorted(set(numbers))
    assert counts[-1] == {"nonce": 5, "type": "canceled"}
    assert solved["type"] == "solved"
    # What is of another program, or no message at all, gets no answer and ends nothing.
    send(7, "check", "x", "other")
    socket.send("no JSON")
    send(8, "check", board(IMPOSSIBLE))
    assert until(8)[-1]["count"] == 0
    # A wrong digit that was entered is named, and the next question works.
    grid = rows_of(EASY)
    grid[0][2] = {"value": 1}
    send(9, "step", pack(json.dumps({"size": 9, "grid": grid})))
    assert "r1c3" in until(9)[-1]["message"]
    send(10, "cancel")
    assert until(10)[-1] == {"nonce": 10, "type": "canceled"}


@pytest.mark.parametrize("origin", ["null", "http://f-puzzles.com", "https://f-puzzles.com.evil"])
def test_other_pages_may_not_ask(port: int, origin: str) -> None:
    with Socket(port, {"Origin": origin}, "/") as socket:
        assert socket.status == 403
