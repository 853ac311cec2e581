"""Changed certificates: what the second verifier accepts is true, whatever was changed."""

import hashlib
import json
import re
import subprocess
from pathlib import Path
from random import Random
from typing import Any

import pytest

from satdoku.certifying.certificate import read_certificate, write_certificate
from satdoku.certifying.certify import certify
from satdoku.certifying.verify import verify
from satdoku.errors import SatdokuError
from satdoku.notation.hints import Hints
from satdoku.notation.reading import read_puzzles
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.judge import find_fault
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.classic import CLASSIC
from satdoku.puzzle.rules.registry import read_rules, read_unsettled
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.questions import check
from tests.certifying.mutations import spoil_text
from tests.certifying.second import needs_compiler, program
from tests.certifying.test_second import random_puzzle

pytestmark = needs_compiler

_RULES = ["digits:0-3", "odd:r1c1", "killer:5=r1c1,r1c2", "sandwich:row1=5", "anti-knight", "boxes"]


def spoil_number(rng: Random, text: str) -> str:
    """A text with another number somewhere."""
    places = [found.span() for found in re.finditer("[0-9]+", text)]
    if not places:
        return text + "1"
    first, last = rng.choice(places)
    return f"{text[:first]}{max(0, int(text[first:last]) + rng.choice((1, -1, 2)))}{text[last:]}"


def spoil_json(rng: Random, content: dict[str, Any]) -> None:
    """Another puzzle, other rules, another verdict or other solutions."""
    rules = content.get("rules", [])
    kind = rng.randrange(7)
    if kind == 0 and rules:
        place = rng.randrange(len(rules))
        rules[place] = spoil_number(rng, rules[place])
    elif kind == 1 and rules:
        del rules[rng.randrange(len(rules))]
    elif kind == 2 and rules:
        rules.insert(rng.randrange(len(rules) + 1), rng.choice(_RULES))
    elif kind == 3:
        cells = list(content["puzzle"])
        cells[rng.randrange(len(cells))] = rng.choice(".1234")
        content["puzzle"] = "".join(cells)
    elif kind == 4:
        content["verdict"] = rng.choice(["unique", "none", "multiple"])
        if content["verdict"] == "none" and rng.random() < 0.5:
            content["solutions"] = []
    elif kind == 5:
        content["solutions"] = [spoil_number(rng, each) for each in content["solutions"]]
    else:
        content["box"] = rng.choice(["1x4", "4x1", "2x3", "2x2"])


def spoil_comments(rng: Random, formula: str) -> str:
    """What auxiliaries mean: another number, the same twice, or two of them exchanged."""
    lines = formula.splitlines(keepends=True)
    told = [number for number, line in enumerate(lines) if line.startswith("c aux")]
    if told:
        one, other = rng.choice(told), rng.choice(told)
        kind = rng.randrange(3)
        if kind == 0:
            lines[one] = spoil_number(rng, lines[one])
        elif kind == 1:
            # The numbers stay, and what they mean is that of others.
            words = lines[other].split(" ", 3)
            lines[one] = " ".join([*lines[one].split(" ", 3)[:3], words[3]])
        else:
            lines.insert(one, lines[other])
    return "".join(lines)


def spoil(rng: Random, folder: Path) -> None:
    """Changes one or two things in the files of a certificate."""
    for kind in rng.sample(["json", "comments", "clauses", "proof"], rng.choice((1, 1, 2))):
        proof = next(folder.glob("p.[dl]rat"), None)
        if kind == "json" or proof is None:
            content = json.loads((folder / "p.json").read_text("utf-8"))
            spoil_json(rng, content)
            (folder / "p.json").write_text(json.dumps(content), "utf-8")
            continue
        path = proof if kind == "proof" else folder / "p.cnf"
        text = path.read_text("utf-8")
        if kind == "comments":
            path.write_text(spoil_comments(rng, text), "utf-8")
        elif any(line[0] not in "cp" for line in text.splitlines()):
            path.write_text(spoil_text(rng, text), "utf-8")


def is_true(content: dict[str, Any]) -> bool:
    """Whether the claim of a certificate is, as a solver and the judge say."""
    geometry = Geometry.parse(content["box"])
    (puzzle,) = read_puzzles([content["puzzle"]], "", "line", Hints(geometry))
    texts = content.get("rules", [])
    try:
        rules = read_rules(texts, geometry) if texts else CLASSIC
    except SatdokuError:
        # The program does not ask whether rules that it reads make sense to people.
        assert all(read_unsettled(text, geometry) for text in texts)
        return True
    puzzle = Puzzle(puzzle.grid, rules=rules)
    outcome = check(puzzle)
    if outcome.verdict is not Verdict(content["verdict"]):
        return False
    solutions = [
        Grid(geometry, tuple(map(int, text))) if geometry.size < 10 else None
        for text in content["solutions"]
    ]
    return len(set(solutions)) == len(solutions) and not any(
        grid is None or find_fault(grid, puzzle) for grid in solutions
    )


def accepts(folder: Path) -> bool:
    files = [name for name in ("p.json", "p.cnf", "p.drat", "p.lrat") if (folder / name).exists()]
    done = subprocess.run([program(), *files], cwd=folder, capture_output=True, text=True)
    assert done.returncode in (0, 1), (done.returncode, done.stderr)
    assert done.returncode == 0 or done.stderr
    return done.returncode == 0


def passes(folder: Path) -> bool:
    """Whether `verify` accepts it, with the right hashes."""
    content = json.loads((folder / "p.json").read_text("utf-8"))
    content["files"] = {
        name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in content["files"]
    }
    (folder / "p.json").write_text(json.dumps(content), "utf-8")
    try:
        return verify(read_certificate(folder / "p.json")).verdict is not None
    except SatdokuError:
        return False


def try_changes(seeds: range, changes: int, folder: Path) -> None:
    accepted = 0
    for seed in seeds:
        rng = Random(seed)
        certificate = certify(random_puzzle(rng), "satdoku 1")
        for number in range(changes):
            place = folder / f"{seed}-{number}"
            place.mkdir()
            write_certificate(certificate, place, "p")
            spoil(rng, place)
            if accepts(place):
                accepted += 1
                content = json.loads((place / "p.json").read_text("utf-8"))
                assert is_true(content), place
            elif passes(place):
                # Stricter than the other; but not because of what a clause or a grid says.
                content = json.loads((place / "p.json").read_text("utf-8"))
                assert is_true(content), place
            for path in place.iterdir():
                path.unlink()
    assert accepted


def test_what_it_accepts_of_changed_certificates_is_true(tmp_path: Path) -> None:
    try_changes(range(8), 8, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 1000, 100))
def test_what_it_accepts_of_20_000_changed_certificates_is_true(first: int, tmp_path: Path) -> None:
    try_changes(range(first, first + 100), 20, tmp_path)
