"""What cannot be resumed is refused in one sentence, which names what differs."""

from pathlib import Path

import pytest

from satdoku.answering.output.ending import Ending
from satdoku.answering.output.open_file import Identity, file_output
from satdoku.answering.output.output import Output, sidecar_of
from satdoku.batch.row import Row
from satdoku.errors import SatdokuError
from tests.answering.output.unfinished import OPENING, break_off


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    break_off(tmp_path, "out", 50, 20)
    return tmp_path


def resume(folder: Path, rejects: str = "out.rejects", **options: object) -> None:
    identity = Identity({"count": 50, **options}, [folder / "input.txt"])
    with file_output(folder / "out", OPENING, folder / rejects, identity, resume=True):
        pass


def test_another_option(folder: Path) -> None:
    with pytest.raises(SatdokuError, match="timeout was not given, now it is 5"):
        resume(folder, timeout=5)


def test_a_changed_input(folder: Path) -> None:
    (folder / "input.txt").write_text("51")
    with pytest.raises(SatdokuError, match=r"input\.txt has changed since"):
        resume(folder)


def _write_and_interrupt(output: Output, rows: int) -> None:
    for _ in range(rows):
        output.write(Row("unique\n", Ending.UNIQUE))
    raise KeyboardInterrupt


def test_a_large_input_that_changed_in_any_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("satdoku.answering.output.open_file._BYTES_A_PART", 10)
    large, out = tmp_path / "large.txt", tmp_path / "out"
    content = bytes(range(35))
    large.write_bytes(content)
    with pytest.raises(KeyboardInterrupt), file_output(out, identity=Identity({}, [large])) as file:
        _write_and_interrupt(file, 1)
    kept = out.read_bytes(), sidecar_of(out).read_bytes()
    for place in (0, 12, 34):
        large.write_bytes(content[:place] + b"!" + content[place + 1 :])
        with pytest.raises(SatdokuError, match=r"large\.txt has changed since"):
            file_output(out, identity=Identity({}, [large]), resume=True)
    large.write_bytes(content)
    for jobs in (1, 2, 5):
        with (
            pytest.raises(KeyboardInterrupt),
            file_output(out, identity=Identity({}, [large], jobs=jobs), resume=True) as file,
        ):
            _write_and_interrupt(file, 0)
        assert (out.read_bytes(), sidecar_of(out).read_bytes()) == kept
    large.write_bytes(content[:5])
    with pytest.raises(SatdokuError, match=r"large\.txt has changed since"):
        file_output(out, identity=Identity({}, [large]), resume=True)
    large.write_bytes(content)
    monkeypatch.undo()
    with pytest.raises(SatdokuError, match=r"another version .* the checksum of .*large\.txt"):
        file_output(out, identity=Identity({}, [large]), resume=True)


def test_another_input(folder: Path) -> None:
    other = folder / "other.txt"
    other.write_text("50")
    identity = Identity({"count": 50}, [other])
    with pytest.raises(SatdokuError, match=r"the input was .*input\.txt, now it is .*other"):
        file_output(folder / "out", OPENING, folder / "out.rejects", identity, resume=True)


def test_another_file_of_rejects(folder: Path) -> None:
    with pytest.raises(SatdokuError, match=r"rejects was .*out\.rejects, now it is .*others"):
        resume(folder, rejects="others")


def test_missing_rejects(folder: Path) -> None:
    (folder / "out.rejects").unlink()
    with pytest.raises(SatdokuError, match=r"its rejects, .*out\.rejects, are missing"):
        resume(folder)


def test_a_row_more_for_an_output_that_nothing_tells_of(folder: Path) -> None:
    sidecar_of(folder / "out").unlink()
    before = (folder / "out").read_bytes()
    identity = Identity({}, [])
    with file_output(folder / "out", OPENING, None, identity, resume=True) as output:
        assert (output.answered, output.is_finished) == (20, True)
        with pytest.raises(SatdokuError, match=r"there is no out\.resume beside it"):
            output.write(Row("21,unique\n", Ending.UNIQUE))
    assert (folder / "out").read_bytes() == before


def test_a_file_of_somebody_else(folder: Path) -> None:
    (folder / "out").write_text("my diary\n")
    with pytest.raises(SatdokuError, match="begins with another header"):
        resume(folder)


def test_a_damaged_sidecar(folder: Path) -> None:
    sidecar_of(folder / "out").write_text("{")
    with pytest.raises(SatdokuError, match=r"out\.resume cannot be read"):
        resume(folder)


def test_a_sidecar_of_another_version(folder: Path) -> None:
    sidecar_of(folder / "out").write_text('{"version": 0}')
    with pytest.raises(SatdokuError, match="another version of satdoku"):
        resume(folder)


def test_a_pipe_as_input(tmp_path: Path) -> None:
    with pytest.raises(SatdokuError, match="not a regular file"):
        file_output(tmp_path / "new", identity=Identity({}, [Path("/dev/null")]))
    assert not (tmp_path / "new").exists()


def test_a_run_without_identity(tmp_path: Path) -> None:
    with pytest.raises(SatdokuError, match="only a run that reads files"):
        file_output(tmp_path / "new", resume=True)
