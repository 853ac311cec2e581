"""Other programs that make and rate puzzles, for `generating.py`.

    python -m benchmarks.peers make PEER TASK SECONDS
    python -m benchmarks.peers rate PEER FILE SECONDS

Each program runs in a process of its own, which can be ended if one puzzle takes too long. The
process prints the seconds of processor time of the work, without imports, the number of puzzles,
and the puzzles that were made. qqwing is a program from Debian; the others are Python packages. All
have licences of their own, and no part of them is used elsewhere.
"""

import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from itertools import count
from os import times
from shutil import which
from typing import Any

from benchmarks.measuring import measure

# The program grades its puzzles, and makes puzzles until one is in the requested band. This is the
# easiest band; without a request a puzzle takes it minutes.
_EASIEST_BAND = 0

_QQWING = {
    "minimal": (),
    "rotate180": ("--symmetry", "rotate180"),
    "rotate90": ("--symmetry", "rotate90"),
    "singles": ("--difficulty", "easy"),
    "naked singles": ("--difficulty", "simple"),
}


def installed_makers(task: str) -> list[str]:
    """Return the installed programs that make such puzzles."""
    python = [peer for peer, tasks in _MAKERS.items() if task in tasks and _is_installed(peer)]
    return [*(["qqwing"] if which("qqwing") and task in _QQWING else []), *python]


def installed_raters() -> list[str]:
    return [peer for peer in _RATERS if _is_installed(peer)]


def missing() -> list[str]:
    """Return the programs that are not installed."""
    return [
        *([] if which("qqwing") else ["qqwing"]),
        *(peer for peer in _MODULES if not _is_installed(peer)),
    ]


def make(peer: str, task: str, seconds: float, limit: float) -> tuple[float, list[str]]:
    """Return puzzles per second, and the puzzles; none if the first took longer than the limit."""
    if peer == "qqwing":
        return _make_with_qqwing(_QQWING[task], seconds)
    return _ask_apart("make", peer, task, str(seconds), limit=limit)


def rate(peer: str, path: str, seconds: float, limit: float) -> float:
    """Return puzzles of a file rated per second; 0 if the first took longer than the limit."""
    return _ask_apart("rate", peer, path, str(seconds), limit=limit)[0]


def _ask_apart(*words: str, limit: float) -> tuple[float, list[str]]:
    text = measure([sys.executable, "-m", "benchmarks.peers", *words], limit).text
    if not text:
        return 0.0, []
    head, *puzzles = text.splitlines()
    spent, number = head.split()
    return int(number) / float(spent), puzzles


def _make_with_qqwing(options: Iterable[str], seconds: float) -> tuple[float, list[str]]:
    """Make as many puzzles as take about so long, after a first attempt."""
    number = 5
    while True:
        command = ["qqwing", "--one-line", "--generate", str(number), *options]
        before = times()
        text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        after = times()
        spent = after.children_user + after.children_system - before[2] - before[3]
        if spent >= seconds / 2:
            return number / spent, [line for line in text.splitlines() if len(line) == 81]
        number = max(2 * number, int(number * seconds / max(spent, 0.05)))


Maker = Callable[[], str]
"""A function that makes one puzzle: a line, with spaces between the cells of boards above 9x9."""


def _line(digits: Iterable[int | None]) -> str:
    cells = [str(digit) if digit else "." for digit in digits]
    return ("" if len(cells) <= 81 else " ").join(cells)


def _dokusan(size: int) -> Maker:
    boards: Any = import_module("dokusan.boards")
    generators: Any = import_module("dokusan.generators")

    def make_one() -> str:
        made = generators.random_sudoku(box_size=boards.BoxSize(size, size))
        return _line(made[row, column].value for row in range(size**2) for column in range(size**2))

    return make_one


def _sudokutools(size: int, symmetry: str | None = None) -> Maker:
    generate: Any = import_module("sudokutools.generate").generate

    def make_one() -> str:
        made = generate(symmetry=symmetry, size=(size, size))
        return _line(made[row, column] for row in range(size**2) for column in range(size**2))

    return make_one


