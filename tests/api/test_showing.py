"""What the library's objects look like in print and in notebooks."""

import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given

import satdoku
from satdoku import Geometry, Grid, Puzzle, SatdokuError
from satdoku.certifying.certify import certify
from satdoku.encoding.choices import Encoding
from satdoku.explaining.explain import explain
from satdoku.making.minimizer import Minimized
from tests.commands import AMBIGUOUS, CLASHING, EASY, EASY_SOLUTION, SMALL
from tests.each import for_each
from tests.strategies import grids

BOARD = """\
+-----+-----+
| . . | 3 . |
| . 4 | . 2 |
+-----+-----+
| 4 . | . 3 |
| . . | 4 . |
+-----+-----+"""
LONGEST_LINE = 110


def require_html(html: str) -> ElementTree.Element:
    """What a page can take in; ids of its drawings are unique."""
    tree = ElementTree.fromstring(html)
    ids = [element.get("id") for element in tree.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    return tree


def test_printed_grids_and_puzzles_are_boxed_boards() -> None:
    puzzle = satdoku.parse(SMALL)
    assert str(puzzle) == str(puzzle.grid) == BOARD
    assert str(Puzzle.from_line(SMALL, name="mine")) == f"mine\n{BOARD}"
    ruled = str(Puzzle.from_line(SMALL, rules=["anti-king"]))
    assert ruled.startswith(BOARD)
    assert ruled.endswith("anti-king: no two cells a king's move apart hold the same digit")


def test_printing_works_in_a_program_that_imports_nothing_else() -> None:
    program = f"import satdoku; print(satdoku.parse({SMALL!r}))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == (f"{BOARD}\n", "")


@given(grid=grids())
def test_a_line_makes_the_grid_again(grid: Grid) -> None:
    assert Grid.from_line(grid.line, grid.geometry) == grid
    assert len(repr(grid)) <= LONGEST_LINE
    if grid.geometry.size <= 9:
        assert eval(repr(grid)) == grid


@pytest.mark.parametrize(
    "puzzle",
    [
        Puzzle.from_line(EASY),
        Puzzle.from_line(SMALL, name="it's mine", rules=["odd:r1c1", "anti-king"]),
        Puzzle.from_line(SMALL, rules=["regions:AABB/ABBC/ADCC/DDDC"]),
        Puzzle.from_line("." * 36, Geometry(3, 2)),
    ],
    ids=lambda puzzle: puzzle.geometry.size,
)
def test_small_puzzles_evaluate_back(puzzle: Puzzle) -> None:
    again = eval(repr(puzzle))
    assert again == puzzle
    assert again.name == puzzle.name


def test_large_puzzles_are_told_in_a_few_words() -> None:
    puzzle = Puzzle(Grid.empty(Geometry(4, 4)), name="large")
    assert repr(puzzle) == "<Puzzle 'large' 16x16 with 0 givens>"


@for_each("line", ["", "12", "1234a............", "5...............", "1 2 3 x"])
def test_lines_that_are_no_grid_are_refused(line: str) -> None:
    with pytest.raises(SatdokuError):
        Grid.from_line(line)


def test_outcomes_show_their_evidence() -> None:
    assert str(satdoku.check(SMALL)).startswith("unique\n+-----+-----+\n| 1 2 | 3 4 |")
    several = str(satdoku.check(AMBIGUOUS))
    assert several.startswith("multiple: two of them differ in 4 cells")
    assert several.count("*") == 8
    assert str(satdoku.check(CLASHING)).startswith("none: r1c1 and r1c2 are both 5, in row 1\n")
    assert repr(satdoku.check(AMBIGUOUS)) == "<Outcome multiple: 4x4 with 1 given>"


def test_notebooks_show_several_solutions_with_their_differences() -> None:
    tree = require_html(satdoku.check(AMBIGUOUS)._repr_html_() or "")
    classes = [element.get("class") for element in tree.iter()]
    assert classes.count("satdoku") == 2
    assert classes.count("frame-different") == 8
    assert "prefers-color-scheme:dark" in "".join(tree.itertext())


def test_notebooks_show_grids_and_puzzles() -> None:
    puzzle = satdoku.parse(SMALL)
    for shown in (puzzle, puzzle.grid):
        classes = [
            element.get("class") for element in require_html(shown._repr_html_() or "").iter()
        ]
        assert classes.count("given") == 6


def test_explanations_and_certificates_are_short_in_print() -> None:
    explanation = explain(satdoku.parse(SMALL))
    assert str(explanation).startswith("unique: 10 steps (")
    assert repr(explanation) == "<Explanation unique: 10 steps>"
    assert "steps" in (explanation._repr_html_() or "")
    certificate = certify(satdoku.parse(SMALL), "satdoku 1.0", "cadical195", Encoding.EXTENDED)
    assert str(certificate).startswith("unique, by a DRAT proof of ")
    assert len(repr(certificate)) <= LONGEST_LINE
    require_html(certificate._repr_html_() or "")


SHOWN: dict[str, tuple[Callable[[], Any], str, str]] = {
    "minimized": (
        lambda: satdoku.minimize(SMALL),
        r"\d givens\n\+-----\+",
        r"<Minimized Puzzle.from_line\('.{16}'\)>",
    ),
    "fewest givens": (
        lambda: satdoku.minimize(SMALL, fewest=True),
        r"5 givens, and no fewer are enough\n\+",
        r"<Minimized Puzzle",
    ),
    "a bound": (
        lambda: Minimized(satdoku.parse(SMALL), satdoku.solve(SMALL), lower=3),
        r"6 givens, and at least 3 are needed\n",
        r"<Minimized Puzzle",
    ),
    "canonical": (
        lambda: satdoku.canonical(SMALL),
        r"\d automorphisms?\n\+-----\+",
        r"Canonical\(grid=Grid.from_line",
    ),
    "hint": (
        lambda: satdoku.hint(SMALL),
        r"look at (row|column|box) \d\n.*\n.*\n\+-----\+",
        r"<Hint: look at ",
    ),
    "no hint": (
        lambda: satdoku.hint(EASY_SOLUTION),
        r"no step; unique\n\+-------\+",
        r"<Hint: none>",
    ),
    "a wrong digit": (
        lambda: satdoku.hint(SMALL, "2" + SMALL[1:]),
        r"wrong: r1c1\n\+-----\+",
        r"<Hint: none>",
    ),
    "true candidates": (
        lambda: satdoku.candidates("1" + "." * 15),
        r"\+-+\+-+\+\n\|  1  ",
        r"<TrueCandidates: 54 candidates>",
    ),
    "generated": (
        lambda: next(satdoku.generate(seed=7, box=Geometry(2, 2))),
        r"puzzle 0 of seed 7: \d givens, minimal\n\+-----\+",
        r"<Generated 0 of seed 7: Puzzle.from_line",
    ),
}


@for_each("name", SHOWN)
def test_every_result_shows_itself(name: str) -> None:
    make, words, short = SHOWN[name]
    result = make()
    assert re.match(words, str(result))
    assert re.match(short, repr(result))
    assert len(repr(result)) <= LONGEST_LINE
    require_html(result._repr_html_())


def test_an_explanation_without_steps_says_so() -> None:
    shown = str(explain(satdoku.parse("11" + "." * 14)))
    assert shown.splitlines()[0] == "none: 0 steps"
