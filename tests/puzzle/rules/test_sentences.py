from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.judge import find_clashes
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import RULES, read_rule
from tests.puzzle.rules.instances import SMALL, example_of

SENTENCES = {
    "rows": "every digit stands once in each row",
    "columns": "every digit stands once in each column",
    "boxes": "every digit stands once in each box",
    "regions": "every digit stands once in each region",
    "diagonal": "every digit stands once on the rising diagonal",
    "diagonals": "every digit stands once on each diagonal",
    "windoku": "every digit stands once in the window inside the border",
    "disjoint-groups": "every digit stands once among the cells at the same place of their boxes",
    "extra-region": "no digit stands twice in the extra region r1c2,r2c3,r3c4",
    "anti-knight": "no two cells a knight's move apart hold the same digit",
    "anti-king": "no two cells a king's move apart hold the same digit",
    "non-consecutive": "no two cells that share a side hold consecutive digits",
    "odd": "r1c1,r2c4 hold odd digits",
    "even": "r1c1,r2c4 hold even digits",
    "candidates": "r1c1 holds 1 or 2; r3c4 holds 3",
}


def test_every_rule_says_what_it_is() -> None:
    assert {name: example_of(name).sentence(SMALL) for name in RULES} == SENTENCES


def clash_in(text: str, **placed: int) -> str:
    """What is wrong with digits at cells of a 9x9 board that has a rule."""
    geometry = Geometry()
    digits = {(int(name[1]) - 1) * 9 + int(name[3]) - 1: digit for name, digit in placed.items()}
    puzzle = Puzzle(Grid.empty(geometry).with_digits(digits))
    (clash,) = find_clashes(puzzle.with_rules([read_rule(text, geometry)]))
    return str(clash)


def test_clashes_say_which_rule_is_broken_and_where() -> None:
    assert clash_in("anti-knight", r1c1=5, r2c3=5) == "r1c1 and r2c3 are both 5, in box 1"
    assert clash_in("anti-knight", r3c3=5, r4c5=5) == (
        "r3c3 and r4c5 are both 5, a knight's move apart"
    )
    assert clash_in("anti-king", r3c3=5, r4c4=5) == "r3c3 and r4c4 are both 5, a king's move apart"
    assert clash_in("non-consecutive", r3c3=4, r4c3=5) == (
        "r3c3 is 4 and r4c3 is 5, consecutive digits side by side"
    )
    assert clash_in("odd:r1c1", r1c1=4) == "r1c1 is 4, but it must be odd"
    assert clash_in("even:r1c1", r1c1=3) == "r1c1 is 3, but it must be even"
    assert clash_in("candidates:r1c1=1/2", r1c1=3) == "r1c1 is 3, but it must be 1 or 2"
    assert clash_in("diagonals", r1c1=3, r9c9=3) == (
        "r1c1 and r9c9 are both 3, on the falling diagonal"
    )
    assert clash_in("extra-region:r1c1,r5c5", r1c1=3, r5c5=3) == (
        "r1c1 and r5c5 are both 3, in the extra region at r1c1"
    )
    assert clash_in("windoku", r2c2=3, r4c4=3) == "r2c2 and r4c4 are both 3, in window 1"
