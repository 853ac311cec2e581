"""The files that are made of the answers to all puzzles: drawings, and pages of explanations.

What they show is gathered while puzzles are answered, and written at the end.
"""

import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any

import click

from satdoku.errors import SatdokuError
from satdoku.files import as_path, new_file, require_writable
from satdoku.picture.documents import kind_of, require_library, write_sketches
from satdoku.picture.page import write_page
from satdoku.picture.picture import Layout, Show, Sketch

# More than anybody looks through; each board takes some ten thousand bytes until the end.
_MOST_BOARDS = 10_000
# Pixels. What is higher is no picture that anybody looks at whole, and some programs refuse it.
_HIGHEST = 8_000


class Album(ABC):
    """A file that will have something of every puzzle in it."""

    def __init__(self, name: str | None, is_forced: bool) -> None:
        self.name = name
        self._is_forced = is_forced
        self._count = 0
        self._is_full = False
        if name is not None:
            # What cannot be written is refused before the work, not after it.
            require_writable(as_path(name), is_forced)

    @abstractmethod
    def _take(self, found: Any) -> int:
        """Keeps what was found of one puzzle, and returns how many boards that adds."""

    @abstractmethod
    def _contents(self) -> bytes:
        """The file."""

    def add(self, found: Any) -> None:
        """Takes what was found of one more puzzle, None where it has a fault."""
        if found is None or self._is_full:
            return
        self._count += self._take(found)
        # Full behind a whole puzzle: half of one would look like all of it.
        self._is_full = self._count >= _MOST_BOARDS

    def write(self) -> str:
        """Writes the file, and returns what is to be said of it, if anything."""
        if not self._count:
            return "there is nothing to draw"
        contents = self._contents()
        if self.name is None:
            sys.stdout.write(contents.decode())
        else:
            with new_file(as_path(self.name), self._is_forced) as stream:
                stream.buffer.write(contents)
        # Standard output has no name to be told.
        where = self.name or "the drawing"
        if self._is_full:
            return f"{where} ends after {self._count:,} boards"
        return self._advise(where, contents)

    def _advise(self, where: str, contents: bytes) -> str:
        """What whoever wanted the file may want to know of it, if anything."""
        return ""


class Drawing(Album):
    """The pictures of all puzzles in one file; without a name, on standard output as `usual`."""

    def __init__(
        self,
        name: str | None,
        is_forced: bool,
        layout: Layout | None = None,
        usual: str = ".svg",
    ) -> None:
        self._sketches: list[Sketch] = []
        self._layout = layout
        try:
            # Standard output gets SVG, unless somebody asks for characters.
            self._kind = kind_of(usual if name is None else name)
            require_library(self._kind)
        except SatdokuError as error:
            raise click.UsageError(str(error)) from None
        super().__init__(name, is_forced)

    def _take(self, found: Any) -> int:
        return self._take_sketch(found)

    def _take_sketch(self, found: Sketch) -> int:
        self._sketches.append(found)
        return len(found.boards) + len(found.answers)

    def _advise(self, where: str, contents: bytes) -> str:
        # A PNG says at these places how high it is.
        height = int.from_bytes(contents[20:24], "big") if contents[1:4] == b"PNG" else 0
        if height <= _HIGHEST:
            return ""
        return f"{where} is {height:,} pixels high; a name that ends in .pdf makes pages"

    def _contents(self) -> bytes:
        return write_sketches(self._sketches, self._kind, self._layout)


class SlideDrawing(Drawing):
    """The slides of explanations, each as a board with its words."""

    def _take(self, found: Any) -> int:
        show: Show = found
        return self._take_sketch(show.sketch())


class Page(Album):
    """A page of HTML that walks through explanations."""

    def __init__(self, name: str | None, is_forced: bool) -> None:
        self._shows: list[Show] = []
        super().__init__(name, is_forced)

    def _take(self, found: Show) -> int:
        self._shows.append(found)
        return len(found.slides)

    def _contents(self) -> bytes:
        return write_page(self._shows).encode()


def open_albums(
    drawing: str | None, is_forced: bool, page: str | None, has_slides: bool
) -> Iterator[Album]:
    """The drawing and the page of these names, as far as there are any; a dash is stdout."""
    if drawing is not None:
        # What is found for a page has the boards of a drawing in it.
        kind = SlideDrawing if has_slides or page is not None else Drawing
        yield kind(drawing, is_forced)
    if page is not None:
        yield Page(None if page == "-" else page, is_forced)
