import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from satdoku.notation.formats import format_named
from satdoku.notation.reading import PuzzleReader
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import GROUPS, RULES
from tests.commands import require_failure, run
from tests.crossing import sampled
from tests.each import for_each
from tests.puzzle.rules.instances import NAMES, SMALL, example_of


def test_every_rule_is_listed_with_its_example_and_its_sentence() -> None:
    result = run("rules")
    named = re.findall(r"^  ([a-z]\S*)", result.stdout, re.M)
    assert [text.partition(":")[0] for text in named] == list(RULES)
    assert len(re.findall(r"^\S.*:$", result.stdout, re.M)) == len(GROUPS)
    assert "  anti-knight                       no two cells a knight's move" in result.stdout


@for_each("name", RULES)
def test_a_rule_is_told_with_the_parts_of_its_argument(name: str) -> None:
    result = run("rules", name)
    kind = RULES[name]
    assert result.code == 0
    assert all(meaning in result.stdout for meaning in kind.parts.values())
    # Each word of the form is explained.
    for word in re.findall(r"[A-Z]{2,}", kind.form):
        assert any(word in part for part in kind.parts)


def test_a_thermometer_is_drawn_with_letters() -> None:
    drawn = run("rules", "thermo").stdout
    assert "\n  │(A)  . │ .   . │\n  │   ╲   │       │\n  │ .   B │ .   . │\n" in drawn
    # A rule that only words can tell has its letters.
    assert "\n  │ A   . │ .   . │\n" in run("rules", "contain").stdout
    assert drawn in run("rules", "--all").stdout
    require_failure(run("rules", "thermo", "--all"), "leave one of them out", code=2)
    require_failure(run("rules", "thremo"), "did you mean thermo?", code=2)
    found = run("rules", "German whispers").stdout
    assert found.startswith("German whispers is written whispers:5=CELLS; the rule behind it:\n\n")


def test_every_rule_is_an_object_in_json() -> None:
    found = [json.loads(line) for line in run("rules", "--json").lines]
    assert [each["name"] for each in found] == list(RULES)
    assert {each["group"] for each in found} == set(GROUPS)
    listed = run("rules").stdout
    assert all(each["example"] in listed and each["sentence"] in listed for each in found)
    thermo = found[list(RULES).index("thermo")]
    assert [json.loads(line) for line in run("rules", "thermo", "--json").lines] == [thermo]
    assert json.loads(run("rules", "German whispers", "--json").stdout)["name"] == "whispers"
    require_failure(run("rules", "thremo", "--json"), "did you mean thermo?", code=2)


def test_rules_of_a_file_go_with_those_of_options(tmp_path: Path) -> None:
    path = tmp_path / "rules.txt"
    path.write_text("# the first row\n\nkiller:3=r1c1,r1c2  # 1 and 2\n")
    both = run("count", "." * 16, "--rules", path, "--rule", "odd:r1c1")
    assert (
        both.stdout
        == run("count", "." * 16, "--rule", "odd:r1c1", "--rule", "killer:3=r1c1-2").stdout
    )
    path.write_text("odd:r1c1\nkilla:3=r1c1,r1c2\n")
    require_failure(
        run("check", "." * 16, "--rules", path), "rules.txt:2: there is no rule", code=2
    )


@pytest.mark.parametrize(
    "fault", ["killer:9=r1c1-4,r1c1", "killer:3=r1c1,r1c22", "odd", "anti-king:"]
)
@pytest.mark.parametrize("options", [(), ("--jobs", "2")], ids=["here", "in workers"])
def test_a_fault_in_a_rule_names_its_line_of_the_file(
    fault: str, options: tuple[str, ...], tmp_path: Path
) -> None:
    path = tmp_path / "rules.txt"
    path.write_text(f"# notes\n\nodd:r2c1\n{fault}\n")
    puzzles = tmp_path / "puzzles.txt"
    puzzles.write_text("................\n" * 2)
    told = run("check", puzzles, "--rules", path, *options)
    assert told.stderr.count(f"rules.txt:4: the rule {fault.partition(':')[0]}") == 2
    assert "puzzles.txt:2: " in told.stderr
    # The same rule from an option has no line, and an equal text before it lends it none.
    assert "rules.txt" not in run("check", "." * 16, "--rule", fault).stderr


def test_parts_of_an_argument_stand_in_an_object() -> None:
    rules = [{"killer": {"sum": 3, "cells": ["r1c1", "r1c2"]}}, {"thermo": {"cells": "r2c1-3"}}]
    text = json.dumps({"puzzle": ["...."] * 4, "rules": rules})
    options = ["--rule", "killer:3=r1c1-2", "--rule", "thermo:r2c1-3"]
    assert run("count", text).stdout == run("count", "." * 16, *options).stdout
    require_failure(run("count", text.replace("sum", "total")), "no part 'TOTAL'")


