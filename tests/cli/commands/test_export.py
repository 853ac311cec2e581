import gzip
import lzma
import shutil
import subprocess
from pathlib import Path

import pytest
from pysat.solvers import Solver

from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.symmetry import pattern_grid
from tests.commands import (
    AMBIGUOUS,
    CLASHING,
    EASY,
    HARD,
    SATDOKU,
    SMALL,
    require_failure,
    require_program,
    run,
    run_process,
    start,
)
from tests.crossing import sampled
from tests.each import for_each
from tests.encoding.files.formulas import Cnf, read_cnf


def read(text: str) -> Cnf:
    return read_cnf(text.splitlines(), "export")


def is_satisfiable(text: str) -> bool:
    with Solver("minisat22", bootstrap_with=read(text).clauses) as solver:
        return bool(solver.solve())


@pytest.mark.parametrize("puzzle", [EASY, SMALL, AMBIGUOUS, CLASHING])
def test_one_puzzle_goes_to_stdout(puzzle: str) -> None:
    result = run("export", puzzle)
    assert (result.code, result.stderr) == (0, "")
    assert f"sudoku {puzzle}" in read(result.stdout).comments
    assert run("export", stdin=puzzle + "\n") == result


def test_a_process_writes_the_same_bytes_as_a_call() -> None:
    assert run_process("export", EASY) == run("export", EASY)


@sampled(
    3,
    "encoding, header",
    [
        ("minimal", "p cnf 729 7401"),
        ("efficient", "p cnf 729 10317"),
        ("natural", "p cnf 729 10317"),
        ("extended", "p cnf 729 10560"),
        ("triads", "p cnf 1215 7725"),
        ("reduced", "p cnf 729 1416"),
    ],
)
def test_the_encoding_is_chosen_by_name(encoding: str, header: str) -> None:
    assert header in run("export", EASY, "--encoding", encoding).lines


def test_at_most_one_is_chosen_by_name() -> None:
    result = run("export", SMALL, "--at-most-one", "ladder")
    assert "c encoding extended, at most one by ladder" in result.lines
    assert any(line.startswith("c p show 1 2 ") for line in result.lines)


@pytest.mark.parametrize(("encoding", "clauses"), [("minimal", 8829), ("efficient", 11745)])
def test_textbook_counts_as_the_literature_does(encoding: str, clauses: int) -> None:
    result = run("export", "--rules-only", "3x3", "--textbook", "--encoding", encoding)
    assert f"c encoding {encoding}, at most one by textbook" in result.lines
    assert f"p cnf 729 {clauses}" in result.lines


@pytest.mark.parametrize(("box", "header"), [("2x3", "p cnf 216 1980"), ("1x4", "p cnf 64 336")])
def test_bare_rules_need_no_puzzle(box: str, header: str) -> None:
    result = run("export", "--rules-only", box)
    assert result.code == 0
    assert header in result.lines
    assert "sudoku" not in "".join(result.lines[1:])


def test_names_and_annotations_are_comments() -> None:
    result = run("export", SMALL, "--names", "--annotate")
    assert "c varname 28 r2c3=4" in result.lines
    assert result.lines[result.lines.index("c r1c3 is given as 3") + 1] == "11 0"
    assert read(result.stdout).clauses == read(run("export", SMALL).stdout).clauses


@pytest.mark.parametrize(("puzzle", "is_unique"), [(EASY, True), (HARD, True), (AMBIGUOUS, False)])
def test_unique_blocks_the_solution(puzzle: str, is_unique: bool) -> None:
    result = run("export", puzzle, "--unique")
    assert result.code == 0
    assert is_satisfiable(result.stdout) is not is_unique


@pytest.mark.parametrize("options", [[], ["-o", "{}/f.cnf"], ["-d", "{}"]])
def test_unique_without_a_solution_is_told_and_nothing_is_written(
    options: list[str], tmp_path: Path
) -> None:
    result = run("export", CLASHING, "--unique", *(o.format(tmp_path) for o in options))
    require_failure(result, "argument:1: there is no solution", code=20)
    assert result.stdout == ""
    assert list(tmp_path.iterdir()) == []


