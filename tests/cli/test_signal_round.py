"""Signals at random times over all kinds of commands: an exit code, and nothing left half done."""

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.commands import EASY, SATDOKU

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="there are other signals"),
    pytest.mark.skipif(
        signal.getsignal(signal.SIGINT) is signal.SIG_IGN, reason="Ctrl-C is ignored here"
    ),
]

ROUNDS = 300

# FOLDER stands for a folder to write to, MANY for a file of puzzles.
COMMANDS = (
    "check MANY --force -o FOLDER/a.parquet",
    "check MANY -j 2 --force -o FOLDER/a.parquet",
    "generate -n 200 --force -o FOLDER/g.parquet",
    "check MANY --csv -j 2 --force -o FOLDER/a.csv",
    "solve MANY --force -o FOLDER/a.txt",
    "solve MANY --solver lingeling",
    "solve MANY --portfolio minicard,glucose4",
    "certify MANY --force -d FOLDER/certificates",
    f"export {EASY} --force -o FOLDER/a.cnf.gz",
    f"draw {EASY} --force -o FOLDER/a.svg",
    "convert MANY --to json",
    "explain MANY",
    f"hint {EASY}",
    "candidates MANY",
    "count MANY",
    "rate MANY",
    "minimize MANY",
    "canonical MANY",
    f"bench {EASY}",
    "rules",
    "encodings",
    "solvers",
)


def test_a_signal_ends_every_command_with_nothing_left(tmp_path: Path) -> None:
    chance = random.Random(42)
    many, folder = tmp_path / "many.txt", tmp_path / "folder"
    many.write_text(f"{EASY}\n" * 300)
    folder.mkdir()
    for number in range(ROUNDS):
        command = chance.choice(COMMANDS)
        line = command.replace("MANY", str(many)).replace("FOLDER", str(folder))
        sent = chance.choice([signal.SIGINT, signal.SIGTERM])
        process = subprocess.Popen(
            [*SATDOKU, *line.split()],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        time.sleep(chance.choice([0.2, 1.0]) * chance.random())
        process.send_signal(sent)
        said = process.communicate(timeout=60)[1]
        where = f"round {number}, {sent.name}: {command}: {said}"
        if "init_import_site" in said:
            continue  # before our first line: the finder of an editable install
        # Negative where the signal came before Python could answer it.
        assert process.returncode in (0, 130, 143, -sent), where
        assert "Traceback" not in said or process.returncode < 0, where
        assert not list(folder.rglob("*.tmp")), where
