"""The second verifier for tests: compiled once, and asked about certificates."""

import re
import shutil
import subprocess
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from satdoku.certifying.certificate import Certificate, write_certificate
from satdoku.certifying.second_verifier import BUILT, SOURCE, ask
from satdoku.puzzle.rules.registry import RULES

ROOT = Path(__file__).parent.parent.parent
STRICT = ("-std=c99", "-O1", "-Wall", "-Wextra", "-Wpedantic", "-Werror")
_FOLDER = TemporaryDirectory()

needs_compiler = pytest.mark.skipif(not shutil.which("cc"), reason="there is no C compiler")


@cache
def program(source: Path = SOURCE, is_sanitized: bool = False) -> Path:
    """The program, or one that includes it; perhaps one that ends at undefined behaviour.

    That which is built beside its source is used where it is newer; what includes the source is
    compiled with all warnings.
    """
    if source == SOURCE and not is_sanitized and is_built():
        return BUILT
    made = Path(_FOLDER.name) / f"{source.stem}{is_sanitized:d}"
    options = ["-fsanitize=address,undefined", "-fno-sanitize-recover"] if is_sanitized else []
    command = ["cc", *STRICT, *options, f"-I{SOURCE.parent}", "-o", str(made), str(source)]
    subprocess.run(command, check=True)
    return made


def is_built() -> bool:
    return BUILT.exists() and BUILT.stat().st_mtime > SOURCE.stat().st_mtime


def says(certificate: Certificate, folder: Path) -> tuple[bool, str]:
    """Whether the program accepts a certificate, and its verdict or fault."""
    path = write_certificate(certificate, folder, "p", force=True)
    return ask(program(), certificate, path, timeout=60)


def accepted_clauses(certificate: Certificate, folder: Path, is_sanitized: bool) -> list[bool]:
    """Whether the program accepts each clause of a formula; nothing if not what stands before."""
    path = write_certificate(certificate, folder, "p", force=True)
    asked = program(Path(__file__).with_name("each_clause.c"), is_sanitized)
    command = [asked, path, path.with_suffix(".cnf")]
    environment = {"ASAN_OPTIONS": "detect_leaks=0"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode in (0, 1), done.stderr
    return [] if done.returncode else [sign == "1" for sign in done.stdout]


@cache
def known_rules() -> frozenset[str]:
    """The names in the program's table of forms, and `either`."""
    table = re.search(r"forms\[\]\[2\] = \{(.*?)\}\};", SOURCE.read_text("utf-8"), re.DOTALL)
    assert table is not None
    return frozenset(re.findall(r"[a-z-]{2,}", table[1])) & RULES.keys() | {"either"}