def test_unique_within_a_limit_may_be_undecided() -> None:
    result = run("export", HARD, "--unique", "--timeout", "0.000001")
    require_failure(result, "not decided", code=124)
    assert result.stdout == ""


@sampled(
    2, "name, unpack", [("f.cnf", bytes), ("f.cnf.gz", gzip.decompress), ("f.xz", lzma.decompress)]
)
def test_a_file_is_compressed_by_suffix(name: str, unpack: object, tmp_path: Path) -> None:
    assert callable(unpack)
    path = tmp_path / name
    assert run("export", EASY, "-o", path) == (0, "", "")
    assert unpack(path.read_bytes()).decode() == run("export", EASY).stdout
    first = path.read_bytes()
    assert run("export", EASY, "-o", path, "--force").code == 0
    assert path.read_bytes() == first


def test_many_puzzles_go_to_a_folder_under_names_that_sort_and_lead_back(tmp_path: Path) -> None:
    source, folder = tmp_path / "many.txt", tmp_path / "formulas" / "deep"
    lines = ["# comment", *[SMALL, AMBIGUOUS] * 10, "", SMALL]
    source.write_text("\n".join(lines) + "\n")
    assert run("export", source, "-d", folder) == (0, "", "")
    paths = sorted(folder.iterdir())
    assert paths[0].name == "many-00000002.cnf"
    assert len(paths) == 21
    for path in paths:
        puzzle = lines[int(path.stem.split("-")[1]) - 1]
        assert f"sudoku {puzzle}" in read(path.read_text()).comments


def test_puzzles_within_a_line_have_names_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "list.json").write_text(f'["{SMALL}", "{AMBIGUOUS}"]')
    assert run("export", tmp_path / "list.json", "-d", tmp_path / "out").code == 0
    paths = sorted((tmp_path / "out").iterdir())
    assert [path.name for path in paths] == [
        "list-00000001-00000002.cnf",
        "list-00000001-00000022.cnf",
    ]


def test_typed_puzzles_are_counted(tmp_path: Path) -> None:
    assert run("export", SMALL, AMBIGUOUS, "-d", tmp_path).code == 0
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["argument-00000001.cnf", "argument-00000002.cnf"]


def test_files_whose_puzzles_would_get_the_same_names_are_refused(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "p.txt").write_text(SMALL)
    result = run("export", tmp_path / "a/p.txt", tmp_path / "b/p.txt", "-d", tmp_path / "out")
    require_failure(result, "the same file names", code=2)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("options", [[], ["-o", "{}/f.cnf"]])
def test_several_puzzles_without_a_folder_are_wrong_usage(
    options: list[str], tmp_path: Path
) -> None:
    result = run("export", SMALL, SMALL, *(o.format(tmp_path) for o in options))
    require_failure(result, "-d FOLDER", code=2)
    assert result.stdout == ""
    assert list(tmp_path.iterdir()) == []


