"""Read puzzles from links, and from objects of other programs.

Many sites put the whole puzzle into its address. Others give it a short name, which only their
server understands; satdoku never uses the network, so these are refused.
"""

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

from satdoku.errors import CutShortError, FormatError, RuleError, quote
from satdoku.notation.exchange.foreign import ForeignBoard, cells_board, placed
from satdoku.notation.exchange.fpuzzles import is_fpuzzles, read_fpuzzles
from satdoku.notation.exchange.iss.reading import read_iss
from satdoku.notation.exchange.lzstring import unpack
from satdoku.notation.exchange.penpa import read_penpa
from satdoku.notation.exchange.scl import read_scl, unzip
from satdoku.notation.exchange.seen import LONGEST_PACKED, is_foreign
from satdoku.notation.exchange.sudokumaker import is_sudokumaker, read_sudokumaker
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.puzzle import Publication
from satdoku.puzzle.rules.registry import read_unsettled


class Address(NamedTuple):
    """The parts of a link; `fields` are those after `?` and `#`, by name."""

    host: str
    path: str
    fields: Mapping[str, str]


def read_link(text: str) -> ForeignBoard:
    """Return the puzzle in a link; a FormatError if it holds none, or one that cannot be read."""
    if len(text) > LONGEST_PACKED:
        raise FormatError(
            f"this link has {len(text):,} characters; up to {LONGEST_PACKED:,} are read"
        )
    link = _decoded(text.strip().strip("<>"))
    try:
        return _read_whole(link)
    except FormatError:
        # The link is also tried without trailing punctuation, though a dot may be an empty cell.
        for count in range(1, _MOST_ENDS + 1):
            if not link[-count:].strip(_ENDS):
                with suppress(FormatError):
                    return _read_whole(link[:-count])
        raise


def _decoded(text: str) -> str:
    """Return a text with percent codes decoded; nested links are decoded twice."""
    for _ in range(_MOST_DECODINGS):
        if "://" in text or "%" not in text[:_LONGEST_SCHEME]:
            break
        text = unquote(text)
    return text


_ENDS = ".,;:!?)]'\""
_MOST_ENDS = 3
_MOST_DECODINGS = 3
_LONGEST_SCHEME = 12


def _read_whole(link: str) -> ForeignBoard:
    if "://" not in link and "." not in link[:_LONGEST_HOST]:
        return _read_packed(_PREFIX.sub("", link))
    page = _PAGE.match(link.partition("#")[2])
    if page is not None:
        return _read_page(page)
    address = _split(link)
    for host, read in _SITES.items():
        if address.host == host or address.host.endswith(f".{host}"):
            return read(address)
    return _read_any(address)


# Links of the page of `satdoku serve`, at any address: `#w=3x3-53..7`, a rule after each `&r=`, and
# title, author, rules in words and what was not read; then the position of a player.
_PAGE = re.compile(r"w=(\d{1,2})x(\d{1,2})-([\w.]+)(.*)", re.DOTALL)
_POSITIONS = {"e": "digits", "m": "centre marks", "k": "corner marks", "l": "colours"}


def _read_page(page: re.Match[str]) -> ForeignBoard:
    rows, columns, signs, rest = page.groups()
    fields: dict[str, list[str]] = {}
    for field in rest.split("&"):
        name, _, value = field.partition("=")
        fields.setdefault(name, []).append(unquote(value))
    texts = {name: values[0] for name, values in fields.items()}
    with placed("the board"):
        geometry = Geometry(int(rows), int(columns))
    foreign = ForeignBoard("the page", geometry, name=texts.get("n", ""))
    foreign.publication = Publication(texts.get("a", ""), texts.get("t", ""))
    cells = signs.split("_") if "_" in signs else list(signs)
    if len(cells) != geometry.cell_count:
        raise RuleError(f"this link of the page has {len(cells)} cells, not {geometry.cell_count}")
    for cell, sign in enumerate(cells):
        if sign != ".":
            with placed("the cells"):
                foreign.add_digit(*divmod(cell, geometry.size), _page_digit(sign))
    for rule in fields.get("r", []):
        with placed("rules"):
            foreign.rules.append((read_unsettled(rule, geometry), "rules"))
    foreign.drawn += filter(None, [texts.get("u", "")])
    foreign.drawn += [word for name, word in _POSITIONS.items() if texts.get(name)]
    return foreign


def _page_digit(sign: str) -> int:
    try:
        return int(sign, 36)
    except ValueError:
        raise RuleError(f"{quote(sign)} is no digit") from None


# Every address has a dot within this many characters; packed text has none.
_LONGEST_HOST = 64
_PREFIX = re.compile("^(?:fpuz(?:zles)?|scl|ctc)(?=.)")
_CELLS = re.compile("(?<![0-9.])[0-9.]{81}(?![0-9.])")


def _split(link: str) -> Address:
    try:
        parts = urlsplit(link if "://" in link else f"https://{link}")
    except ValueError:
        raise FormatError("this link is damaged") from None
    fields: dict[str, str] = {}
    for field in f"{parts.query}&{parts.fragment}".split("&"):
        name, _, value = field.partition("=")
        fields.setdefault(name, unquote(value))
    host = parts.netloc.rpartition("@")[2].partition(":")[0].lower()
    return Address(host, unquote(parts.path).strip("/"), fields)


