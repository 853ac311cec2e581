"""Texts of other encodings, with old endings, and compressed by others are read as plain ones."""

import sys
from pathlib import Path

import pytest

from tests.commands import SMALL, run


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig"])
def test_a_text_may_have_two_or_four_bytes_a_character(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "puzzles.txt"
    path.write_bytes(f"{SMALL}\r\n{SMALL}\r\n".encode(encoding))
    done = run("check", str(path))
    assert (done.code, len(done.lines)) == (run("check", SMALL).code, 2)


@pytest.mark.parametrize("end", [b"\x1a", b"\0", b"\n\x1a\n", b"\n\0\0\n"])
def test_what_old_programs_end_a_file_with_is_no_fault(tmp_path: Path, end: bytes) -> None:
    path = tmp_path / "puzzle.txt"
    path.write_bytes(SMALL.encode() + end)
    done = run("check", str(path))
    assert (done.code, done.stderr) == (run("check", SMALL).code, "")


def test_a_file_of_zstandard_is_read_by_what_there_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    path = tmp_path / "puzzles.txt.zst"
    path.write_bytes(pyarrow.compress(f"{SMALL}\n{SMALL}\n".encode(), codec="zstd", asbytes=True))
    assert (lines := run("check", str(path)).lines) == run("check", stdin=f"{SMALL}\n{SMALL}").lines
    assert len(lines) == 2
    path.write_bytes(b"no compressed data")
    assert "damaged data" in run("check", str(path)).stderr
    for module in ("zstandard", "compression.zstd", "pyarrow"):
        monkeypatch.setitem(sys.modules, module, None)
    assert f"zstd -dc {path} | satdoku" in run("check", str(path)).stderr
