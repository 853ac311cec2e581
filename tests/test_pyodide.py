"""The wheel in Pyodide, which is Python in a browser: it has no processes, no threads, no signals.

SATDOKU_PYODIDE names a folder with npm's `pyodide` in it and the wheels of satdoku, click and
python-sat, the last one for emscripten. `.ci/run` makes one.
"""

import json
import os
import runpy
import shutil
import subprocess
import sys
from base64 import b64encode
from hashlib import sha384
from pathlib import Path

import pytest

from tests.browser import Page, needs_browser, open_browser
from tests.commands import EASY
from tests.waiting import wait_until

FOLDER = os.environ.get("SATDOKU_PYODIDE", "")
SCRIPT = Path(__file__).with_name("pyodide.mjs")

TRYING = Path(__file__).parents[1] / "docs" / "_site" / "trying.py"

pytestmark = pytest.mark.skipif(not FOLDER, reason="SATDOKU_PYODIDE names no folder")

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


@pytest.mark.skipif(not shutil.which("node"), reason="node is not installed")
def test_the_library_answers_there() -> None:
    ran = subprocess.run(
        ["node", SCRIPT, FOLDER, PROGRAM], capture_output=True, text=True, timeout=300
    )
    expected = "unique multiple none 72 48 51 hidden single in r1c2 easy 72 2 3"
    assert ran.stdout.strip() == expected, ran.stderr[-1000:]


def test_browsers_are_told_the_hashes_of_what_is_tried_here(tmp_path: Path) -> None:
    runpy.run_path(str(TRYING))["build"](tmp_path)
    for name, hashed in json.loads((tmp_path / "settings.json").read_text())["hashes"].items():
        content = Path(FOLDER, "node_modules", "pyodide", name).read_bytes()
        assert hashed == f"sha384-{b64encode(sha384(content).digest()).decode()}", name


@needs_browser
def test_the_page_of_the_site_answers_without_a_server(tmp_path: Path) -> None:
    runpy.run_path(str(TRYING))["build"](tmp_path, FOLDER)
    files = [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1"]
    with subprocess.Popen(
        files, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        try:
            assert server.stdout is not None
            port = server.stdout.readline().split(" port ")[1].split()[0]
            with open_browser() as browser:
                walk_through(Page(browser, f"http://127.0.0.1:{port}/"))
        finally:
            server.kill()


def walk_through(page: Page) -> None:
    """A puzzle, its steps, and a change that overtakes a question."""
    page.open(f"#p={EASY}")
    # Python has to be loaded first.
    wait_until(lambda: "One solution" in page.status(), 300)
    page.push("Explain")
    page.wait_for("The solution", lambda: str(page.find(".steps")[0].text))
    page.find("[role=gridcell]")[0].click()
    for keys, words in (("\ue017", "One solution"), ("1", "No solution"), ("5", "One solution")):
        page.press(keys)
        page.wait_for(words)
    faults = [entry for entry in page.browser.get_log("browser") if entry["level"] == "SEVERE"]
    assert [fault for fault in faults if "favicon" not in fault["message"]] == []
