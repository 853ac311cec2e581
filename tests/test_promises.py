"""What docs/promises.md promises for 1.x is kept: options, names, objects, certificates, seeds.

`python -m pytest tests/test_promises.py --regenerate-golden` adds what is new to the files in
`promises/`. Whatever it takes out of them, or changes, breaks a promise.
"""

import inspect
import json
import re
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Any

import click
import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

import satdoku
from satdoku.certifying.certificate import read_certificate
from satdoku.cli.exit_codes import ExitCode
from satdoku.cli.main import satdoku as group
from satdoku.cli.schemas import NAMES, VERSION, write_schema
from satdoku.rating.rating import DEFINITION
from tests.commands import AMBIGUOUS, CLASHING, EASY, SMALL, SMALL_SOLUTION, run
from tests.each import for_each

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
GOLDEN = Path(__file__).parent / "promises"
CONTEXT = click.Context(group, info_name="satdoku")


def kept(name: str, found: list[str], request: pytest.FixtureRequest) -> list[str]:
    """Return the lines of a golden file, which is first written anew where that is asked for."""
    path = GOLDEN / name
    if request.config.getoption("--regenerate-golden"):
        path.write_text("\n".join(found) + "\n", "utf-8")
    return path.read_text("utf-8").splitlines()


def options() -> Iterator[str]:
    for name in group.list_commands(CONTEXT):
        command = group.get_command(CONTEXT, name)
        assert command is not None
        for parameter in command.params:
            if not isinstance(parameter, click.Option):
                continue
            yield from (f"{name} {each}" for each in (*parameter.opts, *parameter.secondary_opts))
            if isinstance(parameter.type, click.Choice):
                yield from (f"{name} {parameter.opts[0]} {each}" for each in parameter.type.choices)


def test_options_and_exit_codes_stay(request: pytest.FixtureRequest) -> None:
    found = [*options(), *(f"exit {code.value} {code.name}" for code in ExitCode)]
    assert [line for line in kept("options.txt", found, request) if line not in found] == []


_BUILT_IN = (tuple, int, Exception)


def names() -> Iterator[str]:
    """The public names, with parameters, members and those attributes that pages tell of."""
    pages = [DOCS / "api.md", DOCS / "embedding.md", DOCS / "tutorials" / "python.md"]
    text = "".join(page.read_text("utf-8") for page in pages)
    told = set(re.findall(r"[.`(](\w+)|(?<=, )(\w+)=", text))
    told = {word for pair in told for word in pair}
    for name in satdoku.__all__:
        value = getattr(satdoku, name)
        yield name
        if not inspect.isclass(value):
            if callable(value):
                yield from (f"{name}({each})" for each in inspect.signature(value).parameters)
            continue
        if issubclass(value, Enum):
            yield from (f"{name}.{each.name}={each.value}" for each in value)
            continue
        fields = {*getattr(value, "__dataclass_fields__", ()), *getattr(value, "_fields", ())}
        # A name that only subclasses define.
        fields |= inspect.get_annotations(value).keys()
        fields |= set(dir(value)) - {each for base in _BUILT_IN for each in dir(base)}
        own = sorted(each for each in fields if not each.startswith("_") and each in told)
        yield from (f"{name}.{each}" for each in own)


def test_names_of_the_library_stay(request: pytest.FixtureRequest) -> None:
    found = list(names())
    assert [line for line in kept("names.txt", found, request) if line not in found] == []


def test_no_public_name_is_a_module_or_begins_with_an_underscore() -> None:
    assert not [name for name in satdoku.__all__ if name.startswith("_")]
    assert not [name for name in satdoku.__all__ if inspect.ismodule(getattr(satdoku, name))]


REGISTRY: Registry[Any] = Registry().with_resources(
    (schema["$id"], Resource.from_contents(schema))
    for path in DOCS.glob("*.schema.json")
    for schema in [json.loads(path.read_text("utf-8"))]
)


