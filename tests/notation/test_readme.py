"""The README of the package lists what is there, and every file of it has its tests."""

import re
from pathlib import Path

from satdoku import notation
from satdoku.notation.formats import FORMATS
from tests.each import for_each

FOLDER = Path(notation.__file__).parent
README = (FOLDER / "README.md").read_text("utf-8")
MODULES = sorted(
    str(path.relative_to(FOLDER)) for path in FOLDER.rglob("*.py") if path.name != "__init__.py"
)


def test_every_file_answers_one_question() -> None:
    rows = re.findall(r"^\| `([\w/]+\.py)` \| .+\?( .+)? \|$", README, re.M)
    assert sorted(name for name, _ in rows) == MODULES


def test_every_format_is_in_a_family() -> None:
    families = re.findall(
        r"\| `(\w+)(?:/|\.py)` \| (.+) \|$", README.partition("\n## Which file answers")[0], re.M
    )
    assert {path.name for path in FOLDER.iterdir() if (path / "__init__.py").is_file()} <= {
        family for family, _ in families
    }
    named = [name for _, names in families for name in re.findall(r"`([\w:]+)`", names)]
    assert sorted(named) == sorted(FORMATS)
    for family, names in families:
        for name in re.findall(r"`([\w:]+)`", names):
            assert f"{type(FORMATS[name]).__module__}.".startswith(f"satdoku.notation.{family}.")


@for_each("module", MODULES)
def test_every_file_has_its_tests(module: str) -> None:
    path = Path(module)
    assert (Path(__file__).parent / path.with_name(f"test_{path.name}")).is_file()
