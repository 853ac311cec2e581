"""The entries of a JSON object, found by the names that users and data sets give them."""

from satdoku.errors import FormatError, quote
from satdoku.notation.hints import Hints
from satdoku.notation.record import PUZZLE_NAMES, find_name

# As many as a message can name; data sets have fewer, as a rule.
_MOST_KEYS = 12


def puzzle_key(value: object, hints: Hints) -> str:
    """The key under which an object has its puzzle; empty for what is no object.

    That is the key that the user chose, or else the first of the usual names.
    """
    if hints.column is not None:
        return _chosen_key(value, hints.column, "--column")
    if not isinstance(value, dict):
        return ""
    keys = (find_name(value, name) for name in PUZZLE_NAMES)
    key = next((key for key in keys if key is not None), None)
    if key is None:
        name, found = PUZZLE_NAMES[0], _keys_of(value)
        raise FormatError(f"this object has no {name!r}, only {found}; --column names it")
    return key


def solution_key(value: object, hints: Hints) -> str | None:
    """The key of the known solution; None where the user wants none compared."""
    if hints.solution_column is None:
        return None
    return _chosen_key(value, hints.solution_column, "--solution-column")


def _chosen_key(value: object, name: str, option: str) -> str:
    """The key of that name; where a record has none, the option cannot apply, which is an error."""
    if not isinstance(value, dict):
        raise FormatError(f"{option} names a key of an object, and this is none")
    key = find_name(value, name.strip())
    if key is None:
        raise FormatError(f"this object has no {name!r}, only {_keys_of(value)}")
    return key


def _keys_of(value: dict[str, object]) -> str:
    return ", ".join(map(quote, list(value)[:_MOST_KEYS])) or "nothing"
