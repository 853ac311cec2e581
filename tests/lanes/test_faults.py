"""Faults that are put into the sources are seen, and nothing reads or writes beside its memory."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from satdoku.lanes.library import FILE
from satdoku.puzzle.grid import Geometry
from satdoku.solving.bulk import Bulk
from tests.lanes.asking import COUNT, SEED, forms_in_python
from tests.lanes.boards import boards_from
from tests.lanes.building import NATIVE, ROOT, build, needs_compiler

pytestmark = needs_compiler

# What is changed in which file.
FAULTS = {
    "a mask without a digit": ("entries.c", "? ALL_DIGITS :", "? ALL_DIGITS >> 1 :"),
    "a forgotten band": (
        "engine.c",
        "sift_band(new + 27 * band, 1, 3, 9, &bad);",
        "if (band) sift_band(new + 27 * band, 1, 3, 9, &bad); else new[3] &= 0x1fe;",
    ),
    "a wrong arrangement": ("engine.c", "p5 = left[2] & left[4]", "p5 = left[2] & left[3]"),
    "full segments of four digits": (
        "engine.c",
        "segment[s] = digits;",
        "more &= more - 1; segment[s] = digits;",
    ),
    "hidden singles that are none": ("engine.c", "ones & ~twos;", "ones;"),
    "a saved board that is not taken back": (
        "engine.c",
        "&& state->first < state->end)",
        "&& state->first + 1 < state->end)",
    ),
    "the other digits of a cell forgotten": (
        "engine.c",
        "saved[cell] ^= lowest;",
        "saved[cell] = lowest;",
    ),
    "contradictions overlooked": ("engine.c", "signs->bad = bad;", "signs->bad = bad & open;"),
    "one solution is enough": ("entries.c", "task->wanted = 2;", "task->wanted = 1;"),
    "a digit too few where a given is tested": (
        "entries.c",
        "ALL_DIGITS & ~(1u << (digit - 1));",
        "ALL_DIGITS & ~(1u << (digit - 1)) & ~(1u << digit % 9);",
    ),
    "the digit of a tested given not excluded": (
        "entries.c",
        "ALL_DIGITS & ~(1u << (digit - 1));",
        "ALL_DIGITS;",
    ),
    "lanes that mix": (
        "engine.c",
        "lane[cell * WIDTH] = cells[cell];",
        "lane[cell * WIDTH - (cell == 80)] = cells[cell];",
    ),
    "names in the wrong order": (
        "canonical.c",
        "twin->names[row[named[n - 1]] - 1] > twin->names[digit - 1]",
        "twin->names[row[named[n - 1]] - 1] < twin->names[digit - 1]",
    ),
    "ways that are not added up": (
        "canonical.c",
        "ways[(uint32_t)*place] += ways;",
        "ways[(uint32_t)*place] = ways;",
    ),
    "rows of another band": ("canonical.c", "7 << row / 3 * 3) != 0", "7 << row / 3) != 0"),
    "orders of columns that are forgotten": (
        "canonical.c",
        "orders *= columns;",
        "orders += columns == 3;",
    ),
    "refutations a step late": ("rating.c", "(steps + 1) / 2 : steps & 1", "steps / 2 : steps & 1"),
    "singles in a cell that do not clash": (
        "rating.c",
        "bad |= (lanes)((found & (found - 1)) != 0);",
        "",
    ),
    "singles in a unit that do not clash": ("rating.c", "bad |= (lanes)(twice[unit] != 0);", ""),
    "units that crowd out less": (
        "rating.c",
        "more = __builtin_popcount(digits[set]) - __builtin_popcount(set);",
        "more = 1;",
    ),
    "lanes of ratings that mix": (
        "rating.c",
        "boards->cells[row + n][lane] &=",
        "boards->cells[row + n][lane / 2] &=",
    ),
    "strong links that go astray": (
        "estimate.c",
        "links[n].one & ~seen)",
        "links[n].other & ~seen)",
    ),
    "chains through one digit only": ("estimate.c", "opposites(e, 1, 7.0);", ""),
    "nets that forget what is behind": (
        "estimate.c",
        "add_to_list(e, list, 2 * truth[n]);",
        ";",
    ),
    "a full grid without its transposed one": ("canonical.c", "boards[n & 1]", "boards[0]"),
    "bands of full grids not sorted": ("canonical.c", "sort_texts(others, 6, 3);", ""),
    "a judge that forgets boxes": ("judge.c", " || boxes[unit] != 0x3fe", ""),
    "a judge that forgets rows": ("judge.c", "rows[unit] != 0x3fe || ", ""),
    "a judge that forgets givens": ("judge.c", " || (given != 0 && given != digit)", ""),
}

# As few as a usual run has time for; the others are slow.
USUAL = {"rows of another band"}


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What solvers say of the boards that are asked about, and what their forms are in Python."""
    bulk = Bulk(Geometry())
    numbers = [len(bulk.solve(board)) for board in boards_from(SEED, COUNT)]
    file = tmp_path_factory.mktemp("expected") / "known.json"
    file.write_text(json.dumps({"numbers": numbers, "forms": forms_in_python()}))
    return file


