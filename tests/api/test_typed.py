"""A program that uses arrays and frames, as a strict type checker reads it."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow  # a type checker reads the whole package

PROGRAM = """
from typing import assert_type

import numpy as np
import numpy.typing as npt
import pandas as pd
import polars as pl

import satdoku

Boards = npt.NDArray[np.uint8]


def solved(boards: Boards) -> Boards:
    return satdoku.solve_array(boards)


def checked(boards: Boards) -> Boards:
    answer = satdoku.check_array(boards, jobs=1, timeout=9.0)
    assert_type(answer, satdoku.CheckedArray[Boards])
    return answer.verdict


def of_texts(texts: list[str]) -> Boards:
    assert_type(satdoku.count_array(texts, limit=2), npt.NDArray[np.int64])
    assert_type(satdoku.rate_array(texts).rating, Boards)
    return satdoku.canonical_array(texts)


def of_bytes(data: bytes) -> bytes:
    assert_type(satdoku.check_array(data).verdict, bytes)
    return satdoku.solve_array(satdoku.canonical_array(data))


def made() -> Boards:
    return satdoku.generate_array(3, seed=1).puzzle


def frames(one: pd.DataFrame, other: pl.DataFrame) -> pl.DataFrame:
    assert_type(satdoku.check_frame(one, "puzzle", jobs=1), pd.DataFrame)
    assert_type(satdoku.check_frame(other.lazy()), pl.LazyFrame)
    assert_type(satdoku.SudokuColumn(pl.col("puzzle")).check(), pl.Expr)
    return satdoku.check_frame(other, solution_column="solution")


def steps(puzzle: str) -> list[dict[str, object]]:
    found: list[dict[str, object]] = satdoku.to_object(satdoku.explain(puzzle))["steps"]
    return found


for outcome in satdoku.check_many(["1.....2..3.....4"]):
    assert_type(outcome, satdoku.Outcome | satdoku.SatdokuError)
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    for name in ("numpy", "pandas", "polars"):
        pytest.importorskip(name)
    path = tmp_path / "consumer.py"
    path.write_text(PROGRAM)
    return path


def test_mypy_has_nothing_to_say_about_it(program: Path) -> None:
    mypy = pytest.importorskip("mypy.api")
    options = ["--strict", "--config-file=", "--ignore-missing-imports"]
    found, errors, code = mypy.run([*options, str(program)])
    assert (code, errors) == (0, ""), found


@pytest.mark.skipif(shutil.which("pyright") is None, reason="needs pyright")
def test_pyright_has_nothing_to_say_about_it(program: Path) -> None:
    options = {"typeCheckingMode": "strict", "reportMissingTypeStubs": False}
    (program.parent / "pyrightconfig.json").write_text(json.dumps(options))
    command = ["pyright", "--pythonpath", sys.executable, program.name]
    done = subprocess.run(command, cwd=program.parent, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout.decode()