@pytest.mark.parametrize("form", ["--csv", "--json"])
@pytest.mark.parametrize("board", [["1x7", "--regions", "random"], ["3x2"]], ids=" ".join)
def test_what_generate_writes_of_unusual_boards_is_read_again(
    board: list[str], form: str, tmp_path: Path
) -> None:
    made = run("generate", "--seed", "3", form, "--box", *board)
    path = tmp_path / "made.txt"
    path.write_text(made.stdout)
    assert run("check", path) == (0, "unique\n", "")


def _asked(*arguments: object) -> list[tuple[Puzzle, str]]:
    """The puzzles that a table or objects tell of, read again, with the verdict on each."""
    text = run("check", "-q", *arguments).stdout
    reader = PuzzleReader(text.splitlines(keepends=True))
    return [
        (replace(reader.parser(record), name="", comment=""), fields["verdict"])
        for record in reader
        for fields in [reader.parser.format.fields_of(record)]
    ]


@pytest.fixture(scope="module")
def of_every_shape(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A board with nearly nothing on it under each rule, and with boxes of each shape."""
    rules = [example_of(name) for name in NAMES if name not in {"rows", "columns", "boxes"}]
    puzzles = [Puzzle(Grid.empty(SMALL)).with_rules([rule]) for rule in rules]
    puzzles += [Puzzle(Grid.empty(Geometry(*box))) for box in [(2, 3), (3, 2), (1, 5), (2, 2)]]
    path = tmp_path_factory.mktemp("shapes") / "shapes.jsonl"
    path.write_text("".join(format_named("json").write(puzzle) for puzzle in puzzles))
    return path


@sampled(2, "form", ["--csv", "--json"])
def test_answers_say_which_puzzle_they_are_about(form: str, of_every_shape: Path) -> None:
    text = of_every_shape.read_text()
    reader = PuzzleReader(text.splitlines(keepends=True))
    puzzles = [reader.parser(record) for record in reader]
    told = _asked(of_every_shape, form)
    assert [puzzle for puzzle, _ in told] == puzzles
    again = of_every_shape.with_suffix(form.replace("--", "."))
    again.write_text(run("check", "-q", of_every_shape, form).stdout)
    assert _asked(again, form) == told


@pytest.mark.parametrize("form", ["--csv", "--json"])
@pytest.mark.parametrize("record", ["1...............", '{"puzzle": "1...", "box": "1x2"}'])
def test_answers_tell_what_options_say_of_the_puzzle(
    form: str, record: str, tmp_path: Path
) -> None:
    path = tmp_path / "one.txt"
    path.write_text(record + "\n")
    ((puzzle, _),) = _asked(path, form, "--rule", "odd:r1c1")
    assert puzzle.rule_texts[-1] == "odd:r1c1"


def test_a_table_with_rules_of_its_own_takes_none_besides(tmp_path: Path) -> None:
    path = tmp_path / "one.csv"
    path.write_text("puzzle,rules\n1...............,anti-king\n")
    require_failure(run("check", path, "--csv", "--rule", "diagonals"), "column rules", "--json")


def test_a_line_with_a_gap_is_told_and_taken_as_it_is(tmp_path: Path) -> None:
    board, said = "." * 16, "r1c1 and r1c3 do not touch, so there is a gap"
    file = tmp_path / "rules.txt"
    file.write_text("# mine\nthermo:r1c1,r1c3\n")
    for words in (("--rule", "thermo:r1c1,r1c3"), ("--rules", str(file))):
        assert run("check", board, *words).stderr == f"--rule thermo:r1c1,r1c3: {said}\n"
        assert run("check", "-q", board, *words).stderr == ""
    for rule, cells in (
        ("kropki:white=r1c1,r1c3", "r1c1 and r1c3"),
        ("xv:v=r1c1,r1c2/x=r1c1,r3c1", "r1c1 and r3c1"),
        ("difference:1=r1c1,r1c2,r1c4", "r1c2 and r1c4"),
        ("arrow:r1c1=r2c2,r4c4", "r2c2 and r4c4"),
        ("arrow:r1c1,r1c2=r3c3", "r1c1 and r3c3"),
        ("killer:r1c1,r1c2,r2c4", "r1c1 and r2c4"),
    ):
        told = run("check", board, "--rule", rule).stderr
        assert f"{cells} do not touch, so there is a gap" in told
    for whole in (
        *("kropki:all", "arrow:r1c1-2=r2c3,r3c4", "killer:r1c1,r1c3,r2c2"),
        *("thermo:r1c1,r2c2", "pair:r1c1,r3c3:a<b", "anti-knight", "killer:5=r1c1,r1c2"),
    ):
        assert run("check", board, "--rule", whole).stderr == ""
