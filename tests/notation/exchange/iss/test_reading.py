"""Strings of ISS: which rules they are, and their faults."""

import pytest

from satdoku.errors import RuleError
from satdoku.notation.exchange.iss.reading import read_iss
from satdoku.puzzle.grid import Geometry
from tests.each import for_each


@for_each(
    "text, rules",
    [
        (".Cage~9~R1C1~R1C2", ["killer:9=r1c1,r1c2"]),
        (".Cage~0~R1C1~R1C2", ["killer:r1c1,r1c2"]),
        (".Thermo~R1C1~R2C1.AntiKnight", ["thermo:r1c1,r2c1", "anti-knight"]),
        (".Diagonal~1", ["diagonal:/"]),
        (".Diagonal~-1", ["diagonal:\\"]),
        (".Diagonal~-1.AntiKing.Diagonal~1", ["diagonals", "anti-king"]),
        (
            ".WhiteDot~R2C2~R1C2.WhiteDot~R1C2~R1C1.X~R3C4~R3C3",
            ["kropki:white=r1c1,r1c2/white=r1c2,r2c2", "xv:x=r3c3,r3c4"],
        ),
        (".Arrow~R1C1~R1C2~R1C3", ["arrow:r1c1=r1c2,r1c3"]),
        (".PillArrow~2~R1C2~R1C1~R2C3", ["arrow:r1c1,r1c2=r2c3"]),
        (".Whisper~R1C1~R1C2", ["whispers:5=r1c1,r1c2"]),
        (".Whisper~4~R1C1~R1C2~R2C2~R1C1", ["whispers:4=r1c1,r1c2,r2c2", "whispers:4=r2c2,r1c1"]),
        (".Sum~5_=_2_-1~R1C1~R1C2", ["sum:5=2*r1c1,-r1c2"]),
        (".EqualSum~R1C1~R1C2~-~R3C3", ["sum:0=r1c1,r1c2,-r3c3"]),
        (".EqualSum~R3C3~-~R3C3", []),
        (".Sum~3_=_1_-1~R1C1~R1C1", ["sum:3=0*r1c1"]),
        (".WhiteDot~R1C1~R1C2~R2C2", ["kropki:white=r1c1,r1c2/white=r1c2,r2c2"]),
        (
            ".BlackDot~R1C1~R1C2.StrictKropki.X~R3C3~R3C4.StrictXV",
            ["kropki:black=r1c1,r1c2/all", "xv:x=r3c3,r3c4/all"],
        ),
        (".StrictXV", ["no-sum:10", "no-sum:5"]),
        (".GreaterThan~R1C1~R1C2", ["greater:r1c1,r1c2"]),
        (".LittleKiller~20~R1C5", ["little-killer:r1c5.dl=20"]),
        (".LittleKiller~20~R5C1", ["little-killer:r5c1.dr=20"]),
        (".LittleKiller~20~R5C9", ["little-killer:r5c9.ul=20"]),
        (".LittleKiller~20~R9C5", ["little-killer:r9c5.ur=20"]),
        (".Sandwich~18~R3", ["sandwich:row3=18"]),
        (".XSum~C2~27~12", ["x-sum:col2=27", "x-sum:col2.up=12"]),
        (".Skyscraper~R1~~6", ["skyscraper:row1.left=6"]),
        (".FullRank~C1~33~2", ["full-rank:col1=33", "full-rank:col1.up=2"]),
        (".FullRank~R6~~36.FullRankTies~only-unclued", ["full-rank:row6.left=36"]),
        (
            ".FullRank~C1~33~2.FullRankTies~any",
            ["full-rank:col1=33:ties", "full-rank:col1.up=2:ties"],
        ),
        (
            ".FullRankTies~any.Or.FullRank~C1~33.And.FullRank~R2~~2.AntiKing.End.End",
            ["either:full-rank:col1=33:ties|full-rank:row2.left=2:ties&anti-king"],
        ),
        (".FullRank~R1~5.FullRankTies~none", ["full-rank:row1=5", "no-equal-lines"]),
        (".FullRankTies~none.FullRankTies~none", ["no-equal-lines"]),
        (".Quad~R1C1~3~5~5", ["quadruple:3/5/5=r1c1"]),
        (".ContainExact~2_2~R1C1~R1C2~R1C3", ["contain-exact:2/2=r1c1,r1c2,r1c3"]),
        (".Indexing~C~R1C1", ["column-indexer:r1c1"]),
        (".Indexing~R~R1C1", ["row-indexer:r1c1"]),
        (".SameValues~2~R1C1~R5C5", ["clone:r1c1=r5c5"]),
        (".AllDifferent~R1C1~R5C5", ["extra-region:r1c1,r5c5"]),
        (".~R1C1_1_2.~R1C1_2_3_4", ["candidates:r1c1=2"]),
        (".And.AntiKing.End", ["anti-king"]),
        (
            ".Or.And.AntiKing.Thermo~R1C1~R1C2.End.X~R2C2~R2C3.~R4C4_5.End",
            ["either:anti-king&thermo:r1c1,r1c2|pair-sum:10=r2c2,r2c3|candidates:r4c4=5"],
        ),
        (
            ".Or.And.Or.~R1C1_1.~R1C1_2.End.AntiKing.End.AntiKnight.End",
            ["either:candidates:r1c1=1&anti-king|candidates:r1c1=2&anti-king|anti-knight"],
        ),
        (".Or.AntiKing.End", ["anti-king"]),
        (
            ".GlobalMod.AntiTaxicab.DutchFlatmates.HiddenSkyscraper~R3~5~2",
            [
                *("global-modular", "anti-taxicab", "dutch-flatmates"),
                *("hidden-skyscraper:row3=5", "hidden-skyscraper:row3.left=2"),
            ],
        ),
        (
            ".RellikCage~5~R1C1~R1C2.EqualityCage~R1C1~R1C2.SumLine~10~R1C1~R1C2",
            ["rellik:5=r1c1,r1c2", "equality-cage:r1c1,r1c2", "sum-line:10=r1c1,r1c2"],
        ),
        (
            ".SameValues~3~R1C1~R1C2~R2C1~R2C2~R3C3~R3C4",
            ["same-digits:r1c1,r1c2=r2c1,r2c2", "same-digits:r2c1,r2c2=r3c3,r3c4"],
        ),
        (".Or.AntiKing.And.End.End", []),
        (".Cage~9~R1C2~R1C1~R1C2", ["killer:r1c1,r1c2", "sum:9=2*r1c2,r1c1"]),
        (".Cage~0~R1C1~R1C2~R1C2", ["killer:r1c1,r1c2"]),
        (".Replicate~D.Thermo~R1C1~R2C1.End", ["thermo:r1c1,r2c1", "thermo:r1c2,r2c2"]),
        (".Regex~MS4q~R1C1~R1C2", ["machine:r1c1,r1c2:1.*"]),
        ("# a comment\n . Cage ~ 9\n~R1C1~R1C2 ", ["killer:9=r1c1,r1c2"]),
    ],
)
def test_classes_are_rules(text: str, rules: list[str]) -> None:
    assert read_iss(text).puzzle().rule_texts == rules


