"""What is drawn of one puzzle."""

from typing import NamedTuple

from satdoku.picture.picture import Picture


class Sketch(NamedTuple):
    """The pictures that stand with those of other puzzles, and those for the end of all."""

    boards: tuple[Picture, ...]
    answers: tuple[Picture, ...] = ()

    def numbered(self, number: int) -> "Sketch":
        """The same with the number of the puzzle in front of its titles."""
        return Sketch(
            # The same number at both, by which the reader of a page finds the solution at its end.
            tuple(_titled(picture, str(number)) for picture in self.boards),
            tuple(_titled(picture, str(number)) for picture in self.answers),
        )


def _titled(picture: Picture, number: str) -> Picture:
    return picture.titled(f"{number}: {picture.title}" if picture.title else number)


class Layout(NamedTuple):
    """How the boards of a drawing are arranged: so many on a page, under a title."""

    per_page: int | None = None
    title: str = ""
    footer: str = ""


USUAL_LAYOUT = Layout()
