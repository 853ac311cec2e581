"""Exported formulas as texts."""

from io import StringIO

from satdoku.encoding.files.kinds import FormulaKind, write_formula
from satdoku.encoding.files.read import Cnf, read_cnf
from satdoku.encoding.files.write import Export

PROGRAM = "satdoku 1.2.3"


def text_of(export: Export, kind: FormulaKind = FormulaKind.CNF) -> str:
    stream = StringIO()
    write_formula(kind, export, stream, PROGRAM, lambda: None)
    return stream.getvalue()


def read_back(export: Export) -> Cnf:
    """The formula as our strict reader takes it from the text."""
    return read_cnf(text_of(export).splitlines(keepends=True), "export.cnf")
