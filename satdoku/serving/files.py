"""The files of the page, all in memory: no path that a request names ever touches the disk."""

from hashlib import sha256
from importlib.resources import files
from typing import NamedTuple

from satdoku.picture.svg import style_sheet

_KINDS = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}


class File(NamedTuple):
    """What a browser gets; `tag` changes with the content."""

    kind: str
    content: bytes
    tag: str


def page_files() -> dict[str, File]:
    """The files by their paths."""
    found = {}
    for entry in files("satdoku.picture").joinpath("web").iterdir():
        suffix = entry.name.rpartition(".")[2]
        if suffix in _KINDS:
            found[f"/{entry.name}"] = _file(suffix, entry.read_bytes())
    # The colours of drawings, from the one table of them.
    found["/board.css"] = _file("css", style_sheet().encode())
    found["/"] = found["/index.html"]
    found["/favicon.ico"] = found["/icon.svg"]
    return found


def _file(suffix: str, content: bytes) -> File:
    return File(_KINDS[suffix], content, f'"{sha256(content).hexdigest()[:16]}"')
