"""Boards as pictures: a data model of what to show, its construction, and its renderers.

A picture is independent of its medium. `text.py` renders it as characters for a `Screen`;
`figure.py` turns it into shapes, which become SVG, PNG, PDF or HTML.
"""

from typing import NamedTuple


class Screen(NamedTuple):
    """Abilities of a terminal: colours, width in characters, and character set.

    The fields are the options of `text.render_side_by_side`, in their order.
    """

    has_colour: bool = False
    width: int = 80
    is_ascii: bool = False


PLAIN = str.maketrans(
    {
        **dict.fromkeys("┌┐└┘├┤┬┴┼", "+"),
        **dict.fromkeys("│╷╵", "|"),
        **dict.fromkeys("─╶╴", "-"),
        **dict.fromkeys("╲↘↖", "\\"),
        **dict.fromkeys("╱↙↗", "/"),  # noqa: RUF001 - no slash
        **{"╌": ".", "╎": ":", "═": "=", "║": "H", "○": "o", "●": "@", "░": "#"},
        **{"→": ">", "←": "<", "↑": "^", "↓": "v", "≠": "!=", "…": "..."},
    }
)
"""A table that replaces the signs of drawings and sentences by ASCII, for outputs whose encoding
lacks them.
"""
