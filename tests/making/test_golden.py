"""Puzzles that were made once: whoever has their seed can make them again, on any machine.

Each line of the file has a name, an index and the digits. A change here means that seeds which
users noted down lead to other puzzles from now on; that belongs into the changelog.
"""

from pathlib import Path

import pytest

from satdoku.making.request import Minimality, Request, WantedTechnique
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.symmetry import Symmetry
from tests.crossing import sampled
from tests.making.requests import make, request

GOLDEN = Path(__file__).with_name("golden.txt")
CORNERS = tuple(c for c in range(81) if (c % 9 + c // 9) % 2 == 0 or c % 10 == 1)

REQUESTS: dict[str, Request] = {
    "minimal": request(seed="golden"),
    "random-symmetry": request(seed="golden", symmetry=None),
    "strict": request(seed="golden", symmetry=Symmetry.DIAGONAL, minimality=Minimality.GIVENS),
    "28-30": request(seed="golden", givens=(28, 30), minimality=Minimality.NONE),
    "21": request(seed="golden", givens=(21, 21)),
    "19": request(seed="golden", givens=(19, 19)),
    "fewest": request(seed="golden", is_fewest=True),
    "4x4-fewest": request(Geometry(2, 2), seed="golden", is_fewest=True),
    "singles": request(seed="golden", technique=WantedTechnique.SINGLES),
    "naked-singles": request(seed="golden", technique=WantedTechnique.NAKED_SINGLES),
    "mask": request(seed="golden", mask=CORNERS),
    "6x6": request(Geometry(2, 3), seed="golden"),
    "12x12": request(Geometry(3, 4), seed="golden"),
    "16x16": request(Geometry(4, 4), seed="golden"),
    "16x16-rotate180": request(Geometry(4, 4), seed="golden", symmetry=Symmetry.ROTATE180),
    "anti-knight": request(Geometry(2, 3), "anti-knight", seed="golden"),
    "random-regions": request(Geometry(2, 3), seed="golden", has_random_regions=True),
}

LONG = {"19", "fewest", "16x16", "16x16-rotate180"}
"""Requests of which all three puzzles take a second or more."""


def write(name: str, count: int = 3) -> list[str]:
    lines = []
    for made in make(REQUESTS[name], count):
        digits = ",".join(str(digit) if digit else "." for digit in made.puzzle.grid.digits)
        lines.append(f"{name} {made.index} {digits}")
    return lines


def require_same(name: str) -> None:
    golden = GOLDEN.read_text("ascii").splitlines()
    assert write(name) == [line for line in golden if line.split()[0] == name]


@sampled(3, "name", [name for name in REQUESTS if name not in LONG])
def test_seeds_lead_to_the_same_puzzles_for_ever(name: str) -> None:
    require_same(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(LONG))
def test_seeds_of_large_boards_do_too(name: str) -> None:
    require_same(name)


@sampled(2, "name", sorted(LONG - {"19"}))
def test_the_first_puzzle_of_a_large_board_stays_the_same(name: str) -> None:
    golden = GOLDEN.read_text("ascii").splitlines()
    assert write(name, 1) == [line for line in golden if line.split()[0] == name][:1]


if __name__ == "__main__":
    # `python -m tests.making.test_golden` writes the file anew.
    GOLDEN.write_text("\n".join(line for name in REQUESTS for line in write(name)) + "\n", "ascii")
