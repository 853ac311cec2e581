"""Where rows go, when nothing is resumed."""

import gzip
import io
import lzma
import os
from pathlib import Path

import pytest

from satdoku.answering.output.ending import Ending
from satdoku.answering.output.open_file import Identity, file_output
from satdoku.answering.output.output import sidecar_of, stream_output
from satdoku.batch.row import Row, SharedText
from satdoku.errors import SatdokuError

GOOD = Row("1 unique\n", Ending.UNIQUE)
BAD = Row("2 none\n", Ending.NONE, "no solution", "2\tnone\n")


@pytest.mark.parametrize("name", ["stream", "out", "out.gz"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le"])
def test_text_in_shared_memory_is_written_in_its_turn(
    name: str, encoding: str, tmp_path: Path
) -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding)
    path = tmp_path / name
    shared = SharedText(memoryview(b"2\n3\n"), None)
    rows = [
        Row("1\n", Ending.UNIQUE),
        Row("", Ending.UNIQUE, records=2, shared=shared),
        Row("4\n", Ending.UNIQUE),
    ]
    is_file = name != "stream"
    with file_output(path, identity=Identity({}, [])) if is_file else stream_output(stream) as out:
        for row in rows:
            out.write(row)
        assert out.written == 4
    data = path.read_bytes() if is_file else stream.buffer.getvalue()
    data = gzip.decompress(data) if name.endswith(".gz") else data
    assert data.decode("utf-8" if is_file else encoding) == "1\n2\n3\n4\n"


def test_a_stream_gets_each_row_at_once_and_stays_open(tmp_path: Path) -> None:
    stream = io.StringIO()
    with stream_output(stream, tmp_path / "rejects") as output:
        output.write(GOOD)
        assert stream.getvalue() == "1 unique\n"
        output.write(BAD)
        assert (tmp_path / "rejects").read_text() == "2\tnone\n"
    assert stream.getvalue() == "1 unique\n2 none\n"


def test_a_file_gets_each_row_at_once(tmp_path: Path) -> None:
    path = tmp_path / "out"
    with file_output(path) as output:
        output.write(GOOD)
        assert path.read_text() == "1 unique\n"


def test_rows_of_many_lines_need_a_run_that_is_not_resumable(tmp_path: Path) -> None:
    board = Row("12\n34\n", Ending.UNIQUE)
    with file_output(tmp_path / "boards") as output:
        output.write(board)
    assert (tmp_path / "boards").read_text() == "12\n34\n"
    with (
        pytest.raises(ValueError, match="one line a record"),
        file_output(tmp_path / "lines", identity=Identity({}, [])) as output,
    ):
        output.write(board)


@pytest.mark.parametrize("name", ["out", "out.gz", "out.xz"])
def test_an_existing_file_is_replaced_only_by_force(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text("precious" * 1000)
    with pytest.raises(SatdokuError, match=r"exists; --force overwrites it$"):
        file_output(path)
    assert path.read_text() == "precious" * 1000
    with file_output(path, force=True) as output:
        output.write(GOOD)
    unpack = {".gz": gzip.decompress, ".xz": lzma.decompress}.get(path.suffix, bytes)
    assert unpack(path.read_bytes()) == b"1 unique\n"


def test_rejects_may_go_to_a_device(tmp_path: Path) -> None:
    path = tmp_path / "out"
    with file_output(path, rejects=Path("/dev/null"), identity=Identity({}, [])) as output:
        output.write(BAD)
    assert path.read_text() == "2 none\n"


def test_rejects_that_cannot_be_opened_leave_no_output(tmp_path: Path) -> None:
    path = tmp_path / "out"
    nowhere = tmp_path / "none" / "rejects"
    with pytest.raises(SatdokuError, match=f"{nowhere} cannot be written: No such file"):
        file_output(path, rejects=nowhere, identity=Identity({}, []))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_it_is_the_rejects_that_are_full(tmp_path: Path) -> None:
    full = Path("/dev/full")
    with (
        pytest.raises(SatdokuError, match=f"{full} cannot be written: No space left"),
        file_output(tmp_path / "out", rejects=full) as output,
    ):
        output.write(BAD)


def test_what_no_encoding_has_is_escaped(tmp_path: Path) -> None:
    for name in ("out", "out.gz"):
        with file_output(tmp_path / name, rejects=tmp_path / f"{name}.rejects") as output:
            output.write(Row("half a pair: \ud800\n", Ending.NONE, reject="1\t\ud800\n"))
    assert (tmp_path / "out").read_text() == "half a pair: \\ud800\n"
    assert gzip.decompress((tmp_path / "out.gz").read_bytes()) == b"half a pair: \\ud800\n"
    assert (tmp_path / "out.rejects").read_text() == "1\t\\ud800\n"


def test_existing_rejects_are_replaced_only_by_force(tmp_path: Path) -> None:
    rejects = tmp_path / "rejects"
    rejects.write_text("precious\n")
    with pytest.raises(SatdokuError, match="rejects exists; --force"):
        file_output(tmp_path / "out", rejects=rejects)
    with pytest.raises(SatdokuError, match="rejects exists; --force"):
        stream_output(io.StringIO(), rejects)
    with file_output(tmp_path / "out", rejects=rejects, force=True) as output:
        output.write(BAD)
    assert rejects.read_text() == "2\tnone\n"


def test_an_unfinished_output_says_that_it_can_be_resumed(tmp_path: Path) -> None:
    path = tmp_path / "out"
    with pytest.raises(KeyboardInterrupt), file_output(path, identity=Identity({}, [])) as output:
        raise KeyboardInterrupt
    assert output.can_resume
    assert sidecar_of(path).exists()
    with pytest.raises(SatdokuError, match="--force overwrites it, --resume goes on with it"):
        file_output(path, identity=Identity({}, []))


REFUSED = Row("", Ending.NONE, "no such place", "1\tunreadable\n")


@pytest.mark.parametrize("name", ["out", "out.gz"])
def test_a_run_that_wrote_nothing_leaves_no_file(name: str, tmp_path: Path) -> None:
    with file_output(tmp_path / name) as output:
        output.write(REFUSED)
    with (
        pytest.raises(SatdokuError, match="not these"),
        file_output(tmp_path / name, "header\n", tmp_path / "rejects", Identity({}, [])),
    ):
        raise SatdokuError("not these options")
    assert list(tmp_path.iterdir()) == []


def test_a_run_that_wrote_nothing_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.write_text("precious\n")
    with file_output(path, force=True) as output:
        output.write(REFUSED)
        output.write(REFUSED)
    assert path.read_text() == "precious\n"
    with file_output(path, force=True) as output:
        output.write(REFUSED)
        output.write(GOOD)
    assert path.read_text() == "1 unique\n"


def test_a_run_without_rows_is_an_empty_file(tmp_path: Path) -> None:
    """Where nothing was refused there was nothing to say, as of puzzles that are all twins."""
    with file_output(tmp_path / "out", "header\n"):
        pass
    assert (tmp_path / "out").read_text() == "header\n"


def test_rejects_are_never_behind_their_rows(tmp_path: Path) -> None:
    """Most are held for a moment, and all are there in the end."""
    path, rejects = tmp_path / "out", tmp_path / "rejects"
    with file_output(path, rejects=rejects, identity=Identity({}, [])) as output:
        for _ in range(3000):
            output.write(BAD)
            assert len(rejects.read_text()) >= len(path.read_text())
    assert path.read_text() == "2 none\n" * 3000
    assert rejects.read_text() == "2\tnone\n" * 3000


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="/dev/full is a device of Linux")
def test_a_full_disk_is_one_sentence() -> None:
    path = Path("/dev/full")
    message = r"^/dev/full cannot be written: No space left on device$"
    with pytest.raises(SatdokuError, match=message), file_output(path) as output:
        output.write(GOOD)


def test_a_device_needs_no_force() -> None:
    with file_output(Path(os.devnull)) as output:
        output.write(GOOD)
    assert output.written == 1
    assert not output.can_resume


def test_a_folder_is_no_output(tmp_path: Path) -> None:
    with pytest.raises(SatdokuError, match="is a folder"):
        file_output(tmp_path)


def test_a_folder_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(SatdokuError, match="cannot be written: No such file"):
        file_output(tmp_path / "nowhere" / "out")


def test_an_output_takes_the_place_of_an_older_one_with_its_first_row(tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.write_text("older\n")
    path.chmod(0o600)
    link = tmp_path / "link"
    link.symlink_to(path)
    (tmp_path / ".out.begun").write_text("of a run that was killed\n" * 9)
    with file_output(link, "header\n", identity=Identity({}, []), force=True) as output:
        assert path.read_text() == "older\n"
        output.write(Row("1\n", ending=Ending.SOLVED))
        assert path.read_text() == "header\n1\n"
        assert sidecar_of(link).exists()
    assert sorted(tmp_path.iterdir()) == [link, path]
    assert link.is_symlink()
    assert path.read_text() == "header\n1\n"
    assert path.stat().st_mode & 0o777 == 0o600
