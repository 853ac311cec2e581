"""What rules draw: lines, cages, dots and clues, each where it belongs."""

from itertools import pairwise
from math import hypot
from typing import get_args

import pytest

from satdoku.errors import SatdokuError
from satdoku.picture.documents import write_svg
from satdoku.picture.figure import Circle, Figure, Path, Rect, Shape, Text, draw
from satdoku.picture.picture import Cage, Line, Mark, Outside, Pencil, Tint, picture_of
from satdoku.picture.picture import shapes_of as shapes_of_rule
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import RULES, read_rules
from tests.each import for_each
from tests.puzzle.rules.instances import NAMES, SMALL, example_of


def figure_of(*rules: str) -> Figure:
    empty = Puzzle(Grid.empty(Geometry()))
    return draw(picture_of(empty.with_rules(read_rules(rules, empty.geometry))))


def shapes_of(kind: type[Shape], figure: Figure) -> list[Shape]:
    return [shape for shape in figure.shapes if isinstance(shape, kind)]


@for_each("name", NAMES)
def test_every_rule_is_drawn_or_told(name: str) -> None:
    picture = picture_of(Puzzle(Grid.empty(SMALL)).with_rules([example_of(name)]))
    svg = write_svg(draw(picture))
    assert "<svg" in svg
    rule = example_of(name)
    assert list(rule.drawing(SMALL)) or rule.caption(SMALL) or name in ("rows", "columns")


@for_each("name", NAMES)
def test_fields_of_shapes_are_what_renderers_know(name: str) -> None:
    """Rules name shapes without importing them, so no type checker looks at their fields."""
    for shape in shapes_of_rule(example_of(name).drawing(SMALL)):
        if isinstance(shape, Line):
            assert shape.tint in get_args(Tint)
        elif isinstance(shape, Mark):
            assert shape.shape in ("circle", "square")
        elif isinstance(shape, Outside | Pencil):
            assert shape.cell in range(SMALL.cell_count)
        cells = getattr(shape, "cells", (0,))
        assert cells
        assert set(cells) <= set(range(SMALL.cell_count))
        assert isinstance(getattr(shape, "text", ""), str)


def test_a_shape_that_is_none_is_refused_by_name() -> None:
    with pytest.raises(SatdokuError, match="'blob', which is no shape; there are: border, shade"):
        list(shapes_of_rule([("blob", (0, 1))]))


def test_a_cage_is_dashed_and_has_its_sum_in_the_corner() -> None:
    figure = figure_of("killer:20=r1c1-3,r2c1")
    assert [p for p in shapes_of(Path, figure) if isinstance(p, Path) and p.paint == "cage"]
    (text,) = (t for t in shapes_of(Text, figure) if isinstance(t, Text) and t.text == "20")
    assert text.x < 20
    assert text.y < 20


def test_a_thermometer_has_a_bulb_and_an_arrow_a_circle() -> None:
    figure = figure_of("thermo:r9c4,r8c3,r7c2", "arrow:r5c5=r4c6,r3c7", "arrow:r1c1-2=r2c1,r3c1")
    circles = [c for c in shapes_of(Circle, figure) if isinstance(c, Circle)]
    bulbs = [c for c in circles if c.paint == "grey" and c.radius > 10]
    assert len(bulbs) == 1
    assert len([c for c in circles if c.paint == "shaft"]) == 1
    assert [r for r in shapes_of(Rect, figure) if isinstance(r, Rect) and r.paint == "shaft"]


def test_arrows_that_show_directions_leave_a_gap_between_each_other() -> None:
    figure = figure_of("hidden-regions:reach=r5c1,r5c2-9/reach=r5c3,r5c2-1")
    paths = [p for p in shapes_of(Path, figure) if isinstance(p, Path) and p.paint == "shaft"]
    # A stroke and a head for each arrow; strokes end at the tip.
    right, left = (path.lines[0] for path in paths[::2])
    assert right[0][0] < right[-1][0] < left[-1][0] < left[0][0]


def test_clues_outside_make_room_and_stay_on_the_paper() -> None:
    plain, figure = figure_of(), figure_of("sandwich:row9=18", "skyscraper:col9.up=3")
    assert figure.width > plain.width
    board = figure.width
    for text in (t for t in shapes_of(Text, figure) if isinstance(t, Text) and t.paint == "sign"):
        assert 0 < text.x < board
        assert 0 < text.y < figure.height


def test_a_diagonal_that_begins_within_the_board_is_told_in_words() -> None:
    rules = read_rules(["little-killer:r2c2.dr=5"], SMALL)
    picture = picture_of(Puzzle(Grid.empty(SMALL)).with_rules(rules))
    assert not list(picture.drawn_as(Outside))
    assert picture.captions == ("A: the diagonal from r2c2 down and right sums to 5",)


