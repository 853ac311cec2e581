"""JSON Schemas of the objects that commands print, made from what answerers and lists declare.

`python -m satdoku.cli.schemas docs` writes them. Those of explanations, hints, true candidates and
the page's API, whose parts depend on each other, are written by hand.
"""

import json
import re
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

from satdoku.answering.answerer import PuzzleAnswerer
from satdoku.answering.asked import options_of
from satdoku.answering.checker import Checker
from satdoku.answering.counter import Counter, Narrower
from satdoku.answering.grader import Grader, JudgeOfClaims
from satdoku.answering.maker import COLUMNS as COLUMNS_OF_MAKER
from satdoku.answering.maker import KEYS as KEYS_OF_MAKER
from satdoku.answering.output.ending import Ending
from satdoku.answering.rater import Rater
from satdoku.answering.reducer import Reducer
from satdoku.answering.twins import Augmenter, CanonicalFinder
from satdoku.cli.commands.listing import EncodingEntry, RuleEntry, SolverEntry
from satdoku.cli.commands.teach import KEYS as KEYS_OF_LESSON
from satdoku.notation.outcomes import COLUMNS, PUZZLE_KEYS

VERSION = 1
"""The version of all schemas: within a version, keys are added, but none is removed or changed."""

_ANSWERERS: Mapping[str, type[PuzzleAnswerer]] = {
    "check": Checker,
    "solve": Checker,
    "count": Counter,
    "rate": Rater,
    "minimize": Reducer,
    "narrow": Narrower,
    "canonical": CanonicalFinder,
    "grade": Grader,
    "judge": JudgeOfClaims,
    "augment": Augmenter,
}
_ENTRIES: Mapping[str, type] = {
    "rules": RuleEntry,
    "encodings": EncodingEntry,
    "solvers": SolverEntry,
}
NAMES = (*_ANSWERERS, "generate", "teach", *_ENTRIES)
"""The commands whose schemas are made here."""


def schema_of(command: str) -> dict[str, Any]:
    """Return the schema of an object that the command prints with --json.

    Its keyword `columns` names the columns of a table, those of options last.
    """
    if command in _ENTRIES:
        return _headed(command, _of_type(_ENTRIES[command]))
    if command == "teach":
        return _headed(command, _with_keys(KEYS_OF_LESSON, KEYS_OF_LESSON))
    if command == "generate":
        found = _with_keys(KEYS_OF_MAKER, ("index", "puzzle", "seed"))
        further = ["within", "solution"]
        return _headed(command, {**found, "columns": [*COLUMNS_OF_MAKER, *further]})
    return _headed(command, _of_answerer(_ANSWERERS[command]))


def _headed(command: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"satdoku/{VERSION}/{command}.schema.json",
        "title": f"An object of `satdoku {command} --json`",
        **schema,
    }


def _of_answerer(answerer: type[PuzzleAnswerer]) -> dict[str, Any]:
    options = [column for option in options_of(answerer).values() for column in option.columns]
    columns = [*answerer.columns, *options]
    endings = answerer.endings | {Ending.UNDECIDED, Ending.UNREADABLE, Ending.FAULT}
    keys = {
        "line": {"type": "integer", "description": "where the record begins in its source"},
        **PUZZLE_KEYS,
        "verdict": {"enum": [ending.value for ending in Ending if ending in endings]},
        **{column.name: column.schema for column in columns},
        **answerer.keys,
        "reason": {"type": "string", "description": "the evidence, or what is wrong; may be empty"},
    }
    names = [column.name for column in columns]
    in_table = list(COLUMNS) if answerer is Checker else ["verdict", *names, "reason"]
    told = "The keys of a record that was an object stand before these and may have other types."
    return {
        "description": told,
        **_with_keys(keys, ("verdict", "reason")),
        "columns": in_table,
    }


def _with_keys(keys: Mapping[str, Any], required: Iterable[str]) -> dict[str, Any]:
    return {"type": "object", "required": list(required), "properties": dict(keys)}


def _of_type(kind: Any) -> dict[str, Any]:
    """Return the schema of a value of this type: a NamedTuple is an object."""
    simple = {str: "string", int: "integer", bool: "boolean", NoneType: "null"}
    if kind in simple:
        return {"type": simple[kind]}
    inner = list(map(_of_type, get_args(kind)))
    if get_origin(kind) is UnionType:
        return {"type": [each["type"] for each in inner]}
    if get_origin(kind) is dict:
        return {"type": "object", "additionalProperties": inner[1]}
    if get_origin(kind) is list:
        return {"type": "array", "items": inner[0]}
    keys = {name: _of_type(hint) for name, hint in get_type_hints(kind).items()}
    told = " ".join((kind.__doc__ or "").split())
    return {"description": told, **_with_keys(keys, keys)}


def write_schema(command: str) -> str:
    """Return the text of the schema's file, with each list of words on one line."""
    text = json.dumps(schema_of(command), indent=2)
    return (
        re.sub(r"\[\s+([^\[\]{}]+?)\s+\]", lambda found: f"[{' '.join(found[1].split())}]", text)
        + "\n"
    )


if __name__ == "__main__":
    for name in NAMES:
        path = Path(sys.argv[1], f"{name}.schema.json")
        path.write_text(write_schema(name), "utf-8", newline="\n")
