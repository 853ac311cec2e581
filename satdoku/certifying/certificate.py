"""The format of a certificate: a verdict, and the files that prove it to others.

    NAME.json   the puzzle, the verdict, the solutions, and the sha256 of the other two files
    NAME.cnf    the puzzle's formula; for a unique puzzle with its solution blocked
    NAME.drat   a proof that this formula has no model; or NAME.lrat, the same with hints

A puzzle with several solutions needs no proof: two of them are in the JSON file. A certificate may
claim more than a verdict (`Claim`). cnf/README.md explains the format to readers who do not know
satdoku.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from satdoku.encoding.choices import Encoding
from satdoku.encoding.meanings import describe
from satdoku.encoding.variables import variable_count
from satdoku.errors import CertificateError, FormatError, SatdokuError, quote
from satdoku.files import (
    COMPRESSIONS,
    new_file,
    read_data,
    read_text,
    readable,
    require_writable,
    unpack_text,
)
from satdoku.notation.spelling import write_cells
from satdoku.puzzle.grid import EMPTY, Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.classic import CLASSIC
from satdoku.puzzle.rules.registry import read_rules
from satdoku.puzzle.rules.rule import Rule, write_rule
from satdoku.puzzle.value import Shown
from satdoku.puzzle.verdict import Verdict

KIND = "satdoku certificate, version 1"
KIND_WITH_RULES = "satdoku certificate, version 2"
"""The kind of certificates of verdicts on puzzles that are not classic; they name every rule."""
KIND_WITH_CLAIM = "satdoku certificate, version 3"
"""The kind of certificates that claim more than a verdict; they name the claim and every rule."""

# The entries that a certificate of each version may have. Others are refused: nothing checks them,
# and readers would believe them.
_TOLD = {"kind", "program", "encoding", "solver", "files"}
_CLAIMED = {"box", "puzzle", "verdict", "solutions"}
_ENTRIES_OF = {
    KIND: _TOLD | _CLAIMED,
    KIND_WITH_RULES: _TOLD | _CLAIMED | {"rules"},
    KIND_WITH_CLAIM: _TOLD | _CLAIMED | {"rules", "claim"},
}


class Claim(Enum):
    """The claim of a certificate; the value is its entry `claim`, absent for VERDICT."""

    VERDICT = "verdict"
    """The puzzle has no solution, one or several; two solutions prove "several"."""
    COUNT = "count"
    """The listed solutions are all solutions; the last clauses of the formula block them."""
    CANDIDATES = "candidates"
    """Candidates in none of the listed solutions are in no solution at all.

    The last clause of the formula consists of these candidates; it is empty if there are none.
    """


SOLUTIONS_OF = {Verdict.NONE: 0, Verdict.UNIQUE: 1, Verdict.MULTIPLE: 2}
"""The verdicts that can be certified, and the number of solutions of each."""

# Encodings whose clauses use cell variables only, so that each can be matched with a rule.
PLAIN_ENCODINGS = (Encoding.REDUCED, Encoding.EXTENDED, Encoding.EFFICIENT, Encoding.MINIMAL)

# The largest files to read, in bytes. The JSON file of a 1000x1000 board has 15 million; formulas
# and proofs of large boards may have a hundred times that, and other tools that read them need more
# memory than we do.
_MOST_JSON, _MOST_EVIDENCE = 64 << 20, 4 << 30

# From this size on, digits may be wider than a character and are separated by blanks.
_FIRST_WIDE = 10

# The name and version of the writing program, which the formula's first comment contains. Arbitrary
# text is refused there: it could contain a header, which some readers of formulas accept in
# comments.
_PROGRAM = re.compile("[A-Za-z][0-9A-Za-z_-]{1,39} [0-9][0-9A-Za-z.+-]{0,39}")


class ProofFormat(Enum):
    """The format of a proof; the value is the suffix of its file."""

    DRAT = ".drat"
    LRAT = ".lrat"


@dataclass(frozen=True, slots=True, repr=False)
class Certificate(Shown):
    """A verdict with its evidence; `formula` and `proof` are the texts of the two files."""

    puzzle: Puzzle
    verdict: Verdict
    solutions: tuple[Grid, ...] = ()
    encoding: str = ""
    solver: str = ""
    program: str = ""
    formula: str = ""
    proof: str = ""
    proof_format: ProofFormat = ProofFormat.DRAT
    claim: Claim = Claim.VERDICT

    def __repr__(self) -> str:
        return f"<Certificate {self.verdict.value}: {self.puzzle!r}>"


def verdict_of(solutions: int) -> Verdict:
    """Return the verdict on a puzzle with so many solutions."""
    return next(verdict for verdict, least in SOLUTIONS_OF.items() if least == min(solutions, 2))


PART_COMMENT = "clauses that the proof does not need are left out"
"""The comment of formulas without the clauses that their proof does not need."""


def formula_comments(made: Certificate) -> Iterator[str]:
    """Yield the comments of a formula on the puzzle and the claim."""
    how, count = f"encoding {made.encoding}, at most one by pairwise", len(made.solutions)
    is_verdict = made.claim is Claim.VERDICT
    blocked = made.solutions[0] if is_verdict and made.solutions else None
    yield from describe(made.puzzle, made.program, how, blocked)
    if made.claim is Claim.COUNT:
        yield f"the last {count} clauses block the solutions"
    elif made.claim is Claim.CANDIDATES:
        yield "the last clause has all candidates that are in none of the solutions"


def absent_candidates(solutions: Sequence[Grid], geometry: Geometry) -> tuple[int, ...]:
    """Return the variables of all candidates that are in none of the solutions."""
    size = geometry.size
    present = {
        cell * size + digit for solution in solutions for cell, digit in enumerate(solution.digits)
    }
    return tuple(n for n in range(1, variable_count(geometry) + 1) if n not in present)


def require_program(program: str) -> None:
    """Raise an error if this is not the name and version of a program, such as `satdoku 0.2.0`."""
    if not _PROGRAM.fullmatch(program):
        raise CertificateError(f"{quote(program, 40)} is not the name and version of a program")


def write_certificate(
    certificate: Certificate, folder: Path, name: str, suffix: str = "", force: bool = False
) -> Path:
    """Write the files, JSON last, and return its path; a `suffix` such as `.gz` compresses them.

    On failure, remove the files written so far. With `force`, also remove files of an earlier
    certificate of this name that the new one does not have.
    """
    proof_suffix = certificate.proof_format.value
    texts = {
        f"{name}.cnf{suffix}": certificate.formula,
        f"{name}{proof_suffix}{suffix}": certificate.proof,
    }
    if not certificate.formula:
        texts = {}
    json_path = folder / f"{name}.json"
    for path in (*(folder / file_name for file_name in texts), json_path):
        require_writable(path, force)
    hashes: dict[str, str] = {}
    try:
        for file_name, text in texts.items():
            with new_file(folder / file_name, force) as stream:
                stream.write(text)
            hashes[file_name] = hashlib.sha256((folder / file_name).read_bytes()).hexdigest()
        with new_file(json_path, force) as stream:
            stream.write(json.dumps(_to_json(certificate, hashes), indent=2) + "\n")
    except BaseException:  # Ctrl-C too: a formula alone proves nothing
        for file_name in hashes:
            (folder / file_name).unlink(missing_ok=True)
        raise
    if force:
        for file_name in _possible_names(name) - set(texts):
            (folder / file_name).unlink(missing_ok=True)
    return json_path


def _possible_names(name: str) -> set[str]:
    """Return the names that the formula and the proof of a certificate may have."""
    kinds = (".cnf", *(format_.value for format_ in ProofFormat))
    return {f"{name}{kind}{packed}" for kind in kinds for packed in ("", *COMPRESSIONS)}


def read_certificate(path: Path) -> Certificate:
    """Read a certificate from its JSON file and the files named there; check their sha256."""
    try:
        return _from_json(_read_json(path), path.parent)
    except KeyError as error:
        raise CertificateError(f"the entry {error} is missing", str(path)) from None
    except CertificateError as error:
        raise CertificateError(error.message, error.source or str(path), error.line) from None
    except FormatError as error:
        raise CertificateError(error.message, str(path)) from None
    except SatdokuError as error:  # the error names another file
        raise CertificateError(str(error)) from None


def _to_json(certificate: Certificate, hashes: dict[str, str]) -> dict[str, Any]:
    puzzle, claim = certificate.puzzle, certificate.claim
    kind, told = (KIND if puzzle.is_classic else KIND_WITH_RULES), {}
    if claim is not Claim.VERDICT:
        kind, told = KIND_WITH_CLAIM, {"claim": claim.value}
    rules = [write_rule(rule, puzzle.geometry) for rule in puzzle.rules]
    return {
        "kind": kind,
        "program": certificate.program,
        "box": str(puzzle.geometry),
        "puzzle": write_cells(puzzle.grid),
        **({} if kind == KIND else {"rules": rules}),
        **told,
        "verdict": certificate.verdict.value,
        "solutions": [write_cells(solution) for solution in certificate.solutions],
        "encoding": certificate.encoding,
        "solver": certificate.solver,
        "files": hashes,
    }


def _from_json(content: dict[str, Any], folder: Path) -> Certificate:
    geometry = _read_geometry(_text(content, "box"))
    verdict = _read_verdict(_text(content, "verdict"))
    claim = _read_claim(content)
    files = _entry(content, "files", dict)
    formula, proof, proof_format = "", "", ProofFormat.DRAT
    # For a verdict, two solutions need no files; files named nevertheless must be correct.
    if files or verdict is not Verdict.MULTIPLE or claim is not Claim.VERDICT:
        formula, proof, proof_format = _read_files(files, folder)
    givens = _read_grid(_text(content, "puzzle"), geometry)
    return Certificate(
        Puzzle(givens, rules=_read_rules(content, geometry)),
        verdict,
        tuple(_read_grid(text, geometry) for text in _entry(content, "solutions", list)),
        _text(content, "encoding"),
        _text(content, "solver"),
        _text(content, "program"),
        formula,
        proof,
        proof_format,
        claim,
    )


def _read_claim(content: dict[str, Any]) -> Claim:
    if content["kind"] != KIND_WITH_CLAIM:
        return Claim.VERDICT
    text = _text(content, "claim")
    found = next((claim for claim in Claim if claim.value == text), Claim.VERDICT)
    if found is Claim.VERDICT:
        raise CertificateError(f"{quote(text)} is not a claim of a {KIND_WITH_CLAIM}")
    return found


def _read_json(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(read_text(path, _MOST_JSON), object_pairs_hook=_without_repeats)
    except json.JSONDecodeError as error:
        raise CertificateError(f"this is not JSON: {error.msg}", str(path), error.lineno) from None
    except (ValueError, RecursionError):  # numbers too long, or nesting too deep
        raise CertificateError("this is not the JSON file of a certificate") from None
    if not isinstance(content, dict) or content.get("kind") not in tuple(_ENTRIES_OF):
        raise CertificateError(f"this is not a {KIND!r}, nor of version 2 or 3")
    unknown = sorted(content.keys() - _ENTRIES_OF[content["kind"]])
    if unknown:
        raise CertificateError(f"a {content['kind']} has no entry {quote(unknown[0], 40)}")
    return content


def _read_verdict(text: str) -> Verdict:
    found = next((verdict for verdict in SOLUTIONS_OF if verdict.value == text), None)
    if found is None:
        raise CertificateError(f"{quote(text)} is not a verdict")
    return found


def _read_rules(content: dict[str, Any], geometry: Geometry) -> tuple[Rule, ...]:
    """Return the rules named by versions 2 and 3; version 1 is for classic puzzles."""
    if content["kind"] == KIND:
        return CLASSIC
    texts = _entry(content, "rules", list)
    if not all(isinstance(text, str) for text in texts):
        raise CertificateError("the entry 'rules' has the wrong type")
    rules = read_rules(texts, geometry)
    is_as_written = [write_rule(rule, geometry) for rule in rules] == texts
    # A rule listed a thousand times would be processed a thousand times.
    is_without_repeats = len(set(rules)) == len(rules)
    is_superfluous = rules == CLASSIC and content["kind"] == KIND_WITH_RULES
    if is_superfluous or not is_as_written or not is_without_repeats:
        raise CertificateError("its rules are not written as certificates write them")
    return rules


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the entries as an object; raise an error if two have the same name."""
    entries = dict(pairs)
    if len(entries) < len(pairs):
        raise CertificateError("an entry occurs twice")
    return entries


