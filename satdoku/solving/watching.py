"""Telling a person who waits how far the work on one puzzle has come."""

from collections.abc import Callable

Watch = Callable[[str], None]
"""Is told a few words, such as `step 31`, whenever there is something new; may ignore most."""


def unwatched(words: str) -> None:
    """Ignores the words: for work that nobody is watching."""
