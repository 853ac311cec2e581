"""What every rule can do: a walk through the commands with one that was added."""

import json
import tempfile
from pathlib import Path

from satdoku.notation.formats import FORMATS
from satdoku.puzzle.rules.registry import require_rule_name
from tests.commands import Result, run


def walk(name: str) -> None:
    """Ask all commands about a puzzle of 4x4 with the rule of that name, as an example has it."""
    with tempfile.TemporaryDirectory() as folder:
        _walk(name, Path(folder))


def _walk(name: str, folder: Path) -> None:
    kind = require_rule_name(name)
    rule = f"{name}:{kind.example}" if kind.example else name
    assert rule in answered("rules", name).stdout
    puzzle = folder / "puzzle.json"
    puzzle.write_text(answered("generate", "--box", "2x2", "--seed", 1, "--rule", rule).stdout)
    assert name in puzzle.read_text()
    assert answered("check", puzzle).stdout.startswith("unique")
    assert "Exactly one solution" in answered("explain", puzzle).stdout
    for command in ("solve", "count", "rate", "minimize", "candidates", "hint"):
        assert answered(command, puzzle).stdout
    assert (kind.told or name) in answered("draw", puzzle, "--text").stdout
    assert "<svg" in answered("draw", puzzle).stdout
    assert f"c rule {name}" in answered("export", puzzle).stdout
    answered("certify", puzzle, "-d", folder / "certificates")
    assert "unique" in answered("verify", *(folder / "certificates").glob("*.json")).stdout
    assert name in run("canonical", puzzle).stderr
    for to in FORMATS:
        written = run("convert", puzzle, "--to", to)
        assert not written.code or f"the rule {name}" in written.stderr, (to, written)
    assert json.loads(answered("convert", puzzle, "--to", "json").stdout)
    drawn = run("generate", "--box", "2x3", "--seed", 1, "--rule", f"{name}:random")
    assert (drawn.code == 0) is bool(kind.drawn_at_random)
    assert name in (drawn.stdout if kind.drawn_at_random else drawn.stderr)


def answered(*arguments: object) -> Result:
    """What a command says that has to answer."""
    found = run(*arguments)
    assert found.code == 0, (arguments, found)
    return found
