"""Boards as compact lines: one character a cell, translated without a loop."""

import string

from satdoku.errors import FormatError

BLANKS = ".0"
SYMBOLS = string.digits[1:] + string.ascii_uppercase
NO_DIGIT = 255


class LineSymbols:
    """1-9 and then A-Z for the digits of a size, a dot or 0 for an empty cell."""

    def __init__(self, size: int) -> None:
        symbols = SYMBOLS[:size]
        digit_of = bytearray([NO_DIGIT]) * 256
        for blank in BLANKS:
            digit_of[ord(blank)] = 0
        for digit, symbol in enumerate(symbols, 1):
            digit_of[ord(symbol)] = digit
        self._digit_of = bytes(digit_of)
        self._symbol_of = (BLANKS[0] + symbols).encode("ascii").ljust(256)

    def read(self, line: str) -> bytes:
        """The digits of a line; `NO_DIGIT` for a character that is none.

        >>> list(LineSymbols(4).read("1.04x"))
        [1, 0, 0, 4, 255]
        """
        try:
            return line.encode("ascii").translate(self._digit_of)
        except UnicodeEncodeError as error:
            raise FormatError("a puzzle line has plain characters only") from error

    def write(self, digits: bytes) -> str:
        return digits.translate(self._symbol_of).decode("ascii")
