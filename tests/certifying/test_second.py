"""The second verifier accepts what `certify` writes, and no forgeries."""

import json
import subprocess
from dataclasses import replace
from pathlib import Path
from random import Random

from satdoku.certifying.certificate import Certificate
from satdoku.certifying.certify import certify
from satdoku.encoding.choices import Encoding
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.judge import find_fault
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import RULES, read_rules
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.limits import Limits
from satdoku.solving.questions import check
from satdoku.solving.solvers import Settings
from tests.boards import full_grid
from tests.certifying.samples import NAMES, hinted_sample, sample
from tests.certifying.second import ROOT, known_rules, needs_compiler, program, says
from tests.certifying.test_claims import IMPOSSIBLE, LOOSE, certified, ruled
from tests.crossing import crossed, few_or_many
from tests.each import for_each
from tests.puzzle.rules.instances import WITHOUT_CERTIFICATES, random_instance, random_instances

pytestmark = needs_compiler

# Those whose certificates nobody writes, and those that do not fit into the program.
UNKNOWN = (
    *WITHOUT_CERTIFICATES,
    "no-square",
    "no-equal-lines",
    "sequence",
    "global-entropy",
    "global-modular",
    "anti-taxicab",
    "dutch-flatmates",
    "rellik",
    "equality-cage",
    "pair",
    "each-pair",
    "machine",
)


def test_the_rules_that_it_does_not_know_are_listed() -> None:
    assert RULES.keys() - known_rules() == set(UNKNOWN)
    text = (ROOT / "docs" / "certificates.md").read_text("utf-8")
    listed = text.partition("\n## Rules that the second verifier does not know\n")[2]
    listed = listed.partition("\n## ")[0]
    assert all(f"`{name}`" in listed for name in UNKNOWN)


@crossed(
    4,
    name=NAMES,
    encoding=[Encoding.REDUCED, Encoding.MINIMAL],
)
def test_it_accepts_certificates_of_classic_puzzles(
    name: str, encoding: Encoding, tmp_path: Path
) -> None:
    certificate = sample(name, encoding)
    is_accepted, told = says(certificate, tmp_path)
    assert is_accepted, told
    assert f": {certificate.verdict.value}, " in told
    assert says(hinted_sample(name), tmp_path)[0]


@crossed(3, text=[each for each in (*LOOSE, *IMPOSSIBLE) if not each.startswith("machine")])
def test_it_accepts_certificates_with_auxiliaries(text: str, tmp_path: Path) -> None:
    puzzle = ruled(text) if text in IMPOSSIBLE else certified(text).puzzle
    for is_whole in (False, True):
        is_accepted, told = says(certify(puzzle, "satdoku 1", is_whole=is_whole), tmp_path)
        assert is_accepted, told


def random_puzzle(rng: Random) -> Puzzle:
    """A puzzle with one to three rules that it knows, some of them choices."""
    geometry = Geometry(2, 2)
    texts = []
    for _ in range(rng.choice((1, 2, 3))):
        rules = [rule for rule in random_instances(rng, 6) if rule.name in known_rules()]
        one_cell = [rule for rule in rules if rule.name not in _OF_BOARDS]
        parts = [f"{rule.name}:{rule.argument(geometry)}".rstrip(":") for rule in one_cell]
        texts += (
            ["either:" + "|".join(parts[:2])]
            if len(parts) > 1 and rng.random() < 0.5
            else parts[:1]
        )
    puzzle = Puzzle(Grid.empty(geometry)).with_rules(read_rules(dict.fromkeys(texts), geometry))
    solution = check(puzzle).solution
    digits = solution.digits if solution else (0,) * 16
    return puzzle.with_grid(Grid(geometry, tuple(d if rng.random() < 0.4 else 0 for d in digits)))


_OF_BOARDS = ("either", "digits", "regions", "rows", "columns", "boxes")


@crossed(2, seed=range(12))
def test_it_accepts_certificates_with_several_rules_and_choices(seed: int, tmp_path: Path) -> None:
    for is_whole in (False, True):
        certificate = certify(random_puzzle(Random(seed)), "satdoku 1", is_whole=is_whole)
        is_accepted, told = says(certificate, tmp_path)
        assert is_accepted, told


def forged(puzzle: Puzzle, auxiliaries: list[str], clauses: list[str]) -> Certificate:
    """A certificate that says "none", by a formula that propagation refutes."""
    highest = max(abs(int(word)) for clause in clauses for word in clause.split())
    header = f"p cnf {max(highest, puzzle.geometry.size**3)} {len(clauses)}"
    lines = [f"c aux {each}" for each in auxiliaries] + [header] + [f"{each} 0" for each in clauses]
    formula = "".join(f"{each}\n" for each in lines)
    return Certificate(puzzle, Verdict.NONE, (), "extended", "x", "satdoku 1", formula, "0\n")


FULL = Grid(Geometry(2, 2), (1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1))
EVEN_AND_ODD = [f"either:even:{cell}|odd:{cell}" for cell in ("r4c4", "r1c1", "r2c2")]


