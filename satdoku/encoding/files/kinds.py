"""The kinds of formulas: by which names they go, who writes and who reads them."""

from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from pathlib import Path
from typing import IO

from satdoku.encoding.files.opb import HEADER, OpbReader, write_opb
from satdoku.encoding.files.read import CnfReader, Formula
from satdoku.encoding.files.write import SIZE, Export, WcnfReader, write_cnf, write_wcnf
from satdoku.errors import SatdokuError
from satdoku.files import COMPRESSIONS

# Names that promise no more than text.
_PLAIN = ("", ".txt", ".dimacs")


class FormulaKind(Enum):
    """A format of formulas; the value is its name in options and, with a dot, its suffix."""

    CNF = "cnf"
    OPB = "opb"
    WCNF = "wcnf"


_OF_SUFFIX = {f".{kind.value}": kind for kind in FormulaKind}


def kind_of_output(name: str) -> FormulaKind | None:
    """The kind that a name promises, if it promises one; raises for what is not written.

    A suffix without letters, as of `rules.2`, is part of a name.
    """
    path = Path(name)
    if path.suffix in COMPRESSIONS:
        path = path.with_suffix("")
    suffix = path.suffix.lower()
    if suffix in _OF_SUFFIX:
        return _OF_SUFFIX[suffix]
    if suffix in _PLAIN or not any(map(str.isalpha, suffix)):
        return None
    kinds = ", ".join(_OF_SUFFIX)
    raise SatdokuError(
        f"{name} would be no {suffix} file: formulas are written as {kinds}, "
        f"and compressed as {', '.join(COMPRESSIONS)}"
    )


def write_formula(
    kind: FormulaKind,
    export: Export,
    stream: IO[str],
    program: str,
    require_time: Callable[[], None],
) -> None:
    """Writes a formula of this kind; see `write_cnf`."""
    _WRITERS[kind](export, stream, program, require_time)


def find_kind(name: str, begin: Sequence[str]) -> FormulaKind | None:
    """The kind of a file with a formula, by its name or its first lines; None for other files.

    `begin` are the lines up to the first that is neither blank nor a comment of a CNF.
    """
    # Any of its suffixes: the last may be that of a compression.
    for suffix in Path(name).suffixes:
        if suffix.lower() in _OF_SUFFIX:
            return _OF_SUFFIX[suffix.lower()]
    if not begin:
        return None
    if begin[-1].split()[:2] == ["p", "cnf"]:
        return FormulaKind.CNF
    if HEADER.match(begin[-1]):
        return FormulaKind.OPB
    # WCNF has no header since 2022; only the comment that we write into ours tells it from others.
    return FormulaKind.WCNF if any(SIZE.fullmatch(line[1:].strip()) for line in begin) else None


def open_formula(kind: FormulaKind, lines: Iterable[str], source: str) -> Formula:
    """A formula of this kind that is read as it is needed."""
    return _READERS[kind](lines, source)


_WRITERS = {FormulaKind.CNF: write_cnf, FormulaKind.OPB: write_opb, FormulaKind.WCNF: write_wcnf}
_READERS: dict[FormulaKind, Callable[[Iterable[str], str], Formula]] = {
    FormulaKind.CNF: CnfReader,
    FormulaKind.OPB: OpbReader,
    FormulaKind.WCNF: WcnfReader,
}