def ask(
    library: Path, expected: Path, rounds: int = 0, preload: str = ""
) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "LD_PRELOAD": preload} if preload else dict(os.environ)
    # Python keeps what it made until its end, and so do we.
    environment["ASAN_OPTIONS"] = "detect_leaks=0"
    return subprocess.run(
        [sys.executable, "-m", "tests.lanes.asking", str(library), str(expected), str(rounds)],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=3600 if rounds > 1000 else 120,
    )


@pytest.mark.skipif(not FILE.exists(), reason="the library was not built")
def test_without_a_fault_all_is_as_expected(expected: Path) -> None:
    done = ask(FILE, expected, 60)
    assert done.stdout == "as expected\n", done.stderr


@pytest.mark.parametrize(
    "fault",
    [each if each in USUAL else pytest.param(each, marks=pytest.mark.slow) for each in FAULTS],
)
def test_a_fault_is_seen(fault: str, tmp_path: Path, expected: Path) -> None:
    name, right, wrong = FAULTS[fault]
    sources = tmp_path / "native"
    shutil.copytree(NATIVE, sources)
    text = (sources / name).read_text()
    assert right in text
    (sources / name).write_text(text.replace(right, wrong))
    done = ask(build(tmp_path / "lanes.so", sources, ["-O0"]), expected)
    assert done.returncode != 0
    assert "as expected" not in done.stdout


def runtime_of(sanitizer: str) -> str:
    """The file that has to be loaded first, as Python itself was built without it."""
    compiler = os.environ.get("CC", "cc")
    command = [compiler, f"-print-file-name=lib{sanitizer}.so"]
    found = subprocess.run(command, capture_output=True, text=True).stdout.strip()
    return found if os.path.isabs(found) else ""


@pytest.mark.slow
def test_sanitizers_see_no_misuse(tmp_path: Path, expected: Path) -> None:
    runtime = runtime_of("asan")
    if not runtime:
        pytest.skip("this compiler has no address sanitizer to load")
    options = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-g"]
    library = build(tmp_path / "lanes.so", options=options)
    done = ask(library, expected, 100_000, runtime)
    assert done.stdout == "as expected\n", done.stderr


@pytest.mark.slow
def test_sanitizers_see_a_place_too_few(tmp_path: Path, expected: Path) -> None:
    """An empty board needs many places to save boards in: with a fifth of them, others are hit."""
    runtime = runtime_of("asan")
    if not runtime:
        pytest.skip("this compiler has no address sanitizer to load")
    sources = tmp_path / "native"
    shutil.copytree(NATIVE, sources)
    header = sources / "lanes.h"
    header.write_text(header.read_text().replace("PLACES = CELLS,", "PLACES = 5,"))
    options = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    done = ask(build(tmp_path / "lanes.so", sources, options), expected, 0, runtime)
    assert done.returncode != 0
