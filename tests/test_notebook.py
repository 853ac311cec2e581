"""The notebook in docs/ runs, and shows what it was saved with."""

import json
import os
import subprocess
import sys
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

NOTEBOOK = Path(__file__).parent.parent / "docs" / "notebook.ipynb"

# In a process of its own: what runs kernels leaves sockets to the garbage collector. The sockets
# are files in a folder of ours, so that no port has to be free.
PROGRAM = """
import sys
import nbclient, nbformat
from jupyter_client.manager import AsyncKernelManager

source, target, sockets = sys.argv[1:]
notebook = nbformat.read(source, as_version=4)
manager = AsyncKernelManager(transport="ipc", ip=sockets)
nbclient.NotebookClient(notebook, timeout=120, km=manager).execute()
nbformat.write(notebook, target)
"""


def outputs_in(path: Path) -> list[list[Any]]:
    """What each code cell prints, or shows as text and as HTML."""
    cells = json.loads(path.read_text("utf-8"))["cells"]
    return [shown_by(cell["outputs"]) for cell in cells if cell["cell_type"] == "code"]


def shown_by(outputs: list[dict[str, Any]]) -> list[Any]:
    """Texts and data in order, where texts that follow each other are one.

    A busy kernel sends what a cell prints in several parts, which are outputs of their own.
    """
    shown: list[Any] = []
    for is_text, those in groupby(outputs, lambda output: "text" in output):
        if is_text:
            shown.append("".join("".join(output["text"]) for output in those))
        else:
            shown += [output.get("data") for output in those]
    return shown


def test_it_runs_and_shows_what_it_was_saved_with(tmp_path: Path) -> None:
    for module in ("nbclient", "ipykernel"):
        pytest.importorskip(module)
    again = tmp_path / "again.ipynb"
    arguments = [str(NOTEBOOK), str(again), str(tmp_path / "k")]
    environment = os.environ | {"IPYTHONDIR": str(tmp_path), "JUPYTER_RUNTIME_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    saved = outputs_in(NOTEBOOK)
    assert len(saved) == 10
    assert all(saved)
    assert outputs_in(again) == saved