def _entry(content: dict[str, Any], name: str, kind: type) -> Any:
    value = content[name]
    if not isinstance(value, kind):
        raise CertificateError(f"the entry {name!r} has the wrong type")
    return value


def _text(content: dict[str, Any], name: str) -> str:
    text: str = _entry(content, name, str)
    return text


def _read_geometry(text: str) -> Geometry:
    """Read the box shape; only the spelling of `Geometry` is allowed."""
    try:
        geometry = Geometry.parse(text)
    except SatdokuError as error:
        raise CertificateError(str(error)) from None
    if str(geometry) != text:
        raise CertificateError(f"{quote(text)} is not a box shape as certificates write it")
    return geometry


def _read_grid(text: Any, geometry: Geometry) -> Grid:
    """Read a grid; only the spelling of certificates is allowed, without other characters."""
    fault = CertificateError(f"{quote(str(text))} is not a grid as certificates write it")
    if not isinstance(text, str):
        raise fault
    cells = text if geometry.size < _FIRST_WIDE else text.split(" ")
    try:
        digits = tuple(EMPTY if cell == "." else int(cell) for cell in cells)
    except ValueError:
        raise fault from None
    try:
        grid = Grid(geometry, digits)
    except SatdokuError as error:
        raise CertificateError(str(error)) from None
    if write_cells(grid) != text:
        raise fault
    return grid


