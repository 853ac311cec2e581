"""The wheel in Pyodide, which is Python in a browser: it has no processes, no threads, no signals.

SATDOKU_PYODIDE names a folder with npm's `pyodide` in it and the wheels of satdoku, click and
python-sat, the last one for emscripten. `.ci/run` makes one.
"""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

FOLDER = os.environ.get("SATDOKU_PYODIDE", "")
SCRIPT = Path(__file__).with_name("pyodide.mjs")

pytestmark = [
    pytest.mark.skipif(not FOLDER, reason="SATDOKU_PYODIDE names no folder"),
    pytest.mark.skipif(not shutil.which("node"), reason="node is not installed"),
]

# All in one program, because Pyodide takes seconds to begin.
PROGRAM = """
import satdoku
easy = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
outcome = satdoku.check(easy)
several = satdoku.check("1...............")
rules = satdoku.parse("." * 16, rules=["diagonals"])
said = [
    outcome.verdict.value,
    several.verdict.value,
    satdoku.check("11..............").verdict.value,
    satdoku.count("1...............").number,
    satdoku.count(rules).number,
    len(satdoku.explain(easy).way.steps),
    satdoku.hint("1.....2..3.....4").what,
    satdoku.rate(easy).level.value,
    len(list(satdoku.solutions("1...............", solver="glucose4"))),
    sum(1 for _ in satdoku.generate(2, seed=1)),
    len(satdoku.candidates("1.....2........4").digits(9)),
]
" ".join(map(str, said))
"""


def test_the_library_answers_there() -> None:
    ran = subprocess.run(
        ["node", SCRIPT, FOLDER, PROGRAM], capture_output=True, text=True, timeout=300
    )
    expected = "unique multiple none 72 48 51 hidden single in r1c2 easy 72 2 3"
    assert ran.stdout.strip() == expected, ran.stderr[-1000:]
