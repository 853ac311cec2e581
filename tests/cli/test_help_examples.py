"""The examples in each command's help have an answer."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from satdoku.cli.main import satdoku as group
from tests.commands import EASY, EASY_SOLUTION, SMALL
from tests.test_docs import shown_by

# What asks other programs, a port or the files of a shell, or takes long.
_NOT_HERE = re.compile(
    r"satdoku (serve|mcp|completion install|bench|generate|teach|examples|hint --all)"
    r"|minisat|examples/|clasp|cadical"
)

ROWS = "\n".join(EASY[at : at + 9] for at in range(0, 81, 9)) + "\n"
KILLER = {"puzzle": SMALL, "rules": [{"killer": "3=r1c1,r1c2"}]}
TABLE = f"id,puzzle,solution\n1,{EASY},{EASY_SOLUTION}\n"
FILES = {
    "puzzle.txt": f"{EASY}\n",
    "nine_rows.txt": ROWS,
    "board.txt": ROWS,
    "filled.txt": EASY,
    "puzzles.txt": f"{EASY}\n",
    "bank.txt": f"{EASY}\n{EASY[::-1]}\n",
    "sparse.txt": f"{SMALL}\n1...............\n",
    "hex.txt": "\n".join(["0123456789ABCDE."] + ["." * 16] * 15),
    "bank.csv": TABLE,
    "train.csv": TABLE,
    "bench.csv": TABLE,
    "killer.json": json.dumps(KILLER),
    "jigsaw.txt": SMALL,
    "regions.txt": "AABB\nAABB\nCCDD\nCCDD\n",
    "answers.txt": f"{EASY_SOLUTION}\n",
    "answer.txt": "r1c3=4\n",
    "outputs.jsonl": json.dumps({"response": EASY_SOLUTION}) + "\n",
    "puzzles.jsonl": json.dumps({"puzzle": EASY}) + "\n",
    "answers.jsonl": json.dumps({"response": "r1c3=4"}) + "\n",
}


def examples() -> Iterator[str]:
    """Yield the examples in the help of all commands."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        yield from re.findall(r"^ +(satdoku .*?)(?: {2,}.*)?$", command.help or "", re.M)


EXAMPLES = [example for example in dict.fromkeys(examples()) if not _NOT_HERE.search(example)]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "puzzles").mkdir()
    (tmp_path / "puzzles" / "one.txt").write_text(EASY)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_has_an_answer(example: str, folder: Path) -> None:
    if "certificates" in example and "certify" not in example:
        assert shown_by("satdoku certify puzzle.txt -d certificates").code == 0
    if "--against" in example:
        (folder / "train.txt").write_text(EASY)
        (folder / "test.txt").write_text(EASY[::-1])
    done = shown_by(example.replace('"$(cat filled.txt)"', EASY).replace("< ", ""))
    # Rules added to a file of the reader may exclude every solution; several are an answer too.
    accepted = {0, 10, 20} if "--rule " in example else {0, 10}
    assert done.code in accepted, done.stderr
