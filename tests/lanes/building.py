"""Builds the compiled library anew, from its sources or from changed ones."""

import os
import runpy
import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent

_setup = runpy.run_path(str(ROOT / "setup.py"), run_name="setup")

NATIVE: Path = _setup["NATIVE"]

_compiler = (shlex.split(os.environ.get("CC", "")) or ["cc"])[0]

needs_compiler = pytest.mark.skipif(
    shutil.which(_compiler) is None, reason="there is no C compiler"
)


def build(library: Path, sources: Path = NATIVE, options: Sequence[str] = ()) -> Path:
    fault: str = _setup["compile_library"](library, sources, options)
    assert not fault, fault
    return library


def compile_text(folder: Path, text: str) -> Path:
    """A library of one file that has nothing to do with ours."""
    source, library = folder / "other.c", folder / "lanes.so"
    source.write_text(text)
    _setup["_run"]([_compiler, "-shared", "-fPIC", str(source), "-o", str(library)])
    return library
