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
from tests.each import for_each


def names_for_type_checkers() -> Iterator[tuple[str, str]]:
    """Each name that `satdoku.api` imports for them alone, with the module that has it."""
    for node in ast.walk(ast.parse(Path(str(api.__file__)).read_text("utf-8"))):
        if isinstance(node, ast.If):
            for inner in ast.walk(node):
                if isinstance(inner, ast.ImportFrom):
                    yield from ((alias.name, str(inner.module)) for alias in inner.names)


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
