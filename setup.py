"""What a build adds to pyproject.toml: the addresses of the project, and its long description.

Links in README.md lead to files beside it. On a package index there are no such files, so a build
makes the links absolute. Where the files are on the web is known by whoever publishes a release,
and is said in the environment:

    SATDOKU_HOME=https://example.org/us/satdoku python -m build

A build without SATDOKU_HOME has no addresses, and its long description names files without links.
"""

import os
import re
from pathlib import Path

HERE = Path(__file__).parent

IMAGE = re.compile(r"!\[([^\]]*)\]\((?!https?://)([^)]+)\)\n*")
"""A picture in Markdown, and the empty lines behind it: what it shows, and its file."""

LINK = re.compile(r"\[([^\]]+)\]\((?!https?://|#)([^)]+)\)")
"""A link of Markdown to a file beside README.md: its text, and the file."""


def addresses(home: str, version: str) -> dict[str, str]:
    """The project's addresses for a package index: none if its `home` is not known."""
    if not home:
        return {}
    return {
        "Homepage": home,
        "Documentation": f"{files(home, version)}/docs/index.md",
        "Changelog": f"{files(home, version)}/CHANGELOG.md",
        "Issues": f"{home}/issues",
    }


def files(home: str, version: str) -> str:
    """Where the files of a version are shown by GitHub, and by what follows its addresses."""
    return f"{home}/blob/v{version}"


def long_description(readme: str, home: str, version: str) -> str:
    """The text of README.md for readers who do not have the files beside it."""
    picture = rf"![\1]({files(home, version)}/\2?raw=true)\n\n" if home else ""
    readme = IMAGE.sub(picture, readme)
    return LINK.sub(rf"[\1]({files(home, version)}/\2)" if home else r"\1", readme)


if __name__ == "__main__":
    from setuptools import setup

    home = os.environ.get("SATDOKU_HOME", "").rstrip("/")
    project = (HERE / "pyproject.toml").read_text(encoding="utf-8")
    (version,) = re.findall(r'^version = "(.+)"$', project, re.MULTILINE)
    readme = (HERE / "README.md").read_text(encoding="utf-8")
    setup(
        long_description=long_description(readme, home, version),
        long_description_content_type="text/markdown",
        project_urls=addresses(home, version),
    )
