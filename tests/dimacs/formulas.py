"""Exported formulas as texts."""

from io import StringIO

from satdoku.dimacs.read import Cnf, read_cnf
from satdoku.dimacs.write import Export, write_cnf

PROGRAM = "satdoku 1.2.3"


def text_of(export: Export) -> str:
    stream = StringIO()
    write_cnf(export, stream, PROGRAM)
    return stream.getvalue()


def read_back(export: Export) -> Cnf:
    """The formula as our strict reader takes it from the text."""
    return read_cnf(text_of(export).splitlines(keepends=True), "export.cnf")
