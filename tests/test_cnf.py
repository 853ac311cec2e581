"""The folder cnf/: every file is as it would be written now, and its README tells the truth."""

import json
import re
import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from pysat.solvers import Solver

from satdoku.cli.commands.examples import FAMOUS, formulas, puzzles, write_formulas
from satdoku.cli.commands.examples import FOLDER as EXAMPLES
from satdoku.encoding.choices import Encoding
from satdoku.encoding.files.dimacs import blocks_solution, read_text_lines
from satdoku.encoding.variables import placement
from satdoku.files import open_binary, read_lines
from satdoku.lanes.library import find_library
from satdoku.puzzle.grid import Geometry, Grid
from tests.commands import require_program, run, run_process
from tests.each import for_each
from tests.encoding.files.formulas import Cnf, read_cnf
from tests.formulas import clauses_of_grid
from tests.oracle import count_solutions

FOLDER = Path(__file__).parent.parent / "cnf"
README = (FOLDER / "README.md").read_text("utf-8")
FILES = sorted(path for path in FOLDER.glob("*/*") if path.suffix != ".pyc")
CERTIFICATE = FOLDER / "certificate" / "inkala-2012.json"

every_formula = pytest.mark.parametrize(
    "path", [pytest.param(p, id=p.name) for p in FILES if ".cnf" in p.suffixes]
)


def read(path: Path) -> Cnf:
    return read_cnf(read_text_lines(read_lines(path), path.name), path.name)


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cnf")
    write_formulas(folder)
    return folder


def is_proof_comparable() -> bool:
    """Whether this proof would come out here: another solver, or Python alone, finds another."""
    return find_library() is not None and str(
        json.loads(CERTIFICATE.read_text())["solver"]
    ).endswith(version("python-sat"))


@pytest.mark.parametrize("path", [pytest.param(p, id=p.name) for p in FILES])
def test_file_is_written_again_to_the_same_bytes(path: Path, fresh: Path) -> None:
    if path.parent == CERTIFICATE.parent and not is_proof_comparable():
        pytest.skip("another version of python-sat, or the compiled library, wrote this proof")
    assert (fresh / path.relative_to(FOLDER)).read_bytes() == path.read_bytes()


def test_no_file_is_left_over_or_missing(fresh: Path) -> None:
    written = {path.relative_to(fresh) for path in fresh.glob("*/*")}
    assert written == {path.relative_to(FOLDER) for path in FILES}


def test_files_are_small_or_compressed() -> None:
    assert all(path.stat().st_size <= 200_000 for path in FILES)
    assert sum(path.stat().st_size for path in FILES) < 2_000_000


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("rules/9x9-extended.cnf", ["--rules-only", "3x3"]),
        ("rules/6x6-minimal.cnf", ["--rules-only", "2x3", "--encoding", "minimal"]),
        (
            "rules/4x4-triads.cnf",
            ["--rules-only", "2x2", "--encoding", "triads", "--names", "--annotate"],
        ),
        (
            "puzzles/wikipedia-unique.cnf",
            [puzzles()["wikipedia"], "--encoding", "reduced", "--unique"],
        ),
    ],
)
def test_export_differs_in_the_version_only(name: str, arguments: list[object]) -> None:
    texts = [
        "".join(map(str, word.digits)) if isinstance(word, Grid) else word for word in arguments
    ]
    exported = run("export", *texts).stdout
    first, rest = exported.split("\n", 1)
    assert first == f"c satdoku {version('satdoku')}"
    assert (FOLDER / name).read_text() == f"c satdoku\n{rest}"


@every_formula
def test_readme_counts_are_those_of_the_file(path: Path) -> None:
    if path.parent.name == "certificate":
        return
    cnf = read(path)
    row = rf"\| `{re.escape(path.name)}` \| {cnf.variables} \| {len(cnf.clauses)} \|"
    assert re.search(row, README)


def test_readme_names_no_other_file() -> None:
    listed = re.findall(r"^\| `([^`]+\.cnf)` ", README, re.M)
    assert sorted(listed) == sorted(formula.name.split("/")[1] for formula in formulas())


@for_each("name", sorted(puzzles()))
def test_readme_tells_the_number_of_solutions(name: str) -> None:
    row = re.search(rf"\| `{name}\.cnf` \| \d+ \| \d+ \| (\w+)", README)
    assert row
    expected = {"one": 1, "none": 0, "many": 2}[row[1]]
    with Solver("minisat22", bootstrap_with=read(FOLDER / f"puzzles/{name}.cnf").clauses) as solver:
        found = 0
        while found < 2 and solver.solve():
            found += 1
            solver.add_clause([-n for n in solver.get_model()[:729] if n > 0])
    assert found == expected


