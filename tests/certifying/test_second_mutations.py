"""Changed certificates: what either verifier accepts is true, whatever was changed."""

import hashlib
import json
import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

import pytest

from satdoku.certifying.certificate import (
    Certificate,
    Claim,
    formula_comments,
    read_certificate,
    write_certificate,
)
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
from satdoku.solving.questions import check, find_solutions
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


def spoil_cell(rng: Random, text: str) -> str:
    """A text with another cell somewhere."""
    places = [found.span() for found in re.finditer("r[0-9]+c[0-9]+", text)]
    if not places:
        return text
    first, last = rng.choice(places)
    return f"{text[:first]}r{rng.randint(1, 4)}c{rng.randint(1, 4)}{text[last:]}"


def spoil_rules(rng: Random, rules: list[str]) -> None:
    """Another number or cell in a rule, a rule less, or one more."""
    place, kind = rng.randrange(len(rules)), rng.randrange(4)
    if kind == 0:
        rules[place] = spoil_number(rng, rules[place])
    elif kind == 1:
        rules[place] = spoil_cell(rng, rules[place])
    elif kind == 2:
        del rules[place]
    else:
        rules.insert(place, rng.choice(_RULES))


def spoil_claim(rng: Random, content: dict[str, Any]) -> None:
    """Another claim, perhaps with a solution less."""
    content["claim"] = rng.choice(["count", "candidates"])
    content["kind"] = "satdoku certificate, version 3"
    content.setdefault("rules", ["rows", "columns", "boxes"])
    if rng.random() < 0.3:
        content["solutions"] = content["solutions"][1:]
        content["verdict"] = ("none", "unique", "multiple")[min(2, len(content["solutions"]))]


def spoil_json(rng: Random, content: dict[str, Any]) -> None:
    """Another puzzle, other rules, another verdict or other solutions."""
    rules = content.get("rules", [])
    kind = rng.randrange(9)
    if kind < 4 and rules:
        spoil_rules(rng, rules)
    elif kind == 4:
        spoil_claim(rng, content)
    elif kind == 5:
        cells = list(content["puzzle"])
        cells[rng.randrange(len(cells))] = rng.choice(".1234")
        content["puzzle"] = "".join(cells)
    elif kind == 6:
        content["verdict"] = rng.choice(["unique", "none", "multiple"])
        if content["verdict"] == "none" and rng.random() < 0.5:
            content["solutions"] = []
    elif kind == 7:
        content["solutions"] = [spoil_number(rng, each) for each in content["solutions"]]
    else:
        content["box"] = rng.choice(["1x4", "4x1", "2x3", "2x2"])


def name_twice(rng: Random, lines: list[str], last: int, comment: str) -> None:
    """A second name for what a comment tells, which some clauses have in place of the first."""
    header = last + 1
    if header == len(lines) or not re.fullmatch("p cnf [0-9]+ [0-9]+\n", lines[header]):
        return  # it was changed already
    _, _, highest, count = lines[header].split()
    _, _, numbers, told = comment.split(" ", 3)
    first, _, end = numbers.partition("-")
    fresh, wide = int(highest) + 1, int(end or first) - int(first)
    name = f"{fresh}-{fresh + wide}" if wide else f"{fresh}"

    def renamed(literal: re.Match[str]) -> str:
        number = int(literal[2])
        is_named = int(first) <= number <= int(first) + wide
        return f"{literal[1]}{number - int(first) + fresh}" if is_named else literal[0]

    for place in range(header + 1, len(lines)):
        if rng.random() < 0.5:
            lines[place] = re.sub("(-?)([0-9]+)", renamed, lines[place])
    lines[header] = f"p cnf {fresh + wide} {count}\n"
    lines.insert(header, f"c aux {name} {told}")


def spoil_comments(rng: Random, formula: str) -> str:
    """What auxiliaries mean: another number, the same twice, or two of them exchanged."""
    lines = formula.splitlines(keepends=True)
    told = [number for number, line in enumerate(lines) if line.startswith("c aux")]
    if told:
        one, other = rng.choice(told), rng.choice(told)
        kind = rng.randrange(5)
        if kind == 0:
            lines[one] = spoil_number(rng, lines[one])
        elif kind == 3:
            lines[one] = spoil_cell(rng, lines[one])
        elif kind == 4:
            name_twice(rng, lines, told[-1], lines[one])
        elif kind == 1:
            # The numbers stay, and what they mean is that of others.
            words = lines[other].split(" ", 3)
            lines[one] = " ".join([*lines[one].split(" ", 3)[:3], words[3]])
        else:
            lines.insert(one, lines[other])
    return "".join(lines)