def test_givens_are_digits() -> None:
    assert read_iss(".~R1C1_5~R2C3_9").puzzle().givens == {0: 5, 11: 9}


def test_relations_are_tables() -> None:
    (rule,) = read_iss(".Shape~4x4.Pair~AE~_name~R1C1~R1C2").puzzle().rule_texts
    assert rule == "pair:r1c1,r1c2:3-1"
    found = read_iss(".Shape~4x4~0-3.PairX~AE~_a~R1C1~R1C2~_b~R2C1~R2C2").puzzle().rule_texts
    assert found == ["digits:0-3", "each-pair:r1c1,r1c2:2-0", "each-pair:r2c1,r2c2:2-0"]


def test_shapes_are_boards() -> None:
    puzzle = read_iss(".Shape~6x6~0-5.~R1C1_0~R1C2_5").puzzle()
    assert (puzzle.geometry, puzzle.givens) == (Geometry(2, 3), {0: 1, 1: 6})
    assert puzzle.rule_texts == ["digits:0-5"]


def test_regions_replace_boxes_only_where_it_is_said() -> None:
    layout = "AABBAABBCCDDCDDC"
    assert read_iss(f".Shape~4x4.NoBoxes.Jigsaw~{layout}").puzzle().rule_texts == [
        "regions:AABB/AABB/CCDD/CDDC"
    ]
    assert read_iss(f".Shape~4x4.NoBoxes.Jigsaw~4x4~{layout}").puzzle().regions is not None
    both = read_iss(f".Shape~4x4.Jigsaw~{layout}").puzzle()
    assert [rule.name for rule in both.rules][:3] == ["rows", "columns", "boxes"]
    assert len(both.further_rules) == 4
    assert read_iss(".Shape~4x4.NoBoxes").puzzle().rule_texts == ["regions:..../..../..../...."]


