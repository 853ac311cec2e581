"""What the objects of the library look like in `print` and in notebooks.

Their classes lie below everything that draws, so what shows them is brought to them here, when the
library is imported.
"""

from html import escape

from satdoku.certifying.certificate import Certificate
from satdoku.errors import count_of
from satdoku.explaining.explain import Explanation
from satdoku.explaining.trace import digits_after
from satdoku.explaining.words.explanation import summary
from satdoku.explaining.words.steps import Teller
from satdoku.picture.making import picture_of, pictures_of_outcome
from satdoku.picture.picture import Picture
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.showing import Printer, show_by
from satdoku.puzzle.verdict import Outcome
from satdoku.render.html import boards_html
from satdoku.render.text import render_picture, render_side_by_side
from satdoku.reporting.words import verdict_line


def _text_of_puzzle(puzzle: Puzzle) -> str:
    return f"{puzzle.name}\n".lstrip() + render_picture(picture_of(puzzle)).rstrip("\n")


def _html_of_puzzle(puzzle: Puzzle) -> str:
    return boards_html([picture_of(puzzle)])


def _text_of_grid(grid: Grid) -> str:
    return _text_of_puzzle(Puzzle(grid))


def _html_of_grid(grid: Grid) -> str:
    return _html_of_puzzle(Puzzle(grid))


def _text_of_outcome(outcome: Outcome) -> str:
    boards = render_side_by_side(pictures_of_outcome(outcome)).rstrip("\n")
    return f"{verdict_line(outcome)}\n{boards}"


def _html_of_outcome(outcome: Outcome) -> str:
    return boards_html(pictures_of_outcome(outcome), verdict_line(outcome))


def _text_of_explanation(explanation: Explanation) -> str:
    """How many steps of which kind, and how far they lead; the steps are in `way`."""
    board = render_picture(_end_of(explanation)).rstrip("\n")
    return f"{explanation.verdict.value}: {summary(explanation.way)}\n{board}"


def _html_of_explanation(explanation: Explanation) -> str:
    """The same, and the steps folded below it."""
    words = f"{explanation.verdict.value}: {summary(explanation.way)}"
    steps = "".join(f"<li>{escape(text)}</li>" for text in Teller(explanation.way).tell())
    folded = f"<details><summary>steps</summary><ol>{steps}</ol></details>" if steps else ""
    return f"<div>{boards_html([_end_of(explanation)], words)}{folded}</div>"


def _end_of(explanation: Explanation) -> Picture:
    """The board as far as the steps fill it."""
    puzzle, way = explanation.puzzle, explanation.way
    return picture_of(puzzle, Grid(puzzle.geometry, tuple(digits_after(way, len(way.steps)))))


def _words_of_certificate(certificate: Certificate) -> str:
    """What is claimed, and with what evidence."""
    if not certificate.formula:
        return f"{certificate.verdict.value}, by {count_of(len(certificate.solutions), 'solution')}"
    steps = count_of(certificate.proof.count("\n"), "line")
    return (
        f"{certificate.verdict.value}, by a {certificate.proof_format.name} proof of {steps} "
        f"({certificate.encoding} encoding, {certificate.solver})"
    )


def _text_of_certificate(certificate: Certificate) -> str:
    return f"{_words_of_certificate(certificate)}\n{_text_of_puzzle(certificate.puzzle)}"


def _html_of_certificate(certificate: Certificate) -> str:
    return boards_html([picture_of(certificate.puzzle)], _words_of_certificate(certificate))


def bring_printers() -> None:
    """Has grids, puzzles, outcomes, certificates and explanations show themselves."""
    show_by(Grid, Printer(_text_of_grid, _html_of_grid))
    show_by(Puzzle, Printer(_text_of_puzzle, _html_of_puzzle))
    show_by(Explanation, Printer(_text_of_explanation, _html_of_explanation))
    show_by(Certificate, Printer(_text_of_certificate, _html_of_certificate))
    show_by(Outcome, Printer(_text_of_outcome, _html_of_outcome))
