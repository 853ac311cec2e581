"""Claims as people and models write them."""

import pytest

import satdoku
from satdoku.notation.answers import read_claims
from tests.commands import EASY, EASY_SOLUTION
from tests.each import for_each

PUZZLE = satdoku.parse(EASY)
TEXTS = {
    "r1c3: 4": "r1c3=4",
    "R1C3 = 4, r1c4=6; r2c2->7": "r1c3=4 r1c4=6 r2c2=7",
    "So r1c3 must be the digit 4.": "r1c3=4",
    "row 1, column 3 is a 4": "r1c3=4",
    "(1,3): 4": "r1c3=4",
    "place 4 in r1c3": "r1c3=4",
    "The 4 goes in row 1, column 3": "r1c3=4",
    '{"r1c3": 4, "r1c4": 6}': "r1c3=4 r1c4=6",
    "r1c3 → **4**": "r1c3=4",
    "r3c6 is not 4": "r3c6≠4",
    "r3c6 can’t be 4 or 5 because r3c2 is 9": "r3c6≠4 r3c6≠5 r3c2=9",  # noqa: RUF001
    "eliminate 3/8 from r1c3": "r1c3≠3 r1c3≠8",
    "r1c3≠3/8": "r1c3≠3 r1c3≠8",
    "if r1c3 is 4 then r1c4 is 5. r1c4 is 6": "r1c4=6",
    "r1c3 is 4 or 5; r1c4: 6": "r1c4=6",
    "r1c3: 3 candidates are left. r1c4: 6": "r1c4=6",
}


@for_each("text", TEXTS)
def test_claims_are_read_wherever_they_stand(text: str) -> None:
    found = read_claims(text, PUZZLE)
    assert " ".join(claim.name(PUZZLE) for claim in found.claims) == TEXTS[text], text
    assert not found.faults
    assert not found.is_grid


def test_a_grid_claims_what_it_adds_and_changes() -> None:
    found = read_claims(f"My answer:\n6{EASY_SOLUTION[1:]}\n", PUZZLE)
    assert found.is_grid
    assert len(found.claims) == EASY.count(".") + 1
    assert found.claims[0].name(PUZZLE) == "r1c1=6"


def test_symbols_of_the_puzzle_are_its_digits() -> None:
    puzzle = satdoku.parse("." * 256, alphabet="0")
    found = read_claims("r1c10: F, r16c16 is not 0, r1c1 = 12", puzzle)
    assert [claim.name(puzzle) for claim in found.claims] == ["r1c10=F", "r16c16≠0"]


def test_a_digit_that_a_puzzle_with_symbols_lacks_is_told() -> None:
    puzzle = satdoku.parse("." * 16, rules=["digits:0-3"])
    found = read_claims("r1c1=0, r1c3=4", puzzle)
    assert [claim.name(puzzle) for claim in found.claims] == ["r1c1=0"]
    assert found.faults == ["'r1c3=4' names no digit of this puzzle"]


def test_cells_of_boards_that_are_no_squares_are_found() -> None:
    puzzle = satdoku.parse("board:2x5:raw:digits=3\n.....\n.....")
    found = read_claims("r2c5=3; r3c1=2", puzzle)
    assert [claim.name(puzzle) for claim in found.claims] == ["r2c5=3"]
    assert found.faults == ["'r3c1=2' is about no cell of a board of 2x5 with 3 digits"]


def test_what_is_no_claim_is_told() -> None:
    for text in ("r10c1: 4", "r1c1: 0", "r1c3: 12"):
        assert len(read_claims(text, PUZZLE).faults) == 1
    with pytest.raises(satdoku.SatdokuError, match="there is no claim"):
        read_claims("I cannot do this", PUZZLE)
    assert read_claims("suppose r1c1: 4; assume r1c2=3, r1c4: 6\nr1c3=4", PUZZLE).suppositions == 2
