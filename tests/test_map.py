"""Whoever changes a file finds its tests: by its name, or in the map of tests/README.md."""

import re
from pathlib import Path

import satdoku
from tests.each import for_each

FOLDER = Path(__file__).parent
ROOT = Path(satdoku.__file__).parent
ROWS = [
    [re.findall(r"`([\w/.]+)`", cell) for cell in row.split("|")[1:3]]
    for row in (FOLDER / "README.md").read_text("utf-8").splitlines()
    if row.startswith("| `")
]
MAP = {name: tests for names, tests in ROWS for name in names}
FILES = sorted(p.relative_to(ROOT).as_posix() for p in ROOT.rglob("*.py") if p.stem != "__init__")


def _has_own_tests(file: str) -> bool:
    path = FOLDER / file
    return path.with_name(f"test_{path.name}").is_file()


@for_each("file", FILES)
def test_the_tests_of_every_file_can_be_found(file: str) -> None:
    folder = file.rpartition("/")[0] + "/"
    assert _has_own_tests(file) or file in MAP or folder in MAP


def test_the_map_names_what_is_there_and_nothing_that_needs_no_row() -> None:
    for name, tests in MAP.items():
        assert (ROOT / name).exists(), name
        assert not _has_own_tests(name), name
        assert tests, name
        for test in tests:
            assert (FOLDER / test).is_file(), test
