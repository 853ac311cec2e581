"""Signals at random times over all commands: an exit code, and nothing left half done.

`SATDOKU_SIGNALS=1500 pytest -m slow tests/cli/test_signal_round.py` sends as many.
"""

import gzip
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from satdoku.cli.main import satdoku
from tests.commands import EASY, EASY_SOLUTION, SATDOKU, run

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="there are other signals"),
    pytest.mark.skipif(
        signal.getsignal(signal.SIGINT) is signal.SIG_IGN, reason="Ctrl-C is ignored here"
    ),
]

ROUNDS = int(os.environ.get("SATDOKU_SIGNALS", 300))

# FOLDER stands for a folder to write to, MANY for a file of puzzles.
COMMANDS = (
    "check MANY --force -o FOLDER/a.parquet",
    "check MANY -j 2 --force -o FOLDER/a.parquet",
    "generate -n 200 --force -o FOLDER/g.parquet",
    "generate -n 200",
    "check MANY --csv -j 2 --force -o FOLDER/a.csv",
    "check MANY --json --force -o FOLDER/a.jsonl",
    "solve MANY --force -o FOLDER/a.txt",
    "solve MANY --force -o FOLDER/b.txt.gz",
    "solve MANY --solver lingeling",
    "solve MANY --portfolio minicard,glucose4",
    "certify MANY --force -d FOLDER/certificates",
    "verify CERTIFICATES",
    f"export {EASY} --force -o FOLDER/a.cnf.gz",
    f"export {EASY} --force -o FOLDER/a.wcnf",
    f"decode {EASY} ANSWER",
    f"draw {EASY} --force -o FOLDER/a.svg",
    "convert MANY --to json",
    "convert MANY --to json --force -o FOLDER/c.jsonl",
    "explain MANY",
    f"hint {EASY}",
    "candidates MANY",
    "count MANY",
    "rate MANY",
    "minimize MANY",
    "canonical MANY",
    f"bench {EASY}",
    "augment MANY --force -o FOLDER/u.txt",
    "split MANY --force -o FOLDER/s.txt",
    "grade MANY MANY",
    "judge MANY MANY",
    "teach x-wing",
    "cage 15 3",
    "mcp",
    "rules",
    "encodings",
    "solvers",
    "examples FOLDER/examples",
    "serve --no-browser --port 0",
    "--help",
)


def test_every_command_gets_signals() -> None:
    named = {line.split()[0] for line in COMMANDS}
    assert named - {"--help"} == set(satdoku.list_commands(None))  # type: ignore[arg-type]


def test_a_signal_ends_every_command_with_nothing_left(tmp_path: Path) -> None:
    chance = random.Random(f"signals {ROUNDS}")
    many, folder, answer = (tmp_path / name for name in ("many.txt", "folder", "answer"))
    many.write_text(f"{EASY}\n" * 300)
    folder.mkdir()
    digits = map(int, EASY_SOLUTION)
    answer.write_text(" ".join(str(9 * cell + digit) for cell, digit in enumerate(digits)) + " 0\n")
    certificates = tmp_path / "certificates"
    assert run("certify", EASY, "-d", certificates).code == 0
    places = {"MANY": many, "FOLDER": folder, "CERTIFICATES": certificates, "ANSWER": answer}
    for number in range(ROUNDS):
        command = chance.choice(COMMANDS)
        words = [*SATDOKU, *command.split()]
        for name, place in places.items():
            words = [word.replace(name, str(place)) for word in words]
        sent = chance.choice([signal.SIGINT, signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
        process = subprocess.Popen(
            words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        if command.startswith("serve"):
            time.sleep(chance.random())  # it does not end by itself
        else:
            time.sleep(chance.choice([0.1, 0.4, 1.5]) * chance.random())
        process.send_signal(sent)
        written, told = process.communicate(timeout=120)
        said = told.decode()
        where = f"round {number}, {sent.name}: {command}: {said}"
        require_whole(folder, where)
        if "Traceback" in said and "satdoku" not in said:
            continue  # Python was still setting itself up
        # Negative where the signal came before our handlers stand: Python ends the process itself.
        assert process.returncode in (0, 130, 143, -sent), where
        if process.returncode == -sent:
            assert "satdoku/cli" not in said, where
            continue
        assert "Traceback" not in said, where
        assert "Exception ignored" not in said, where
        assert written.endswith(b"\n") or not written, where


def require_whole(folder: Path, where: str) -> None:
    """No half of a file stands in the place of a whole one."""
    for path in folder.rglob("*"):
        assert path.suffix not in (".tmp", ".part"), f"{path}: {where}"
        if path.is_dir():
            continue
        data = path.read_bytes()
        try:
            if path.suffix == ".gz":
                data = gzip.decompress(data)
            if path.suffix == ".parquet":
                assert data[-4:] == b"PAR1"
            elif path.suffix == ".jsonl":
                [json.loads(line) for line in data.splitlines()]
            elif path.suffix == ".svg":
                assert data.rstrip().endswith(b"</svg>")
            else:
                assert data.endswith(b"\n") or not data
        except (AssertionError, EOFError, ValueError) as error:
            raise AssertionError(f"{path}: {error}: {where}") from None
