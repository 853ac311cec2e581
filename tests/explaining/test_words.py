"""Explanations as people read them: golden texts of well-known puzzles, in three wordings.

`python -m pytest tests/explaining/test_words.py --regenerate-golden` writes them anew; read the
difference before you commit it.
"""

import re
from pathlib import Path

import pytest

from satdoku.errors import join
from satdoku.explaining.board import build_board
from satdoku.explaining.explain import Scope, explain
from satdoku.explaining.step import Level
from satdoku.explaining.words.explanation import Style, describe
from satdoku.explaining.words.names import Names
from satdoku.explaining.words.steps import Teller, Wording
from satdoku.notation.reading import read_puzzles
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import read_rule
from tests.boards import clashing_puzzle, read_grid, stuck_puzzle
from tests.explaining.samples import explained, of_file, ruled_puzzle

GOLDEN = Path(__file__).parents[1] / "golden"
NINE = Geometry(3, 3)


def nine(text: str) -> Puzzle:
    return Puzzle(read_grid(text))


PUZZLES = {
    "wikipedia": nine(
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    ),
    "inkala-2010": nine(
        "..53.....8......2..7..1.5..4....53...1..7...6..32...8..6.5....9..4....3......97.."
    ),
    "inkala-2012": nine(
        "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
    ),
    "project-euler": nine(
        "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3.."
    ),
    "small": nine("1.....2..3.....4"),
    "open": nine("1.....2........4"),
    "clashing": clashing_puzzle(Geometry(2, 2)),
    "stuck": stuck_puzzle(NINE),
    "altered": nine(
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..49"
    ),
    "diagonals": ruled_puzzle("diagonals", 0),
    "anti-knight": ruled_puzzle("anti-knight", 0),
    "odd": nine("......2..3.....4").with_rules([read_rule("odd:r1c1,r1c4", Geometry(2, 2))]),
}


def text_of(puzzle: Puzzle, style: Style, level: Level = Level.ALL) -> str:
    return "\n".join(describe(explained(puzzle, level), style)) + "\n"


@pytest.mark.parametrize("wording", Wording)
@pytest.mark.parametrize("name", PUZZLES)
def test_the_text_is_the_one_that_was_read_and_approved(
    name: str, wording: Wording, request: pytest.FixtureRequest
) -> None:
    text = text_of(PUZZLES[name], Style(wording))
    path = GOLDEN / f"{name}-{wording.value}.txt"
    if request.config.getoption("--regenerate-golden"):
        path.write_text(text, "utf-8")
    assert text == path.read_text("utf-8")


def test_no_text_is_left_over_from_a_puzzle_that_is_gone() -> None:
    wanted = {f"{name}-{wording.value}.txt" for name in PUZZLES for wording in Wording}
    assert {path.name for path in GOLDEN.iterdir()} == wanted


def test_a_level_says_where_it_ends() -> None:
    text = text_of(PUZZLES["inkala-2012"], Style(), Level.BASIC)
    assert "No step of the level basic leads on from here, after " in text


def test_candidates_are_drawn_before_each_step_that_excludes() -> None:
    puzzle = PUZZLES["anti-knight"]
    lines = text_of(puzzle, Style(has_boards=True)).splitlines()
    boards = sum(line.startswith("+-") for line in lines) // 4
    excluding = sum(step.places is None for step in explained(puzzle).way.steps)
    assert boards == excluding > 0


def test_everything_can_be_said_in_ascii() -> None:
    assert text_of(PUZZLES["inkala-2012"], Style(Wording.FULL, is_ascii=True)).isascii()


def test_digits_have_the_names_of_their_source() -> None:
    puzzle = Puzzle(read_grid("1.....2..3.....4"), symbols=("A", "B", "C", "D"))
    # Not from the cache: puzzles are equal whatever their symbols.
    text = "\n".join(describe(explain(puzzle, Scope(Level.ALL)), Style()))
    assert "box 1 still needs a B; the B in r2c3 leaves only r1c2" in text


@pytest.mark.parametrize(
    ("symbols", "digit", "words"),
    [((), 7, "a 7"), ((), 8, "an 8"), (tuple("ABCDEFGHI"), 1, "an A"), ((), 1, "a 1")],
)
def test_the_article_fits_the_digit(symbols: tuple[str, ...], digit: int, words: str) -> None:
    puzzle = Puzzle(read_grid("." * 81), symbols=symbols)
    assert Names(build_board(puzzle)).one(digit) == words


def test_lists() -> None:
    assert join(["r1c1"]) == "r1c1"
    assert join(["1", "2", "9"], "or") == "1, 2 or 9"


def test_chains_are_written_as_in_forums() -> None:
    explanation = explain(
        Puzzle(
            read_grid(
                ".5........9.7..1.6.72.6.4......4...38....6..4...3.19.7.....7.9......9.3.6...2...."
            )
        )
    )
    lines = "\n".join(describe(explanation, Style(is_eureka=True))).splitlines()
    chains = [line.split(": ", 1)[1] for line in lines if "=>" in line]
    assert chains[0] == "(4)r1c6=(4)r2c6-(2)r2c6=(2)r2c8-(2=8)r1c9 => r1c6<>8."
    one = r"(\(\d+\)[rc\d,]+=\(\d+\)[rc\d,]+|\(\d+=\d+\)[rc\d,]+)"
    for chain in chains:
        assert re.fullmatch(rf"{one}(-{one})* => [rc\d,]+<>\d(, [rc\d,]+<>\d)*\.", chain)
    assert len(chains) == sum(bool(step.chain) for step in explanation.way.steps)


def test_what_the_page_sets_beside_others_is_what_is_told() -> None:
    page = (GOLDEN.parents[1] / "docs" / "explaining.md").read_text()
    table = page.split("## Compared with other programs")[1].split("##")[0]
    said = [line.split(" | ")[1] for line in table.splitlines() if line.startswith("| ")][1:]
    assert len(said) == 16
    stubborn = of_file("stubborn", 8)
    puzzles = (*of_file("easy", 1), *stubborn[:2], *stubborn[5:])
    ways = [explained(puzzle).way for puzzle in puzzles]
    told = "\n".join(sentence for way in ways for sentence in Teller(way).tell())
    # A story of cases takes long to find; the page tells the whole of that one above.
    told += page.split("## Compared with other programs")[0]
    assert [sentence for sentence in said if sentence not in told] == []


def drawn_steps() -> list[tuple[str, str]]:
    """The boards with candidates that docs/explaining.md draws, each with the sentence below it."""
    page = (GOLDEN.parents[1] / "docs" / "explaining.md").read_text()
    found = []
    for block in re.findall(r"^```\n(\+-.*?)^```", page, re.DOTALL | re.MULTILINE):
        drawn = [line for line in block.splitlines() if line.startswith("|")]
        cells = [
            re.sub("[-+]", "", cell) for line in drawn for cell in re.findall("[-+1-9]+", line)
        ]
        told = " ".join(line for line in block.splitlines() if line[0] not in "+|")
        found.append((" ".join(cells), told))
    return found


def test_the_page_draws_boards_that_have_the_step_below_them() -> None:
    for board, told in drawn_steps():
        # Candidates as a rule allow no rectangles, whose corners must be free to be swapped.
        if not told.startswith("Unique rectangle"):
            [explanation] = map(explain, read_puzzles([board], "the page"))
            assert next(describe(explanation, Style())).split(maxsplit=1)[1] == told
    assert len(drawn_steps()) == 3