@for_each("name", NAMES)
def test_a_schema_is_what_is_declared(name: str) -> None:
    """If not, `python -m satdoku.cli.schemas docs` makes it so."""
    assert (DOCS / f"{name}.schema.json").read_text("utf-8") == write_schema(name)


def test_every_schema_has_its_version() -> None:
    for path in DOCS.glob("*.schema.json"):
        assert json.loads(path.read_text("utf-8"))["$id"] == f"satdoku/{VERSION}/{path.name}"


def faults(name: str, found: dict[str, Any]) -> list[str]:
    """What the schema says against an object; keys that it does not tell of are faults too."""
    schema = json.loads((DOCS / f"{name}.schema.json").read_text("utf-8"))
    strict = {**schema, "additionalProperties": False}
    validator = Draft202012Validator(strict, registry=REGISTRY)
    return [error.message for error in validator.iter_errors(found)]


MANY = f"{SMALL}\n{AMBIGUOUS}\n{'11' + AMBIGUOUS[2:]}\n{SMALL[:9]}\n"
ANSWERS = f"{SMALL_SOLUTION}\n1\nr1c1=1\n{SMALL_SOLUTION}\n"
GIVEN: dict[str, list[list[str]]] = {
    "check": [["-"], ["--rule", "anti-knight", "-"], ["--stats", EASY]],
    "solve": [["-"], ["--any", "-"]],
    "count": [["-"], ["--limit", "3", "-"]],
    "rate": [["-"], ["--steps", "--estimate", EASY]],
    "minimize": [["-"], ["--all", SMALL], ["--fewest", SMALL], ["--redundant", SMALL], [CLASHING]],
    "canonical": [["-"], ["--how", SMALL], ["--of", "solution", "-"]],
    "augment": [["--times", "2", "--how", "-"]],
    "generate": [
        ["--seed", "1", "--box", "2x2", "-n", "2", "--with-solution"],
        ["--seed", "1", "--box", "2x2", "--fewest"],
        ["--seed", "1", "--box", "2x2", "--with-steps"],
        ["--seed", "1", "--box", "2x2", "--rating", "9", "--conflicts", "1"],
    ],
    "teach": [["full-house", SMALL]],
    "rules": [[]],
    "solvers": [[]],
    "encodings": [["--size", "4"]],
}


def printed(command: str, given: list[str]) -> list[dict[str, Any]]:
    """The objects that a command prints."""
    result = run(command, "--json", *given, stdin=MANY)
    return [json.loads(line) for line in result.lines]


@for_each("command, given", [(name, given) for name, runs in GIVEN.items() for given in runs])
def test_what_is_printed_fits_the_schema(command: str, given: list[str]) -> None:
    found = printed(command, given)
    assert found
    assert [(each, fault) for each in found for fault in faults(command, each)] == []


def judged(command: str, folder: Path) -> list[dict[str, Any]]:
    """The objects of a command that compares puzzles with answers."""
    (folder / "puzzles.txt").write_text(MANY)
    (folder / "answers.txt").write_text(ANSWERS)
    result = run(command, "--json", folder / "puzzles.txt", folder / "answers.txt")
    return [json.loads(line) for line in result.lines]


@for_each("command", ["grade", "judge"])
def test_grades_and_judgements_fit_their_schema(command: str, tmp_path: Path) -> None:
    found = judged(command, tmp_path)
    assert len(found) == 4
    assert [(each, fault) for each in found for fault in faults(command, each)] == []


TABLES = ["check", "count", "rate", "minimize", "canonical", "augment"]


