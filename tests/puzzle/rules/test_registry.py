import pytest

from satdoku.errors import SatdokuError
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.rules.classic import CLASSIC, Boxes, arrange
from satdoku.puzzle.rules.everywhere import AntiKnight
from satdoku.puzzle.rules.regions import Regions
from satdoku.puzzle.rules.registry import RULES, read_rule
from tests.each import for_each
from tests.puzzle.rules.instances import example_of

NINE = Geometry(3, 3)


def test_the_classic_rules_are_in_it() -> None:
    assert {rule.name for rule in CLASSIC} <= RULES.keys()


@for_each(
    "text, message",
    [
        ("anti-kniht", r"^there is no rule 'anti-kniht'; did you mean anti-knight\?$"),
        ("xyzzy9", r"^there is no rule 'xyzzy9'; `satdoku rules` lists them$"),
        ("", r"^there is no rule ''"),
        ("thermo r1c1 r1c2", r"did you mean thermo:r1c1,r1c2\?$"),
        ("killer 7 r1c1 r1c2", r"did you mean killer:7=r1c1,r1c2\?$"),
        ("killer:r1c1,r1c2=7", r"write numbers before the cells: 7=r1c1,r1c2$"),
        ("sum:r1c1,r1c2=7", r"write numbers before the cells: 7=r1c1,r1c2$"),
        ("quadruple:r1c1=1/2", r"write numbers before the cells: 1/2=r1c1$"),
        ("killer:7:r1c1", r"write = between the number and the cells: 7=r1c1$"),
        ("killer:7=", r"the cells are missing, such as r1c1,r1c2$"),
        ("sum:7=", r"the cells are missing, as in 6=r1c1,r2c2,r3c3$"),
        ("sandwich:row1=", r"a number is missing$"),
        ("sandwich:12=row3", r"write the line before the number: row3=12$"),
        (
            "skyscraper:row1.right=2",
            r"with its clue at the left it is row1, at the right row1\.left, not row1\.right$",
        ),
        ("x-sum:col2.Down=2", r"at the top it is col2, at the bottom col2\.up, not col2\.Down$"),
        ("quadruple:12=r1c1", r"write slashes between digits, as in 1/2=r1c1$"),
        ("candidates:r1c1=1,2", r"write slashes between digits, as in r1c1=1/2/9$"),
        ("either:odd:r1c1|", r"a rule is missing beside a \| or a &, in 'odd:r1c1\|'$"),
        ("pair:r1c1,r1c2:12/34", r"'12/34' says nothing of a and b; pairs of digits are 1-2/3-4$"),
        ("killer:7", r"the cells are missing, as in 7=r1c1,r1c2$"),
        ("killer:x=r1c1", r"'x' is not a whole number$"),
        ("anti-knight:r1c1", r"^the rule anti-knight takes no argument$"),
        ("odd", r"^the rule odd needs an argument: odd:r1c1,r2c4$"),
        ("odd:", r"needs an argument"),
        ("odd:r10c1", r"^the rule odd: r10c1 is not on a board of 9x9$"),
        ("odd:r0c1", r"r0c1 is not on a board of 9x9"),
        ("odd:1,1", r"'1' is not a cell such as r1c1"),
        ("odd:r1c1,r1c1", r"r1c1 is named twice in 'r1c1,r1c1'$"),
        ("odd:" + "r1c1," * 10_000, r"r1c1 is named twice in '[r1c,]{100}\.\.\.'$"),
        ("odd:r1c3-10", r"r1c3-10 is not on a board"),
        ("diagonal:x", r"the diagonal is / or \\, not 'x'"),
        ("candidates:r1c1=0", r"the candidate 0 of r1c1 is not a digit 1-9"),
        ("candidates:r1c1=1,r1c1=2", r"r1c1 has two candidate sets"),
        ("candidates:r1c1", r"is not a cell with digits such as r1c1=1/2/9"),
        ("regions:AB", r"2 cells have a region, expected 81 for 9x9"),
    ],
)
def test_what_is_wrong_with_a_rule_is_said_with_its_place(text: str, message: str) -> None:
    with pytest.raises(SatdokuError, match=message):
        read_rule(text, NINE)


@for_each(
    "text, same",
    [
        ("Killer:7=R1C1-2", "killer:7=r1c1,r1c2"),
        ("killer:7=,r1c1, r1c2,", "killer:7=r1c1,r1c2"),
        ("xv:X=r1c1,r1c2/ALL", "xv:x=r1c1,r1c2/all"),
        ("xv:x=r1c1,r1c2, v=r2c1 r2c2 all", "xv:x=r1c1,r1c2/v=r2c1,r2c2/all"),
        ("little-killer:R1C3.DL=7", "little-killer:r1c3.dl=7"),
        # A line that runs to the left is typed so.
        ("thermo:r1c3-1", "thermo:r1c3,r1c2,r1c1"),
        ("thermo:r3-2c2-1", "thermo:r3c2,r3c1,r2c2,r2c1"),
    ],
)
def test_what_people_type_is_the_same_rule(text: str, same: str) -> None:
    assert read_rule(text, NINE) == read_rule(same, NINE)


def test_windoku_needs_square_boxes() -> None:
    with pytest.raises(SatdokuError, match=r"windoku needs square boxes, such as 3x3, not 2x3"):
        read_rule("windoku", Geometry(2, 3))


def test_a_region_of_the_wrong_size_is_named_with_its_place() -> None:
    with pytest.raises(SatdokuError, match=r"the region 'B' at r1c3 has 5 cells, expected 4"):
        read_rule("regions:AABB/AABB/CCBD/CDDD", Geometry(2, 2))


def test_regions_that_are_boxes_are_boxes() -> None:
    assert read_rule("regions:AABB/AABB/CCDD/CCDD", Geometry(2, 2)) == Boxes()
    assert isinstance(read_rule("regions:AAAA/BBBB/CCCC/DDDD", Geometry(2, 2)), Regions)


def test_regions_take_the_place_of_boxes_and_repeats_go() -> None:
    regions = example_of("regions")
    rules = arrange([*CLASSIC, AntiKnight(), regions, AntiKnight()])
    assert rules == (CLASSIC[0], CLASSIC[1], regions, AntiKnight())


@for_each(
    "text",
    [
        "(machine:r1c1,r1c2:1.|2.)&odd:r2c2|even:r3c3",
        "(machine:r1c1,r1c2:1.|2.)&(machine:r1c3,r1c4:1.|2.)|even:r3c3",
        "machine:r1c1,r1c2:(1|2).|even:r3c3",
        "((machine:r1c1,r1c2:1.|2.)&(odd:r2c2))|(even:r3c3)",
    ],
)
def test_signs_within_a_rule_of_a_choice_stand_in_brackets(text: str) -> None:
    geometry = Geometry(2, 2)
    rule = read_rule(f"either:{text}", geometry)
    assert len(getattr(rule, "choices", ())) == 2
    assert read_rule(f"either:{rule.argument(geometry)}", geometry) == rule