@for_each(
    "arguments",
    [
        ["--rules-only", "3x3", SMALL],
        ["--rules-only", "3x3", "-d", "x"],
        ["--rules-only", "3x3", "--unique"],
        ["--rules-only", "3"],
        ["--rules-only", "0x3"],
        [SMALL, "-d", "x", "-o", "y"],
        [SMALL, "--encoding", "secret"],
        [SMALL, "--at-most-one", "hand"],
        [SMALL, "--textbook", "--at-most-one", "product"],
        [SMALL, "--textbook", "--encoding", "triads"],
        [SMALL, "--textbook", "--encoding", "reduced"],
    ],
)
def test_wrong_usage(arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    require_failure(run("export", *arguments), "satdoku: ", code=2)
    assert list(tmp_path.iterdir()) == []


def test_a_bad_puzzle_among_good_ones_is_told_and_the_others_are_written(tmp_path: Path) -> None:
    source = tmp_path / "many.txt"
    source.write_text(f"{EASY}\n{EASY[:-1]}q\n{EASY}\n")
    result = run("export", source, "-d", tmp_path / "out")
    require_failure(result, f"{source}:2:81: 'q'")
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == ["many-00000001.cnf", "many-00000003.cnf"]


def test_an_existing_file_is_overwritten_by_force_only(tmp_path: Path) -> None:
    path = tmp_path / "f.cnf"
    path.write_text("old")
    require_failure(run("export", SMALL, "-o", path), f"{path} exists; --force overwrites it")
    assert path.read_text() == "old"
    assert run("export", SMALL, "-o", path, "--force").code == 0
    assert path.read_text() == run("export", SMALL).stdout


def test_an_existing_file_in_a_folder_is_overwritten_by_force_only(tmp_path: Path) -> None:
    run("export", SMALL, "-d", tmp_path)
    again = run("export", SMALL, AMBIGUOUS, "-d", tmp_path)
    require_failure(again, "argument-00000001.cnf exists")
    assert len(list(tmp_path.iterdir())) == 2
    assert run("export", SMALL, AMBIGUOUS, "-d", tmp_path, "--force") == (0, "", "")


@pytest.mark.parametrize("option", ["-o", "-d"])
def test_a_place_that_cannot_be_written_is_named(option: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    target = tmp_path / "file" / "below"
    require_failure(run("export", SMALL, option, target), str(target), "Not a directory")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_is_told() -> None:
    require_failure(run("export", SMALL, "-o", "/dev/full"), "/dev/full", "No space left")
    with Path("/dev/full").open("w") as full:
        process = start("export", SMALL, stdout=full, stderr=subprocess.PIPE, text=True)
    said = process.communicate()[1]
    assert process.returncode == 1
    assert said == "satdoku: the output cannot be written: No space left on device\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["no-such-file"], "neither a file nor a puzzle"),
        ([EASY[:-1]], "80 cells"),
        (["/"], "folder"),
    ],
)
def test_what_is_no_puzzle_is_told(arguments: list[str], words: str) -> None:
    result = run("export", *arguments)
    require_failure(result, words)
    assert result.stdout == ""


def test_a_reader_that_has_seen_enough_is_no_error() -> None:
    shell = f"{' '.join(SATDOKU)} export --rules-only 4x4 | head -n 1"
    done = subprocess.run(["sh", "-c", shell], capture_output=True, text=True, timeout=60)
    assert done.stdout.startswith("c satdoku ")
    assert done.stderr == ""


def test_it_pipes_into_a_solver() -> None:
    require_program("minisat")
    shell = f"{' '.join(SATDOKU)} export {EASY} | minisat -verb=0 /dev/stdin"
    done = subprocess.run(["sh", "-c", shell], capture_output=True, text=True, timeout=60)
    assert "SATISFIABLE" in done.stdout.split()


@pytest.mark.skipif(not shutil.which("drat-trim"), reason="drat-trim is not on the PATH")
def test_drat_trim_reads_the_header_behind_the_comments(tmp_path: Path) -> None:
    run("export", CLASHING, "--names", "--annotate", "-o", tmp_path / "f.cnf")
    (tmp_path / "f.drat").write_text("0\n")
    command = ["drat-trim", "f.cnf", "f.drat"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert "s VERIFIED" in done.stdout or "trivial UNSAT" in done.stdout


def test_billions_of_clauses_are_refused_with_a_hint(tmp_path: Path) -> None:
    for output in ([], ["-o", tmp_path / "rules.cnf"]):
        result = run("export", "--rules-only", "15x15", *output)
        require_failure(result, "about 4.9 billion clauses", "--at-most-one product would make")
        assert (result.stdout, list(tmp_path.iterdir())) == ("", [])


def test_a_limit_holds_while_the_formula_is_written(tmp_path: Path) -> None:
    """Finding the solution of a full board takes no time, but three million clauses do."""
    full = " ".join(map(str, pattern_grid(Geometry(6, 6)).digits))
    path = tmp_path / "p.cnf"
    result = run("export", full, "--unique", "--timeout", "0.2", "-o", path)
    assert (result.code, result.stderr) == (124, "argument:1: not decided within 0.2 s\n")
    assert list(tmp_path.iterdir()) == []
