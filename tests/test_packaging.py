"""What a package index shows: links that lead somewhere, for readers without the files."""

import re
import runpy
from importlib import metadata
from pathlib import Path

import pytest

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
    assert f"[Rules]({HOME}/blob/v1.2/docs/rules.md)" in text


def test_a_build_without_an_address_has_no_links_to_files() -> None:
    text = setup["long_description"](readme, "", "1.2")
    assert links(text) == []
    assert "| Rules |" in text
    assert "![" not in text


def test_links_elsewhere_and_within_the_page_stay() -> None:
    text = "[a](https://example.com/x) [b](#more) [c](c.md)"
    assert setup["long_description"](text, HOME, "1").startswith(
        "[a](https://example.com/x) [b](#more) [c](https://"
    )


def test_addresses_lead_to_the_files_of_the_version() -> None:
    assert setup["addresses"]("", "1.2") == {}
    assert setup["addresses"](HOME, "1.2")["Changelog"] == f"{HOME}/blob/v1.2/CHANGELOG.md"


def test_what_is_installed_has_no_dead_link() -> None:
    try:
        description = metadata.metadata("satdoku")["Description"]
    except metadata.PackageNotFoundError:
        pytest.skip("satdoku is not installed here")
    assert description
    assert all(link.startswith("https://") for link in links(description))
