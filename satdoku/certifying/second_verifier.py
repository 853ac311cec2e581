"""The door to the second verifier, `second/verify.c`, a C program that shares nothing with satdoku.

It is built beside its source when satdoku is, and compiled anew into a temporary folder where that
was not done. What it says of a certificate is passed on as it is.
"""

import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from satdoku.certifying.certificate import Certificate
from satdoku.errors import SatdokuError

SOURCE = Path(__file__).with_name("second") / "verify.c"
BUILT = SOURCE.with_name("verify")
"""The program, where a build of satdoku found a C compiler."""

_COMPILER = ("cc", "-std=c99", "-O2")

_LARGE = re.compile(r"\d{4,}(?= lemmas | clauses)")


@contextmanager
def second_verifier() -> Iterator[Path]:
    """The path of the program: the built one, or one that is compiled for as long as it is used."""
    if BUILT.is_file() and os.access(BUILT, os.X_OK):
        yield BUILT
        return
    with TemporaryDirectory() as folder:
        program = Path(folder) / BUILT.name
        try:
            _run([*_COMPILER, "-o", program, SOURCE])
        except OSError as error:
            raise SatdokuError(
                f"the second verifier is not built, and {_COMPILER[0]}, a C compiler, cannot be "
                f"run: {error.strerror}; docs/certificates.md says how to compile it"
            ) from None
        if not program.is_file():
            raise SatdokuError(f"{_COMPILER[0]} cannot compile {SOURCE}")
        yield program


def ask(
    program: Path, certificate: Certificate, path: Path, timeout: float | None
) -> tuple[bool, str]:
    """Return whether the program accepts a certificate, and what it says: a verdict, or a fault.

    Raises TimeoutError when it takes longer than that. The formula and the proof of the certificate
    are given to it in files of their own, as they may be compressed.
    """
    with TemporaryDirectory() as folder:
        evidence = {
            ".cnf": certificate.formula,
            certificate.proof_format.value: certificate.proof,
        }
        files = []
        for suffix, text in evidence.items() if certificate.formula else ():
            files.append(Path(folder) / f"{path.stem}{suffix}")
            files[-1].write_text(text, encoding="utf-8", newline="\n")
        try:
            done = _run([program, path, *files], timeout)
        except subprocess.TimeoutExpired:
            raise TimeoutError from None
    if done.returncode == 0:
        return True, _LARGE.sub(lambda number: f"{int(number[0]):,}", done.stdout)
    # Faults are told of the files that were certified, not of their copies.
    fault = done.stderr.strip().replace(str(Path(folder) / path.stem), str(path.with_suffix("")))
    return False, fault or f"{path}: the second verifier ended with {done.returncode}"


def _run(
    command: list[str | Path], timeout: float | None = None
) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [str(each) for each in command],
        capture_output=True,
        text=True,
        errors="replace",
        timeout=timeout,
        check=False,
    )
