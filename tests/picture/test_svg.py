"""SVG drawings are well-formed, keep text as text, and can be read back."""

import xml.etree.ElementTree as ElementTree

from hypothesis import given, settings

from satdoku.picture.documents import style_sheet, write_svg
from satdoku.picture.figure import PAINTS, draw
from satdoku.picture.picture import (
    Arrow,
    Emphasis,
    Picture,
    Place,
    picture_of,
    picture_with_candidates,
    pictures_of_outcome,
)
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import read_rule
from satdoku.solving.questions import check
from tests.crossing import sampled
from tests.strategies import grids

NAMESPACE = {"svg": "http://www.w3.org/2000/svg"}
RULES = ["diagonals", "odd:r1c2", "even:r2c1", "extra-region:r3c1-2", "candidates:r4c4=1/2"]
SIZES = [Geometry(2, 2), Geometry(2, 3), Geometry(3, 3), Geometry(4, 4), Geometry(5, 5)]


def tree_of(picture: Picture) -> ElementTree.Element:
    return ElementTree.fromstring(write_svg(draw(picture)))


def texts_in(tree: ElementTree.Element, name: str) -> list[str]:
    found = tree.find(f".//svg:g[@id='{name}']", NAMESPACE)
    return (
        [] if found is None else [text.text or "" for text in found.findall("svg:text", NAMESPACE)]
    )


@given(grid=grids())
@settings(max_examples=settings().max_examples // 2)
def test_the_digits_can_be_read_back_by_the_ids_of_cells(grid: Grid) -> None:
    tree = tree_of(picture_of(Puzzle(grid)))
    for cell, digit in enumerate(grid.digits):
        wanted = [str(digit)] if digit else []
        assert texts_in(tree, grid.geometry.name_of(cell)) == wanted


@sampled(2, "geometry", SIZES, ids=str)
def test_every_size_is_drawn_with_all_candidates(geometry: Geometry) -> None:
    tree = tree_of(picture_with_candidates(Puzzle(Grid.empty(geometry))))
    names = [str(digit) for digit in range(1, geometry.size + 1)]
    assert texts_in(tree, "r1c1") == texts_in(tree, f"r{geometry.size}c1") == names


def test_ids_are_unique_and_classes_have_styles() -> None:
    square = Geometry(2, 2)
    rules = [read_rule(text, square) for text in RULES]
    tree = tree_of(picture_of(Puzzle(Grid.empty(square)).with_rules(rules)))
    ids = [element.get("id") for element in tree.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    used = {element.get("class") for element in tree.iter()} - {None, "satdoku"}
    assert used <= set(PAINTS)
    sheet = style_sheet()
    assert all(f".satdoku .{name}{{" in sheet for name in used)


def test_it_says_what_it_shows_to_who_cannot_see_it() -> None:
    puzzle = Puzzle.from_line("11..............", rules=["anti-king"], name="A & <B>")
    [picture] = pictures_of_outcome(check(puzzle))
    tree = tree_of(picture)
    title, described = (tree.find(f"svg:{name}", NAMESPACE) for name in ("title", "desc"))
    assert title is not None
    assert title.text == "A & <B>"
    assert described is not None
    text = described.text or ""
    assert "Row 1: 1 1 empty empty" in text
    assert "Clashing: r1c1, r1c2" in text
    assert "no two cells a king's move apart" in text
    assert tree.get("role") == "img"


def test_every_emphasis_and_arrow_is_drawn() -> None:
    base = picture_with_candidates(Puzzle.from_line("." * 16))
    cells = dict(enumerate(Emphasis))
    places = {Place(5 + n, 1): why for n, why in enumerate(Emphasis)}
    arrows = [Arrow(Place(5, 1), Place(10, 2)), Arrow(Place(10, 2), Place(6, 1), is_strong=False)]
    picture = picture_of(Puzzle.from_line("." * 16), marked=cells)
    picture = picture.showing(base.candidates, places, arrows, ())
    used = [element.get("class") for element in tree_of(picture).iter()]
    assert {f"frame-{why.value}" for why in Emphasis} <= set(used)
    assert used.count("tip") == 2
    assert {"strong", "weak", "ring", "goes", "chosen"} <= set(used)


def test_paper_is_never_dark() -> None:
    assert "prefers-color-scheme" not in style_sheet(has_dark=False)
    for part in style_sheet().split("@media")[1:]:
        assert part.startswith(" screen") or part.startswith(" screen and") or "{" in part[:8]


def test_the_same_picture_gives_the_same_bytes() -> None:
    puzzle = Puzzle.from_line("1.....2..3.....4")
    assert write_svg(draw(picture_of(puzzle))) == write_svg(draw(picture_of(puzzle)))
