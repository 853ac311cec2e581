"""Hints: a place first, then what to look for, then the step; wrong entries before all else."""

import pytest

import satdoku
from satdoku.answering.hinter import hint_lines
from satdoku.explaining.board import candidates_of
from satdoku.explaining.explain import explain
from satdoku.explaining.hint import find_every_hint, find_hint
from satdoku.explaining.step import Level, Technique, Way
from satdoku.explaining.trace import digits_after, left_after
from satdoku.explaining.words.names import Names
from satdoku.explaining.words.steps import Teller
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import read_rule
from satdoku.puzzle.rules.single_cells import Candidates
from satdoku.puzzle.verdict import Outcome, Verdict
from satdoku.solving.limits import LimitReachedError, Limits
from satdoku.solving.questions import check
from satdoku.solving.solvers import Settings
from tests.boards import HARD, HARD_SOLUTION, clashing_puzzle, read_grid, stuck_puzzle
from tests.crossing import few_or_many, sampled
from tests.explaining.samples import BLOSSOM, of_file, way_of

SMALL = Puzzle(read_grid("1.....2..3.....4"))


def test_a_hint_says_more_from_part_to_part() -> None:
    hint = find_hint(SMALL)
    assert hint.where == "look at box 1"
    assert hint.what == "hidden single in r1c2"
    assert hint.how == "Hidden single: box 1 still needs a 2; the 2 in r2c3 leaves only r1c2."


def test_a_hint_about_the_clue_of_a_row_names_the_row() -> None:
    square = Geometry(3, 3)
    puzzle = Puzzle(Grid.empty(square)).with_rules([read_rule("sandwich:row1=35", square)])
    assert find_hint(puzzle).where == "look at row 1"


@few_or_many("count", 2, 3)
@pytest.mark.parametrize("name", ["easy", "stubborn"])
def test_hints_lead_to_the_solution_from_any_board_on_the_way(name: str, count: int) -> None:
    for puzzle in of_file(name, count):
        board = puzzle.grid
        for _ in range(81):
            hint = find_hint(puzzle, board)
            if hint.step is None or hint.step.placement is None:
                break
            solution = hint.outcome.solution
            assert solution is not None
            # The only cell that the technique is about.
            named = hint.what.split()[-1]
            (cell,) = (c for c in range(81) if puzzle.geometry.name_of(c) == named)
            assert not board.digits[cell]
            board = board.with_digits({cell: solution.digits[cell]})
        assert hint.step is not None or board == hint.outcome.solution


def test_without_a_solution_a_hint_points_to_the_explanation() -> None:
    puzzle = stuck_puzzle(Geometry(2, 2))
    assert list(hint_lines(find_hint(puzzle), puzzle)) == [
        "no solution: no two givens clash directly, but together they exclude every grid; "
        "`explain` names what clashes"
    ]


def test_a_wrong_entry_is_named_before_any_step() -> None:
    entered = HARD.grid.with_digits({1: 9, 2: HARD_SOLUTION.digits[2], 3: 9})
    hint = find_hint(HARD, entered)
    assert hint.wrong == (1, 3)
    assert hint.step is None


def test_an_entry_over_a_given_is_wrong_even_where_several_solutions_are_left() -> None:
    puzzle = Puzzle(read_grid("1..............."))
    hint = find_hint(puzzle, read_grid("2..............."))
    assert hint.wrong == (0,)


def test_right_entries_count_for_the_next_step() -> None:
    board = SMALL.grid.with_digits({1: 2})
    assert "r1c2" not in find_hint(SMALL, board).what


def test_a_full_board_and_an_impossible_one_have_no_step() -> None:
    assert find_hint(HARD, HARD_SOLUTION).step is None
    hint = find_hint(clashing_puzzle(HARD.geometry))
    assert hint.outcome.verdict is Verdict.NONE
    assert hint.step is None


def test_a_limit_is_kept() -> None:
    with pytest.raises(LimitReachedError):
        find_hint(HARD, limits=Limits(timeout=0))


