"""Pages of the site that are made from commands show what these print."""

from collections.abc import Callable
from pathlib import Path
from runpy import run_path

from satdoku.puzzle.rules.registry import RULES
from tests.commands import run
from tests.each import for_each

DOCS = Path(__file__).parent.parent / "docs"


@for_each("page, command", [("rules.md", ["rules"]), ("each-rule.md", ["rules", "--all"])])
def test_the_pages_that_list_rules_are_made_from_the_command(page: str, command: list[str]) -> None:
    made: Callable[[str], str] = run_path(str(DOCS / "_site" / "commands.py"))["on_page_markdown"]
    text = (DOCS / page).read_text("utf-8")
    listed = f"```console\n$ satdoku {' '.join(command)}\n{run(*command).stdout}```\n"
    assert listed in made(text)
    # Written by hand, a page would have to be written again for each rule.
    assert listed not in text
    assert all(name in listed for name in RULES)


def test_the_page_for_contributors_is_the_file_of_the_root_folder() -> None:
    made: Callable[[str], str] = run_path(str(DOCS / "_site" / "commands.py"))["on_page_markdown"]
    text = made((DOCS / "contributing.md").read_text("utf-8"))
    assert "class FastThermo" in text
    assert "](design.md)" in text
