"""Boards as pictures: a value that says what is to be seen, its making, and its ways to paper.

A picture says nothing about ink or characters. `text.py` writes it as characters, for a `Screen`;
`figure.py` makes shapes of it, which become SVG, PNG, PDF or HTML.
"""

from typing import NamedTuple


class Screen(NamedTuple):
    """Whether a terminal has colours, how many characters fit side by side, and which it has.

    The fields are the options of `text.render_side_by_side`, in their order.
    """

    has_colour: bool = False
    width: int = 80
    is_ascii: bool = False