def test_the_limit_holds_for_all_questions_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a board there are two; the second one gets what the first has left."""
    given: list[Limits] = []

    def spy(puzzle: Puzzle, settings: Settings) -> Outcome:
        given.append(settings.limits)
        return check(puzzle, settings)

    monkeypatch.setattr("satdoku.solving.questions.check", spy)
    several = Puzzle(read_grid("1..............."))
    find_hint(several, several.grid, Limits(timeout=3600))
    first, second = (limits.timeout for limits in given)
    assert first is not None
    assert second is not None
    assert second < first < 3600


def marks_after(puzzle: Puzzle, count: int, way: Way | None = None) -> tuple[Grid, Candidates]:
    """The digits and the marks of a player who has done so many steps."""
    way = way or explain(puzzle).way
    left = left_after(way, count)
    digits: dict[int, list[int]] = {}
    for candidate in candidates_of(left):
        cell, digit = way.board.placements[candidate]
        digits.setdefault(cell, []).append(digit)
    grid = Grid(puzzle.geometry, tuple(digits_after(way, count)))
    return grid, Candidates.of({c: d for c, d in digits.items() if not grid.digits[c]})


def test_hints_go_on_from_the_marks_of_the_player() -> None:
    """What the player has excluded is never told again; the old hint told it for ever."""
    puzzle = of_file("stubborn", 6)[2]
    way = explain(puzzle).way
    told = []
    for step in way.steps:
        if step.places is None:
            entered, marks = marks_after(puzzle, step.number)
            hint = find_hint(puzzle, entered, None, marks)
            assert hint.way is not None
            left = dict(marks.sets)
            for cell, digit in (hint.way.board.placements[c] for c in hint.way.steps[0].excludes):
                assert digit in left[cell]
            told.append(hint.begin)
        if len(told) > 3 and told[-1].startswith("begin with"):
            break
    assert len(told) > 3
    assert any(begin.startswith("begin with") for begin in told)


def test_a_digit_that_was_wrongly_excluded_is_named() -> None:
    marks = Candidates.of({1: [5, 9], 2: [HARD_SOLUTION.digits[2], 9]})
    hint = find_hint(HARD, None, None, marks)
    assert hint.missing == (1,)
    assert hint.step is None


def test_hints_tell_the_stem_of_a_blossom_first() -> None:
    puzzle = Puzzle(read_grid(BLOSSOM))
    # With the steps that turn out to be idle, which a player does not know either.
    way = way_of(puzzle)
    count = [step.technique for step in way.steps].index(Technique.DEATH_BLOSSOM)
    entered, marks = marks_after(puzzle, count, way)
    hint = find_hint(puzzle, entered, None, marks)
    assert hint.begin == "r7c2=7, r7c3=7 or r7c5=7 holds: look at what each of these leads to"


def test_every_step_of_a_position_is_listed_from_easy_to_hard() -> None:
    puzzle = of_file("stubborn", 6)[2]
    entered, marks = marks_after(puzzle, 30)
    hint, ways = find_every_hint(puzzle, entered, None, marks)
    texts = [next(Teller(way).tell()) for way in ways]
    assert not hint.wrong
    order = [list(Technique).index(way.steps[0].technique) for way in ways]
    assert order == sorted(order)
    assert all(way.steps[0].places or way.steps[0].excludes for way in ways)
    assert texts[0] == find_hint(puzzle, entered, None, marks).how
    assert len(set(texts)) == len(texts) > 1
    assert find_every_hint(HARD, HARD_SOLUTION)[1] == []


def test_what_a_single_excludes_is_no_step_beside_it() -> None:
    _, ways = find_every_hint(Puzzle(read_grid("123.............")))
    assert ways[0].board.name_of(ways[0].steps[0].places or 0).startswith("r1c4")
    told = {way.steps[0].technique for way in ways}
    assert not told & {Technique.BOUNDS, Technique.LOCKED}


@pytest.mark.slow
def test_the_steps_of_each_technique_are_listed_whatever_others_exclude() -> None:
    puzzle = of_file("stubborn", 6)[2]
    _, ways = find_every_hint(puzzle)
    steps = [way.steps[0] for way in ways]
    names_for: dict[tuple[int, ...], set[Technique]] = {}
    for step in steps:
        names_for.setdefault(step.excludes, set()).add(step.technique)
    assert {Technique.POINTING, Technique.CLAIMING, Technique.ALS_XZ} in [
        names & {Technique.POINTING, Technique.CLAIMING, Technique.ALS_XZ}
        for names in names_for.values()
    ]
    for technique in (Technique.POINTING, Technique.ALS_XZ, Technique.NET):
        _, some = find_every_hint(puzzle, wanted=frozenset([technique]))
        told = [step.excludes for step in steps if step.technique is technique]
        asked = [way.steps[0].excludes for way in some]
        # Nets are told of what no easier step excludes, so more where none was asked for.
        assert set(told) <= set(asked)
        assert technique is Technique.NET or told == asked


def test_the_first_hint_of_a_chain_points_where_it_begins() -> None:
    wanted = frozenset([Technique.SKYSCRAPER, Technique.XY_CHAIN, Technique.CHAIN])
    seen = set()
    for puzzle in of_file("stubborn", 6):
        hint, ways = find_every_hint(puzzle, wanted=wanted)
        if ways:
            names = Names(ways[0].board)
            step = ways[0].steps[0]
            ends = candidates_of(step.chain[0].off | step.chain[-1].on)
            first = step.chain[0].truths[0]
            digits = {names.board.placements[c].digit for link in step.chain for c in ends}
            if step.technique is Technique.SKYSCRAPER:
                assert hint.where == f"look at the {digits.pop()}s"
            elif first.unit is None:
                assert hint.where == f"look at {names.cell(first.cell)}"
            else:
                assert hint.where == f"look at the {first.digit}s in {first.unit}"
            seen.add(step.technique)
    assert len(seen) > 1


def test_the_hints_of_an_exocet_name_its_base() -> None:
    # Golden Nugget, by tarek, published in the players' forum.
    nugget = ".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7....."
    hint, _ = find_every_hint(Puzzle(read_grid(nugget)), wanted={Technique.JUNIOR_EXOCET})
    assert hint.where == "look at column 7"
    assert hint.what == "junior exocet in r1c7 and r2c7"


def test_a_chain_through_several_digits_of_a_cell_is_no_xy_chain() -> None:
    nine = Geometry(3, 3)
    rule = read_rule("whispers:r7c1,r7c2,r8c3", nine)
    puzzle = Puzzle(Grid.empty(nine)).with_rules([rule])
    wanted = frozenset([Technique.XY_WING, Technique.XY_CHAIN, Technique.GROUPED_CHAIN])
    _, ways = find_every_hint(puzzle, wanted=wanted)
    assert {way.steps[0].technique for way in ways} == {Technique.GROUPED_CHAIN}
    texts = [next(Teller(way).tell()) for way in ways]
    said = (
        "So r7c1 is 1, 2, 3 or 4, or r7c2 is 1, 2, 3 or 4; r7c1 and r7c2 differ by at least 5, so"
    )
    assert any(said in text for text in texts)
    # A cell that loses something to each end by a rule is not said to see the ends, too.
    assert not any("sees r7c1 and r8c3, and r7c2 and each of" in text for text in texts)


def test_fish_of_four_lines_are_listed_with_their_fins() -> None:
    _, ways = find_every_hint(
        of_file("stubborn", 6)[4], wanted=frozenset([Technique.SASHIMI_JELLYFISH])
    )
    texts = [next(Teller(way).tell()) for way in ways]
    assert texts
    assert all("apart from the fin" in text for text in texts)
    assert all(len(way.steps[0].truths) == 4 for way in ways)


def test_a_list_without_steps_of_a_technique_is_no_full_board() -> None:
    hint, ways = find_every_hint(SMALL, wanted=frozenset([Technique.BUG]))
    assert not ways
    assert not hint.is_solved


@sampled(3, "puzzle", [*of_file("easy", 3), Puzzle(read_grid(BLOSSOM))])
def test_a_player_who_follows_hints_meets_the_steps_of_the_explanation(puzzle: Puzzle) -> None:
    way = way_of(puzzle, Level.BASIC)
    grid = puzzle.grid
    for step in way.steps:
        if step.places is None:
            # Without marks this one would be told until the player has drawn what follows.
            break
        hint = find_hint(puzzle, grid)
        assert hint.way is not None
        assert hint.step is not None
        assert hint.step.technique is step.technique
        place = way.board.placements[step.places]
        assert hint.step.placement == place
        grid = grid.with_digits({place.cell: place.digit})


def test_the_first_hint_of_the_rule_of_45_points_at_the_units_and_cages() -> None:
    cells = ",".join(f"r1c{column}" for column in range(1, 9))
    puzzle = Puzzle(Grid.empty(Geometry(3, 3))).with_rules(
        [read_rule(f"killer:40={cells}", Geometry(3, 3))]
    )
    hint = find_hint(puzzle)
    assert hint.where == "look at row 1 and the cages that cover it"
    assert hint.what == "rule of 45 in r1c9"


def test_the_second_hint_of_a_net_names_the_cell_in_which_it_begins() -> None:
    puzzle = of_file("stubborn", 1)[0]
    hint, ways = find_every_hint(puzzle, wanted={Technique.NET})
    assert ways
    cell = hint.begin.removeprefix("suppose ").partition("=")[0]
    assert hint.what == f"net that begins in {cell}"


def test_cells_beside_the_board_are_in_no_multi_sector_set() -> None:
    puzzle = satdoku.parse(".Var~D~Bomb\n.~VD_1_2_3_4_5_6_7_8")
    _, ways = find_every_hint(puzzle, wanted={Technique.LOCKED_LINES})
    assert not ways
