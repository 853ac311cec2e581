import json
import re

import pytest

from satdoku.encoding.choices import Encoding, Method
from satdoku.encoding.encode import description_of, measure
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from tests.commands import require_failure, run
from tests.crossing import sampled

SHOWN = ["minimal", "efficient", "extended", "triads"]


def tables(*arguments: str) -> dict[str, dict[tuple[str, str], tuple[int, int]]]:
    """By board: the variables and clauses of each method in each encoding."""
    result = run("encodings", *arguments)
    assert (result.code, result.stderr) == (0, "")
    found: dict[str, dict[tuple[str, str], tuple[int, int]]] = {}
    board: dict[tuple[str, str], tuple[int, int]] = {}
    for line in result.lines:
        title = re.match(r"\d+x\d+ with boxes of (\S+): variables / clauses", line)
        pairs = re.findall(r"([\d,]+) / ([\d,]+)", line)
        if title:
            board = found[title[1]] = {}
        for encoding, pair in zip(SHOWN, pairs, strict=False):
            variables, clauses = (int(number.replace(",", "")) for number in pair)
            board[line.split()[0], encoding] = variables, clauses
    return found


def test_every_encoding_is_described() -> None:
    lines = run("encodings").lines
    for encoding in Encoding:
        assert f"{encoding.value:10} {description_of(encoding)}" in lines


def test_9x9_16x16_and_25x25_are_shown() -> None:
    found = tables()
    assert list(found) == ["3x3", "4x4", "5x5"]
    expected = {(method.value, encoding) for method in Method for encoding in SHOWN}
    assert all(set(board) == expected for board in found.values())
    assert found["3x3"]["pairwise", "minimal"] == (729, 7371)
    assert found["3x3"]["pairwise", "triads"] == (1215, 7695)


@sampled(2, "box", ["1x1", "1x4", "2x2", "2x3"])
def test_the_numbers_are_those_of_the_formulas(box: str) -> None:
    geometry = Geometry(*map(int, box.split("x")))
    [board] = tables("--box", box).values()
    for (method, encoding), size in board.items():
        assert size == measure(Puzzle(Grid.empty(geometry)), Encoding(encoding), Method(method))


def test_the_same_numbers_are_objects_in_json() -> None:
    result = run("encodings", "--json", "--size", "4", "--size", "6")
    found = {each["name"]: each for each in map(json.loads, result.lines)}
    assert list(found) == [encoding.value for encoding in Encoding]
    assert found["reduced"]["sizes"] == []
    for box, table in tables("--size", "4", "--size", "6").items():
        for name in SHOWN:
            sizes = [size for size in found[name]["sizes"] if size["box"] == box]
            listed = {size["at_most_one"]: (size["variables"], size["clauses"]) for size in sizes}
            assert all(listed[method.value] == table[method.value, name] for method in Method)
    fixed = {size["at_most_one"]: size["one_model"] for size in found["minimal"]["sizes"]}
    assert fixed["pairwise"]
    assert not fixed["totalizer"]


def test_formulas_whose_solutions_may_have_several_models_are_marked() -> None:
    *table, legend = run("encodings", "--size", "9").lines
    marked = {line.split()[0]: line.count("*") for line in table if " / " in line}
    never_fixed = dict.fromkeys(["totalizer", "sortnetwork", "cardnetwork"], 4)
    by_segments = dict.fromkeys(["sequential", "bitwise", "mtotalizer", "kmtotalizer"], 1)
    none = dict.fromkeys(["9x9", "pairwise", "textbook", "product", "ladder"], 0)
    assert marked == {**never_fixed, **by_segments, **none}
    assert legend.startswith("* a solution may have several models")


def test_sizes_are_chosen() -> None:
    assert list(tables("--size", "6", "--size", "36")) == ["2x3", "6x6"]
    assert list(tables("--size", "7")) == ["1x7"]


@pytest.mark.parametrize(
    ("box", "textbook", "pairs"),
    [("3x3", 8829, 1458), ("2x2", 304, 64), ("4x4", 92416, 12288)],
)
def test_the_duplicate_pairs_of_textbooks_are_told(box: str, textbook: int, pairs: int) -> None:
    result = run("encodings", "--box", box)
    told = re.search(r"textbook states ([\d,]+) pairs twice", result.stdout)
    assert told
    assert int(told[1].replace(",", "")) == pairs
    board = tables("--box", box)[box]
    assert board["textbook", "minimal"][1] == textbook
    assert board["pairwise", "minimal"][1] == textbook - pairs


def test_a_large_board_is_counted_at_once() -> None:
    assert tables("--size", "100")["10x10"]["pairwise", "minimal"] == (1_000_000, 139_510_000)


@pytest.mark.parametrize(
    "arguments", [["--size", "0"], ["--size", "x"], ["--box", "3"], ["more"]], ids=str
)
def test_wrong_usage(arguments: list[str]) -> None:
    require_failure(run("encodings", *arguments), code=2)
