"""Numbers as options take them: within bounds, and called what people call them.

click calls its own types "integer range" and "float range", in messages and in help.
"""

import click


class Whole(click.IntRange):
    """A whole number within bounds."""

    name = "integer"


class Number(click.FloatRange):
    """A number within bounds."""

    name = "number"
