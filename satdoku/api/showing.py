"""How objects of the library are shown by `print` and in notebooks.

Their classes are in layers below the drawing modules, so the printers are registered here, when a
program that has imported the library first shows such an object.
"""

from collections.abc import Callable
from html import escape
from typing import Any

from satdoku.certifying.certificate import Certificate
from satdoku.errors import count_of
from satdoku.explaining.explain import Explanation
from satdoku.explaining.hint import Hint
from satdoku.explaining.trace import digits_after
from satdoku.explaining.true_candidates import TrueCandidates
from satdoku.explaining.words.explanation import summary
from satdoku.explaining.words.steps import Teller
from satdoku.making.canonical import Canonical
from satdoku.making.generator import Generated
from satdoku.making.minimizer import Minimized
from satdoku.notation.outcomes import verdict_line
from satdoku.picture.documents import boards_html
from satdoku.picture.picture import (
    Picture,
    picture_of,
    picture_with_candidates,
    pictures_of_outcome,
)
from satdoku.picture.text import render_candidates, render_picture, render_side_by_side
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.value import Printer, show_by
from satdoku.puzzle.verdict import Outcome


def _text_of_puzzle(puzzle: Puzzle) -> str:
    # `lstrip` removes the empty line above the board if the puzzle has no name.
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
    """Return how many steps of each kind there are and how far they lead, without the steps."""
    board = render_picture(_end_of(explanation)).rstrip("\n")
    return f"{explanation.verdict.value}: {summary(explanation.way)}\n{board}"


def _html_of_explanation(explanation: Explanation) -> str:
    """Return an explanation as HTML for a notebook, with its steps in a collapsed list."""
    words = f"{explanation.verdict.value}: {summary(explanation.way)}"
    steps = "".join(f"<li>{escape(text)}</li>" for text in Teller(explanation.way).tell())
    # The list is collapsed, because a hundred lines below the board would push the next cell off
    # the screen.
    folded = f"<details><summary>steps</summary><ol>{steps}</ol></details>" if steps else ""
    return f"<div>{boards_html([_end_of(explanation)], words)}{folded}</div>"


def _end_of(explanation: Explanation) -> Picture:
    """Return the board with the digits that the steps have placed."""
    puzzle, way = explanation.puzzle, explanation.way
    return picture_of(puzzle, Grid(puzzle.geometry, tuple(digits_after(way, len(way.steps)))))


def _words_of_certificate(certificate: Certificate) -> str:
    """Return the claim of a certificate and its kind of evidence."""
    if not certificate.formula:
        return f"{certificate.verdict.value}, by {count_of(len(certificate.solutions), 'solution')}"
    steps = count_of(certificate.proof.count("\n"), "line")
    return (
        f"{certificate.verdict.value}, by a {certificate.proof_format.name} proof of {steps} "
        f"({certificate.encoding} encoding, {certificate.solver})"
    )


def _words_of_generated(made: Generated) -> str:
    state = "minimal" if made.is_minimal else "not proved minimal"
    return f"puzzle {made.index} of seed {made.seed}: {count_of(made.givens, 'given')}, {state}"


def _words_of_minimized(found: Minimized) -> str:
    givens = count_of(found.givens, "given")
    if found.lower is None:
        return givens
    if found.is_fewest:
        return f"{givens}, and no fewer are enough"
    return f"{givens}, and at least {found.lower} are needed"


def _words_of_canonical(found: Canonical) -> str:
    return count_of(found.automorphisms, "automorphism")


def _words_of_hint(hint: Hint) -> str:
    """Return the parts of a hint (where, what and why), or the reason why there is no step."""
    name_of = hint.outcome.puzzle.geometry.name_of
    if hint.wrong:
        return f"wrong: {', '.join(map(name_of, hint.wrong))}"
    parts = [part for part in (hint.where, hint.what, hint.how) if part]
    return "\n".join(parts) or f"no step; {verdict_line(hint.outcome)}"


def _text_of_candidates(true: TrueCandidates) -> str:
    return render_candidates(true.puzzle, true.digits_of_cells).rstrip("\n")


def _html_of_candidates(true: TrueCandidates) -> str:
    return boards_html([picture_with_candidates(true.puzzle, true.digits_of_cells)])


def _under_words(words: Callable[[Any], str], board_of: Callable[[Any], Puzzle]) -> Printer:
    """Return a printer that shows a text with a board below it."""
    return Printer(
        lambda shown: f"{words(shown)}\n{_text_of_puzzle(board_of(shown))}",
        lambda shown: boards_html([picture_of(board_of(shown))], words(shown)),
    )


def bring_printers() -> None:
    """Register printers for the results of the library."""
    show_by(Grid, Printer(_text_of_grid, _html_of_grid))
    show_by(Puzzle, Printer(_text_of_puzzle, _html_of_puzzle))
    show_by(Explanation, Printer(_text_of_explanation, _html_of_explanation))
    show_by(Certificate, _under_words(_words_of_certificate, lambda shown: shown.puzzle))
    show_by(Outcome, Printer(_text_of_outcome, _html_of_outcome))
    show_by(TrueCandidates, Printer(_text_of_candidates, _html_of_candidates))
    show_by(Generated, _under_words(_words_of_generated, lambda made: made.puzzle))
    show_by(Minimized, _under_words(_words_of_minimized, lambda found: found.puzzle))
    show_by(Canonical, _under_words(_words_of_canonical, lambda found: Puzzle(found.grid)))
    show_by(Hint, _under_words(_words_of_hint, lambda hint: hint.outcome.puzzle))
