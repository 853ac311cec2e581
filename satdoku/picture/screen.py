"""What a terminal can show."""

from typing import NamedTuple


class Screen(NamedTuple):
    """Whether a terminal has colours, how many characters fit side by side, and which it has.

    The fields are the options of `text.render_side_by_side`, in their order.
    """

    has_colour: bool = False
    width: int = 80
    is_ascii: bool = False
