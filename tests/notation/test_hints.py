"""What a user says fixes the size of a board; the names of formats are those of the formats."""

import pytest

from satdoku.errors import SatdokuError
from satdoku.notation.formats import FORMATS
from satdoku.notation.hints import FORMAT_NAMES, Hints
from satdoku.notation.spelling import Alphabet, Spelling
from satdoku.puzzle.grid import Geometry
from tests.each import for_each


@for_each(
    "hints, size",
    [
        (Hints(), None),
        (Hints(Geometry(2, 3)), 6),
        (Hints(alphabet=Alphabet("abcd")), 4),
        (Hints(alphabet=Alphabet("1")), None),
        (Hints(alphabet=Alphabet("numbers")), None),
        (Hints(Geometry(2, 2), Alphabet("abcd")), 4),
    ],
)
def test_boxes_and_spelled_out_symbols_fix_the_size(hints: Hints, size: int | None) -> None:
    assert hints.size == size


@for_each("name, size", [("A", 36), ("1", 36), ("0", 49), ("abc", 4), ("abcde", 4)])
def test_an_alphabet_must_fit_the_board(name: str, size: int) -> None:
    with pytest.raises(SatdokuError, match=f"a board of {size}x{size} needs {size}"):
        Hints(Geometry.of_size(size), Alphabet(name))


def test_who_reads_an_alphabet_is_answered_in_it() -> None:
    assert Hints(Geometry(4, 4), Alphabet("0")).spelling == Spelling(Alphabet("0"))
    assert Hints().spelling == Spelling()


def test_there_is_a_format_for_each_name_in_the_same_order() -> None:
    assert tuple(FORMATS) == FORMAT_NAMES


@for_each("name", ["regions", "Regions ", " REGIONS"])
def test_regions_among_rules_say_how_large_the_board_is(name: str) -> None:
    rows = ["AAABB", "AABBB", "CCCCC", "DDDDD", "EEEEE"]
    for layout in ("/".join(rows), " ".join(rows), "".join(rows)):
        hints = Hints(rules=("odd:r1c1", f"{name}:{layout}"))
        assert (hints.size, hints.tell_cells) == (5, True)
    assert Hints(Geometry(2, 2), rules=("regions:" + "/".join(rows),)).size == 4
    assert Hints(rules=("regions:AAABB",)).geometry is None
