"""Run the second verifier, `second/verify.c`, a C program that shares no code with satdoku.

The program is built beside its source when satdoku is built; otherwise it is compiled into a
temporary folder. Its answer is passed on unchanged, but for names of files and thousands
separators.
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
"""The program; it exists if a build of satdoku found a C compiler."""

_COMPILER = ("cc", "-std=c99", "-O2")

_LARGE = re.compile(r"\d{4,}(?= lemmas | clauses)")


@contextmanager
def second_verifier() -> Iterator[Path]:
    """Yield the path of the program: the built one, or one compiled for the time of the context."""
    if BUILT.is_file() and os.access(BUILT, os.X_OK):
        yield BUILT
        return
    with TemporaryDirectory() as folder:
        program = Path(folder) / "verify.exe"  # a name to which no compiler adds an ending
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
    """Return whether the program accepts a certificate, and its message: a verdict or a fault.

    Raise TimeoutError if it takes longer than `timeout`. The formula and the proof are written to
    temporary files for it, as those of the certificate may be compressed.
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
    # Messages name the certificate's files, not their temporary copies.
    fault = done.stderr.strip().replace(str(Path(folder) / path.stem), str(path.with_suffix("")))
    return False, fault or f"{path}: the second verifier ended with {done.returncode}"


def _run(
    command: list[str | Path], timeout: float | None = None
) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [str(each) for each in command],
        # Windows would look for a name with `.exe`.
        executable=command[0],
        capture_output=True,
        text=True,
        errors="replace",
        timeout=timeout,
        check=False,
    )