@for_each(
    "text, fault",
    [
        (".FullRankTies~some", "FullRankTies: 'some' is none of only-unclued, none, any"),
        (".FullRankTies~none~x.FullRank~R1~4", "FullRankTies: 'none~x' is none of only-unclued"),
        (
            ".FullRankTies~any.FullRank~R1~4.FullRankTies~none",
            "FullRankTies: it is stated as any and as none, but only one can hold",
        ),
        (
            ".Shape~4x4.Or.FullRankTies~any.FullRank~R1~3.End",
            "FullRankTies 1: it is about the whole board, and cannot stand within Or",
        ),
        (
            ".Or.And.FullRankTies~any.FullRank~R1~4.End.And.FullRank~R1~3.End.End",
            "FullRankTies 1: it is about the whole board, and cannot stand within And",
        ),
        (".FullRank~R1~4~ties", "FullRank 1: 'ties' is not a number"),
        (".FullRankTies~any.FullRank~R1", "FullRank 1: 'R1' is not understood"),
        (".Whale~R1C1", "Whale 1: satdoku has no rule for 'Whale'"),
        (".NFA~!~R1C1", "NFA 1: '!' is no packed automaton"),
        (".Var~D~x.Whale~VD", "Whale 1: satdoku has no rule for 'Whale'"),
        (".Thermo~R1C1~R1C2.Thermo~R1C1~R1C1", "Thermo 2: r1c1 is named twice"),
        (".Shape~6x9.Whale~R1C1", "Whale 1: satdoku has no rule for 'Whale'"),
        (".Or.Whale~R1C1.End", "Whale 1: satdoku has no rule for 'Whale'"),
        (".Or.StrictXV.AntiKing.End", "StrictXV 1: it is about the whole board, and cannot stand"),
        (".And.And.Shape~4x4.End.End", "Shape 1: it is about the whole board, and cannot stand"),
        (".SameValues~2", "SameValues 1: 0 cells are not 2 groups"),
        (".Or.End", "Or 1: there is nothing to choose from"),
        (".And.Or.AntiKing.AntiKnight.End.Or.AntiKing.AntiKnight.End" * 10, "an .End is missing"),
        (".Cage~x~R1C1", "Cage 1: 'x' is not a number"),
        (".Cage~9", "Cage 1: cells are missing"),
        (".Cage~9~R0C1", "Cage 1: 'R0C1' is not a cell of a board of 9x9"),
        (".Thermo~VD~R1C1", "Thermo 1: 'VD' is not a cell of a board of 9x9"),
        (".Shape~11x9~15~Cube", "Shape: '11x9~15~Cube' is no board of Sudoku"),
        (".Shape~6x6~5", "Shape: a row or column of 6 cells cannot hold 5 digits once each"),
        (".Shape~6x6~7-3", "Shape: the range of digits '7-3' is empty"),
        (".Shape~6x6~a", "Shape: 'a' is no range of digits"),
        (".Shape~99x99", "satdoku reads boards of the size 1 to 36, not '99'"),
        (".~R1C1_10", "'10' at r1c1 is not a digit 1-9"),
        (".~R1C1_5~R1C1_6", "no digit is left for r1c1"),
        (".Jigsaw~AAB", "Jigsaw 1: 3 cells have a region, not 81"),
        (".RegionSize~6", "RegionSize: satdoku has no regions of another size"),
        (".Diagonal~2", "Diagonal 1: '2' is not understood"),
        (".SameValues~2~R1C1~R1C2~R2C1", "SameValues 1: 3 cells are not 2 groups"),
        (".Sandwich~5~X3", "Sandwich 1: 'X3' is not a row or column"),
        (".LittleKiller~20~R5C5", "no diagonal is named by r5c5"),
        (
            ".Or.And" + ".Or.AntiKing.AntiKnight.End" * 10 + ".End.AntiKing.End",
            "Or 1: there are more than 1,000 choices",
        ),
        (
            ".Or.And" + ".Or.AntiKing.AntiKnight.End" * 9 + ".X~R1C1~R1C2" * 100 + ".End.End",
            "Or 1: there are more than 20,000 rules in it",
        ),
        (".And" * 5000 + ".AntiKing" + ".End" * 5000, "And 50: classes hold each other more than"),
        (".StrictXV.Or.And.X~R1C1~R1C2.End.AntiKing.End", "StrictXV: it is not clear which edges"),
        (".Or.AntiKing", "an .End is missing"),
        (".End", "there is an .End without a beginning"),
        ("Cage~9", "'Cage~9' is no class behind a dot"),
        (".", "there is no class behind a dot"),
        (".Pair~!~R1C1~R1C2", "Pair 1: '!' is no sign of a packed relation"),
        (".Pair~~_x~R1C1~R1C2", "Pair 1: this relation holds of no two digits"),
        (".Pair~" + "_" * 20 + "~R1C1~R1C2", "Pair 1: this relation is of more than 9 digits"),
        (".Regex~é~R1C1~R1C2", "Regex 1: 'é' is no packed expression"),
        (".Replicate~" + "_" * 14 + ".Thermo~R1C1~R2C1.End", "1: R2C1 is moved off the board"),
        (".Replicate~!.AntiKing.End", "Replicate 1: '!' is no sign of packed cells"),
        (".Cage~9~R1C1" * 20_001, "there are more than 20,000 classes"),
    ],
)
def test_faults_are_named_with_their_place(text: str, fault: str) -> None:
    with pytest.raises(RuleError) as caught:
        read_iss(text).puzzle()
    assert fault in str(caught.value)
    assert len(str(caught.value)) < 200
