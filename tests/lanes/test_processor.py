"""The library offers the widest vectors that this processor has, whatever compiler built it."""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from satdoku.lanes.library import FILE, engines_of, load
from tests.compiled import library, needs_library
from tests.lanes.building import ROOT

CPUINFO = Path("/proc/cpuinfo")

# What Linux calls the instructions with which setup.py compiles each engine.
NEEDED = {
    "AVX-512": {"avx512f", "avx512bw", "avx512vl", "bmi1", "popcnt"},
    "AVX2": {"avx2", "bmi1", "popcnt"},
    "SSE2": {"sse2"},
}


def flags() -> set[str]:
    """Return what Linux says that this processor has."""
    found = CPUINFO.exists() and re.search(r"^flags\s*:(.*)", CPUINFO.read_text(), re.MULTILINE)
    if not found:
        pytest.skip("no list of the instructions of an x86-64 processor")
    return set(found[1].split())


def require_widest(entries: Any) -> None:
    """Compare the engines that a library offers with those that the processor can run."""
    has = flags()
    expected = [title for title, needed in NEEDED.items() if needed <= has]
    assert [engine.title for engine in engines_of(entries)] == expected


@needs_library
def test_the_library_offers_what_the_processor_has() -> None:
    require_widest(library().entries)


@pytest.mark.slow
@pytest.mark.skipif(
    not all(map(find_spec, ("ziglang", "pip", "setuptools"))), reason="ziglang builds the wheel"
)
def test_the_documented_wheel_offers_it_too(tmp_path: Path) -> None:
    """Run the line of docs/bulk.md: zig has had a check of the processor that failed always."""
    flags()
    text = (ROOT / "docs" / "bulk.md").read_text()
    (line,) = re.findall(r"^CC=.*x86_64-linux-gnu.*$", text, re.MULTILINE)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    copy = tmp_path / "copy"
    copy.mkdir()
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE", "MANIFEST.in"):
        shutil.copy(ROOT / name, copy)
    for name in ("satdoku", "man"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("lanes.so"))
    subprocess.run(
        ["sh", "-c", line], cwd=copy, env={**os.environ, "PATH": path}, check=True, text=True
    )
    (wheel,) = copy.glob("**/*.whl")
    with zipfile.ZipFile(wheel) as files:
        built = files.extract(FILE.relative_to(ROOT).as_posix(), tmp_path)
    loaded = load(Path(built)).library
    assert loaded is not None
    require_widest(loaded.entries)