@for_each(
    "auxiliaries, clauses, line",
    [
        # That r2c2 is not 4 is said in the name of the wrong rule.
        (
            ["65-66 choice 1,2 of rule 4", "67-68 choice 1,2 of rule 5"],
            ["1", "24", "65 66", "67 68", "-68 -1", "-65 -67 -24", "-66 -67 -24"],
            8,
        ),
        # A second name for a choice.
        (["65-66 choice 1,2 of rule 4", "67 choice 1 of rule 4"], ["65 66", "67 66"], 2),
        (["65 choice 1 of rule 4"], ["65"], 3),
        # Sums that nobody has, or that a digit is not worth.
        (["65 worth 9 of r1c1*1,2,3,4"], ["65"], 3),
        (["65 worth 3 of r1c1,r1c2*1,2,3,4"], ["-65"], 3),
        (["65 worth 1 of r1c1*0,1,0,0"], ["-1 65"], 3),
        # States of a machine that is not there, and one name above what is told.
        (["65 state 1 behind 1 of machine 1"], ["65"], 1),
        ([], ["65"], 1),
        ([], ["0"], 2),
        ([], ["2"], 2),
        ([], ["-1"], 2),
        ([], ["-1 -6"], 2),
    ],
)
def test_it_refuses_forgeries(
    auxiliaries: list[str], clauses: list[str], line: int, tmp_path: Path
) -> None:
    puzzle = Puzzle(FULL).with_rules(read_rules(EVEN_AND_ODD, FULL.geometry))
    if clauses == ["0"]:
        certificate = replace(forged(puzzle, [], ["1"]), formula="p cnf 64 1\n0\n")
    else:
        certificate = forged(puzzle, auxiliaries, clauses)
    is_accepted, told = says(certificate, tmp_path)
    assert not is_accepted
    assert told.startswith(f"{tmp_path}/p.cnf:{line}: "), told


@few_or_many("others", 1, 3)
def test_it_judges_grids_as_the_judge_does(others: int, tmp_path: Path) -> None:
    """By its own definitions, on boards of three sizes, with digits from 1 or from 0."""
    rng, judged = Random(5), {True: 0, False: 0}
    names = sorted(known_rules() - {"either", "digits", "regions", "little-killer", "windoku"})
    for name in names:
        geometry = rng.choice([RULES[name].example_board, Geometry(2, 3), Geometry(3, 3)])
        rules = [random_instance(name, rng, geometry)]
        if RULES[name].counts and "indexer" not in name and name != "numbered-room":
            rules += read_rules([f"digits:0-{geometry.size - 1}"], geometry)
        puzzle = Puzzle(Grid.empty(geometry)).with_rules(rules)
        outcome = check(puzzle, Settings(limits=Limits(5)))
        if outcome.solution is None or outcome.second is None:
            continue
        for grid in (outcome.second, *(full_grid(rng, geometry) for _ in range(others))):
            certificate = Certificate(puzzle, Verdict.MULTIPLE, (outcome.solution, grid))
            is_right = grid != outcome.solution and not find_fault(grid, puzzle)
            assert says(certificate, tmp_path)[0] == is_right, (puzzle.rules, grid)
            judged[is_right] += 1
    assert min(judged.values()) > 30, judged


@for_each(
    "rules",
    [
        ["rows", "rows"],
        ["rows:"],
        ["rows:r1c1"],
        ["digits"],
        ["digits:0-3", "digits:1-4"],
        ["digits:0-4"],
        ["regions"],
        ["regions:AABB/AABB/CCDD/CCDD", "regions:ABCD/ABCD/ABCD/ABCD"],
        ["diagonal:x"],
        ["odd even:r1c1"],
        ["odd:r1c1,r1c1"],
        ["odd:r5c1"],
        ["odd:r1c1 "],
        ["killer:5=r1c1,r1c2|odd:r1c1"],
        ["either:odd:r1c1|regions:AABB/AABB/CCDD/CCDD"],
        ["either:odd:r1c1|"],
        ["either:odd:r1c1|digits:"],
        ["anti-move:-1,2"],
        ["either:(odd:r1c1|even:r1c1)"],
        ["sum:05=r1c1"],
        ["sum:5=--3*r1c1"],
        ["sum:1=r1c1,r1c1"],
        ["numbered-room:row1=5"],
        ["thermo:r1c1,r1c2,"],
        ["hidden"],
        [""],
        [":"],
    ],
)
def test_it_refuses_rules_that_are_not_as_written(rules: list[str], tmp_path: Path) -> None:
    """Whatever they could mean, the same text must not be read in two ways."""
    path = tmp_path / "p.json"
    content = {
        "kind": "satdoku certificate, version 2",
        "box": "2x2",
        "puzzle": "." * 16,
        "rules": rules,
        "verdict": "multiple",
        "solutions": ["1234341221434321", "1234341243212143"],
    }
    path.write_text(json.dumps(content), "utf-8")
    done = subprocess.run([program(), path], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, f"{path}: FAILED\n"), done.stdout
    path.write_text(json.dumps(content | {"rules": ["rows"]}), "utf-8")
    assert subprocess.run([program(), path], capture_output=True).returncode == 0


def test_it_finds_no_part_in_a_line_of_zeros(tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    content = {
        "kind": "satdoku certificate, version 2",
        "box": "2x2",
        "puzzle": "." * 16,
        "verdict": "multiple",
        # The digits 1 to 4 of a grid are the numbers 0 to 3.
        "solutions": ["1432321441232341", "1432321423414123"],
    }

    def is_accepted(line: str) -> bool:
        rules = ["rows", "columns", "digits:0-3", f"sum-line:3={line}"]
        path.write_text(json.dumps(content | {"rules": rules}), "utf-8")
        return subprocess.run([program(), path], capture_output=True).returncode == 0

    assert not is_accepted("r1c1,r2c3")
    assert is_accepted("r1c1,r2c3,r1c2")
    assert is_accepted("r1c2,r1c1,r2c3")
    assert is_accepted("r1c3,r1c4")
    assert not is_accepted("r1c1,r1c3")
