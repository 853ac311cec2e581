"""The library offers the widest vectors that this processor has, whatever compiler built it."""

import shutil
import zipfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from satdoku.lanes.library import FILE, engines_of, load
from tests.compiled import library, needs_library
from tests.lanes.building import ROOT
from tools.release import engines_for, make_wheel

CPUINFO = Path("/proc/cpuinfo")


def require_widest(entries: Any) -> None:
    """Compare the engines that a library offers with those that the processor can run."""
    expected = engines_for(CPUINFO.read_text()) if CPUINFO.exists() else []
    if not expected:
        pytest.skip("no list of the instructions of an x86-64 processor")
    assert [engine.title for engine in engines_of(entries)] == expected


@needs_library
def test_the_library_offers_what_the_processor_has() -> None:
    require_widest(library().entries)


@pytest.mark.slow
@pytest.mark.skipif(
    not all(map(find_spec, ("ziglang", "pip", "setuptools"))), reason="ziglang builds the wheel"
)
def test_the_wheel_of_a_release_offers_it_too(tmp_path: Path) -> None:
    """Zig has had a check of the processor that failed always."""
    copy = tmp_path / "copy"
    copy.mkdir()
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE", "MANIFEST.in"):
        shutil.copy(ROOT / name, copy)
    for name in ("satdoku", "man"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("lanes.so"))
    wheel = make_wheel(
        Path(shutil.make_archive(str(tmp_path / "source"), "gztar", tmp_path, "copy")),
        tmp_path,
        "manylinux2014_x86_64",
    )
    with zipfile.ZipFile(wheel) as files:
        built = files.extract(FILE.relative_to(ROOT).as_posix(), tmp_path)
    loaded = load(Path(built)).library
    assert loaded is not None
    require_widest(loaded.entries)
