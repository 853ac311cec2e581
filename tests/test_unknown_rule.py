"""A rule that nobody knows is obeyed everywhere, or refused by name; it is never left out.

The rule here is in no registry. Whatever takes a puzzle has to ask its rules, or say that it cannot
hold this one.
"""

import io
from pathlib import Path

import pytest

from satdoku.answering.checker import Checker
from satdoku.answering.form import Verdicts
from satdoku.answering.many import board_of
from satdoku.answering.output.ending import Ending
from satdoku.answering.task import Task
from satdoku.certifying.certificate import read_certificate, write_certificate
from satdoku.certifying.certify import certify
from satdoku.certifying.verify import verify
from satdoku.encoding.choices import Encoding, Method
from satdoku.encoding.encode import encode
from satdoku.encoding.files.dimacs import Export, read_puzzle, write_cnf
from satdoku.encoding.files.kinds import native_constraints
from satdoku.errors import SatdokuError
from satdoku.explaining.explain import explain
from satdoku.explaining.hint import find_hint
from satdoku.explaining.true_candidates import find_true_candidates
from satdoku.making.canonical import canonical_form
from satdoku.making.generator import Generator
from satdoku.making.minimizer import Minimizer
from satdoku.making.request import Request
from satdoku.notation.formats import FORMATS
from satdoku.notation.hints import Hints
from satdoku.notation.reading import PuzzleReader, read_puzzles
from satdoku.picture.figure import Text, draw
from satdoku.picture.picture import picture_of
from satdoku.picture.text import render_picture
from satdoku.puzzle.constraints import Either
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.judge import find_clashes, find_fault
from satdoku.puzzle.puzzle import Puzzle, find_candidates, find_missing
from satdoku.puzzle.verdict import Verdict
from satdoku.rating.rater import rate_all
from satdoku.solving.counting import split_puzzle
from satdoku.solving.limits import Budget
from satdoku.solving.questions import check, count, find_solutions
from satdoku.solving.solvers import Settings
from tests.commands import SMALL, run
from tests.crossing import crossed
from tests.each import for_each
from tests.encoding.files.formulas import read_cnf
from tests.unknown_rule import SHAPES, NoOneInTheCorner

SQUARE = Geometry(2, 2)
OPEN_TO_RULES = [encoding for encoding in Encoding if encoding is not Encoding.TRIADS]


@pytest.fixture(params=SHAPES)
def empty(request: pytest.FixtureRequest) -> Puzzle:
    """A board without givens and with the rule, in one shape after the other."""
    return Puzzle(Grid.empty(SQUARE)).with_rules([NoOneInTheCorner(request.param)])


@pytest.fixture
def impossible(empty: Puzzle) -> Puzzle:
    """As a classic puzzle it has a solution, with 1 in the corner."""
    return empty.with_grid(Grid(SQUARE, (0, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1)))


def is_wider(puzzle: Puzzle) -> bool:
    return bool(puzzle.constraints.wider)


# 1 and 2 can be swapped in rows 1 and 3, unless the corner must not be 1.
ALMOST_UNIQUE = (0, 0, 3, 4, 3, 4, 1, 2, 0, 0, 4, 3, 4, 3, 2, 1)


def test_it_is_no_classic_puzzle(empty: Puzzle) -> None:
    assert not empty.is_classic
    assert [rule.name for rule in empty.further_rules] == ["no-one-in-the-corner"]


@crossed(3, encoding=OPEN_TO_RULES, method=[None, Method.PAIRWISE, Method.PRODUCT])
def test_questions_are_answered_with_the_rule(
    encoding: Encoding, method: Method | None, empty: Puzzle, impossible: Puzzle
) -> None:
    settings = Settings(encoding=encoding, at_most_one=method)
    assert check(impossible, settings).verdict is Verdict.NONE
    assert count(empty, None, settings).number == 288 * 3 // 4
    assert all(grid.digits[0] != 1 for grid in find_solutions(empty, settings))


