"""How far the reading of files is, and what is said of damaged ones."""

import bz2
import gzip
import lzma
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from satdoku.errors import FormatError
from satdoku.output.meter import Meter

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


@pytest.mark.parametrize("name", list(OPENERS))
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


@pytest.mark.parametrize("name", ["x.gz", "x.bz2", "x.xz"])
@pytest.mark.parametrize("damage", ["cut", "changed", "foreign"])
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
