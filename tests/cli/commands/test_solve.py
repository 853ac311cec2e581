import json
from collections.abc import Sequence
from random import Random

import pytest

from satdoku.notation.formats import FORMATS
from satdoku.puzzle.grid import Geometry
from tests.boards import USUAL_SHAPES, full_grid, random_puzzle, thin_out
from tests.commands import (
    AMBIGUOUS,
    CLASHING,
    EASY,
    EASY_SOLUTION,
    HARD,
    SMALL,
    SMALL_SOLUTION,
    require_failure,
    run,
)
from tests.crossing import crossed
from tests.each import for_each
from tests.oracle import solutions_of

NINE_ROWS = [EASY[start : start + 9] for start in range(0, 81, 9)]
NINE_SOLVED = [EASY_SOLUTION[start : start + 9] for start in range(0, 81, 9)]
GOOD_AND_BAD = [EASY, AMBIGUOUS, CLASHING, EASY[1:], SMALL]
ANSWERS = [EASY_SOLUTION, "", "", "", SMALL_SOLUTION]


def oracle_of(geometry: Geometry, digits: Sequence[int], limit: int = 2) -> list[str]:
    """The first solutions as texts, however they are found."""
    found = solutions_of(geometry.box_rows, geometry.box_columns, digits)
    return ["".join(map(str, solution)) for solution, _ in zip(found, range(limit), strict=False)]


def test_nine_rows_in_nine_rows_out_and_nothing_else() -> None:
    result = run("solve", stdin="\n".join(NINE_ROWS) + "\n")
    assert (result.code, result.lines, result.stderr) == (0, NINE_SOLVED, "")


def test_a_line_gives_a_line() -> None:
    assert run("solve", EASY) == (0, EASY_SOLUTION + "\n", "")
    assert run("solve", "-", stdin=EASY) == (0, EASY_SOLUTION + "\n", "")


def test_json_gives_json_of_the_same_shape() -> None:
    board = [list(row) for row in NINE_ROWS]
    result = run("solve", stdin=json.dumps(board))
    assert json.loads(result.stdout) == [list(row) for row in NINE_SOLVED]
    numbers = [[int(cell) if cell != "." else None for cell in row] for row in NINE_ROWS]
    result = run("solve", stdin=json.dumps(numbers))
    assert json.loads(result.stdout) == [[int(cell) for cell in row] for row in NINE_SOLVED]


def test_a_table_keeps_its_columns() -> None:
    result = run("solve", stdin=f"id;puzzle;level\n7;{SMALL};easy\n8;{AMBIGUOUS};hard\n")
    assert result.lines == [
        "id;puzzle;level;solution",
        f"7;{SMALL};easy;{SMALL_SOLUTION}",
        f"8;{AMBIGUOUS};hard;",
    ]


def test_what_has_no_answer_keeps_its_place() -> None:
    result = run("solve", stdin="\n".join(GOOD_AND_BAD))
    assert result.lines == ANSWERS
    *talk, summary = result.stderr.splitlines()
    assert [line.partition(": ")[0] for line in talk] == ["stdin:2", "stdin:3", "satdoku"]
    assert summary.startswith("5 puzzles: 2 unique, 1 multiple, 1 none; 1 unreadable; 0:0")


def test_what_has_no_answer_is_null_in_json() -> None:
    result = run("solve", "--to", "json", stdin="\n".join(GOOD_AND_BAD))
    assert [json.loads(line) is None for line in result.lines] == [not text for text in ANSWERS]


@crossed(2, name=FORMATS, geometry=USUAL_SHAPES)
def test_every_format_that_is_asked_for_reads_back_as_the_solution(
    name: str, geometry: Geometry
) -> None:
    if geometry.size > FORMATS[name].largest_size:
        return
    solved = [full_grid(Random(seed), geometry) for seed in range(2)]
    puzzles = [thin_out(Random(0), grid, geometry.cell_count - 3) for grid in solved]
    lines = [" ".join(map(str, grid.digits)) for grid in puzzles]
    box = ["--box", geometry]
    written = run("solve", "--to", name, *box, *lines)
    assert written.code == 0, written
    back = run("convert", "--from", name, "--to", "json", *box, stdin=written.stdout)
    boards = [json.loads(text) for text in back.lines]
    rows = [board["puzzle"] if isinstance(board, dict) else board for board in boards]
    assert rows == [[list(row) for row in grid.rows] for grid in solved]


@for_each("name", FORMATS)
def test_the_solution_of_a_jigsaw_never_shows_the_usual_boxes(name: str) -> None:
    jigsaw = {"puzzle": "..1......4....3.", "regions": "AAAABBCCDBBCDDDC"}
    written = run("solve", "--to", name, json.dumps(jigsaw))
    if FORMATS[name].draws_boxes:
        assert written.code == 1
        assert "draws boxes, which this puzzle lacks" in written.stderr
        return
    assert written.code == 0, written
    assert "AABBAABB" not in written.stdout
    if name in ("jigsaw", "json"):  # what holds regions can be checked again
        assert run("check", "-", stdin=written.stdout).stdout == "unique\n"


@pytest.mark.parametrize("options", [["--any"], ["-n", "1"]])
def test_one_of_several_solutions_only_when_asked(options: list[str]) -> None:
    refused = run("solve", AMBIGUOUS)
    assert (refused.code, refused.stdout) == (10, "\n")
    assert "several solutions: two of them differ in" in refused.stderr
    result = run("solve", AMBIGUOUS, *options)
    assert (result.code, result.stderr) == (0, "")
    assert result.lines[0] in oracle_of(Geometry(2, 2), [1, *[0] * 15], 100)