@for_each("command", TABLES)
def test_the_columns_of_a_table_are_those_of_the_schema(command: str) -> None:
    schema = json.loads((DOCS / f"{command}.schema.json").read_text("utf-8"))
    more = {"rate": ["--steps", "--estimate"], "augment": ["--how"], "minimize": ["--fewest"]}
    more["count"] = ["--estimate"]
    header = run(command, "--csv", *more.get(command, []), SMALL).lines[0].split(",")
    columns = [each for each in schema["columns"] if each != "redundant"]
    assert [each for each in header if each in columns] == columns
    assert set(header) - set(columns) <= {"line", "puzzle"}


_OPEN = "any"
# Which of several solutions is shown, and how something is worded, may change.
_LOOSE = ("reason", "witnesses", "conflicts", "solution", "second", "differences")
_COSTS = ("solver", "encoding", "seconds", "statistics")


def promised(found: dict[str, Any]) -> dict[str, Any]:
    """What of an object no version changes."""
    loose = _LOOSE[: 3 if found.get("verdict", "unique") == "unique" else None]
    kept = {key: value for key, value in found.items() if key not in _COSTS}
    return {key: _OPEN if key in loose else value for key, value in kept.items()}


def is_within(old: Any, new: Any) -> bool:
    """Whether the new value says all that the old one says; objects may have further keys."""
    if isinstance(old, dict) and isinstance(new, dict):
        return all(key in new and is_within(value, new[key]) for key, value in old.items())
    return old == _OPEN or bool(old == new)


STABLE = ["check", "solve", "count", "rate", "minimize", "canonical", "augment", "generate"]
_UNSTABLE = {"--stats", "--with-steps", "--conflicts", EASY}


def test_objects_only_get_further_keys(request: pytest.FixtureRequest) -> None:
    found = [
        json.dumps({"run": [name, *given], "objects": list(map(promised, printed(name, given)))})
        for name in STABLE
        for given in GIVEN[name]
        if _UNSTABLE.isdisjoint(given)
    ]
    for line in kept("objects.jsonl", found, request):
        (name, *given), before = json.loads(line).values()
        now = printed(name, given)
        assert len(now) == len(before), line
        assert [pair for pair in zip(before, now, strict=True) if not is_within(*pair)] == []


CERTIFIED = {
    "unique": [SMALL],
    "none": [AMBIGUOUS, "--rule", "arrow:r1c1=r2c2,r3c3", "--lrat"],
    "multiple": [AMBIGUOUS],
    "count": ["1.....3.........", "--count"],
    "candidates": ["1.....3.........", "--candidates"],
}


@for_each("name", CERTIFIED)
def test_certificates_of_all_versions_hold(name: str, request: pytest.FixtureRequest) -> None:
    folder = GOLDEN / "certificates" / name
    if request.config.getoption("--regenerate-golden") and not folder.exists():
        assert run("certify", *CERTIFIED[name], "-d", folder, "-q").code in (0, 10, 20)
    assert run("verify", "-q", folder).code == 0
    [path] = folder.glob("*.json")
    assert read_certificate(path).puzzle.geometry.size == 4


def test_ratings_tell_their_definition() -> None:
    assert DEFINITION in (DOCS / "promises.md").read_text("utf-8")
    [rated], [made] = printed("rate", [SMALL]), printed("generate", ["--seed", "1"])
    assert rated["definition"] == made["definition"] == DEFINITION


def test_ratings_of_a_definition_stay(request: pytest.FixtureRequest) -> None:
    files = sorted((ROOT / "benchmarks" / "puzzles").iterdir())
    lines = [line for file in files for line in file.read_text("ascii").splitlines()[:8]]
    puzzles = "".join(f"{line}\n" for line in lines)
    rated = run("rate", "-", stdin=puzzles).lines
    found = [f"{puzzle[:81]} {rating}" for puzzle, rating in zip(lines, rated, strict=True)]
    assert kept("ratings.txt", [DEFINITION, *found], request) == [DEFINITION, *found]


def test_the_page_names_every_golden_file() -> None:
    page = (DOCS / "promises.md").read_text("utf-8")
    assert all(f"`{path.name}`" in page for path in GOLDEN.iterdir())