def test_counting_in_parts_keeps_the_rule(empty: Puzzle) -> None:
    parts = split_puzzle(empty, 20)
    assert sum(count(part).number for part in parts) == 288 * 3 // 4


def test_ratings_and_minimal_puzzles_are_found_with_the_rule(empty: Puzzle) -> None:
    puzzle = empty.with_grid(Grid(SQUARE, ALMOST_UNIQUE))
    classic = Puzzle(puzzle.grid)
    assert [check(each).verdict for each in (puzzle, classic)] == [Verdict.UNIQUE, Verdict.MULTIPLE]
    if any(isinstance(each, Either) for each in puzzle.constraints.wider):
        with pytest.raises(SatdokuError, match="this puzzle has no-one-in-the-corner"):
            list(rate_all([puzzle]))
    else:
        [rated, unrated] = rate_all([puzzle, classic])
        assert rated.rating is not None
        assert unrated.rating is None
    with Minimizer() as minimizer:
        minimal = minimizer.minimize(minimizer.check(puzzle)).puzzle
    assert minimal.rules == puzzle.rules
    assert check(minimal).verdict is Verdict.UNIQUE


def test_explanations_follow_the_rule(empty: Puzzle) -> None:
    puzzle = empty.with_grid(Grid(SQUARE, ALMOST_UNIQUE))
    explanation = explain(puzzle)
    assert explanation.verdict is Verdict.UNIQUE
    assert explanation.way.is_full
    assert find_hint(puzzle).step is not None
    others = find_true_candidates(empty, Budget())
    assert others.digits(0) == [2, 3, 4]


def test_an_explanation_of_no_solution_names_a_clash_or_the_rule(impossible: Puzzle) -> None:
    explanation = explain(impossible)
    assert explanation.verdict is Verdict.NONE
    assert explanation.smallest is not None


def test_puzzles_are_made_with_the_rule(empty: Puzzle) -> None:
    with Generator(Request(empty)) as generator:
        made = generator.make(1).puzzle
    outcome = check(made)
    assert outcome.verdict is Verdict.UNIQUE
    assert outcome.solution is not None
    assert outcome.solution.digits[0] != 1


def test_native_formulas_say_the_rule(empty: Puzzle) -> None:
    reasons = {str(constraint.reason) for constraint in native_constraints(empty)}
    plain = {str(constraint.reason) for constraint in native_constraints(Puzzle(empty.grid))}
    assert len(reasons - plain) == 1


def test_canonical_forms_refuse_it_by_name(empty: Puzzle) -> None:
    with pytest.raises(SatdokuError, match=r"this puzzle has no-one-in-the-corner"):
        canonical_form(empty)


def test_every_solver_is_given_the_rule(impossible: Puzzle) -> None:
    for solver in ("auto", "cadical195", "glucose4", "kissat404", "gluecard4"):
        assert check(impossible, Settings(solver=solver)).verdict is Verdict.NONE
    assert check(impossible, Settings(portfolio=("minicard", "cadical195"))).verdict is Verdict.NONE


def test_triads_refuse_it_by_name(empty: Puzzle) -> None:
    with pytest.raises(SatdokuError, match=r"triads is for rows.*no-one-in-the-corner"):
        list(encode(empty, Encoding.TRIADS))
    with pytest.raises(SatdokuError, match=r"triads is for rows.*no-one-in-the-corner"):
        check(empty, Settings(encoding="triads"))


def test_the_judge_and_the_clash_finder_see_it(empty: Puzzle, impossible: Puzzle) -> None:
    solution = impossible.grid.with_digits({0: 1})
    assert find_fault(solution, impossible) == "r1c1 is 1, but it must not be 1"
    given = empty.with_grid(empty.grid.with_digits({0: 1}))
    assert [str(clash) for clash in find_clashes(given)] == ["r1c1 is 1, but it must not be 1"]
    assert check(given).clashes == tuple(find_clashes(given))


