"""Puzzles as ISS strings: read again, they have the same solutions."""

import pytest

from satdoku.errors import SatdokuError
from satdoku.notation.exchange.iss.reading import read_iss
from satdoku.notation.exchange.iss.writing import can_hold, write_iss
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.classic import Columns, Rows
from satdoku.puzzle.rules.registry import RULES, read_rules
from tests.crossing import crossed
from tests.each import for_each
from tests.notation.exchange.boards import agree, with_example

FOUR = Geometry(2, 2)


def with_rules(*texts: str, geometry: Geometry = FOUR) -> Puzzle:
    return Puzzle(Grid.empty(geometry)).with_rules(read_rules(texts, geometry))


@for_each("name", RULES)
def test_every_rule_is_held_as_it_is_or_refused_by_name(name: str) -> None:
    puzzle = with_example(name)
    if not all(map(can_hold, puzzle.further_rules)):
        return  # refused by `Format.write`, whose tests are elsewhere
    try:
        found = read_iss(write_iss(puzzle)).puzzle()
    except SatdokuError as error:
        assert name in str(error)  # noqa: PT017 - some uses of a rule are held
    else:
        assert agree(found, puzzle)


@crossed(
    2,
    texts=[
        ("kropki:white=r1c1,r1c2/black=r3c3,r3c4/all",),
        ("kropki:white=r1c1,r1c2",),
        ("no-difference:1", "no-ratio:2"),
        ("xv:v=r1c1,r1c2/all",),
        ("pair-sum:5=r1c1,r1c2,r1c3",),
        ("non-consecutive", "xv:v=r1c1,r1c3"),
        ("odd:r1c1,r2c2", "candidates:r1c1=1/2"),
        ("clone:r1c1,r1c2=r3c3,r3c4",),
        ("digits:0-3", "killer:3=r1c1,r1c2", "pair:r2c1,r2c2:a+b>=3"),
        ("either:non-consecutive|kropki:white=r1c1,r1c2&odd:r4c4",),
        ("either:anti-king&anti-knight|diagonals|disjoint-groups&windoku",),
        ("either:kropki:white=r1c1,r1c2/all|xv:v=r2c2,r2c3/all-v|anti-taxicab&no-ratio:2",),
        ("little-killer:r1c2.dr=7", "little-killer:r4c1.ur=9"),
        ("full-rank:row1=3", "full-rank:col2.up=7"),
        ("full-rank:row1=5:ties", "either:full-rank:col2=9:ties|odd:r1c1"),
        ("full-rank:row1=5:ties", "full-rank:col2=9", "no-equal-lines"),
        ("machine:r1c1,r1c2:[12]4|3[12]",),
        ("machine:r1c1,r1c2,r2c3:@12>1,3>0;!1>1,4>0",),
        # What has no class goes out as relations.
        ("kropki:white=r1c1,r1c2/all", "difference:2=r3c3,r3c4"),
        ("kropki:white=r1c1,r1c2/all", "ratio:2=r3c3,r3c4"),
        ("no-ratio:3/r1c1,r1c2",),
        ("kropki:white=r1c1,r1c2/all-black",),
        ("xv:all-v",),
        ("xv:x=r1c1,r1c2/all-x", "pair-sum:6=r2c1,r3c3"),
        ("greater:r1c1,r3c3,r2c2",),
        ("minimum:r1c1,r1c2,r3c3", "maximum:r4c4"),
        ("slow-thermo:r1c1,r2c2,r3c3",),
        ("nabner:r1c1,r3c2",),
        ("anti-move:1,3",),
        ("box-indexer:r1c1,r3c4",),
        ("digits:0-3", "row-indexer:r2c1,r3c4", "no-sum:4", "slow-thermo:r1c1,r2c2,r3c3"),
        ("digits:0-3", "either:candidates:r1c1=0/1&odd:r2c2|ratio:3=r1c1,r1c2&even:r4c4"),
        ("digits:0-3", "machine:r1c1,r1c2:@01>1;!13>1"),
    ],
)
def test_rules_together_come_back(texts: tuple[str, ...]) -> None:
    puzzle = with_rules(*texts)
    assert agree(read_iss(write_iss(puzzle)).puzzle(), puzzle)


@for_each(
    "texts, fault",
    [
        (("either:dutch-flatmates|odd:r1c1",), "rule dutch-flatmates as one of several choices"),
        (("difference:9=r1c1,r1c2",), "cannot hold the rule difference:9=r1c1,r1c2"),
        (
            ("arrow:r1c2,r1c1=r2c2",),
            "rule arrow: a pill whose cells are not in reading order cannot be written",
        ),
        (("little-killer:r2c2.dr=5",), "rule little-killer: a diagonal that does not lead"),
        (("candidates:r1c1=1", "candidates:r1c1=2"), "cannot say that r1c1 holds no digit"),
        (("digits:0-3", "killer:0=r1c1"), "rule killer: the number 0, which stands for no number"),
        (("either:killer:0=r1c1,r2c2|odd:r1c1",), "the number 0, which stands for no number"),
    ],
)
def test_what_iss_would_understand_otherwise_is_refused(texts: tuple[str, ...], fault: str) -> None:
    with pytest.raises(SatdokuError) as caught:
        write_iss(with_rules(*texts))
    assert fault in str(caught.value)


def test_regions_and_boards_without_boxes_come_back() -> None:
    for puzzle in (
        with_rules("regions:AABB/ABBC/ADCC/DDDC"),
        with_rules("regions:" + "." * 16),
    ):
        assert read_iss(write_iss(puzzle)).puzzle() == puzzle
    latin = Puzzle(Grid.empty(FOUR), rules=(Rows(), Columns()))
    assert read_iss(write_iss(latin)).puzzle() == with_rules("regions:" + "." * 16)
    tall = Puzzle(Grid.empty(Geometry(3, 2)).with_digits({3: 6}))
    assert read_iss(write_iss(tall)).puzzle() == tall
