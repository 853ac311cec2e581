import pytest

from satdoku.encoding.files.kinds import FormulaKind, find_kind, kind_of_output
from satdoku.errors import SatdokuError
from tests.each import for_each


@for_each(
    "name, kind",
    [
        ("p.cnf", FormulaKind.CNF),
        ("p.opb", FormulaKind.OPB),
        ("p.WCNF", FormulaKind.WCNF),
        ("a.b/p.opb.gz", FormulaKind.OPB),
        ("p.wcnf.bz2", FormulaKind.WCNF),
        ("p.cnf.xz", FormulaKind.CNF),
        ("p.cnf.zst", FormulaKind.CNF),
        ("p", None),
        ("p.xz", None),
        ("p.txt", None),
        ("rules.2", None),
        ("p.zst", None),
        ("/dev/stdout", None),
    ],
)
def test_a_name_tells_what_to_write(name: str, kind: FormulaKind | None) -> None:
    assert kind_of_output(name) is kind


@for_each("name", ["p.smt2", "p.cnf.lz4", "p.lp", "p.json", "p.wcnf.zip", "p.opb.gz.gz"])
def test_a_name_that_promises_something_else_is_refused(name: str) -> None:
    with pytest.raises(SatdokuError, match=r"^p\S+ would be no \.\w+ file: .*\.opb"):
        kind_of_output(name)


@for_each(
    "begin, kind",
    [
        (["c talk\n", "p cnf 1 1\n"], FormulaKind.CNF),
        (["* #variable= 1 #constraint= 1\n"], FormulaKind.OPB),
        (
            ["c 1 variables, 0 soft clauses (the givens), 1 hard clauses (the rules)\n"],
            FormulaKind.WCNF,
        ),
        (["c a puzzle\n", "123456789\n"], None),
        (["\n"], None),
        ([], None),
    ],
)
def test_the_first_lines_tell_what_a_file_is(begin: list[str], kind: FormulaKind | None) -> None:
    assert find_kind("file", begin) is kind


def test_a_name_goes_before_the_first_lines() -> None:
    assert find_kind("p.opb.gz", ["p cnf 1 1\n"]) is FormulaKind.OPB
