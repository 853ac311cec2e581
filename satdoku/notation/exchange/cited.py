"""Links wherever they stand: on a line, in a field of a table or an object, among words."""

import re
from collections.abc import Iterable

from satdoku.errors import FormatError, RuleError, SatdokuError
from satdoku.notation.exchange.seen import is_link
from satdoku.notation.hints import Hints
from satdoku.notation.places import Place, with_place
from satdoku.notation.sizes import agreed_geometry
from satdoku.puzzle.puzzle import Puzzle

_NO_HINTS = Hints()


def unread_of_link(link: str) -> str:
    """A sentence about what a link shows beside its puzzle that was not read."""
    from satdoku.notation.exchange.links import read_link

    return read_link(link).unread


def puzzle_of_link(
    link: str,
    source: str,
    place: Place,
    hints: Hints = _NO_HINTS,
    name: str = "",
    comment: str = "",
) -> Puzzle:
    """The puzzle that a link holds, wherever it stands; a FormatError has the place.

    The name and the comment that stand beside the link are taken where it has none itself.
    """
    # Imported here: most texts are no links.
    from satdoku.notation.exchange.links import read_link

    try:
        draft = read_link(link)
        draft.name, draft.comment = draft.name or name, draft.comment or comment
        puzzle = draft.puzzle()
        agreed_geometry(hints.geometry, puzzle.geometry)
        return puzzle
    except SatdokuError as error:
        raise with_place(error, source, place) from None


def read_cited_links(lines: Iterable[str], source: str) -> tuple[tuple[Puzzle, ...], str]:
    """The puzzles of the links among other text, and what of them was not read.

    What is no link to a puzzle is left aside; a FormatError where a link holds one that cannot be
    read.
    """
    found: dict[str, Puzzle] = {}
    for number, line in enumerate(lines, 1):
        for word in _WORD.finditer(line):
            link = word[0].rstrip(".,;!")
            try:
                if is_link(link) and link not in found:
                    found[link] = puzzle_of_link(link, source, (number, word.start() + 1))
            except RuleError:
                raise
            except FormatError:
                continue
    unread = dict.fromkeys(filter(None, map(unread_of_link, found)))
    return tuple(dict.fromkeys(found.values())), "; ".join(unread)


# Links stand in brackets and quotes where people or programs write about them.
_WORD = re.compile(r"[^\s<>()\[\]\"'`|]+")
