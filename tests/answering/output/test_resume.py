"""Whatever happens to a run, the output of the next one is that of a run to which nothing did."""

import gzip
import lzma
import random
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path

import pytest

from satdoku.answering.output.open_file import find_codec
from satdoku.answering.output.output import sidecar_of
from satdoku.errors import SatdokuError
from satdoku.files import open_zstandard
from tests.answering.output.unfinished import (
    OPENING,
    Unplugged,
    answer_all,
    break_off,
    prepare,
)
from tests.batch.marked import expected
from tests.crossing import crossed, few_or_many, sampled
from tests.each import for_each

ROOT = Path(__file__).parents[3]
READERS: dict[str, Callable[[bytes], bytes]] = {
    "plain.csv": bytes,
    "rows.csv.gz": gzip.decompress,
    "rows.csv.xz": lzma.decompress,
}
if find_spec("pyarrow") is not None:
    READERS["rows.csv.zst"] = lambda data: open_zstandard(BytesIO(data), "rb").read()
NAMES = list(READERS)


def contents(folder: Path, name: str) -> tuple[bytes, bytes]:
    return (folder / name).read_bytes(), (folder / f"{name}.rejects").read_bytes()


def test_a_compressed_output_does_not_tell_the_time() -> None:
    """Bytes 4 to 7 of a gzip member are the time of day, or zero."""
    codec = find_codec(Path("rows.csv.gz"))
    assert codec is not None
    assert codec.compress(b"a row\n")[4:8] == bytes(4)


def finish(folder: Path, name: str, count: int, jobs: int = 1) -> tuple[bytes, bytes]:
    """The files of a run that nothing disturbs."""
    answer_all(prepare(folder, count), name, jobs)
    assert not sidecar_of(folder / name).exists()
    return contents(folder, name)


@for_each("name", NAMES)
@for_each("count", [0, 1, 999, 1000, 1001, 2500])
def test_a_whole_run_reads_back_as_its_rows(name: str, count: int, tmp_path: Path) -> None:
    data, rejects = finish(tmp_path, name, count)
    marks = {f"n{n}": "multiple" for n in range(1, count, 997)}
    assert READERS[name](data).decode() == OPENING + "".join(expected(count, **marks))
    assert rejects.decode() == "".join(f"{mark[1:]}\tnot unique\n" for mark in marks)


@sampled(2, "name", NAMES)
def test_the_bytes_do_not_depend_on_jobs(name: str, tmp_path: Path) -> None:
    assert finish(tmp_path / "a", name, 3000) == finish(tmp_path / "b", name, 3000, jobs=2)


@crossed(3, name=NAMES, answered=[0, 1, 999, 1000, 1001, 2500])
def test_an_interrupted_run_keeps_every_row(name: str, answered: int, tmp_path: Path) -> None:
    whole = finish(tmp_path / "whole", name, 2500)
    folder = tmp_path / "broken"
    # Twice, so that what was saved of an unfinished member is read back and replaced.
    break_off(folder, name, 2500, min(answered, 2499))
    assert answer_all(folder, name, 1) == min(answered, 2499)
    assert contents(folder, name) == whole


@few_or_many("count", 2, 5)
@sampled(2, "name", NAMES)
def test_an_output_cut_anywhere_is_continued(name: str, count: int, tmp_path: Path) -> None:
    whole = finish(tmp_path / "whole", name, 2500)
    folder = tmp_path / "broken"
    break_off(folder, name, 2500, 2200)
    shutil.copytree(folder, tmp_path / "saved")
    generator = random.Random(1)
    size = (folder / name).stat().st_size
    cuts = [0, 1, len(OPENING) - 1, len(OPENING), size - 1, *generator.sample(range(size), count)]
    for cut in cuts:
        for file in (name, f"{name}.rejects", f"{name}.resume"):
            shutil.copy(tmp_path / "saved" / file, folder / file)
        with (folder / name).open("r+b") as stream:
            stream.truncate(cut)
        answer_all(folder, name, 1)
        assert contents(folder, name) == whole, cut


@sampled(2, "name", NAMES)
def test_blocks_that_a_power_cut_zeroed_are_no_answers(name: str, tmp_path: Path) -> None:
    whole = finish(tmp_path / "whole", name, 2500)
    folder = tmp_path / "broken"
    break_off(folder, name, 2500, 2200)
    with (folder / name).open("r+b") as stream:
        stream.truncate(stream.seek(0, 2) * 3 // 4)
        stream.truncate(stream.seek(0, 2) + 5000)
    answer_all(folder, name, 1)
    assert contents(folder, name) == whole


def require_no_trace_of_kills(
    folder: Path, name: str, kills: int, jobs: int, count: int, seed: int, *options: str
) -> None:
    whole = finish(folder / "whole", name, count)
    broken = prepare(folder / "broken", count)
    words = [str(broken), name, str(kills), str(seed), str(jobs), *options]
    done = subprocess.run(
        [sys.executable, "-m", "tests.answering.output.unfinished", *words],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    found = list(map(int, done.stdout.split()))
    assert len(found) > kills // 4
    assert found == sorted(found), "something answered was answered again"
    assert contents(broken, name) == whole
    assert not sidecar_of(broken / name).exists()


@for_each("name", NAMES)
def test_a_run_that_is_killed_while_it_tries_its_files_is_resumed(
    name: str, tmp_path: Path
) -> None:
    """What it creates to see whether it may write stays there, as nobody deletes it."""

    def die(path: Path, missing_ok: bool = False) -> None:
        raise Unplugged(path)

    folder = prepare(tmp_path / "killed", 10)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Path, "unlink", die)
        with pytest.raises(Unplugged):
            answer_all(folder, name, 1, resume=False)
    assert answer_all(folder, name, 1) == 0
    assert contents(folder, name) == finish(tmp_path / "whole", name, 10)


@pytest.mark.parametrize(
    ("name", "kills", "jobs"),
    [
        ("plain.csv", 3, 2),
        ("rows.csv.gz", 3, 1),
        pytest.param("plain.csv", 5, 1, marks=pytest.mark.slow),
    ],
)
def test_kills_leave_no_trace(name: str, kills: int, jobs: int, tmp_path: Path) -> None:
    require_no_trace_of_kills(tmp_path, name, kills, jobs, 20_000, 1, "--steps")


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_thousand_kills_leave_no_trace(name: str, tmp_path: Path) -> None:
    seed = random.SystemRandom().randrange(2**32)
    print(f"seed {seed}")
    require_no_trace_of_kills(tmp_path, name, 1000, 2, 6_000_000, seed)


@few_or_many("count", 12_000, 30_000)
@pytest.mark.parametrize("name", ["plain.csv", "rows.csv.gz"])
def test_a_full_disk_is_told_and_leaves_a_file_to_resume(
    name: str, count: int, tmp_path: Path
) -> None:
    whole = finish(tmp_path / "whole", name, count)
    folder = prepare(tmp_path / "broken", count)
    limit = len(whole[0]) * 2 // 3
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, old[1]))
    try:
        with pytest.raises(SatdokuError, match=r"cannot be written: File too large.*--resume"):
            answer_all(folder, name, 1)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)
        signal.signal(signal.SIGXFSZ, handler)
    if name == "plain.csv":
        assert (folder / name).read_bytes().endswith(b"\n")
    assert answer_all(folder, name, 1) > count // 3
    assert contents(folder, name) == whole