@for_each("text", ["x-sum:row5=105", "x-sum:row5=100000"])
def test_a_long_clue_stays_between_the_border_and_the_end_of_the_paper(text: str) -> None:
    figure = figure_of(text)
    (clue,) = (t for t in shapes_of(Text, figure) if isinstance(t, Text) and t.paint == "sign")
    # Bold digits are about seven tenths as broad as they are high.
    left = min(x for p in shapes_of(Path, figure) if isinstance(p, Path) for x, _ in p.lines[0])
    half = 0.35 * clue.size * len(clue.text)
    assert half < clue.x < left - half


def test_clues_at_one_place_stand_below_each_other() -> None:
    figure = figure_of("sandwich:row3=18", "x-sum:row3=20", "skyscraper:row3=3")
    texts = [t for t in shapes_of(Text, figure) if isinstance(t, Text) and t.paint == "sign"]
    assert [text.text for text in texts] == ["18", "x20", "s3"]
    assert len({text.x for text in texts}) == 1
    assert all(b.y - a.y == pytest.approx(a.size) for a, b in pairwise(texts))


def test_digits_of_a_quadruple_stand_two_to_a_row_within_their_circle() -> None:
    figure = figure_of("quadruple:1/2/3/4=r1c1", "quadruple:5/6=r5c5")
    texts = [
        t for t in shapes_of(Text, figure) if isinstance(t, Text) and t.paint.startswith("sign")
    ]
    assert [text.text for text in texts] == ["12", "34", "56"]
    circles = [c for c in shapes_of(Circle, figure) if isinstance(c, Circle)]
    for text, circle in zip(texts, (circles[0], circles[0], circles[1]), strict=True):
        for base in (text.y, text.y - 0.72 * text.size):
            assert hypot(0.62 * text.size, base - circle.y) < circle.radius


def test_signs_of_comparison_are_lines_that_point_at_the_smaller_digit() -> None:
    figure = figure_of("greater:r1c1,r1c2", "greater:r5c5,r4c5")
    (right,), (up,) = [p.lines for p in shapes_of(Path, figure) if isinstance(p, Path)][-2:]
    assert right[1][0] > right[0][0] == right[2][0]
    assert up[1][1] < up[0][1] == up[2][1]


def test_an_arrow_of_a_diagonal_lies_between_its_number_and_the_board() -> None:
    figure = figure_of("little-killer:r1c3.dr=100")
    (number,) = [t for t in shapes_of(Text, figure) if isinstance(t, Text) and t.text == "100"]
    (line, _) = [p for p in shapes_of(Path, figure) if isinstance(p, Path)][-1].lines
    assert number.x < line[0][0] < line[1][0]
    assert number.y < line[0][1] < line[1][1]
    assert number.x - 0.31 * number.size * 3 > 0


def test_thirty_cages_are_explained_once() -> None:
    cages = [f"killer:10=r{row}c1-2" for row in range(1, 10)]
    empty = Puzzle(Grid.empty(Geometry()))
    picture = picture_of(empty.with_rules(read_rules(cages, empty.geometry)))
    assert len(picture.captions) == 1
    assert set(RULES) >= {"killer"}


def test_cells_of_a_rule_without_a_drawing_have_a_line_and_a_letter() -> None:
    texts = ["sum:6=r1c1,r2c2", "killer:5=r3c3,r3c4", "pair:r4c1,r4c2:a+b>=5", "anti-king"]
    picture = picture_of(Puzzle(Grid.empty(SMALL)).with_rules(read_rules(texts, SMALL)))
    cages = [(cage.cells, cage.text, cage.is_fine) for cage in picture.drawn_as(Cage)]
    assert cages == [((10, 11), "5", False), ((0, 5), "A", True), ((12, 13), "B", True)]
    assert picture.captions[0] == "A: the digits in r1c1,r2c2 sum to 6"
    assert "B: neighbours a and b on r4c1,r4c2: a+b>=5" in picture.captions
    # Each group of cells that touch has the letter.
    drawn = [each.text for each in draw(picture).shapes if isinstance(each, Text)]
    assert [text for text in drawn if text in ("A", "B")] == ["A", "A", "B"]


def test_numbers_outside_have_letters_only_beside_another_kind() -> None:
    board = Geometry()

    def shown(*texts: str) -> tuple[list[str], str]:
        picture = picture_of(Puzzle(Grid.empty(board)).with_rules(read_rules(texts, board)))
        return [clue.text for clue in picture.drawn_as(Outside)], picture.captions[0]

    texts, caption = shown("x-sum:row1=20", "x-sum:col2=12", "little-killer:r1c2.dr=30")
    assert texts == ["20", "12", "30"]
    assert caption.startswith("numbers outside: the first X digits")
    assert shown("x-sum:row1=20", "skyscraper:row2=3")[0] == ["x20", "s3"]
    assert shown("x-sum:row1=20", "sandwich:row2=3")[0] == ["x20", "3"]
