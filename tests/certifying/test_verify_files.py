"""Certificates whose files are not as they were: refused, each with one clear sentence."""

import gzip
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from satdoku.certifying.certificate import read_certificate, write_certificate
from satdoku.certifying.certify import certify
from satdoku.certifying.verify import Verification, verify
from satdoku.errors import CertificateError
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.everywhere import AntiKnight
from tests.certifying.samples import PROGRAM, sample
from tests.crossing import few_or_many
from tests.each import for_each


def verify_files(path: Path) -> Verification:
    return verify(read_certificate(path), str(path.with_suffix("")))


def require_file_refusal(path: Path, words: str = ".") -> None:
    with pytest.raises(CertificateError, match=words):
        verify_files(path)


every_kind = for_each("name", ["unique 4x4", "unique 8x8", "clash", "ambiguous 4x4"])


def written(name: str, folder: Path) -> Path:
    return write_certificate(sample(name), folder, "p")


@pytest.fixture
def proven(tmp_path: Path) -> Path:
    return written("unique 8x8", tmp_path)


def edit(path: Path, change: Callable[[dict[str, Any]], object]) -> None:
    content = json.loads(path.read_text())
    change(content)
    path.write_text(json.dumps(content))


def rehash(path: Path) -> None:
    """Makes the hashes those of the files as they are now."""

    def change(content: dict[str, Any]) -> None:
        for name in content["files"]:
            data = (path.parent / name).read_bytes()
            content["files"][name] = hashlib.sha256(data).hexdigest()

    edit(path, change)


@every_kind
def test_files_as_written_verify(name: str, tmp_path: Path) -> None:
    files = written(name, tmp_path)
    before = verify_files(files)
    assert before.verdict is read_certificate(files).verdict
    rehash(files)
    assert verify_files(files) == before


@pytest.mark.parametrize("suffix", [".cnf", ".drat"])
def test_any_changed_byte_of_a_file_is_refused(suffix: str, proven: Path) -> None:
    path = proven.with_suffix(suffix)
    original, rng = path.read_bytes(), Random(suffix)
    for _ in range(150):
        data = bytearray(original)
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        path.write_bytes(data)
        require_file_refusal(proven, "not the one that was certified")


