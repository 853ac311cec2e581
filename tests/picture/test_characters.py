"""Boards with the shapes of rules, in characters."""

import pytest

from satdoku.picture.picture import picture_of
from satdoku.picture.text import draw_characters
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import RULES, read_rules

RULED = [
    "killer:7=r1c1,r1c2,r2c1",
    "sandwich:col2=35",
    "little-killer:r4c2.ur=9",
    "difference:1=r1c3,r1c4",
    "ratio:2=r2c4,r3c4",
    "thermo:r3c1,r3c2,r4c2",
    "arrow:r4c4=r3c3,r2c3",
    "quadruple:1/2=r2c2",
]

DRAWN = """\
      35
┌7──────┬───────┐
│ .   . │ . ○ . │
│    ╌╌╌│       │
│ . ╎ . │ .   . │
├───────12↑───●─┤
│(.)══. │ .   . │
│     ║ │   ╲   │
│ .   . │ .  (.)│
└───────┴───────┘
  9↗
"""


SMALL = Geometry(2, 2)


def drawn(*rules: str, geometry: Geometry = SMALL, is_ascii: bool = False) -> str:
    puzzle = Puzzle(Grid.empty(geometry)).with_rules(read_rules(rules, geometry))
    return "\n".join([*draw_characters(picture_of(puzzle), is_ascii=is_ascii), ""])


def test_shapes_stand_where_they_are_on_the_board() -> None:
    assert drawn(*RULED) == DRAWN


def test_characters_can_be_plain() -> None:
    plain = drawn(*RULED, is_ascii=True)
    assert plain.isascii()
    assert [len(line) for line in plain.splitlines()] == [
        len(line) for line in drawn(*RULED).splitlines()
    ]


@pytest.mark.parametrize("geometry", [Geometry(2, 3), Geometry(3, 3), Geometry(3, 4)], ids=str)
def test_every_rule_is_drawn_within_the_board(geometry: Geometry) -> None:
    width = geometry.size * (len(str(geometry.size)) + 3) + 1
    for name in RULES:
        example = RULES[name].example
        if name in ("regions", "digits") or (name == "windoku" and geometry.size != 9):
            continue
        if name in ("entropic", "global-entropy") and geometry.size % 3:
            continue
        if name in ("doublers", "negators", "schrodinger"):
            continue  # they need cells beside the board
        lines = drawn(f"{name}:{example}" if example else name, geometry=geometry).splitlines()
        assert len(lines) >= 2 * geometry.size + 1
        # Clues outside take a few characters more.
        assert max(map(len, lines)) <= width + 8


def test_texts_may_stand_in_the_cells() -> None:
    picture = picture_of(Puzzle(Grid.empty(Geometry(2, 2))))
    assert draw_characters(picture, [*"ABCDEFGHIJKLMNOP"])[1] == "│ A   B │ C   D │"
