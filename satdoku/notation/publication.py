"""Author, rules in words and drawings of a puzzle, as entries of a JSON object.

    {"puzzle": [...], "author": "Ann", "rules_text": "Digits in cages ...",
     "drawings": {"f-puzzles": {"line": [...], "foglight": [...]}}}

Drawings are kept as the program with that name writes them, and have no meaning here.
"""

from collections.abc import Mapping
from typing import Any

from satdoku.puzzle.puzzle import UNPUBLISHED, Publication, Puzzle

_DRAWINGS = "drawings"


def publication_entries(puzzle: Puzzle) -> dict[str, Any]:
    """Return the entries that `read_publication` reads; empty if there is nothing to say."""
    about = puzzle.publication
    found: dict[str, Any] = {"author": about.author, "rules_text": about.rules_text}
    if about.drawings:
        found[_DRAWINGS] = {about.program: dict(about.drawings)}
    return {name: entry for name, entry in found.items() if entry}


def read_publication(value: Mapping[str, Any]) -> Publication:
    """Return author, rules in words and drawings of an object; other types are ignored."""
    author, rules_text, drawings = (value.get(k) for k in ("author", "rules_text", _DRAWINGS))
    if author is None and rules_text is None and drawings is None:
        return UNPUBLISHED
    programs = list(drawings.items()) if isinstance(drawings, Mapping) else []
    is_known = len(programs) == 1 and isinstance(programs[0][1], Mapping)
    program, parts = programs[0] if is_known else ("", {})
    return Publication(_text(author), _text(rules_text), str(program), dict(parts))


def _text(value: object) -> str:
    # Some programs write a list of lines.
    if isinstance(value, list) and all(isinstance(line, str) for line in value):
        return "\n".join(value)
    return value if isinstance(value, str) else ""