def _read_any(address: Address) -> ForeignBoard:
    """Return the board whose 81 cells stand anywhere in the address."""
    parts = (address.path, *address.fields, *address.fields.values())
    found = {cells for part in parts for cells in _CELLS.findall(part)}
    if len(found) == 1:
        return cells_board(found.pop(), address.host)
    # Some sites redirect to an address in a field. It is shorter than the link, so this ends.
    inner = next((value for value in address.fields.values() if "://" in value), None)
    if inner is not None:
        return _read_whole(inner)
    raise FormatError(f"this link to {quote(address.host)} holds no puzzle; {_NO_NETWORK}")


_NO_NETWORK = "satdoku does not use the network, so paste the puzzle itself"


def _read_short(address: Address) -> ForeignBoard:
    """Raise an error: the link is a name that only a server understands."""
    raise FormatError(
        f"the puzzle of this short link is stored on a server of {address.host}; {_NO_NETWORK}, "
        "or a link that holds it"
    )


def _read_sudokumaker(address: Address) -> ForeignBoard:
    packed = address.fields.get("puzzle", "")
    if not packed:
        return _read_short(address)
    value = _unpacked(packed)
    if not is_sudokumaker(value):
        raise RuleError("the packed text of this link is no puzzle of SudokuMaker")
    return read_sudokumaker(value)


def _read_f_puzzles(address: Address) -> ForeignBoard:
    packed = address.fields.get("load", "")
    return _read_packed(packed) if packed else _read_short(address)


def _read_sudokupad(address: Address) -> ForeignBoard:
    name = address.fields.get("puzzleid") or address.path.removeprefix("sudoku/")
    # Names on the server are shorter than any packed puzzle, unless its link was cut short.
    if _CUT_BEFORE_PACKED.fullmatch(name):
        raise CutShortError
    if _PACKED.match(name) or (_PREFIX.match(name) and len(name) > _LONGEST_SHORT_NAME):
        return _read_packed(_PREFIX.sub("", name))
    return _read_short(address)


_LONGEST_SHORT_NAME = 60
# Packed objects of JSON begin with N4.
_PACKED = re.compile("(?:fpuz(?:zles)?|scl|ctc)N4")
_CUT_BEFORE_PACKED = re.compile("fpuz(?:z|zl|zle|zles)?N?|(?:scl|ctc)N?")


def _read_packed(packed: str) -> ForeignBoard:
    """Return a board that was packed as JSON."""
    value = _unpacked(packed)
    if not is_foreign(value):
        raise RuleError("the packed text of this link is no board")
    return read_object(value)


# The beginning of a percent code, where a link was cut within one.
_CUT_CODE = re.compile("%[0-9A-Fa-f]?$")


def _unpacked(packed: str) -> Any:
    packed = _CUT_CODE.sub("", packed)
    for _ in range(_MOST_DECODINGS):
        packed = unquote(packed)  # does not change any character of a packed text
    try:
        return unzip(unpack(packed))
    except CutShortError:
        raise
    except FormatError as error:
        raise RuleError(error.message) from None
    except (ValueError, RecursionError):
        raise RuleError("the packed text of this link is not JSON") from None


# Each cell is a number of two characters: up to 9 a given, up to 18 an entered digit, and above
# that candidates. Only givens make the puzzle.
_POSITION = re.compile("S9B((?:[0-9a-z]{2}){81})")


def _read_sudokuwiki(address: Address) -> ForeignBoard:
    position = _POSITION.fullmatch(address.fields.get("bd", ""))
    if position is None:
        return _read_any(address)
    numbers = [int(position[1][at : at + 2], 36) for at in range(0, 162, 2)]
    foreign = cells_board("".join(str(n) if n < 10 else "." for n in numbers), "SudokuWiki")
    if any(n > 9 for n in numbers):
        foreign.drawn.append("digits and candidates that were found")
    return foreign


def _read_github(address: Address) -> ForeignBoard:
    """Return the board of a page at GitHub, where several programs are, such as ISS and penpa."""
    path, fields = address.path.lower(), address.fields
    if "q" in fields and "sudoku" in path:
        return read_iss(fields["q"])
    if "p" in fields and "penpa" in path:
        return read_penpa(fields["p"])
    return _read_any(address)


_SITES: dict[str, Callable[[Address], ForeignBoard]] = {
    "f-puzzles.com": _read_f_puzzles,
    "sudokupad.app": _read_sudokupad,
    "crackingthecryptic.com": _read_sudokupad,
    "sudokuwiki.org": _read_sudokuwiki,
    "sudokumaker.app": _read_sudokumaker,
    "github.io": _read_github,
    "tinyurl.com": _read_short,
    "bit.ly": _read_short,
}


def read_object(value: dict[str, Any]) -> ForeignBoard:
    """Return the contents of an object for which `is_foreign` holds; a RuleError if unreadable."""
    return read_fpuzzles(value) if is_fpuzzles(value) else read_scl(value)
