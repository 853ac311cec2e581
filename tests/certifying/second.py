"""The second verifier for tests: compiled once with all warnings, and asked about certificates."""

import re
import runpy
import shutil
import subprocess
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from satdoku.certifying.certificate import Certificate, write_certificate
from satdoku.certifying.second_verifier import SOURCE, ask
from satdoku.puzzle.rules.registry import RULES

ROOT = Path(__file__).parent.parent.parent
STRICT = ("-std=c99", "-O1", "-Wall", "-Wextra", "-Wpedantic", "-Werror")
_FOLDER = TemporaryDirectory()

needs_compiler = pytest.mark.skipif(not shutil.which("cc"), reason="there is no C compiler")


@cache
def program(*options: str) -> Path:
    """The program, compiled with more options."""
    made = Path(_FOLDER.name) / f"verify{len(options)}"
    subprocess.run(["cc", *STRICT, *options, "-o", made, SOURCE], check=True)
    return made


def says(certificate: Certificate, folder: Path) -> tuple[bool, str]:
    """Whether the program accepts a certificate, and its verdict or fault."""
    path = write_certificate(certificate, folder, "p", force=True)
    return ask(program(), certificate, path, timeout=60)


@cache
def known_rules() -> frozenset[str]:
    """The names in the program's table of forms, and `either`."""
    table = re.search(r"forms\[\]\[2\] = \{(.*?)\}\};", SOURCE.read_text("utf-8"), re.DOTALL)
    assert table is not None
    return frozenset(re.findall(r"[a-z-]{2,}", table[1])) & RULES.keys() | {"either"}


def setup_file() -> dict[str, object]:
    return runpy.run_path(str(ROOT / "setup.py"), run_name="setup")
