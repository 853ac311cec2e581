import gzip
import json
from functools import cache
from pathlib import Path
from random import Random

import pytest

from satdoku.notation.formats import FORMATS
from satdoku.puzzle.grid import Geometry
from tests.boards import full_grid, thin_out
from tests.commands import EASY, HARD, SMALL, Result, require_failure, run
from tests.crossing import crossed
from tests.each import for_each

HEX = "".join(
    ".0123456789ABCDEF"[digit]
    for digit in thin_out(Random(1), full_grid(Random(1), Geometry(4, 4)), 150).digits
)


@cache
def written(name: str) -> Result:
    return run("convert", "--to", name, EASY)


@crossed(4, first=FORMATS, second=FORMATS)
def test_any_format_becomes_any_other_and_comes_back(first: str, second: str) -> None:
    there = written(first)
    over = run("convert", "--to", second, "--from", first, stdin=there.stdout)
    back = run("convert", "--to", "line", "--from", second, stdin=over.stdout)
    assert (there.code, over.code, back.code) == (0, 0, 0)
    assert back.stdout.split()[0] == EASY


@for_each("name", FORMATS)
def test_what_was_written_is_recognised(name: str) -> None:
    written = run("convert", "--to", name, EASY, HARD).stdout
    lines = run("convert", stdin=written).lines
    assert [line.split()[0] for line in lines] == [EASY, HARD]


def test_a_line_is_the_default_and_keeps_name_and_comment() -> None:
    assert run("convert", stdin=f"{SMALL} easy # mine\n").stdout == f"{SMALL} easy # mine\n"
    shown = json.loads(run("convert", "--to", "json", stdin=f"{SMALL} easy # mine\n").stdout)
    assert (shown["name"], shown["comment"]) == ("easy", "mine")


def test_boards_have_an_empty_line_between_and_a_table_one_header() -> None:
    boards = run("convert", "--to", "grid", SMALL, SMALL).stdout
    assert len(boards.split("\n\n")) == 2
    assert run("convert", "--to", "csv", SMALL, SMALL).lines == [
        "puzzle,name,comment",
        f"{SMALL},,",
        f"{SMALL},,",
    ]


def test_the_good_ones_are_converted_and_the_bad_ones_reported() -> None:
    result = run("convert", stdin=f"{EASY[1:]}\n{EASY}\n{EASY}x\n")
    assert (result.code, result.lines) == (1, [EASY])
    assert result.stderr.splitlines() == [
        "satdoku: stdin:1:81: 80 cells found, expected 81 for 9x9",
        "satdoku: stdin:3:82: 82 cells found, expected 81 for 9x9",
    ]


def test_nothing_good_leaves_nothing() -> None:
    result = run("convert", "--to", "csv", EASY[1:])
    assert (result.code, result.stdout) == (1, "")


def test_an_alphabet_that_is_not_clear_is_asked_for() -> None:
    result = run("convert", "1..F" * 64)
    require_failure(result, "argument:1:1: it is not clear which symbols", "--alphabet 1 or 0")


@pytest.mark.parametrize(("alphabet", "first"), [("0", "2 . . 16"), ("1", "1 . . 15")])
def test_an_alphabet_settles_what_is_meant(alphabet: str, first: str) -> None:
    assert run("convert", "1..F" * 64, "--alphabet", alphabet).stdout.startswith(first)


def test_large_boards_are_numbers_unless_an_alphabet_is_asked_for() -> None:
    numbers = run("convert", "--alphabet", "0", HEX).stdout
    assert numbers.split() == ["." if cell == "." else str(int(cell, 16) + 1) for cell in HEX]
    for alphabet in ("0", "1", "A"):
        letters = run("convert", "--to-alphabet", alphabet, stdin=numbers).stdout
        assert len(letters) == 256 + 1
        assert run("convert", "--alphabet", alphabet, stdin=letters).stdout == numbers
    assert run("convert", "--to-alphabet", "0", stdin=numbers).stdout == HEX + "\n"


def test_an_alphabet_that_is_too_short_is_refused() -> None:
    result = run("convert", "--to-alphabet", "abc", SMALL)
    require_failure(result, "the alphabet 'abc' has 3 symbols, a board of 4x4 needs 4")


def test_the_box_shape_travels_along() -> None:
    drawn = run("convert", "--box", "3x2", "--to", "grid", "." * 36).stdout
    assert drawn.startswith("+-----+-----+-----+\n")
    assert run("convert", "--to", "grid", stdin=drawn).stdout == drawn
    shown = json.loads(run("convert", "--to", "json", stdin=drawn).stdout)
    assert shown["box"] == "3x2"
    other = run("convert", "--box", "2x3", stdin=drawn)
    require_failure(other, "3x2", "2x3")


@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_a_file_is_written_whole_and_not_over_another(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"out{suffix}"
    assert run("convert", EASY, "-o", path) == (0, "", "")
    content = gzip.decompress(path.read_bytes()) if suffix else path.read_bytes()
    assert content.decode() == EASY + "\n"
    require_failure(run("convert", SMALL, "-o", path), f"{path} exists; --force overwrites it")
    assert run("convert", path, "-o", path, "--force", "--to", "rows").code == 0
    assert run("convert", path).lines == [EASY]


def test_a_dash_is_standard_output() -> None:
    assert run("convert", EASY, "-o", "-").stdout == EASY + "\n"


@pytest.mark.parametrize("command", ["convert --to iss", "solve -n 2"])
def test_a_refused_puzzle_leaves_no_file(command: str, tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    words = [*command.split(), "-o", str(path)]
    assert run(*words, EASY[:-1]).code == 1
    assert not path.exists()
    assert run(*words, EASY).code == 0
    text = path.read_text()
    assert run(*words, EASY[:-1], "--force").code == 1
    assert path.read_text() == text
