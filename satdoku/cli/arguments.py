"""What an argument is: a file, a puzzle that was typed, or neither."""

import os
import stat
from collections.abc import Sequence

import click

from satdoku.errors import SatdokuError
from satdoku.notation.sizes import FEWEST_CELLS
from satdoku.notation.symbols import CELL_CHARACTERS

# No usual file system has longer names, so what is longer names no file.
_LONGEST_NAME = 255
# The least share of digits and blanks in a puzzle with faults; in names of files with dates it is
# less.
_LEAST_KNOWN = 0.6
_WITHOUT_KNOWN = dict.fromkeys(map(ord, CELL_CHARACTERS + " |,\n"))


def is_file(argument: str) -> bool:
    """Whether an argument names a file or a pipe."""
    try:
        # A puzzle may be too long for a name, or have a character that no name has.
        mode = os.stat(argument).st_mode
    except (OSError, ValueError):
        return False
    return stat.S_ISREG(mode) or stat.S_ISFIFO(mode) or stat.S_ISCHR(mode)


def is_input(argument: str) -> bool:
    """Whether an argument is a file, or a puzzle, be it one with a fault."""
    return is_file(argument) or _looks_like_puzzle(argument)


def may_be_input(argument: str) -> bool:
    """Whether an argument is meant as a file or a puzzle, be it one that is not there."""
    return is_input(argument) or looks_like_path(argument) or os.path.isdir(argument)


def require_no_loose_rows(arguments: Sequence[str]) -> None:
    """Refuses arguments that are rows of one board."""
    if are_loose_rows(arguments):
        count = len(arguments)
        raise click.UsageError(
            f"these {count} arguments look like the rows of one puzzle; put quotes around them all"
        )


def are_loose_rows(arguments: Sequence[str]) -> bool:
    """Whether the shell took a board apart that was pasted without quotes."""
    count = len(arguments)
    # A board has as many rows as each of them has characters.
    return count > 1 and all(len(each) == count and not is_input(each) for each in arguments)


def typed_lines(argument: str) -> list[str]:
    """The lines of a puzzle that was typed; refuses what is neither a puzzle nor a file."""
    if _looks_like_puzzle(argument):
        return argument.splitlines()
    if os.path.isdir(argument):
        raise SatdokuError(f"{argument} is a folder; name the files in it")
    if looks_like_path(argument):
        raise SatdokuError(f"there is no file {argument}")
    raise SatdokuError(
        f"{argument!r} is neither a file nor a puzzle (a puzzle has a character for every cell)"
    )


def _looks_like_puzzle(argument: str) -> bool:
    """Whether to read an argument as a puzzle, so that its faults are reported as such.

    Most of its characters are digits or blanks then: `53..7.... 6..q95...` is a puzzle
    with a wrong character, `sudokus-2026-01-31.txt` a file that is not there.
    """
    if argument.lstrip()[:1] in ("[", "{") or len(argument) > _LONGEST_NAME:
        return True
    known = len(argument) - len(argument.translate(_WITHOUT_KNOWN))
    is_long = len(argument) >= FEWEST_CELLS
    if is_long and known >= _LEAST_KNOWN * len(argument) and "/" not in argument:
        return True
    # Imported here: nearly all that is typed are cells.
    from satdoku.notation.exchange.seen import is_iss, is_killer, is_link

    return is_link(argument) or is_iss(argument) or is_killer(argument)


def looks_like_path(argument: str) -> bool:
    """Whether an argument has a folder or a suffix of letters, as names of files have."""
    _, suffix = os.path.splitext(argument)
    # Behind the last dot of a puzzle may be an x, which is a blank and no suffix: `12.x`.
    return os.sep in argument or suffix[1:].strip("xX").isalpha()
