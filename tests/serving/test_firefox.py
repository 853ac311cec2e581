"""The evening of a setter in Firefox, where there is one and something that drives it."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.serving.client import serving

# A Firefox, and a folder with npm's puppeteer-core, which drives it over BiDi.
FIREFOX = os.environ.get("SATDOKU_FIREFOX", "")
PUPPETEER = os.environ.get("SATDOKU_PUPPETEER", "")
NODE = shutil.which("node")


@pytest.mark.slow
@pytest.mark.skipif(not (FIREFOX and PUPPETEER and NODE), reason="no Firefox is named")
def test_an_evening_in_firefox() -> None:
    program = Path(__file__).with_name("firefox.mjs")
    with serving() as server:
        address = f"http://127.0.0.1:{server.port}/"
        command = [str(NODE), str(program), PUPPETEER, FIREFOX, address]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "reload"
