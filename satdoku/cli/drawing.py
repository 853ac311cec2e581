"""The option --draw, and the files that a command makes of its answers beside its output."""

from typing import TYPE_CHECKING, Any

from satdoku.cli.declaring import FileName, Group, option
from satdoku.cli.options import Decorator

if TYPE_CHECKING:
    from satdoku.cli.albums import Album


class Albums:
    """The files that a command makes of its answers beside its output; often there are none."""

    def __init__(self, *albums: "Album | None") -> None:
        self._albums = [album for album in albums if album is not None]

    def __bool__(self) -> bool:
        return bool(self._albums)

    @property
    def names(self) -> list[str | None]:
        """The files, None for standard output."""
        return [album.name for album in self._albums]

    def add(self, found: Any) -> None:
        """Gives each file what was found of one more puzzle."""
        for album in self._albums:
            album.add(found)

    def write(self) -> str:
        """Writes all of them, and returns what is to be said of that."""
        return "; ".join(filter(None, [album.write() for album in self._albums]))

    @property
    def loss(self) -> str:
        """The sentence for an interruption: which files are not written."""
        return "; ".join(f"{name} is not written" for name in self.names)


def albums_of(
    drawing: str | None, is_forced: bool, page: str | None = None, has_slides: bool = False
) -> Albums:
    """The drawing and the page of these names; a drawing has slides where a page has them too."""
    if drawing is None and page is None:
        return Albums()
    # Imported here: most runs draw nothing, and start without what draws.
    from satdoku.cli.albums import open_albums

    return Albums(*open_albums(drawing, is_forced, page, has_slides))


PAGE_NEEDS = ("--html=-", "--output", "a file for the answers, as stdout gets the page")
"""What commands with --html need."""


def html_option(what: str) -> Decorator:
    """The option --html; commands differ in what their pages show."""
    return option(
        Group.OUTPUT,
        "--html",
        "page",
        metavar="FILE",
        type=FileName(),
        help=f"Also write a page that {what}.",
    )


def draw_option(what: str) -> Decorator:
    """The option --draw; commands differ in what they have to show."""
    return option(
        Group.OUTPUT,
        "--draw",
        "drawing",
        metavar="FILE",
        type=FileName(),
        help=f"Also draw {what}, into a file that ends in .svg, .png, .pdf or .txt.",
    )
