"""Clues drawn on a solution are kept by it, lead to it, and are the same from a seed."""

from collections import Counter

import pytest

import satdoku
from satdoku.errors import SatdokuError
from satdoku.making.clues import draw_clues, require_drawn
from satdoku.making.full_grid import Chance, random_grid
from satdoku.making.minimizer import clues_of
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.judge import find_fault
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.cages import Killer
from satdoku.puzzle.rules.outside import OutsideRule
from satdoku.puzzle.rules.registry import RULES, read_rules
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.questions import find_solutions
from tests.each import for_each
from tests.oracle import solutions_of

NAMES = [name for name in RULES if RULES[name].drawn_at_random]


@for_each("name", NAMES)
def test_the_solution_keeps_what_is_drawn_on_it(name: str) -> None:
    geometry = Geometry(3, 3)
    board = Puzzle(Grid.empty(geometry))
    grid = random_grid(geometry, Chance("drawn", 1))
    drawn = next(draw_clues([name], board, grid, Chance("drawn", 2)))
    assert find_fault(grid, drawn) == ""
    assert {rule.name for rule in drawn.further_rules} == {name}
    assert drawn == next(draw_clues([name], board, grid, Chance("drawn", 2)))


@for_each("maker", ["doublers:D", "negators:D", "hot:r1c1,r2c3"])
def test_clues_are_drawn_from_values(maker: str) -> None:
    """Cages sum what their cells count as, and none of them is drawn beside the board."""
    board = Geometry.parse("board:4x4:boxes=2x2:beside=D*4x4")
    puzzle = Puzzle(Grid.empty(board)).with_rules(read_rules([maker], board))
    grid = next(find_solutions(puzzle))
    drawn = next(draw_clues(["killer", "arrow"], puzzle, grid, Chance("values", 2)))
    assert find_fault(grid, drawn) == ""
    cages = [rule for rule in drawn.rules if isinstance(rule, Killer)]
    assert sorted(cell for cage in cages for cell in cage.cage) == [*range(16)]
    with pytest.raises(SatdokuError, match="the rule sandwich cannot be used with"):
        list(draw_clues(["sandwich"], puzzle, grid, Chance("values", 2)))


def test_every_clue_outside_is_drawn_at_random() -> None:
    outside = {name for name in RULES if issubclass(RULES[name], OutsideRule)}
    assert {"hidden-skyscraper", "skyscraper"} <= outside <= set(NAMES)


def test_cages_hold_each_cell_once_and_become_smaller() -> None:
    geometry = Geometry(3, 3)
    board = Puzzle.from_line("." * 81, rules=["digits:0-8"])
    grid = random_grid(geometry, Chance("cages", 1))
    before = 0
    for drawn in draw_clues(["killer"], board, grid, Chance("cages", 2)):
        cages = [rule.cells(geometry) for rule in drawn.further_rules if rule.name == "killer"]
        assert Counter(cell for cage in cages for cell in cage) == Counter(range(81))
        assert {len(cage) for cage in cages} <= set(range(2, 7))
        assert find_fault(grid, drawn) == ""
        assert len(cages) > before
        before = len(cages)
    assert before > 27


def count_kept(puzzle: Puzzle) -> int:
    """How many grids of 4x4 keep the rules, as the judge says of each."""
    grids = (Grid(puzzle.geometry, digits) for digits in solutions_of(2, 2, puzzle.grid.digits))
    return sum(not find_fault(grid, puzzle) for grid in grids)


def test_a_killer_needs_no_givens_and_none_of_its_cages_can_be_spared() -> None:
    made, again = (
        next(satdoku.generate(seed="a", box=Geometry(2, 2), rules=["killer:random"], clues=True))
        for _ in range(2)
    )
    assert made.puzzle == again.puzzle
    assert made.givens == 0
    assert made.weight is None
    assert count_kept(made.puzzle) == 1
    for clue in clues_of(made.puzzle):
        fewer = Puzzle(
            made.puzzle.grid, rules=tuple(rule for rule in made.puzzle.rules if rule != clue)
        )
        assert count_kept(fewer) > 1


@pytest.mark.slow
def test_a_killer_of_16x16_gets_givens_where_no_proof_can_be_waited_for() -> None:
    made = next(satdoku.generate(seed=1, box=Geometry(4, 4), rules=["killer:random"]))
    assert 0 < made.givens < 64
    assert made.undecided > 0
    assert find_fault(made.solution, made.puzzle) == ""
    with pytest.raises(SatdokuError, match="not proved on 16x16; allow some givens"):
        next(satdoku.generate(box=Geometry(4, 4), rules=["killer:random"], givens=0))


def test_rules_that_are_not_drawn_stay_and_givens_are_as_asked_for() -> None:
    rules = ["anti-king", "thermo:random", "sandwich:random"]
    made = next(satdoku.generate(seed=5, rules=rules, givens=20))
    assert made.givens == 20
    names = {rule.name for rule in made.puzzle.further_rules}
    assert names == {"anti-king", "thermo", "sandwich"}
    assert satdoku.check(made.puzzle).verdict is Verdict.UNIQUE


@for_each(
    "wishes, sentence",
    [
        ({"rules": ["odd:random"]}, "no clues of the rule odd are drawn"),
        ({"rules": ["killers:random"]}, "there is no rule 'killers'; did you mean killer"),
        ({"clues": True}, "no clues are drawn at random"),
        ({"rules": ["xv:random"], "mask": "1" * 81}, "a mask changes the solution"),
    ],
)
def test_what_cannot_be_drawn_is_refused(wishes: dict[str, object], sentence: str) -> None:
    with pytest.raises(SatdokuError, match=sentence):
        next(satdoku.generate(**wishes))  # type: ignore[arg-type]


def test_every_kind_that_is_drawn_is_one_of_the_rules() -> None:
    require_drawn(NAMES)
