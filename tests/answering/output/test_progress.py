"""How far the reading of files is, and the line that shows it."""

import bz2
import gzip
import lzma
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from satdoku.answering.output.progress import Meter, progress_line
from satdoku.errors import FormatError
from tests.crossing import crossed, sampled
from tests.each import for_each


@for_each("width", [1, 20, 40, 60, 80, 200])
@for_each("total", [None, 0, 10, 12_345])
@for_each("done", [0, 10, 5000])
def test_progress_fits_the_width(done: int, total: int | None, width: int) -> None:
    line = progress_line(done, total, 1.5, [("unique", done)], width)
    assert len(line) <= width
    assert ("%" in progress_line(done, total, 1.5, width=80)) == (total is not None)


def test_progress_of_a_resumed_run_counts_only_its_own_pace() -> None:
    line = progress_line(1100, 1200, 10, earlier=1000, width=40)
    assert line == " 91% 1,100/1,200  10/s  0:10 left"


def test_an_estimated_total_is_marked() -> None:
    assert "10/~100 " in progress_line(10, 100, 1, is_exact=False)


LINES = [b"%06d\n" % number for number in range(100_000)]
OPENERS: dict[str, Callable[[bytes], bytes]] = {
    "plain": bytes,
    "x.gz": gzip.compress,
    "x.bz2": bz2.compress,
    "x.xz": lzma.compress,
}


@cache
def packed(name: str) -> bytes:
    return OPENERS[name](b"".join(LINES))


@sampled(2, "name", list(OPENERS))
def test_the_total_is_known_well_before_the_end(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(packed(name))
    meter = Meter([path])
    records = meter.count(meter.read_lines(path))
    assert meter.total is None
    lines = [next(records) for _ in range(60_000)]
    assert not meter.is_exact
    # bzip2 and xz are read far ahead of the lines where they shrink so well.
    assert meter.total is not None
    assert 60_000 <= meter.total <= 150_000
    assert lines + list(records) == LINES
    assert (meter.total, meter.is_exact) == (100_000, True)


def test_two_files_are_one_way(tmp_path: Path) -> None:
    paths = [tmp_path / "a", tmp_path / "b"]
    for path in paths:
        path.write_bytes(b"".join(LINES))
    meter = Meter(paths)
    records = meter.count(line for path in paths for line in meter.read_lines(path))
    for _ in range(100_001):
        next(records)
    assert meter.total is not None
    assert meter.total == pytest.approx(200_000, rel=0.01)


def test_without_a_file_there_is_no_total() -> None:
    meter = Meter([Path("/dev/stdin")])
    records = meter.count([1, 2, 3])
    next(records)
    assert meter.total is None
    list(records)
    assert meter.total == 3


@crossed(2, name=["x.gz", "x.bz2", "x.xz"], damage=["cut", "changed", "foreign"])
def test_damaged_files_are_told_with_their_name(name: str, damage: str, tmp_path: Path) -> None:
    data = packed(name)
    middle = len(data) // 2
    data = {
        "cut": data[:middle],
        "changed": data[:middle] + bytes(b ^ 255 for b in data[middle : middle + 64]) + data[-99:],
        "foreign": b"53..7....6..195\n",
    }[damage]
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(FormatError, match=rf"{name}:\d+: damaged data \(.+\)"):
        list(Meter([path]).read_lines(path))
