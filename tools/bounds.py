"""Prints what satdoku needs, for pip: `lowest` versions that its bounds allow, or any `newest`."""

import re
import sys
from pathlib import Path

PROJECT = Path(__file__).parents[1] / "pyproject.toml"


def bounds(project: str, versions: str) -> list[str]:
    """Return a requirement for each dependency of a project.

    >>> bounds('dependencies = ["click>=8.1", "python-sat>=1.9.dev24"]', "lowest")
    ['click==8.1', 'python-sat==1.9.dev24']
    """
    (listed,) = re.findall(r"^dependencies = \[(.*)\]$", project, re.MULTILINE)
    found = re.findall(r'"([a-z-]+)>=([^",]+)"', listed)
    if versions == "lowest":
        return [f"{name}=={version}" for name, version in found]
    return [f"{name}>={version}" for name, version in found]


if __name__ == "__main__":
    print("\n".join(bounds(PROJECT.read_text("utf-8"), sys.argv[1])))