def test_candidates_are_those_that_it_allows(empty: Puzzle) -> None:
    if is_wider(empty) or empty.constraints.pairs:
        return  # without givens these are left to solvers
    candidates = dict(find_candidates(empty, find_missing(empty)))
    assert (candidates[0], candidates[1]) == (0b11100, 0b11110)


def test_formulas_name_it_and_are_not_read_back_without_it(empty: Puzzle) -> None:
    text = io.StringIO()
    write_cnf(Export(empty), text, "satdoku 1")
    assert "c rule no-one-in-the-corner (r1c1 does not hold 1)\n" in text.getvalue()
    cnf = read_cnf(text.getvalue().splitlines(), "f.cnf")
    with pytest.raises(SatdokuError, match=r"f\.cnf: .*there is no rule 'no-one-in-the-corner'"):
        read_puzzle(cnf, SQUARE, "f.cnf")


def test_certificates_hold_it_and_are_not_read_back_without_it(
    tmp_path: Path, impossible: Puzzle
) -> None:
    if is_wider(impossible):
        with pytest.raises(SatdokuError, match="the rule no-one-in-the-corner"):
            certify(impossible, "satdoku 1")
        return
    certificate = certify(impossible, "satdoku 1")
    assert verify(certificate).verdict is Verdict.NONE
    path = write_certificate(certificate, tmp_path, "p")
    with pytest.raises(SatdokuError, match=r"there is no rule 'no-one-in-the-corner'"):
        read_certificate(path)


def test_a_terminal_says_it_below_the_board(empty: Puzzle) -> None:
    text = render_picture(picture_of(empty))
    assert text.splitlines()[-1] == "no-one-in-the-corner: r1c1 does not hold 1"


def test_a_drawing_says_it_below_the_board(empty: Puzzle) -> None:
    figure = draw(picture_of(empty))
    texts = [shape.text for shape in figure.shapes if isinstance(shape, Text)]
    assert texts == ["A", "A: r1c1 does not hold 1"]
    assert "r1c1 does not hold 1" in figure.description


@for_each("name", FORMATS)
def test_formats_hold_it_or_refuse_it_by_name(name: str, empty: Puzzle) -> None:
    """JSON would hold the name; no reader knows it, and says so."""
    if FORMATS[name].can_hold(empty.further_rules[0]):
        text = FORMATS[name].write(empty)
        with pytest.raises(SatdokuError, match="there is no rule 'no-one-in-the-corner'"):
            list(read_puzzles([text], "f", name))
    else:
        with pytest.raises(SatdokuError, match="cannot hold the rule no-one-in-the-corner"):
            FORMATS[name].write(empty)


def test_the_bulk_solver_leaves_it_to_others(empty: Puzzle) -> None:
    assert board_of(empty) is None
    assert board_of(Puzzle(empty.grid)) is not None


def test_hundreds_of_puzzles_in_a_run_are_answered_with_their_rules() -> None:
    """More than are needed for the bulk solver to take them, were they classic."""
    lines = [SMALL] * 200
    reader = PuzzleReader(lines, "f", None, Hints(rules=("anti-king",)))
    tasks = [Task(reader.parser, record, n) for n, record in enumerate(reader, 1)]
    rows = list(Checker(Verdicts()).answers(tasks))
    assert len(rows) == 200
    assert {row.ending for row in rows} == {Ending.NONE}


@for_each(
    "command",
    [
        *("solve", "check", "count", "convert", "export", "certify"),
        *("explain", "candidates", "rate", "minimize", "canonical"),
    ],
)
def test_every_command_takes_rules_and_refuses_what_it_does_not_know(
    command: str, tmp_path: Path
) -> None:
    folder = ["-d", tmp_path] if command == "certify" else []
    assert run(command, SMALL, "--rule", "nonsense", *folder).code == 2
    plain, ruled = (run(command, SMALL, *folder, *rule) for rule in ([], ["--rule", "anti-king"]))
    assert (plain.code, plain.stdout) != (ruled.code, ruled.stdout)
