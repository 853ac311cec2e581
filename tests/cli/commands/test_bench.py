import csv
import io
import sys
from pathlib import Path

from tests.commands import AMBIGUOUS, EASY, SMALL, require_failure, run


def test_a_table_has_a_line_for_each_contestant() -> None:
    result = run("bench", SMALL, AMBIGUOUS, "--solver", "minicard,cadical195", "--rounds", "1")
    assert result.code == 0
    title, *rows = result.lines
    assert title.split()[:2] == ["solver", "encoding"]
    assert sorted(row.split()[:4] for row in rows) == [
        ["cadical195", "extended", "pairwise", "2/2"],
        ["cadical195", "reduced", "pairwise", "2/2"],
        ["minicard", "extended", "native", "2/2"],
        ["minicard", "reduced", "native", "2/2"],
    ]


def test_csv_has_a_row_for_each_trial() -> None:
    options = ["--encoding", "reduced", "--at-most-one", "native,pairwise,product", "--rounds", "2"]
    result = run("bench", SMALL, "--solver", "glucose4", "--csv", *options)
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    # For this solver native and pairwise are the same contestant.
    assert sorted((row["round"], row["at_most_one"]) for row in rows) == [
        ("1", "pairwise"),
        ("1", "product"),
        ("2", "pairwise"),
        ("2", "product"),
    ]
    assert {row["verdict"] for row in rows} == {"unique"}


def test_puzzles_are_taken_from_all_over_the_input(tmp_path: Path) -> None:
    bank = tmp_path / "bank.txt"
    bank.write_text(f"{SMALL}\n" * 9 + f"{AMBIGUOUS}\n")
    options = ["--solver", "auto", "--encoding", "reduced", "--rounds", "1", "--csv"]
    result = run("bench", str(bank), "--number", "5", *options)
    assert [row["puzzle"] for row in csv.DictReader(io.StringIO(result.stdout))] == list("12345")
    everything = run("bench", str(bank), "--number", "50", *options)
    assert everything.lines[-1].startswith("10,1,auto,reduced,native,multiple,")


def test_a_plot_is_drawn_and_not_overwritten(tmp_path: Path) -> None:
    plot = tmp_path / "times.svg"
    arguments = ["bench", SMALL, "--solver", "auto", "--rounds", "1", "--plot", str(plot)]
    assert run(*arguments).code == 0
    assert plot.read_text().startswith("<svg ")
    refused = run(*arguments)
    require_failure(refused, "--force")
    assert refused.stdout == ""  # before the work, not after it


def test_a_plot_on_standard_output_stands_there_alone() -> None:
    arguments = ["bench", SMALL, "--solver", "auto", "--rounds", "1", "--plot", "-"]
    result = run(*arguments)
    assert result.code == 0
    assert result.stdout.startswith("<svg ")
    assert result.stdout.endswith("</svg>\n")
    require_failure(run(*arguments, "--csv"), "name a file for the plot", code=2)


def test_what_is_not_decided_is_said_by_the_exit_code() -> None:
    empty = "." * 81
    options = ["--solver", "cadical195", "--encoding", "minimal", "--rounds", "1"]
    result = run("bench", empty, "--conflicts", "1", *options)
    assert result.code == 124
    assert "0/1" in result.lines[1]


def test_all_solvers_are_those_that_heed_the_limits() -> None:
    options = ["--solver", "all", "--encoding", "reduced", "--rounds", "1", "--conflicts", "1000"]
    result = run("bench", EASY, *options)
    names = {line.split()[0] for line in result.lines[1:]}
    assert {"cadical195", "minicard", "maplecm"} <= names
    assert "kissat404" not in names


def test_wrong_usage_is_told() -> None:
    require_failure(run("bench", SMALL, "--solver", "nope"), "there is no solver 'nope'", code=2)
    require_failure(run("bench", SMALL, "--encoding", "nope"), "'nope' is none of", code=2)
    require_failure(run("bench", SMALL, "--at-most-one", ","), "name at least one of", code=2)
    require_failure(run("bench", SMALL, "--solver", "kissat404", "--conflicts", "5"), "cannot be")


def test_unreadable_puzzles_are_told_and_the_others_compared() -> None:
    result = run("bench", SMALL, "7" + SMALL[1:], "--solver", "auto", "--rounds", "1")
    assert result.code == 1
    assert (
        "'7' is not a digit of a 4x4 board; for one of 16x16, 15 rows are missing" in result.stderr
    )
    assert "1/1" in result.lines[1]
    assert run("bench", "7" + SMALL[1:]).code == 1


def test_what_is_not_chosen_is_not_read(tmp_path: Path) -> None:
    """To read a bank of 400,000 puzzles takes longer than to compare on twenty of them."""
    bank = tmp_path / "bank.txt"
    bank.write_text(f"{SMALL}\n" * 20 + f"7{SMALL[1:]}\n")
    options = ["--solver", "auto", "--encoding", "reduced", "--rounds", "1"]
    one = run("bench", str(bank), "--number", "1", *options)
    assert one.code == 0
    assert "is not a digit" not in one.stderr
    every = run("bench", str(bank), "--number", "21", *options)
    assert "bank.txt:21:1: '7' is not a digit" in every.stderr


def test_a_part_of_the_puzzles_is_told(tmp_path: Path) -> None:
    path = tmp_path / "many.txt"
    path.write_text(f"{SMALL}\n" * 5)
    words = ["--solver", "cadical195", "--rounds", 1]
    assert "2 of 5 puzzles" in run("bench", path, "--number", 2, *words).stderr
    assert "puzzles, spread" not in run("bench", path, *words).stderr


def test_external_solvers_stand_beside_the_others(tmp_path: Path) -> None:
    solver = tmp_path / "solver.py"
    solver.write_text(
        "import sys\n"
        "from pysat.formula import CNF\n"
        "from pysat.solvers import Cadical153\n"
        "with Cadical153(CNF(from_string=sys.stdin.read()).clauses) as solver:\n"
        "    found = solver.solve()\n"
        "    print('s SATISFIABLE' if found else 's UNSATISFIABLE')\n"
        "    print('v', *(solver.get_model() or []), 0)\n"
    )
    command = f"{sys.executable} {solver}"
    options = ["--solver", "minicard", "--encoding", "reduced", "--rounds", "1", "--csv"]
    result = run("bench", SMALL, "--with", command, *options)
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    assert {row["verdict"] for row in rows} == {"unique"}
    names = {row["solver"] for row in rows} - {"minicard"}
    assert [name[:10] for name in names] == [command[:10]]
    require_failure(run("bench", SMALL, "--with", "no-such-solver"), "there is no program")
    require_failure(run("bench", SMALL, "--with", " "), "needs the command", code=2)
