"""What a certificate is: a verdict, and the files that prove it to a stranger.

    NAME.json   the puzzle, the verdict, the solutions, and the sha256 of the other two files
    NAME.cnf    the puzzle's formula; for a unique puzzle with its solution blocked
    NAME.drat   why that formula has no model

A puzzle with several solutions needs no proof: two of them are in the JSON file.
"""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from satdoku.encoding.encode import Encoding
from satdoku.errors import CertificateError, SatdokuError
from satdoku.files import new_file, read_text
from satdoku.notation.line import write_cells
from satdoku.notation.reading import read_puzzles
from satdoku.notation.record import Layout
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid

KIND = "satdoku certificate, version 1"
UNIQUE, NONE, MULTIPLE = VERDICTS = ("unique", "none", "multiple")

# Those whose clauses speak of cells only, so that every one can be matched with a rule.
PLAIN_ENCODINGS = (Encoding.REDUCED, Encoding.EXTENDED, Encoding.EFFICIENT, Encoding.MINIMAL)


@dataclass(frozen=True, slots=True)
class Certificate:
    """A verdict with its evidence; `formula` and `proof` are the texts of the two files."""

    puzzle: Grid
    verdict: str
    solutions: tuple[Grid, ...] = ()
    encoding: str = ""
    solver: str = ""
    program: str = ""
    formula: str = ""
    proof: str = ""


def write_certificate(
    certificate: Certificate, folder: Path, name: str, suffix: str = "", force: bool = False
) -> Path:
    """Writes the files and returns the JSON one, which comes last; `suffix` may compress them."""
    texts = {f"{name}.cnf{suffix}": certificate.formula, f"{name}.drat{suffix}": certificate.proof}
    if certificate.verdict == MULTIPLE:
        texts = {}
    hashes = {}
    for file_name, text in texts.items():
        with new_file(folder / file_name, force) as stream:
            stream.write(text)
        hashes[file_name] = hashlib.sha256((folder / file_name).read_bytes()).hexdigest()
    path = folder / f"{name}.json"
    with new_file(path, force) as stream:
        stream.write(json.dumps(_to_json(certificate, hashes), indent=2) + "\n")
    return path


def read_certificate(path: Path) -> Certificate:
    """The certificate of a JSON file and the files that it names, each with the right sha256."""
    source = str(path)
    try:
        content = json.loads(read_text(path))
    except json.JSONDecodeError as error:
        raise CertificateError(f"this is no JSON: {error.msg}", source, error.lineno) from None
    if not isinstance(content, dict) or content.get("kind") != KIND:
        raise CertificateError(f"this is no {KIND!r}", source)
    try:
        geometry = _read_geometry(content["box"])
        texts = [_read_hashed(path.parent, *entry) for entry in content["files"].items()]
        formula, proof, *_ = [*texts, "", ""]
        return Certificate(
            _read_grid(content["puzzle"], geometry),
            content["verdict"],
            tuple(_read_grid(text, geometry) for text in content["solutions"]),
            content["encoding"],
            content["solver"],
            content["program"],
            formula,
            proof,
        )
    except KeyError as error:
        raise CertificateError(f"the entry {error} is missing", source) from None
    except (TypeError, ValueError, AttributeError):
        raise CertificateError("an entry has the wrong type", source) from None
    except CertificateError:
        raise
    except SatdokuError as error:
        raise CertificateError(str(error), source) from None


def _to_json(certificate: Certificate, hashes: dict[str, str]) -> dict[str, Any]:
    return {
        "kind": KIND,
        "program": certificate.program,
        "box": str(certificate.puzzle.geometry),
        "puzzle": write_cells(certificate.puzzle, Layout()),
        "verdict": certificate.verdict,
        "solutions": [write_cells(solution, Layout()) for solution in certificate.solutions],
        "encoding": certificate.encoding,
        "solver": certificate.solver,
        "files": hashes,
    }


def _read_geometry(text: str) -> Geometry:
    rows, columns = text.split("x")
    return Geometry(int(rows), int(columns))


def _read_grid(text: str, geometry: Geometry) -> Grid:
    return next(read_puzzles([text], "", "line", Layout(geometry))).grid


def _read_hashed(folder: Path, name: str, expected: str) -> str:
    if Path(name).name != name:
        raise CertificateError(f"{name!r} is not the name of a file beside the certificate")
    path = folder / name
    if not path.exists():
        raise CertificateError("the certificate names this file, but it is missing", str(path))
    if hashlib.sha256(path.read_bytes()).hexdigest() != expected:
        raise CertificateError("the file is not the one that was certified", str(path))
    return read_text(path)
