"""Response times of `satdoku serve`: the verdict after a key, the full look, and a key that
interrupts.

Each client is a WebSocket that sends what the page sends: the whole puzzle after each key.
Processor time is that of all processes of the server, which other load on the machine hardly
affects.
"""

import json
import os
import random
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

import click

import satdoku
from satdoku.serving.http import page_files

_EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
_HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
_WANT = ["symmetry", "count", "rating", "needless", "why"]
_PAUSE = 0.15
"""Seconds between two keys of a user who types fast."""

Puzzle = dict[str, Any]


class _Client:
    """A client that sends the messages of the page."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port))
        self._stream = self._socket.makefile("rb")
        self._count = 0
        head = (
            f"GET /api/v1/socket HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        )
        self._socket.sendall(head.encode())
        while self._stream.readline().strip():
            pass

    def send(self, **question: Any) -> int:
        """Send a question and return its number."""
        self._count += 1
        payload = json.dumps({"id": self._count, **question}).encode()
        # The mask is zero, which is valid and needs no computation.
        size = bytes([0xFE]) + len(payload).to_bytes(2, "big")
        self._socket.sendall(b"\x81" + size + bytes(4) + payload)
        return self._count

    def hear(self, number: int, part: str) -> None:
        """Read messages up to this part of an answer, or up to the end of the answer."""
        while True:
            head = self._stream.read(2)
            length = head[1]
            if length > 125:
                length = int.from_bytes(self._stream.read(2 if length == 126 else 8), "big")
            found = json.loads(self._stream.read(length))
            if found["id"] == number and (found.get("part") == part or found.get("done")):
                return


class _Server(NamedTuple):
    port: int
    pid: int

    def pids(self) -> list[int]:
        """Return the ids of all processes of the server."""
        found = subprocess.run(
            ["ps", "-o", "pid=", "-s", str(self.pid)], capture_output=True, text=True, check=True
        )
        return [int(word) for word in found.stdout.split()]

    def cpu(self) -> float:
        """Return the processor time of these processes so far, in milliseconds."""
        ticks = 0
        for pid in self.pids():
            parts = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
            ticks += int(parts[11]) + int(parts[12])
        return 1000 * ticks / os.sysconf("SC_CLK_TCK")

    def megabytes(self) -> float:
        """Return the memory; pages that several processes share are counted once."""
        lines = (Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines() for pid in self.pids())
        return sum(int(x.split()[1]) for each in lines for x in each if x.startswith("Pss:")) / 1024


@contextmanager
def _server() -> Iterator[_Server]:
    command = [sys.executable, "-m", "satdoku", "serve", "--no-browser", "-q", "--port", "0"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        assert process.stdout is not None
        try:
            yield _Server(int(process.stdout.readline().split(":")[2].split("/")[0]), process.pid)
        finally:
            process.terminate()


def _entries(grid: satdoku.Grid) -> Puzzle:
    box = [grid.geometry.box_rows, grid.geometry.box_columns]
    return {"box": box, "cells": list(grid.digits), "rules": []}


def _killer(cages: int = 19) -> Puzzle:
    """Return the easy puzzle with half of its givens, and cages drawn on its solution."""
    chance, easy = random.Random(5), satdoku.parse(_EASY)
    solution = satdoku.solve(easy)
    assert solution is not None
    geometry, free = easy.geometry, set(range(81))
    rules: list[str] = []
    while len(rules) < cages:
        cage = [chance.choice(sorted(free))]
        while len(cage) < 3:
            near = [
                cell
                for cell in free.difference(cage)
                if any(abs(cell % 9 - at % 9) + abs(cell // 9 - at // 9) == 1 for at in cage)
                and solution.digits[cell] not in [solution.digits[at] for at in cage]
            ]
            if not near:
                break
            cage.append(chance.choice(sorted(near)))
        free -= set(cage)
        total = sum(solution.digits[cell] for cell in cage)
        rules.append(f"killer:{total}={','.join(map(geometry.name_of, cage))}")
    some = [digit if chance.random() < 0.5 else 0 for digit in easy.grid.digits]
    return {"box": [3, 3], "cells": some, "rules": rules}


_WHISPERS = ["whispers:r1c1,r2c2,r3c3,r4c2", "whispers:r1c9,r2c8,r3c9", "whispers:r9c1,r8c2,r9c3"]
_WHISPERS += ["whispers:r6c7,r7c8,r8c7"]


def _edits(puzzle: Puzzle, count: int, seed: int) -> Iterator[Puzzle]:
    """Yield the puzzle after each key: a given is deleted, and then typed again."""
    chance = random.Random(seed)
    givens = [cell for cell, digit in enumerate(puzzle["cells"]) if digit]
    for _ in range(count // 2):
        cell = chance.choice(givens or [0])
        cells = list(puzzle["cells"])
        cells[cell] = 0
        yield {**puzzle, "cells": cells}
        yield puzzle


def _type(client: _Client, puzzles: Iterator[Puzzle], part: str, pause: float) -> list[float]:
    """Return the milliseconds from each key to a part of its answer."""
    found = []
    for puzzle in puzzles:
        began = time.perf_counter()
        number = client.send(lane="live", ask="look", puzzle=puzzle, want=_WANT)
        client.hear(number, part)
        found.append(1000 * (time.perf_counter() - began))
        time.sleep(pause)
    return found


def _row(name: str, times: list[float], cpu: float = 0.0) -> None:
    last = sorted(times)[int(0.95 * (len(times) - 1))]
    used = f"{cpu / len(times):.0f}" if cpu else ""
    click.echo(f"| {name} | {statistics.median(times):.0f} | {last:.0f} | {used} |")


@click.command()
@click.option("--keys", default=60, show_default=True, help="Keys of each row.")
@click.option("--clients", default=20, show_default=True, help="How many type at once at the end.")
def serving(keys: int, clients: int) -> None:
    """Time answers of the page's server, in milliseconds."""
    large = next(iter(satdoku.generate(1, box=satdoku.Geometry(4, 4), seed=1)))
    boards = {
        "9x9 easy": _entries(satdoku.parse(_EASY).grid),
        "9x9 hard": _entries(satdoku.parse(_HARD).grid),
        "9x9 empty": _entries(satdoku.parse("." * 81).grid),
        "16x16": _entries(large.puzzle.grid),
        "killer": _killer(),
        "4 whispers": {"box": [3, 3], "cells": [0] * 81, "rules": _WHISPERS},
    }
    boards["4 whispers"]["cells"][40:42] = [1, 2]
    clash = {**boards["killer"], "rules": [*boards["killer"]["rules"], "killer:3=r1c1,r1c2"]}
    clash["rules"].append("killer:4=r1c2,r1c3,r2c2")
    with _server() as server:
        client = _Client(server.port)
        _type(client, _edits(boards["9x9 easy"], 10, 0), "done", 0)
        click.echo("| from a key to | median | 95 % | cpu |\n|---|---|---|---|")
        for name, board in boards.items():
            _row(f"verdict, {name}", _type(client, _edits(board, keys, 1), "verdict", 0.02))
        alone = server.megabytes()
        for name, board in boards.items():
            before = server.cpu()
            times = _type(client, _edits(board, max(4, keys // 4), 2), "done", 0)
            _row(f"full look, {name}", times, server.cpu() - before)
        for name, part, board in (
            ("needless rules, killer", "needless", boards["killer"]),
            ("clashing rules, killer", "rules", clash),
        ):
            _row(name, _type(client, _edits(board, max(4, keys // 4), 4), part, 0.02))
        _row("verdict, while another look goes on", _overtaking(client, boards["9x9 empty"], keys))
        click.echo(f"\n{alone:.0f} MB with one client, ", nl=False)
        times = _together(server.port, boards["9x9 hard"], clients, keys)
        click.echo(f"{server.megabytes():.0f} MB with {clients}\n")
        _row(f"verdict, {clients} clients", times)
    elsewhere = {"/favicon.ico", "/index.html", "/still.html", "/still.js"}
    elsewhere |= {"/sudoku-board.js", "/rule-element.js"}
    size = sum(len(file.packed) for path, file in page_files().items() if path not in elsewhere)
    page = files("satdoku.picture").joinpath("web")
    scripts = "".join(file.read_text("utf-8") for file in page.iterdir() if file.name[-3:] == ".js")
    lines = [line.strip() for line in scripts.splitlines()]
    code = sum(bool(line) and not line.startswith("//") for line in lines)
    click.echo(f"\npage: {size:,} bytes as a browser loads it, gzipped file by file")
    click.echo(f"JavaScript: {len(lines):,} lines, {code:,} of them code")


def _overtaking(client: _Client, board: Puzzle, keys: int) -> list[float]:
    """Time verdicts that interrupt the look at an empty board, which takes longest."""
    found = []
    for puzzle in _edits(board, keys, 3):
        client.send(lane="live", ask="look", puzzle=puzzle, want=[*_WANT, "candidates"])
        time.sleep(_PAUSE)
        found += _type(client, iter([puzzle]), "verdict", 0)
    return found


def _together(port: int, board: Puzzle, clients: int, keys: int) -> list[float]:
    found: list[float] = []

    def type_one(seed: int) -> None:
        found.extend(_type(_Client(port), _edits(board, keys, seed), "verdict", _PAUSE))

    threads = [threading.Thread(target=type_one, args=(seed,)) for seed in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found
