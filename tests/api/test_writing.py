"""What `satdoku.write` and `satdoku.draw` make is what the commands make."""

from pathlib import Path

import pytest
from pysat.solvers import Solver

import satdoku
from satdoku import Encoding
from satdoku.notation.formats import FORMATS
from tests.commands import AMBIGUOUS, EASY, SMALL, SMALL_SOLUTION, run
from tests.each import for_each


@for_each("name", FORMATS)
def test_it_writes_what_convert_writes(name: str) -> None:
    text = satdoku.write(EASY, name)
    assert text == run("convert", EASY, "--to", name).stdout
    assert satdoku.parse(text).grid == satdoku.parse(EASY).grid


def test_it_draws_what_draw_draws() -> None:
    assert satdoku.draw(EASY).decode() == run("draw", EASY).stdout
    assert satdoku.draw(EASY, title="One").decode() == run("draw", EASY, "--title", "One").stdout
    several = satdoku.draw(EASY, SMALL, AMBIGUOUS).decode()
    assert several == run("draw", EASY, SMALL, AMBIGUOUS).stdout


def test_answers_are_drawn_as_the_commands_draw_them(tmp_path: Path) -> None:
    for command, shown in (
        ("check", satdoku.check(AMBIGUOUS)),
        ("explain", satdoku.explain(SMALL)),
        ("candidates", satdoku.candidates(SMALL)),
    ):
        puzzle = AMBIGUOUS if command == "check" else SMALL
        drawn = tmp_path / f"{command}.svg"
        run(command, puzzle, "--draw", str(drawn))
        assert satdoku.draw(shown) == drawn.read_bytes()


def test_pages_are_those_of_explain(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    run("explain", SMALL, "--html", str(page))
    assert satdoku.to_page(satdoku.slides(satdoku.explain(SMALL))) == page.read_text("utf-8")


def test_nothing_and_unknown_kinds_are_refused() -> None:
    with pytest.raises(satdoku.SatdokuError, match="nothing to draw"):
        satdoku.draw()
    with pytest.raises(satdoku.SatdokuError, match="svg"):
        satdoku.draw(EASY, kind="gif")
    with pytest.raises(satdoku.SatdokuError, match="solution"):
        satdoku.smallest_clash(EASY)


def test_steps_come_with_the_texts_of_the_whole() -> None:
    whole = list(satdoku.tell_steps(satdoku.explain(SMALL)))
    walked = list(satdoku.walk(SMALL))
    assert [text for _, text in walked] == [text for _, text in whole]


@for_each("encoding", Encoding)
def test_the_formula_is_that_of_the_clauses(encoding: Encoding) -> None:
    clauses = [
        list(clause) for group in satdoku.encode(SMALL, encoding) for clause in group.clauses
    ]
    formula = satdoku.to_cnf(SMALL, encoding)
    assert formula.clauses == clauses
    with Solver("cadical153", bootstrap_with=formula) as solver:
        assert solver.solve()
        cells = [variable for variable in solver.get_model()[:64] if variable > 0]
    assert "".join(str((variable - 1) % 4 + 1) for variable in cells) == SMALL_SOLUTION
