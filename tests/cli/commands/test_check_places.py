"""Of several inputs, each line of check says where its puzzle stands."""

from pathlib import Path

import pytest

from tests.commands import CLASHING, EASY, require_failure, run


@pytest.fixture
def two(tmp_path: Path) -> list[Path]:
    """Two files, the first with a puzzle on lines 1 and 3."""
    paths = [tmp_path / "a.txt", tmp_path / "b.txt"]
    paths[0].write_text(f"{EASY}\n\n{CLASHING}\n")
    paths[1].write_text(f"{EASY[1:]}\n")
    return paths


def test_lines_of_several_inputs_begin_with_their_place(two: list[Path]) -> None:
    a, b = two
    named = run("check", a, b)
    assert [line.split(": ")[:2] for line in named.lines] == [
        [f"{a}:1", "unique"],
        [f"{a}:3", "none"],
        [f"{b}:1", "unreadable"],
    ]
    bare = run("check", a, b, "--no-filename").lines
    assert [line.split(": ", 1)[1] for line in named.lines] == bare
    assert run("check", a).lines == bare[:2]
    assert run("check", a, "--with-filename").lines == named.lines[:2]
    for form in ("--json", "--csv"):
        assert run("check", a, b, form).lines == run("check", a, b, form, "--no-filename").lines
        require_failure(
            run("check", a, form, "--with-filename"),
            "--with-filename is for lines of text",
            code=2,
        )


def test_an_output_with_places_is_resumed(two: list[Path], tmp_path: Path) -> None:
    out = tmp_path / "out.txt"
    assert run("check", *two, "-o", out).code == 1
    whole = out.read_text()
    assert whole.splitlines() == run("check", *two).lines
    result = run("check", *two, "-o", out, "--resume")
    assert (result.code, result.stderr) == (1, f"{out} is already complete\n")