def _hodoku(is_symmetric: bool) -> Maker:
    maker: Any = import_module("hodoku.generator.generator").SudokuGenerator(random.Random(1))
    return lambda: str(maker.generate_sudoku(symmetric=is_symmetric))


def _pencilmark(size: int, symmetry: str | None = None) -> Maker:
    generate: Any = import_module("pencilmark.gen.api").generate
    seeds = count(1)

    def make_one() -> str:
        spec = {"size": size, "symmetry": symmetry, "target_band": _EASIEST_BAND}
        made = generate({**spec, "seed": next(seeds), "time_limit": 600})
        return _line(0 if cell == "." else int(cell, 36) for cell in made["puzzle"]["numbers"])

    return make_one


def _rate_with_dokusan() -> Callable[[str], object]:
    boards: Any = import_module("dokusan.boards")
    rank: Any = import_module("dokusan.stats").rank

    def rate_one(line: str) -> object:
        rows = [[int(cell) for cell in line[row * 9 : row * 9 + 9]] for row in range(9)]
        return rank(boards.Sudoku.from_list(rows, box_size=boards.BoxSize(3, 3)))

    return rate_one


def _rate_with_sudokutools() -> Callable[[str], object]:
    rate_one: Any = import_module("sudokutools.analyze").rate
    sudoku: Any = import_module("sudokutools.sudoku").Sudoku
    return lambda line: rate_one(sudoku.decode(line))


def _rate_with_hodoku() -> Callable[[str], object]:
    rate_one: Callable[[str], object] = import_module("hodoku").Solver().rate
    return rate_one


def _rate_with_pencilmark() -> Callable[[str], object]:
    rate_one: Callable[[str], object] = import_module("pencilmark.api").rate
    return rate_one


_MODULES = {
    "dokusan": "dokusan",
    "sudokutools": "sudokutools",
    "hodoku-py": "hodoku",
    "pencilmark": "pencilmark",
}

_MAKERS: dict[str, dict[str, Callable[[], Maker]]] = {
    "dokusan": {"minimal": lambda: _dokusan(3), "16x16 minimal": lambda: _dokusan(4)},
    "sudokutools": {
        "minimal": lambda: _sudokutools(3),
        "rotate180": lambda: _sudokutools(3, "rotate-180"),
        "rotate90": lambda: _sudokutools(3, "rotate-90"),
        "16x16 minimal": lambda: _sudokutools(4),
    },
    "hodoku-py": {"minimal": lambda: _hodoku(False), "rotate180": lambda: _hodoku(True)},
    "pencilmark": {
        "minimal": lambda: _pencilmark(9),
        "rotate180": lambda: _pencilmark(9, "rot180"),
        "rotate90": lambda: _pencilmark(9, "rot90"),
        "16x16 minimal": lambda: _pencilmark(16),
    },
}

_RATERS: dict[str, Callable[[], Callable[[str], object]]] = {
    "dokusan": _rate_with_dokusan,
    "sudokutools": _rate_with_sudokutools,
    "hodoku-py": _rate_with_hodoku,
    "pencilmark": _rate_with_pencilmark,
}


def _say(rater: Callable[[str], object], puzzle: str) -> str:
    return str(rater(puzzle))


def _is_installed(peer: str) -> bool:
    return find_spec(_MODULES[peer]) is not None


def _work_here(words: list[str]) -> None:
    """Do the work that the command line names, and print the results for `_ask_apart`."""
    kind, peer, what, seconds = words
    random.seed(1)
    if kind == "make":
        maker = _MAKERS[peer][what]()
        steps: Iterable[Callable[[], str]] = (maker for _ in count())
    else:
        rater = _RATERS[peer]()
        with open(what) as lines:
            puzzles = lines.read().split()
        steps = (partial(_say, rater, puzzle) for puzzle in puzzles)
    made = []
    begin = time.process_time()
    for step in steps:
        made.append(step())
        if time.process_time() - begin > float(seconds):
            break
    print(time.process_time() - begin, len(made))
    if kind == "make":
        print("\n".join(made))


if __name__ == "__main__":
    _work_here(sys.argv[1:])
