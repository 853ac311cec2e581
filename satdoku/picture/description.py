"""A picture in words, for who cannot see it."""

from satdoku.errors import count_of
from satdoku.notation.spelling import split_every
from satdoku.picture.picture import Emphasis, Picture

# A screen reader says this. A board with more cells is no help when it is read out.
_MOST_CELLS = 256

_SAID = {
    Emphasis.PLACED: "settled here",
    Emphasis.USED: "used",
    Emphasis.OFF: "supposed not to hold",
    Emphasis.EXCLUDED: "excluded",
    Emphasis.CLASHING: "clashing",
    Emphasis.DIFFERENT: "different",
}


def describe(picture: Picture) -> str:
    """The size, the digits row by row, what is pointed out, and the rules."""
    geometry = picture.geometry
    count = sum(digit != 0 for digit in picture.digits)
    parts = [f"A board of {geometry.size}x{geometry.size} with {count_of(count, 'digit')}"]
    if geometry.cell_count <= _MOST_CELLS:
        texts = [picture.names[digit] if digit else "empty" for digit in picture.digits]
        for number, row in enumerate(split_every(texts, geometry.size), 1):
            parts.append(f"Row {number}: {' '.join(row)}")
    for why, said in _SAID.items():
        cells = [cell for cell, because in sorted(picture.cells.items()) if because is why]
        named = [geometry.name_of(cell) for cell in cells]
        named += [
            f"{picture.names[place.digit]} in {geometry.name_of(place.cell)}"
            for place, because in sorted(picture.places.items())
            if because is why
        ]
        if named:
            parts.append(f"{said.capitalize()}: {', '.join(named)}")
    return ". ".join([*parts, *picture.sentences]) + "."
