"""LZString compression, which f-puzzles and SudokuPad use for their links.

A bit stream in base64 consists of numbers, each for a piece of text. 0 and 1 announce a new
character of 8 or 16 bits, 2 is the end, and any other number is an earlier piece. Each piece adds
an entry to the table: the piece before it, with its own first character appended. So numbers get
wider as the table grows. Characters are those of UTF-16.

A piece may be one character longer than any before, so 5,000 numbers may stand for ten million
characters. The output is bounded, and a stream without its end is a fault: otherwise links could
fill the memory, or give half a puzzle.
"""

import base64
import re
from collections.abc import Iterator

from satdoku.errors import CutShortError, FormatError
from satdoku.notation.exchange.seen import LONGEST_PACKED

# Longest unpacked text, in characters: three times a board of 36x36 with all pencil marks.
_LONGEST_TEXT = 1 << 20
_SHORT, _WIDE, _END = range(3)
_BITS_OF_NEW = {_SHORT: 8, _WIDE: 16}

# `+` becomes a blank in some addresses, and LZString has other characters for some.
_USUAL = str.maketrans({" ": "+", "-": "/", "_": "/"})
_BASE64 = re.compile("[A-Za-z0-9+/]*")


def unpack(packed: str) -> str:
    """Return the text that was packed; a FormatError if it is invalid or too long for a board.

    >>> unpack(pack("killer, killer"))
    'killer, killer'
    """
    pieces: list[str] = []
    length = 0
    for piece in _pieces(_reversed_bits(packed)):
        pieces.append(piece)
        length += len(piece)
        if length > _LONGEST_TEXT:
            raise FormatError(
                f"the packed text has more than {_LONGEST_TEXT:,} characters; no board has"
            )
    text = "".join(pieces)
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def _reversed_bits(packed: str) -> str:
    """Return all bits in reverse: a slice of them then reads as its number."""
    if len(packed) > LONGEST_PACKED:
        raise FormatError(
            f"the packed text has {len(packed):,} characters; up to {LONGEST_PACKED:,} are read"
        )
    text = packed.translate(_USUAL).rstrip("=$")
    known = _BASE64.match(text)
    if known is None or known.end() < len(text):
        place = known.end() if known else 0
        raise FormatError(f"{packed[place]!r} is no sign of a packed text")
    # LZString pads otherwise than base64, so padding is added, and the surplus removed.
    data = base64.b64decode(text + "A" * (-len(text) % 4))
    bits = bin(int.from_bytes(b"\1" + data, "big"))[len("0b1") :]
    return bits[: 6 * len(text)][::-1]


def _pieces(bits: str) -> Iterator[str]:
    """Yield the pieces of text up to the number that marks the end."""
    known = ["", "", ""]  # the first three numbers are no pieces
    before = ""
    rest = len(bits)
    while True:
        end, rest = rest, rest - len(known).bit_length()
        number = _number(bits, rest, end)
        if number == _END:
            return
        if number in _BITS_OF_NEW:
            end, rest = rest, rest - _BITS_OF_NEW[number]
            piece = chr(_number(bits, rest, end))
            known.append(piece)
        elif number < len(known):
            piece = known[number]
        elif number == len(known) and before:
            piece = before + before[0]
        else:
            raise FormatError("the packed text is damaged")
        yield piece
        if before:
            known.append(before + piece[0])
        before = piece


def _number(bits: str, begin: int, end: int) -> int:
    if begin < 0:
        raise CutShortError
    return int(bits[begin:end], 2)


def pack(text: str) -> str:
    """Return the text as LZString packs it, padded to a multiple of four characters."""
    units = text if text.isascii() else _utf16(text)
    bits = "".join(_packed_bits(units))
    # LZString always adds a last character that is not full, even an empty one.
    signs = len(bits) // 6 + 1
    data = int(bits.ljust(-(-signs // 4) * 24, "0"), 2)
    packed = base64.b64encode(data.to_bytes(-(-signs // 4) * 3, "big")).decode()
    return packed[:signs] + "=" * (-signs % 4)


def _utf16(text: str) -> str:
    """Return the text with surrogate pairs in place of characters beyond 16 bits."""
    data = text.encode("utf-16-le", "surrogatepass")
    return "".join(chr(data[at] | data[at + 1] << 8) for at in range(0, len(data), 2))


def _packed_bits(units: str) -> Iterator[str]:
    """Yield the bits of the number of each piece: always the longest piece in the table."""
    number_of: dict[str, int] = {}  # of each character
    longer: dict[
        tuple[int, str], int
    ] = {}  # of a piece, by its prefix's number and its last character
    unsaid: set[int] = set()  # numbers of characters that were not announced yet
    known = 2  # size of the decoder's table: grows with each number and each new character
    piece, last = 0, ""
    for unit in units:
        if unit not in number_of:
            number_of[unit] = len(number_of) + len(longer) + 3
            unsaid.add(number_of[unit])
        if not piece:
            piece = number_of[unit]
        elif (piece, unit) in longer:
            piece = longer[piece, unit]
        else:
            yield _bits_of_piece(piece, last, piece in unsaid, known.bit_length())
            known += 1 + (piece in unsaid)
            unsaid.discard(piece)
            longer[piece, unit] = len(number_of) + len(longer) + 3
            piece = number_of[unit]
        last = unit
    if piece:
        yield _bits_of_piece(piece, last, piece in unsaid, known.bit_length())
        known += 1 + (piece in unsaid)
    yield _bits(_END, known.bit_length())


def _bits_of_piece(piece: int, unit: str, is_new: bool, width: int) -> str:
    """Return the bits of a piece's number; a new character is announced and written itself."""
    if not is_new:
        return _bits(piece, width)
    kind = _SHORT if ord(unit) < 256 else _WIDE
    return _bits(kind, width) + _bits(ord(unit), _BITS_OF_NEW[kind])


def _bits(number: int, width: int) -> str:
    """Return a number with its lowest bit first."""
    return format(number, f"0{width}b")[::-1]
