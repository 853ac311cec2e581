"""The names of the library: those that a type checker sees are those that a program gets."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import satdoku
from satdoku import api
from satdoku.api import names
from tests.each import for_each


def names_for_type_checkers() -> Iterator[tuple[str, str]]:
    """Each name that type checkers see, with the module that has it."""
    for node in ast.parse(Path(str(names.__file__)).read_text("utf-8")).body:
        if isinstance(node, ast.ImportFrom):
            yield from ((alias.name, str(node.module)) for alias in node.names)


def test_type_checkers_see_every_name() -> None:
    assert sorted(name for name, _ in names_for_type_checkers()) == api.__all__


@for_each("name, module", list(names_for_type_checkers()))
def test_a_name_is_the_same_for_programs(name: str, module: str) -> None:
    expected = getattr(import_module(module), name)
    assert getattr(api, name) is expected
    assert getattr(satdoku, name) is expected


def test_other_names_are_refused() -> None:
    with pytest.raises(AttributeError, match="no attribute 'sovle'"):
        getattr(api, "sovle")  # noqa: B009 - a type checker would refuse it otherwise


def test_a_board_is_shown_as_one_without_any_call_before() -> None:
    script = "import satdoku; print(satdoku.Grid.from_line('1.....2..3.....4'))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert len(done.stdout.splitlines()) > 4, done


def test_without_the_text_of_the_table_all_names_are_there() -> None:
    """As in a program that was frozen."""
    script = """
import importlib.machinery as machinery
read = machinery.SourceFileLoader.get_data
def fail(self, path):
    if path.endswith("names.py"):
        machinery.SourceFileLoader.get_data = read
        raise OSError(path)
    return read(self, path)
machinery.SourceFileLoader.get_data = fail
import satdoku.api
assert machinery.SourceFileLoader.get_data is read
print(satdoku.check("1.....2..3.....4").verdict.value, len(satdoku.api.__all__))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout.split() == ["unique", str(len(api.__all__))], done
