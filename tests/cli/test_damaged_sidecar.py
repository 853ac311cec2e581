"""What lies beside an unfinished output may be damaged: a sentence, and nothing is lost."""

import json
from pathlib import Path
from typing import Any

import pytest

from satdoku.answering.output.ending import Tally
from tests.cli.interrupting import interrupt_after
from tests.commands import EASY, HARD, require_failure, run
from tests.crossing import crossed
from tests.each import for_each

KEYS = ["version", "options", "inputs", "rejects"]


def begin(tmp_path: Path) -> list[object]:
    """The arguments of a run that was interrupted behind its first answer."""
    (tmp_path / "bank.txt").write_text(f"{EASY}\n{HARD}\n")
    arguments: list[object] = ["check", tmp_path / "bank.txt", "-o", tmp_path / "out", "--json"]
    arguments += ["--rejects", tmp_path / "bad"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Tally, "add", interrupt_after(1))
        assert run(*arguments).code == 130
    assert (tmp_path / "out.resume").exists()
    return arguments


@crossed(3, value=[None, [], {}, 1, "x", [1], [{}], [{"path": 1}]], key=KEYS)
def test_an_entry_of_another_shape_is_told(key: str, value: Any, tmp_path: Path) -> None:
    begun = begin(tmp_path)
    sidecar = tmp_path / "out.resume"
    content = json.loads(sidecar.read_text())
    if content[key] == value:
        return
    sidecar.write_text(json.dumps(content | {key: value}))
    kept = (tmp_path / "out").read_bytes()
    require_failure(run(*begun, "--resume"), str(tmp_path / "out"))
    assert (tmp_path / "out").read_bytes() == kept
    del content[key]
    sidecar.write_text(json.dumps(content))
    require_failure(run(*begun, "--resume"), str(tmp_path / "out"))


@for_each("data", [b"", b"\0" * 99, b"\xff\xfe", b"[" * 100_000, b"{}", b"1"])
def test_a_file_that_is_no_sidecar_is_told(data: bytes, tmp_path: Path) -> None:
    begun = begin(tmp_path)
    (tmp_path / "out.resume").write_bytes(data)
    require_failure(run(*begun, "--resume"), "out")


def test_generate_reads_its_seed_from_no_damaged_sidecar(tmp_path: Path) -> None:
    """It looks for the seed of the unfinished run before anything else."""
    output = tmp_path / "out"
    output.touch()
    (tmp_path / "out.resume").write_bytes(b"[" * 100_000 + b"]" * 100_000)
    require_failure(run("generate", "-n", 1, "--resume", "-o", output), f"{output}.resume")


@for_each("data", [b"\0" * 99, b"\xff\xfe\n", b"9" * 9999 + b"\tx\n", b"1\n\n2"])
def test_damaged_rejects_are_written_again(data: bytes, tmp_path: Path) -> None:
    begun = begin(tmp_path)
    (tmp_path / "bad").write_bytes(data)
    assert run(*begun, "--resume").code == 0
    assert len((tmp_path / "out").read_text().splitlines()) == 2
