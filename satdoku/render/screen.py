"""What a terminal can show."""

from typing import NamedTuple


class Screen(NamedTuple):
    """Whether a terminal has colours, and how many characters fit side by side."""

    has_colour: bool = False
    width: int = 80