@few_or_many("most", 40, 100_000)
@pytest.mark.parametrize("suffix", [".cnf", ".drat", ".json"])
def test_a_truncated_file_is_refused(suffix: str, most: int, proven: Path) -> None:
    """Cut at every 13th character, or at about so many places where there are more."""
    path = proven.with_suffix(suffix)
    original = path.read_bytes()
    whole = len(original.rstrip())
    for length in range(0, whole, max(13, whole // most)):
        path.write_bytes(original[:length])
        require_file_refusal(proven)


def test_a_truncated_formula_with_its_hash_is_refused(proven: Path) -> None:
    path = proven.with_suffix(".cnf")
    original = path.read_bytes()
    for length in range(0, len(original), 331):
        path.write_bytes(original[:length])
        rehash(proven)
        require_file_refusal(
            proven,
            r"p\.cnf:\d+: (the formula of this puzzle has|.* is not a clause|the header promises)",
        )


@for_each("suffix", [".cnf", ".drat"])
@for_each("data", [b"\xff\xfe", b"\0", b"", b"p cnf 1 1\n1 0\n"])
def test_other_data_with_its_hash_is_refused(suffix: str, data: bytes, tmp_path: Path) -> None:
    proven = written("unique 8x8", tmp_path)
    proven.with_suffix(suffix).write_bytes(data)
    rehash(proven)
    require_file_refusal(proven)


@pytest.mark.parametrize("suffix", [".cnf", ".drat"])
def test_a_missing_file_is_named(suffix: str, proven: Path) -> None:
    proven.with_suffix(suffix).unlink()
    require_file_refusal(proven, f"p\\{suffix}: .*missing")


@pytest.mark.parametrize("suffix", [".cnf", ".drat"])
def test_a_folder_in_the_place_of_a_file_is_named(suffix: str, proven: Path) -> None:
    path = proven.with_suffix(suffix)
    path.unlink()
    path.mkdir()
    require_file_refusal(proven, "missing")


@for_each("suffix", [".gz", ".xz"])
def test_damaged_compressed_files_are_refused(suffix: str, tmp_path: Path) -> None:
    rng = Random(suffix)
    path = write_certificate(sample("unique 4x4"), tmp_path, "p", suffix)
    for name in (f"p.cnf{suffix}", f"p.drat{suffix}"):
        original = (tmp_path / name).read_bytes()
        for _ in range(30):
            (tmp_path / name).write_bytes(original[: rng.randrange(len(original))])
            rehash(path)
            require_file_refusal(path)
        (tmp_path / name).write_bytes(original)
        rehash(path)
    verify_files(path)


def test_files_swapped_between_certificates_are_refused(tmp_path: Path) -> None:
    names = ["unique 4x4", "clash", "unique 6x6"]
    paths = [
        write_certificate(sample(name), tmp_path, f"p{number}") for number, name in enumerate(names)
    ]
    for one in paths:
        for other in paths:
            if one != other:
                original = one.with_suffix(".cnf").read_bytes()
                one.with_suffix(".cnf").write_bytes(other.with_suffix(".cnf").read_bytes())
                require_file_refusal(one, "not the one that was certified")
                rehash(one)
                require_file_refusal(one, "the formula of this puzzle has")
                one.with_suffix(".cnf").write_bytes(original)
                rehash(one)
    for path in paths:
        verify_files(path)


def test_formula_and_proof_swapped_are_refused(proven: Path) -> None:
    formula, proof = proven.with_suffix(".cnf"), proven.with_suffix(".drat")
    texts = formula.read_bytes(), proof.read_bytes()
    proof.write_bytes(texts[0])
    formula.write_bytes(texts[1])
    rehash(proven)
    require_file_refusal(proven)


VALUES: list[Any] = [
    None,
    1,
    1.5,
    True,
    "",
    "x",
    "\n",
    "#",
    [],
    ["x"],
    [[]],
    {},
    {"x": 1},
    {"p.cnf": None},
]
ENTRIES = ["kind", "box", "puzzle", "verdict", "solutions", "encoding", "solver", "files"]


@every_kind
@for_each("entry", [*ENTRIES, "program"])
def test_a_missing_entry_is_refused(name: str, entry: str, tmp_path: Path) -> None:
    files = written(name, tmp_path)
    edit(files, lambda content: content.pop(entry))
    require_file_refusal(files, entry if entry != "kind" else "this is no")


@for_each("entry", [*ENTRIES, "program"])
@for_each("value", VALUES)
def test_an_entry_with_another_value_is_refused(entry: str, value: Any, tmp_path: Path) -> None:
    """But for the name of the solver: nothing depends on it."""
    proven = written("unique 8x8", tmp_path)
    edit(proven, lambda content: content.update({entry: value}))
    if entry == "solver" and isinstance(value, str):
        verify_files(proven)
    else:
        require_file_refusal(proven)


@every_kind
@for_each(
    "box", ["3x3", "2x3", "0x4", "4x0", "2x2 ", " 2x2", "02x2", "2X2", "2x2x1", "999x999", "-2x-2"]
)
def test_another_box_shape_is_refused(name: str, box: str, tmp_path: Path) -> None:
    files = written(name, tmp_path)
    edit(files, lambda content: content.update(box=box))
    require_file_refusal(files)


@every_kind
@for_each("entry", ["puzzle", "solutions"])
@for_each(
    "shape", ["{} name", "{} # comment", " {}", "{}\n", "{}\n{}", "# {}", "{}{}", "0{}", "[{}]"]
)
def test_grids_with_anything_beside_them_are_refused(
    name: str, entry: str, shape: str, tmp_path: Path
) -> None:
    files = written(name, tmp_path)

    def change(content: dict[str, Any]) -> None:
        if entry == "puzzle":
            content[entry] = shape.replace("{}", content[entry])
        else:
            content[entry] = [shape.replace("{}", text) for text in content[entry] or ["1"]]

    edit(files, change)
    require_file_refusal(files)


@for_each(
    "other", ["", ".", "..", "../p.cnf", "/etc/passwd", "a/b.cnf", "p\0.cnf", "p.json", "q.cnf"]
)
def test_other_names_of_files_are_refused(other: str, tmp_path: Path) -> None:
    proven = written("unique 8x8", tmp_path)

    def change(content: dict[str, Any]) -> None:
        content["files"][other] = content["files"].pop("p.cnf")

    edit(proven, change)
    require_file_refusal(proven)


def test_a_third_file_is_refused(proven: Path) -> None:
    (proven.parent / "more.cnf").write_bytes(b"")
    edit(
        proven, lambda content: content["files"].update({"more.cnf": hashlib.sha256().hexdigest()})
    )
    require_file_refusal(proven, "two files")


@every_kind
@for_each("entry", ["rules", "note"])
def test_an_entry_that_this_version_does_not_have_is_refused(
    name: str, entry: str, tmp_path: Path
) -> None:
    """Rules in a certificate of a classic puzzle would be claimed, and checked by nobody."""
    files = written(name, tmp_path)
    edit(files, lambda content: content.update({entry: ["rows", "columns", "boxes", "even:r1c1"]}))
    require_file_refusal(files, f"version 1 has no entry '{entry}'")


def test_an_entry_that_stands_there_twice_is_refused(proven: Path) -> None:
    text = proven.read_text().replace("{", '{"verdict": "none",', 1)
    proven.write_text(text)
    require_file_refusal(proven, "twice")


@for_each(
    "data",
    [
        b"",
        b"[]",
        b"null",
        b"1" * 5000,
        b"[" * 100_000,
        b'{"kind": "other"}',
        b'{"kind": ' + b"1" * 5000 + b"}",
        b"{} {}",
        b"not json",
        b'"satdoku certificate, version 1"',
        b"\xff",
        b"\x1f\x8b\x08\x00",
        b"\0\0",
    ],
)
def test_a_file_that_is_no_certificate_is_refused(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    path.write_bytes(data)
    require_file_refusal(path, "p.json")


def test_a_missing_certificate_is_named(tmp_path: Path) -> None:
    require_file_refusal(tmp_path / "p.json", "p.json cannot be read: No such file")


def test_rules_that_are_named_twice_are_refused(tmp_path: Path) -> None:
    """A thousand times the same rule would be worked out a thousand times."""
    puzzle = Puzzle(Grid.empty(Geometry(2, 2))).with_rules([AntiKnight()])
    path = write_certificate(certify(puzzle, PROGRAM), tmp_path, "p")
    verify_files(path)
    edit(path, lambda content: content["rules"].append("anti-knight"))
    require_file_refusal(path, "its rules are not written as certificates write them")


def test_a_file_that_unpacks_to_far_more_is_refused(tmp_path: Path) -> None:
    path = write_certificate(sample("unique 4x4"), tmp_path, "p", ".gz")
    (tmp_path / "p.drat.gz").write_bytes(gzip.compress(b"1 0\n" * (10 << 20)))
    rehash(path)
    require_file_refusal(path, "p.drat.gz unpacks to more than")
