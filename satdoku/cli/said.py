"""Messages that come again and again are said once, and counted."""

import re
from collections.abc import Iterator

# As many places as a line has room for.
_MOST_PLACES = 4
# Of a million puzzles each may have a message of its own; so many kinds are remembered.
_MOST_KINDS = 1000
# What differs between two messages about the same fault: numbers, and what was found.
_DETAIL = r"'[^']*'|\"[^\"]*\"|\d+"


class _Repeated:
    """A message that was said, and how often it was not said again."""

    def __init__(self, message: str) -> None:
        self.message = message
        self.count = 0
        self.last = ""
        self.places: list[str] = []


class Said:
    """The messages that were said, and how often each would have been said again."""

    def __init__(self) -> None:
        self._kinds: dict[str, _Repeated] = {}

    def is_repeated(self, message: str, place: str, has_details: bool) -> bool:
        """Whether the message was said before, at another place; then it is counted.

        With `has_details`, messages are the same if they differ in numbers and quotes alone.
        """
        kind = re.sub(_DETAIL, "", message) if has_details else message
        said = self._kinds.get(kind)
        if said is None:
            if len(self._kinds) < _MOST_KINDS:
                self._kinds[kind] = _Repeated(message)
            return False
        said.count += 1
        said.last = f"{place}: {message}"
        if len(said.places) < _MOST_PLACES:
            said.places.append(place)
        return True

    def take_summary(self) -> Iterator[str]:
        """A line for each message that was repeated; it is forgotten then.

        >>> said = Said()
        >>> [said.is_repeated("a row is short", f"p.txt:{n}", False) for n in (3, 5, 7)]
        [False, True, True]
        >>> list(said.take_summary()), list(said.take_summary())
        (['a row is short: 2 more times, at p.txt:5, p.txt:7'], [])
        """
        kinds, self._kinds = self._kinds, {}
        for said in kinds.values():
            if said.count == 1:
                yield said.last
            elif said.count:
                rest = ", ..." if said.count > len(said.places) else ""
                places = ", ".join(said.places) + rest
                yield f"{said.message}: {said.count:,} more times, at {places}"
