"""Exported formulas as texts, and texts as formulas that are held in memory."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import StringIO

from satdoku.encoding.files.dimacs import CnfReader, Export, NumberedClause
from satdoku.encoding.files.kinds import FormulaKind, write_formula
from satdoku.encoding.variables import Clause

PROGRAM = "satdoku 1.2.3"


@dataclass(frozen=True)
class Cnf:
    """A formula, and where in its file each clause starts."""

    variables: int
    clauses: tuple[Clause, ...]
    comments: tuple[str, ...] = ()
    lines: tuple[int, ...] = ()

    def numbered_clauses(self) -> Iterator[NumberedClause]:
        return zip(self.clauses, self.lines or range(1, 1 + len(self.clauses)), strict=True)


def read_cnf(lines: Iterable[str], source: str = "<cnf>") -> Cnf:
    reader = CnfReader(lines, source)
    numbered = list(reader.numbered_clauses())
    clauses = tuple(clause for clause, _ in numbered)
    return Cnf(reader.variables, clauses, reader.comments, tuple(line for _, line in numbered))


def text_of(export: Export, kind: FormulaKind = FormulaKind.CNF) -> str:
    stream = StringIO()
    write_formula(kind, export, stream, PROGRAM, lambda: None)
    return stream.getvalue()


def read_back(export: Export) -> Cnf:
    """The formula as our strict reader takes it from the text."""
    return read_cnf(text_of(export).splitlines(keepends=True), "export.cnf")


# What is no literal.
JUNK = [
    "x",
    "1x",
    "x1",
    "+1",
    "--1",
    "1-",
    "-",
    "1.0",
    "1e3",
    "1_0",
    "01",
    "-0",
    "00",
    "0x1",
    "1,2",
]
JUNK += [",", "#1", "inf", "\u0661", "\u00b2", "\u22121", "\ufffd", "\x00", "\x7f", "\x1b[0m"]
JUNK += ["9" * 5000, "-" + "9" * 11]