def test_the_formula_with_the_blocked_solution_has_no_model() -> None:
    cnf = read(FOLDER / "puzzles/wikipedia-unique.cnf")
    assert blocks_solution(cnf)
    with Solver("minisat22", bootstrap_with=cnf.clauses) as solver:
        assert not solver.solve()


def test_the_several_solutions_have_no_given_1_or_7() -> None:
    assert not {1, 7} & set(puzzles()["norvig-several"].digits)


def test_the_4x4_rules_have_288_models() -> None:
    assert count_solutions(2, 2, [0] * 16) == 288
    for path in FOLDER.glob("rules/4x4-*.cnf"):
        with Solver("minisat22", bootstrap_with=read(path).clauses) as solver:
            count = 0
            while solver.solve():
                count += 1
                solver.add_clause([-n for n in solver.get_model()[:64] if n > 0])
        assert count == 288


def test_reduced_says_of_an_empty_board_what_extended_says() -> None:
    """So it needs no file of its own."""
    empty = Grid.empty(Geometry(3, 3))
    reduced, extended = (
        clauses_of_grid(empty, encoding) for encoding in (Encoding.REDUCED, Encoding.EXTENDED)
    )
    assert {frozenset(c) for c in reduced} == {frozenset(c) for c in extended}


def test_the_worked_example_is_right() -> None:
    assert "4 * 81 + 6 * 9 + 7 = 385" in README
    assert 4 * 81 + 6 * 9 + 7 == 385
    assert placement(Geometry(3, 3), 385) == (4 * 9 + 6, 7)
    assert puzzles()["wikipedia"].digits[4 * 9 + 6] == 0
    assert "c varname 28 r2c3=4\n" in (FOLDER / "rules/4x4-minimal.cnf").read_text()


@pytest.mark.parametrize(
    ("clause", "without", "within"),
    [
        ((5,), "rules/9x9-minimal.cnf", "puzzles/wikipedia.cnf"),
        (tuple(range(1, 10)), "puzzles/wikipedia.cnf", "rules/9x9-minimal.cnf"),
        ((-1, -10), "puzzles/wikipedia.cnf", "rules/9x9-minimal.cnf"),
        ((-1, -2), "rules/9x9-minimal.cnf", "rules/9x9-efficient.cnf"),
        (tuple(range(1, 82, 9)), "rules/9x9-efficient.cnf", "rules/9x9-extended.cnf"),
    ],
)
def test_the_clauses_of_the_readme_stand_where_it_says(
    clause: tuple[int, ...], without: str, within: str
) -> None:
    assert f"| `{' '.join(map(str, clause))} 0` |" in README
    assert clause in read(FOLDER / within).clauses
    assert clause not in read(FOLDER / without).clauses


def test_the_recipe_for_reading_an_answer_prints_the_grid() -> None:
    require_program("cadical")
    require_program("awk")
    recipe, printed = re.findall(r"```(?:sh|text)\n(.*?)```", README, re.S)
    done = subprocess.run(["sh", "-c", recipe], cwd=FOLDER, capture_output=True, text=True)
    assert done.stdout == printed


def test_the_certificate_holds() -> None:
    assert run("verify", CERTIFICATE.parent).code == 0


@pytest.mark.skipif(not shutil.which("drat-trim"), reason="drat-trim is not on the PATH")
def test_drat_trim_accepts_the_certificate() -> None:
    paths = [str(CERTIFICATE.with_suffix(suffix)) for suffix in (".cnf", ".drat")]
    done = subprocess.run(["drat-trim", *paths], capture_output=True, text=True)
    assert "s VERIFIED" in done.stdout


def test_puzzles_are_named_with_their_source() -> None:
    with open_binary(EXAMPLES / FAMOUS) as stream:
        lines = [line.decode() for line in stream][1:]
    assert [line.split()[1] for line in lines] == list(puzzles())
    assert all(" # " in line for line in lines)


def test_the_documented_command_regenerates(tmp_path: Path) -> None:
    assert "`python cnf/regenerate.py`" in README
    command = [sys.executable, str(FOLDER / "regenerate.py"), str(tmp_path)]
    subprocess.run(command, check=True, timeout=60)
    assert len(list(tmp_path.glob("*/*"))) == len(FILES)
    assert run_process("verify", tmp_path / "certificate").code == 0
