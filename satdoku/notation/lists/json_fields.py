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
    if key is not None:
        return key
    # Keys of objects in objects, with dots between them.
    first, dot, rest = name.strip().partition(".")
    outer = find_name(value, first)
    if not dot or outer is None:
        raise FormatError(f"this object has no {first!r}, only {_keys_of(value)}")
    return f"{outer}.{_chosen_key(value[outer], rest, option)}"


def cells_at(value: object, key: str) -> object:
    """What an object has under a key that was found in it; the value itself if it is no object.

    >>> cells_at({"data": {"puzzle": "1..."}}, "data.puzzle")
    '1...'
    """
    while isinstance(value, dict):
        if key in value:
            return value[key]
        first, _, key = key.partition(".")
        value = value[first]
    return value


def around(value: object, key: str) -> object:
    """All that stands beside the cells under a key: the entries of the objects that they are in."""
    if not isinstance(value, dict) or key in value:
        return value
    first, _, rest = key.partition(".")
    inner = around(value[first], rest)
    return {**value, **inner} if isinstance(inner, dict) else value


def _keys_of(value: dict[str, object]) -> str:
    return ", ".join(map(quote, list(value)[:_MOST_KEYS])) or "nothing"
