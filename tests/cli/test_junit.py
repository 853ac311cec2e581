"""`check --junit`: a report for CI services."""

from pathlib import Path
from xml.etree import ElementTree

from tests.commands import AMBIGUOUS, CLASHING, EASY, SMALL, require_failure, run


def test_every_puzzle_is_a_test_case(tmp_path: Path) -> None:
    report, folder = tmp_path / "report.xml", tmp_path / "puzzles"
    folder.mkdir()
    (folder / "good.txt").write_text(f"{EASY}\n" * 40)
    (folder / "mixed.txt").write_text(f"{SMALL}\n{AMBIGUOUS}\n{SMALL}\n12\n")
    (folder / "late.txt").write_text(f"{CLASHING}\n")
    (folder / "binary.txt").write_bytes(b"\0\1\2\0" * 9)
    result = run("check", folder, "--junit", report)
    assert result.code == 1
    [suite] = ElementTree.parse(report).getroot()
    assert {name: suite.get(name) for name in ("tests", "failures", "errors")} == {
        "tests": "46",
        "failures": "2",
        "errors": "2",
    }
    found = {
        (Path(case.get("classname", "")).name, case.get("name")): [
            (each.tag, each.get("type")) for each in case
        ]
        for case in suite
    }
    assert found["good.txt", "line 40"] == found["mixed.txt", "line 3"] == []
    assert found["mixed.txt", "line 2"] == [("failure", "multiple")]
    assert found["late.txt", "line 1"] == [("failure", "none")]
    assert (
        found["mixed.txt", "line 4"] == found["binary.txt", "line 1"] == [("error", "unreadable")]
    )


def test_names_of_files_are_escaped_and_answers_stay(tmp_path: Path) -> None:
    path, report = tmp_path / "a<&\"'.txt", tmp_path / "report.xml"
    path.write_text(f"{EASY}\n{AMBIGUOUS}\n")
    plain = run("check", path, "--json")
    result = run("check", path, "--json", "--junit", report)
    assert (result.code, result.stdout) == (plain.code, plain.stdout)
    [suite] = ElementTree.parse(report).getroot()
    assert [case.get("classname") for case in suite] == [str(path)] * 2
    require_failure(run("check", path, "--junit", report), "exists")
    require_failure(run("check", path, "--junit", path, "--force"), "is read already", code=2)
