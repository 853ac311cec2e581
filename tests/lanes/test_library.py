"""Whatever is wrong with the compiled library: there is none, and a sentence says why."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from satdoku.lanes.library import (
    FILE,
    VARIABLE,
    VERSION,
    fault_of_variable,
    find_library,
    find_state,
    is_old,
    load,
)
from tests.commands import EASY, run
from tests.compiled import needs_library
from tests.crossing import few_or_many
from tests.lanes.boards import boards_from
from tests.lanes.building import NATIVE, compile_text, needs_compiler


@pytest.mark.parametrize("value", ["0", "off", "no", "False", " 0 "])
def test_the_variable_turns_it_off(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv(VARIABLE, value)
    assert find_library() is None
    assert str(find_state()) == f"compiled library: none, SATDOKU_LANES={value} turns it off"
    assert fault_of_variable() == ""


@needs_library
@pytest.mark.parametrize("value", ["", "1", "on", "YES", "true"])
def test_the_variable_leaves_it_on(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv(VARIABLE, value)
    assert find_library() is not None
    assert fault_of_variable() == ""


def test_another_value_of_the_variable_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "00")
    result = run("check", EASY)
    assert (result.code, result.stdout) == (0, "unique\n")
    assert "SATDOKU_LANES='00' is neither on nor off" in result.stderr


@needs_library
def test_it_says_how_wide_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    assert "boards side by side" in str(find_state())


def test_a_missing_one_is_told(tmp_path: Path) -> None:
    assert "not built" in load(tmp_path / "lanes.so").reason


@pytest.mark.parametrize("content", [b"", b"no library at all", b"\x7fELF" + bytes(200)])
def test_a_broken_one_is_told(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "lanes.so"
    file.write_bytes(content)
    state = load(file)
    assert state.library is None
    assert "cannot be used" in state.reason
    assert "\n" not in state.reason


def test_a_folder_in_its_place_is_told(tmp_path: Path) -> None:
    (tmp_path / "lanes.so").mkdir()
    assert "not a file" in load(tmp_path / "lanes.so").reason


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_a_pipe_in_its_place_is_told(tmp_path: Path) -> None:
    """In a process of its own, which would wait for ever."""
    os.mkfifo(tmp_path / "lanes.so")
    program = "import sys; from satdoku.lanes.library import *; print(load(Path(sys.argv[1])))"
    arguments = [sys.executable, "-c", program, str(tmp_path / "lanes.so")]
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=60, check=True)
    assert "not a file" in done.stdout


@needs_library
@pytest.mark.skipif(sys.platform != "linux", reason="other loaders look at the size")
def test_one_that_was_cut_short_is_told(tmp_path: Path) -> None:
    """Were it loaded, the process would die of SIGBUS: so it is not, at any length."""
    file, whole = tmp_path / "lanes.so", FILE.read_bytes()
    size = len(whole)
    for length in (*range(70), *range(70, size - 200, 4999), *range(size - 200, size, 7), size - 1):
        file.write_bytes(whole[:length])
        assert load(file).library is None, length


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_folder_is_told(tmp_path: Path) -> None:
    tmp_path.chmod(0)
    try:
        assert load(tmp_path / "lanes.so").library is None
    finally:
        tmp_path.chmod(0o700)


@needs_compiler
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("int other(void) { return 1; }", "cannot be used"),
        ("int lanes_version(void) { return 0; }", "is of version 0 and not"),
        (f"int lanes_version(void) {{ return {VERSION}; }}", "cannot be used"),
    ],
    ids=["foreign", "another version", "incomplete"],
)
def test_another_one_is_told(tmp_path: Path, text: str, reason: str) -> None:
    assert reason in load(compile_text(tmp_path, text)).reason


def test_its_version_is_the_one_in_the_sources() -> None:
    assert f"enum {{ VERSION = {VERSION} }};" in (NATIVE / "entries.c").read_text()


PROGRAM = """
import sys
import satdoku
from satdoku.lanes.library import find_state
boards = [list(bytes.fromhex(line)) for line in sys.stdin]
print([(each.verdict, each.solution) for each in satdoku.check_many(boards)])
print(find_state(), file=sys.stderr)
"""


@needs_library
@few_or_many("count", 80, 300)
def test_without_it_answers_are_the_same(count: int, tmp_path: Path) -> None:
    """As where it was not built: the package without the file."""
    package = FILE.parent.parent
    shutil.copytree(package, tmp_path / package.name)
    (tmp_path / package.name / "lanes" / FILE.name).unlink()
    printed = set()
    for folder in (tmp_path, package.parent):
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM],
            input="\n".join(board.hex() for board in boards_from(9, count)),
            env={**os.environ, "PYTHONPATH": str(folder)},
            cwd=folder,
            capture_output=True,
            text=True,
            check=True,
        )
        assert ("not built" in done.stderr) == (folder == tmp_path)
        printed.add(done.stdout)
    assert len(printed) == 1


def test_a_library_of_a_checkout_may_be_older_than_its_sources(tmp_path: Path) -> None:
    folder = tmp_path / "satdoku" / "lanes"
    (folder / "native").mkdir(parents=True)
    source, built = folder / "native" / "engine.c", folder / "lanes.so"
    for number, file in enumerate([built, source]):
        file.touch()
        os.utime(file, (number, number))
    assert not is_old(built)  # as it is installed
    (tmp_path / "setup.py").touch()
    assert is_old(built)
    os.utime(built, (2, 2))
    assert not is_old(built)
    built.unlink()
    assert not is_old(built)