@pytest.mark.parametrize(("options", "count"), [(["-n", "5"], 5), (["--all"], 72)])
def test_several_solutions_are_different_and_right(options: list[str], count: int) -> None:
    result = run("solve", AMBIGUOUS, *options)
    assert (result.code, len(set(result.lines))) == (0, count)
    assert set(result.lines) <= set(oracle_of(Geometry(2, 2), [1, *[0] * 15], 100))


def test_fewer_solutions_than_asked_for_are_all_there_are() -> None:
    assert run("solve", SMALL, "-n", "5") == (0, SMALL_SOLUTION + "\n", "")
    none = run("solve", CLASHING, "--all")
    assert none == (20, "", "argument:1: no solution\n")


def test_several_solutions_in_a_table_are_rows_below_its_header() -> None:
    result = run("solve", "-n", "2", stdin=f"id,puzzle\n7,{AMBIGUOUS}\n")
    assert result.lines[0] == "id,puzzle,solution"
    assert [line.rpartition(",")[0] for line in result.lines[1:]] == [f"7,{AMBIGUOUS}"] * 2
    assert run("solve", SMALL, "-n", "1", "--to", "csv").lines[0] == "puzzle,name,comment"


def test_solutions_up_to_a_limit_are_printed_and_counted() -> None:
    # Of 6x6: the first one of an empty 9x9 board takes longer where there is no compiled library.
    result = run("solve", "--all", "--timeout", "0.3", "." * 36)
    assert result.code == 124
    assert len(result.lines) > 0
    assert f"not decided within 0.3 s, after {len(result.lines):,} solutions" in result.stderr


@for_each(
    "options",
    [
        ["-n", "2", "--all"],
        ["-n", "2", "--any"],
        ["-n", "2", "--json"],
        ["--all", "--csv"],
        ["-n", "2", "--jobs", "2"],
        ["-n", "2", "--rejects", "r"],
        ["-n", "2", "--resume", "-o", "x"],
        ["--all", "--dask", "local"],
        ["--json", "--csv"],
        ["--resume"],
        ["-n", "0"],
        ["--timeout", "0"],
        ["--timeout", "soon"],
        ["--conflicts", "0"],
        ["--jobs", "0"],
        ["--solver", "nope"],
        ["--portfolio", "glucose4,nope"],
        ["--encoding", "nope"],
        ["--to", "nope"],
    ],
)
def test_options_that_make_no_sense_are_refused(options: list[str]) -> None:
    result = run("solve", SMALL, *options)
    require_failure(result, options[0], code=2)
    assert result.stdout == ""


@pytest.mark.parametrize("form", ["--json", "--csv"])
def test_any_with_verdicts_says_that_uniqueness_is_open(form: str) -> None:
    result = run("solve", AMBIGUOUS, "--any", form)
    assert result.code == 0
    assert "undecided" in result.lines[-1]
    assert "without a search for a second one" in result.lines[-1]


@pytest.mark.parametrize("options", [[], ["--solver", "glucose4"], ["--encoding", "triads"]])
def test_the_hard_puzzle(options: list[str]) -> None:
    assert run("solve", HARD, *options).lines == [
        "812753649943682175675491283154237896369845721287169534521974368438526917796318452"
    ]


@pytest.mark.parametrize("shape", ["2x2", "2x3", "3x2"])
def test_solving_agrees_with_plain_backtracking(shape: str) -> None:
    rows, columns = map(int, shape.split("x"))
    rng = Random(shape)
    puzzles = [random_puzzle(rng, Geometry(rows, columns), 0.3).grid for _ in range(60)]
    lines = "".join("".join(map(str, grid.digits)) + "\n" for grid in puzzles)
    result = run("solve", "--json", "--box", shape, stdin=lines)
    verdicts = {0: "none", 1: "unique", 2: "multiple"}
    seen = set()
    for grid, line in zip(puzzles, result.lines, strict=True):
        shown = json.loads(line)
        found = oracle_of(grid.geometry, grid.digits)
        assert shown["verdict"] == verdicts[len(found)]
        assert shown["box"] == shape
        if len(found) == 1:
            assert [shown["solution"]] == found
        seen.add(len(found))
    assert seen == {0, 1, 2}


@pytest.mark.parametrize("option", [["--any"], ["--all"], ["-n", 2]], ids=str)
def test_verbose_is_refused_where_nothing_is_decided(option: list[object]) -> None:
    require_failure(run("solve", "-v", *option, SMALL), "-v tells what decided", code=2)


def test_verbose_tells_what_decided_a_puzzle_beside_its_grid() -> None:
    result = run("solve", "-v", SMALL)
    assert result.stdout == f"{SMALL_SOLUTION}\n"
    assert ": decided after 0" in result.stderr


def test_a_solution_has_the_digits_of_its_puzzle_in_every_format() -> None:
    """In hexadecimal digits `1 2 3 ... 16` would be another answer."""
    row = "0123456789ABCDEF"
    rows = [row[n:] + row[:n] for n in (4 * (k % 4) + k // 4 for k in range(16))]
    holes = [".".join([text[:5], text[6:]]) for text in rows]
    for to in ("rows", "line"):
        result = run("solve", "--to", to, stdin="\n".join(holes))
        assert "".join(result.lines) == "".join(rows)
    # The same among words, which are read as a paste, and with the prefix that programs have.
    words = "\n".join(" ".join(f"0x{c}" if c != "." else ".." for c in text) for text in holes)
    for text in ("Is this one unique?\n" + "\n".join(holes), words):
        result = run("solve", "--to", "line", stdin=text)
        assert "".join(result.lines) == "".join(rows)
