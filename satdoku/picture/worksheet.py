"""Exercises as one HTML page for a screen or for paper: boards, hints to unfold, answers behind."""

from collections.abc import Sequence
from typing import NamedTuple

from satdoku.picture.documents import escaped, style_sheet, svg_element
from satdoku.picture.figure import draw
from satdoku.picture.picture import Picture

_STYLE = """
@media screen { :root { color-scheme: light dark; } }
body { font: 16px/1.4 sans-serif; margin: 1.5em auto; max-width: 60em; padding: 0 1em; }
main, section.answers { display: grid; gap: 2em;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 24em), 1fr)); }
h1, h2.answers { font-size: 1.3em; }
article { break-inside: avoid; }
article h2 { font-size: 1em; margin: 0 0 .5em; }
svg { width: 100%; height: auto; }
ol { padding-left: 1.5em; }
@media print { details { display: none; } h2.answers { break-before: page; } }
"""


class Exercise(NamedTuple):
    """A board to think about, its hints from vague to full, and the board with the answer."""

    board: Picture
    hints: Sequence[str]
    answer: Picture


def write_worksheet(title: str, task: str, exercises: Sequence[Exercise]) -> str:
    """Return the page; `task` is what is to be found on each board."""
    asked = "".join(
        f"<article><h2>{number}. {escaped(task)}</h2>{_board(each.board, f'b{number}-')}"
        f"{_hints(each.hints[:-1])}</article>"
        for number, each in enumerate(exercises, 1)
    )
    answers = "".join(
        f"<article><h2>{number}.</h2>{_board(each.answer, f'a{number}-')}"
        f"<ol>{''.join(f'<li>{_sentence(hint)}</li>' for hint in each.hints)}</ol></article>"
        for number, each in enumerate(exercises, 1)
    )
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escaped(title)}'
        '</title><meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{_STYLE}{style_sheet()}</style></head><body><h1>{escaped(title)}</h1>"
        f'<main>{asked}</main><h2 class="answers">Answers</h2>'
        f'<section class="answers">{answers}</section></body></html>\n'
    )


def _board(picture: Picture, prefix: str) -> str:
    return svg_element(draw(picture), prefix)


def _hints(hints: Sequence[str]) -> str:
    """Return each hint behind the one before it, to be unfolded one by one."""
    if not hints:
        return ""
    first, *others = hints
    return f"<details><summary>A hint</summary><p>{_sentence(first)}</p>{_hints(others)}</details>"


def _sentence(hint: str) -> str:
    return escaped(hint[:1].upper() + hint[1:])
