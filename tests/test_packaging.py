"""What a package index shows: links that lead somewhere, for readers without the files."""

import re
import runpy
import shutil
import subprocess
from importlib import metadata
from pathlib import Path

import pytest

from tests.crossing import few_or_many

ROOT = Path(__file__).parent.parent
HOME = "https://example.org/us/satdoku"

setup = runpy.run_path(str(ROOT / "setup.py"), run_name="setup")
readme = (ROOT / "README.md").read_text(encoding="utf-8")


def links(text: str) -> list[str]:
    return re.findall(r"\]\(([^)]+)\)", text)


def test_the_readme_has_links_to_files() -> None:
    assert len(links(readme)) > 10


def test_links_are_absolute_when_the_address_is_known() -> None:
    text = setup["long_description"](readme, HOME, "1.2")
    assert len(links(text)) == len(links(readme))
    assert all(link.startswith("https://") for link in links(text))
    assert f"[rules]({HOME}/blob/v1.2/docs/rules.md)" in text


def test_a_build_without_an_address_has_no_links_to_files() -> None:
    text = setup["long_description"](readme, "", "1.2")
    assert links(text) == []
    assert ", rules, making puzzles," in text
    assert "![" not in text


def test_links_elsewhere_and_within_the_page_stay() -> None:
    text = "[a](https://example.com/x) [b](#more) [c](c.md)"
    assert setup["long_description"](text, HOME, "1").startswith(
        "[a](https://example.com/x) [b](#more) [c](https://"
    )


def test_addresses_lead_to_the_files_of_the_version() -> None:
    assert setup["addresses"]("", "1.2") == {}
    assert setup["addresses"](HOME, "1.2")["Changelog"] == f"{HOME}/blob/v1.2/CHANGELOG.md"


def test_a_build_without_a_compiler_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CC", "/nowhere/cc -O1")
    library = tmp_path / "lanes.so"
    library.touch()
    assert setup["compile_library"](library) == "/nowhere/cc: No such file or directory"
    # What was built before is of another version.
    assert not library.exists()


@few_or_many("text", "int main(void) { return 2; }", setup["SECOND_VERIFIER"].read_text("utf-8"))
def test_the_second_verifier_is_built(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such a program; itself, which takes the compiler two seconds, as a slow test."""
    monkeypatch.delenv("CC", raising=False)
    program, source = tmp_path / "new" / "verify", tmp_path / "verify.c"
    source.write_text(text, "utf-8")
    if not shutil.which("cc"):
        pytest.skip("there is no C compiler")
    assert setup["compile_verifier"](program, source) == ""
    assert subprocess.run([program], capture_output=True).returncode == 2
    monkeypatch.setenv("CC", "/nowhere/cc")
    assert setup["compile_verifier"](program) == "/nowhere/cc: No such file or directory"
    assert not program.exists()


@pytest.mark.parametrize("macro", [*setup["ENGINES"], "__riscv"])
def test_every_machine_has_its_engines(
    macro: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a compiler that says it is for that machine, and does nothing."""
    compiler, told = tmp_path / "cc", tmp_path / "told"
    compiler.write_text(
        f'#!/bin/sh\necho "$@" >> {told}\necho "#define {macro} 1"\n'
        'while [ "$1" != -o ] && [ $# -gt 0 ]; do shift; done; [ -z "$2" ] || touch "$2"\n'
    )
    compiler.chmod(0o700)
    monkeypatch.setenv("CC", str(compiler))
    assert setup["compile_library"](tmp_path / "lanes.so") == ""
    compiled = told.read_text()
    expected = setup["ENGINES"].get(macro, setup["_PLAIN"])
    assert all(f"-DENGINE={engine.name}" in compiled for engine in expected)
    assert compiled.count("/engine.c ") == compiled.count("/rating.c ") == len(expected)


def test_what_is_installed_has_no_dead_link() -> None:
    try:
        description = metadata.metadata("satdoku")["Description"]
    except metadata.PackageNotFoundError:
        pytest.skip("satdoku is not installed here")
    assert description
    assert all(link.startswith("https://") for link in links(description))
