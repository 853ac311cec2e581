"""Releases: the same bytes from one commit, and what may not be published is refused."""

import io
import re
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.each import for_each
from tools.bounds import PROJECT, bounds
from tools.release import (
    LIBRARY,
    TARGETS,
    RefusedError,
    engines_for,
    faults_of_release,
    made_reproducible,
    require_kind,
    require_oldest_glibc,
    require_widest,
)

ROOT = Path(__file__).parent.parent
ELF = b"\x7fELF" + bytes(14) + (62).to_bytes(2, "little")
MACH = b"\xcf\xfa\xed\xfe" + (0x0100000C).to_bytes(4, "little")
PE = b"MZ" + bytes(58) + (64).to_bytes(4, "little") + b"PE\0\0" + (0x8664).to_bytes(2, "little")


def packed(names: list[str], time: int, owner: str) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as archive:
        for name in names:
            entry = tarfile.TarInfo(name)
            entry.mtime, entry.uname, entry.size = time, owner, len(name)
            archive.addfile(entry, io.BytesIO(name.encode()))
    return stream.getvalue()


def wheel_with(folder: Path, library: bytes | None) -> Path:
    path = folder / "satdoku-1-py3-none-x.whl"
    with zipfile.ZipFile(path, "w") as files:
        files.writestr("satdoku/__init__.py", "")
        if library is not None:
            files.writestr(LIBRARY, library)
    return path


def test_two_archives_of_one_content_become_the_same_bytes() -> None:
    made = made_reproducible(packed(["s/b", "s/a"], 5, "me"), 1_000_000_000)
    assert made == made_reproducible(packed(["s/a", "s/b"], 7, "you"), 1_000_000_000)
    with tarfile.open(fileobj=io.BytesIO(made)) as archive:
        entries = archive.getmembers()
        assert [(each.name, each.uname, each.mtime) for each in entries] == [
            ("s/a", "", 1_000_000_000),
            ("s/b", "", 1_000_000_000),
        ]
        content = archive.extractfile("s/b")
        assert content is not None
        assert content.read() == b"s/b"


@pytest.mark.parametrize(
    ("platform", "library"),
    [
        ("any", None),
        ("manylinux2014_x86_64", ELF),
        ("macosx_11_0_arm64", MACH),
        ("win_amd64", PE),
    ],
)
def test_a_wheel_has_the_library_of_its_platform(
    platform: str, library: bytes | None, tmp_path: Path
) -> None:
    wheel = wheel_with(tmp_path, library)
    require_kind(wheel, TARGETS[platform])
    for other in TARGETS.values():
        if other.kind != TARGETS[platform].kind:
            with pytest.raises(RefusedError, match="has"):
                require_kind(wheel, other)


def test_a_wheel_that_uses_less_than_the_processor_has_is_refused() -> None:
    engines = engines_for("flags\t: fpu sse2 avx2 bmi1 popcnt\n")
    require_widest("compiled library: AVX2, 16 boards side by side", engines)
    require_widest("compiled library: NEON, 8 boards side by side", engines_for("Features: asimd"))
    for told in ("compiled library: SSE2, 8 boards side by side", "compiled library: none"):
        with pytest.raises(RefusedError, match="AVX2"):
            require_widest(told, engines)


def test_a_wheel_that_needs_a_newer_glibc_is_refused() -> None:
    shown = 'consistent with the following platform tag:\n"manylinux_2_{}_x86_64".'
    require_oldest_glibc(Path("a.whl"), shown.format(17))
    for other in (shown.format(28), "nothing of the kind"):
        with pytest.raises(RefusedError, match=r"2\.17"):
            require_oldest_glibc(Path("a.whl"), other)


def test_a_release_says_why_it_may_not_be_published(tmp_path: Path) -> None:
    (tmp_path / "changes").mkdir()
    project, changelog = tmp_path / "pyproject.toml", tmp_path / "CHANGELOG.md"
    project.write_text('version = "1.0.0"\nauthors = [{ email = "us@satdoku.example" }]\n')
    changelog.write_text("## [Unreleased]\n")
    entry = tmp_path / "changes" / "added-x.md"
    entry.write_text("X.\n")
    assert len(faults_of_release("v1", "", tmp_path)) == 5
    project.write_text('version = "1.0.0"\nauthors = [{ email = "us@example.org" }]\n')
    changelog.write_text("## [1.0.0]\n")
    entry.unlink()
    assert faults_of_release("v1.0.0", "https://example.org/us/satdoku", tmp_path) == []


def test_the_weekly_run_installs_the_bounds_of_the_project() -> None:
    project = PROJECT.read_text("utf-8")
    (listed,) = re.findall(r"^dependencies = \[(.*)\]$", project, re.MULTILINE)
    assert [each.replace("==", ">=") for each in bounds(project, "lowest")] == re.findall(
        r'"(.+?)"', listed
    )


@for_each("page", [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")])
def test_no_page_calls_what_is_deprecated(page: Path) -> None:
    assert "python setup.py" not in page.read_text("utf-8")
