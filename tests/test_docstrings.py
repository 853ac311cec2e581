"""The examples in docstrings hold."""

import doctest
from importlib import import_module
from pathlib import Path

import satdoku
from tests.each import for_each

ROOT = Path(satdoku.__file__).parent
WITH_EXAMPLES = [path for path in sorted(ROOT.rglob("*.py")) if ">>> " in path.read_text("utf-8")]


def test_there_are_some() -> None:
    assert len(WITH_EXAMPLES) > 40


@for_each("path", WITH_EXAMPLES)
def test_examples_hold(path: Path) -> None:
    names = path.relative_to(ROOT.parent).with_suffix("").parts
    result = doctest.testmod(import_module(".".join(names)))
    assert result.attempted
    assert not result.failed