def write_head(path: Path, content: dict[str, Any]) -> None:
    """Have the first comments of a formula say what the JSON says, as a forger would."""
    lines = path.read_text("utf-8").splitlines(keepends=True)
    begin = next((n for n, line in enumerate(lines) if line.startswith(("c aux", "p cnf"))), 0)
    try:
        geometry = Geometry.parse(content["box"])
        (puzzle,) = read_puzzles([content["puzzle"]], "", "line", Hints(geometry))
        texts = content.get("rules", [])
        puzzle = Puzzle(puzzle.grid, rules=read_rules(texts, geometry) if texts else CLASSIC)
        grids = [Grid(geometry, tuple(map(int, text))) for text in content["solutions"]]
    except (SatdokuError, ValueError):
        return
    claim = Claim(content.get("claim", "verdict"))
    told = Certificate(
        puzzle,
        Verdict(content["verdict"]),
        tuple(grids),
        content["encoding"],
        program=content["program"],
        claim=claim,
    )
    head = formula_comments(told)
    path.write_text("".join([*(f"c {line}\n" for line in head), *lines[begin:]]), "utf-8")


def spoil(rng: Random, folder: Path) -> None:
    """Changes one or two things in the files of a certificate."""
    for kind in rng.sample(["json", "comments", "clauses", "proof"], rng.choice((1, 1, 2))):
        proof = next(folder.glob("p.[dl]rat"), None)
        if kind == "json" or proof is None:
            content = json.loads((folder / "p.json").read_text("utf-8"))
            for _ in range(rng.choice((1, 1, 2))):
                spoil_json(rng, content)
            (folder / "p.json").write_text(json.dumps(content), "utf-8")
            if proof is not None and rng.random() < 0.7:
                write_head(folder / "p.cnf", content)
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
    claim = Claim(content.get("claim", "verdict"))
    if claim is not Claim.VERDICT:
        every = [*find_solutions(puzzle)]
        listed = [Grid(geometry, tuple(map(int, text))) for text in content["solutions"]]
        if claim is Claim.COUNT and len(listed) != len(every):
            return False
        if {*chain(*map(places, listed))} != {*chain(*map(places, every))}:
            return False
    solutions = [
        Grid(geometry, tuple(map(int, text))) if geometry.size < 10 else None
        for text in content["solutions"]
    ]
    return len(set(solutions)) == len(solutions) and not any(
        grid is None or find_fault(grid, puzzle) for grid in solutions
    )


def places(grid: Grid) -> Iterator[tuple[int, int]]:
    return enumerate(grid.digits)


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


class Agreement(Counter[str]):
    """How many changed certificates both verifiers accept, or one of them, or none."""

    def note(self, is_first: bool, is_second: bool) -> None:
        self[
            {3: "both", 2: "verify alone", 1: "second alone"}.get(2 * is_first + is_second, "none")
        ] += 1


def try_changes(seeds: range, changes: int, folder: Path) -> Agreement:
    """Require what either verifier accepts to be true."""
    agreement = Agreement()
    for seed in seeds:
        rng = Random(seed)
        puzzle = random_puzzle(rng)
        if rng.random() < 0.2:
            puzzle = with_digits_from_0(puzzle)
        claim = rng.choice((Claim.VERDICT, Claim.VERDICT, Claim.COUNT, Claim.CANDIDATES))
        certificate = certify(puzzle, "satdoku 1", claim=claim, is_whole=rng.random() < 0.5)
        for number in range(changes):
            place = folder / f"{seed}-{number}"
            place.mkdir()
            write_certificate(certificate, place, "p")
            spoil(rng, place)
            is_second, is_first = accepts(place), passes(place)
            agreement.note(is_first, is_second)
            if is_first or is_second:
                content = json.loads((place / "p.json").read_text("utf-8"))
                assert is_true(content), (place, is_first, is_second)
            for path in place.iterdir():
                path.unlink()
    return agreement


def with_digits_from_0(puzzle: Puzzle) -> Puzzle:
    """The same rules with digits from 0, where they allow that."""
    try:
        return puzzle.with_rules(read_rules(["digits:0-3"], puzzle.geometry))
    except SatdokuError:
        return puzzle


def test_what_it_accepts_of_changed_certificates_is_true(tmp_path: Path) -> None:
    assert try_changes(range(4), 8, tmp_path)["both"]


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 1000, 100))
def test_what_they_accept_of_20_000_changed_certificates_is_true(
    first: int, tmp_path: Path
) -> None:
    agreement = try_changes(range(first, first + 100), 20, tmp_path)
    print(first, dict(agreement))
    assert agreement["both"]
