"""Pictures say of puzzles and outcomes what is to be seen, and no rule is lost on the way."""

from satdoku.picture.picture import (
    Emphasis,
    Picture,
    Sketch,
    picture_of,
    picture_with_candidates,
    pictures_of_outcome,
)
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.classic import CLASSIC
from satdoku.puzzle.rules.registry import RULES, read_rule
from satdoku.solving.questions import check
from tests.each import for_each

SQUARE = Geometry(2, 2)
REGISTERED = [kind for kind in RULES.values() if kind.name not in {rule.name for rule in CLASSIC}]


def pictures_of(line: str) -> tuple[Picture, ...]:
    return pictures_of_outcome(check(Puzzle.from_line(line)))


def test_a_unique_puzzle_shows_its_solution_and_knows_its_givens() -> None:
    puzzle = Puzzle.from_line("1.....2..3.....4", name="mine")
    [picture] = pictures_of_outcome(check(puzzle))
    assert picture.digits == (1, 2, 4, 3, 3, 4, 2, 1, 4, 3, 1, 2, 2, 1, 3, 4)
    assert picture.givens == frozenset({0, 6, 9, 15})
    assert picture.title == "mine"


def test_several_solutions_show_two_with_just_the_differing_cells_marked() -> None:
    first, second = pictures_of("1...............")
    differing = {c for c in range(16) if first.digits[c] != second.digits[c]}
    assert differing
    assert dict(first.cells) == dict(second.cells) == dict.fromkeys(differing, Emphasis.DIFFERENT)


def test_givens_that_clash_are_marked() -> None:
    [picture] = pictures_of("11..............")
    assert dict(picture.cells) == {0: Emphasis.CLASHING, 1: Emphasis.CLASHING}


def test_candidates_are_what_givens_leave_to_empty_cells() -> None:
    picture = picture_with_candidates(Puzzle.from_line("12..............", rules=["odd:r1c3"]))
    assert picture.small_digits[2] == (3,)
    assert picture.small_digits[3] == (3, 4)
    assert 0 not in picture.small_digits


def test_allowed_digits_of_a_rule_are_seen_without_asking_for_candidates() -> None:
    puzzle = Puzzle.from_line("1...............", rules=["candidates:r1c1=1/2,r1c2=3/4"])
    assert picture_of(puzzle).small_digits == {1: (3, 4)}


def test_lines_of_several_meanings_are_told_by_where_they_begin() -> None:
    """Colours are lost in characters and in print, and two rules may have the same one."""
    lines = [
        "whispers:2=r1c1,r1c2",
        "whispers:3=r2c1,r2c2",
        "whispers:2=r3c1,r3c2",
        "killer:r4c1-2",
    ]
    board = "." * 16
    assert picture_of(Puzzle.from_line(board, rules=lines)).captions == (
        "green lines from r1c1 and r3c1: neighbours differ by at least 2",
        "green lines from r2c1: neighbours differ by at least 3",
        "dashed cages: no digit twice, and the sum is the number in the corner",
    )
    alike = picture_of(Puzzle.from_line(board, rules=lines[::2]))
    assert alike.captions == ("green lines: neighbours differ by at least 2",)


@for_each("kind", REGISTERED)
def test_every_rule_is_drawn_or_told(kind: type) -> None:
    text = f"{kind.name}:{kind.example}" if kind.example else kind.name  # type: ignore[attr-defined]
    board: Geometry = kind.example_board  # type: ignore[attr-defined]
    rule = read_rule(text, board)
    plain = picture_of(Puzzle(Grid.empty(board)))
    picture = picture_of(Puzzle(Grid.empty(board)).with_rules([rule]))
    assert picture.captions or picture.region_of != plain.region_of
    assert picture.sentences or picture.region_of != plain.region_of
    # What is drawn needs no more words than fit on a line; what is not has its sentence.
    if not picture.drawn[len(plain.drawn) :] and not picture.sentences:
        assert rule.caption(board) == ""


def test_regions_take_the_place_of_boxes() -> None:
    puzzle = Puzzle.from_line("." * 16, rules=["regions:AABB/ABBC/ADCC/DDDC"])
    picture = picture_of(puzzle)
    assert not picture.has_boxes
    assert picture.region_of[0] == picture.region_of[4] != picture.region_of[2]
    assert picture_of(Puzzle.from_line("." * 16)).has_boxes


def test_the_pictures_of_several_puzzles_are_numbered() -> None:
    picture = picture_of(Puzzle.from_line("." * 16))
    sketch = Sketch((picture, picture.titled("one solution")), (picture,)).numbered(3)
    assert [each.title for each in (*sketch.boards, *sketch.answers)] == [
        "3",
        "3: one solution",
        "3",
    ]