def _read_files(hashes: dict[str, Any], folder: Path) -> tuple[str, str, ProofFormat]:
    """Return the texts of the formula and the proof, and the format of the proof."""
    names = {_kind_of(name): name for name in hashes}
    proof_format = next((kind for kind in ProofFormat if kind.value in names), None)
    if len(hashes) != 2 or ".cnf" not in names or proof_format is None:
        raise CertificateError(
            "a proof has two files, one .cnf and one .drat or .lrat; "
            "a certificate of two solutions has no files"
        )
    formula, proof = names[".cnf"], names[proof_format.value]
    return (
        _read_hashed(folder, formula, hashes[formula]),
        _read_hashed(folder, proof, hashes[proof]),
        proof_format,
    )


def _kind_of(name: str) -> str:
    """Return the suffix of a file's name, without the suffix of a compression."""
    path = Path(name)
    return Path(path.stem).suffix if path.suffix in COMPRESSIONS else path.suffix


def _read_hashed(folder: Path, name: str, expected: str) -> str:
    # A foreign certificate must not make us read other files.
    if Path(name).name != name or "\0" in name:
        raise CertificateError(f"{name!r} is not the name of a file beside the certificate")
    path = folder / name
    with readable(path):
        if not path.is_file():
            raise CertificateError("the certificate names this file, but it is missing", str(path))
    # Hash and unpack the same copy, since the file may change in between.
    data = read_data(path, _MOST_EVIDENCE)
    if hashlib.sha256(data).hexdigest() != expected:
        raise CertificateError("the file is not the one that was certified", str(path))
    return unpack_text(data, path)
