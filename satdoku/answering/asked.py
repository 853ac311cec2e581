"""Options of a question besides the puzzle, each declared once.

A field of an answerer that is made by `asked` becomes an option of its command with a help text, a
checked entry of a message to the server, a part of a run's identity when the run is resumed, and
further columns of a table. So a new option is one line in the answerer.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import Field, field, fields
from enum import Enum
from itertools import chain, product
from typing import Any, NamedTuple

from satdoku.errors import OptionError, SatdokuError
from satdoku.notation.hints import Hints
from satdoku.solving.limits import Limits
from satdoku.solving.solvers import AUTOMATIC, Settings


class ColumnKind(Enum):
    """Type of the values in a column."""

    TEXT = "text"
    WHOLE = "whole number"
    DECIMAL = "decimal number"
    TRUTH = "true or false"
    WORDS = "words with spaces between them"


# JSON Schema of the same value in an object; null where nothing was found.
_SCHEMAS: Mapping[ColumnKind, Mapping[str, Any]] = {
    ColumnKind.TEXT: {"type": ["string", "null"]},
    ColumnKind.WHOLE: {"type": ["integer", "null"]},
    ColumnKind.DECIMAL: {"type": ["number", "null"]},
    ColumnKind.TRUTH: {"type": ["boolean", "null"]},
    ColumnKind.WORDS: {"type": "array", "items": {"type": "string"}},
}


class Column(NamedTuple):
    """A column that answers add to a table, and the key of the same value in a JSON object."""

    name: str
    kind: ColumnKind = ColumnKind.TEXT

    @property
    def schema(self) -> Mapping[str, Any]:
        """Return the JSON Schema of the value in an object."""
        return _SCHEMAS[self.kind]


RULES = Column("rules", ColumnKind.WORDS)
"""The column for the rules of a puzzle, in a table of any command."""


class Option(NamedTuple):
    """An option of a question: its name on the command line, its help text and its allowed values.

    `usual` is the default value: False for a flag, a tuple for a repeatable option. A value is one
    of the `choices`, if there are any; with `least`, a whole number of at least that; with
    `is_range`, the smallest and the greatest number; with `is_switch`, true or false, as the flag
    has a negative form; else a text. `columns` are added to a table if the option is given.
    """

    name: str
    help: str
    usual: Any = False
    choices: tuple[str, ...] = ()
    least: int | None = None
    metavar: str | None = None
    columns: tuple[Column, ...] = ()
    is_usual_shown: bool = True
    is_counted: bool = False
    is_range: bool = False
    is_switch: bool = False
    short: str = ""

    @property
    def entry(self) -> str:
        """Return the option's name in a message to the server, and as a keyword in Python."""
        return self.name.removeprefix("--").replace("-", "_")

    @property
    def is_flag(self) -> bool:
        return self.is_switch or isinstance(self.usual, bool)

    @property
    def is_repeatable(self) -> bool:
        return isinstance(self.usual, tuple)

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema of the entry in a message."""
        if self.is_flag:
            kind: dict[str, Any] = {"type": "boolean"}
        elif self.is_repeatable:
            kind = {"type": "array", "items": {"type": "string"}}
        elif self.is_range:
            number = {"type": "integer", "minimum": 0}
            kind = {"type": "array", "items": number, "minItems": 2, "maxItems": 2}
        elif self.choices:
            kind = {"enum": list(self.choices)}
        elif self.least is not None:
            kind = {"type": "integer", "minimum": self.least}
        else:
            kind = {"type": "string"}
        usual = list(self.usual) if self.is_repeatable else self.usual
        default = {} if self.usual is None else {"default": usual}
        return {"description": self.help, **kind, **default}

    def read(self, value: Any) -> Any:
        """Return the value of an entry of a message; raise SatdokuError if it is not allowed."""
        if not self._is_fine(value):
            raise SatdokuError(f"the entry {self.entry!r} is {self._wanted}")
        return tuple(value) if self.is_repeatable or self.is_range else value

    def _is_fine(self, value: Any) -> bool:
        if self.is_flag:
            return isinstance(value, bool)
        if self.is_range:
            is_pair = isinstance(value, list) and len(value) == 2
            return is_pair and all(_is_whole(each, 0) for each in value)
        if self.is_repeatable:
            return isinstance(value, list) and all(isinstance(each, str) for each in value)
        if self.least is not None:
            return _is_whole(value, self.least)
        return isinstance(value, str) and (not self.choices or value in self.choices)

    @property
    def _wanted(self) -> str:
        if self.is_flag:
            return "true or false"
        if self.is_range:
            return "two whole numbers, such as [20, 24]"
        if self.is_repeatable:
            return "a list of texts"
        if self.least is not None:
            return f"a whole number from {self.least} on"
        return f"one of: {', '.join(self.choices)}" if self.choices else "a text"


@contextmanager
def value_of(name: str) -> Iterator[None]:
    """Turn errors of the block, which reads the value of an option, into OptionErrors."""
    try:
        yield
    except SatdokuError as error:
        raise OptionError(str(error), name) from None


def _is_whole(value: Any, least: int) -> bool:
    # True is an int in Python, but not a number in a message.
    return type(value) is int and value >= least


def asked(name: str, help: str, usual: Any = False, **more: Any) -> Any:
    """Return a dataclass field of an answerer that is an `Option`."""
    option = Option(name, help, usual, **more)
    return field(default=usual, kw_only=True, metadata={"option": option})


def options_of(answerer: Any) -> dict[str, Option]:
    """Return the options of an answerer, or of its class, by field name."""
    return {each.name: each.metadata["option"] for each in _asked_fields(answerer)}


def _asked_fields(answerer: Any) -> Iterator[Field[Any]]:
    return (each for each in fields(answerer) if "option" in each.metadata)


def values_of(answerer: Any) -> dict[str, Any]:
    """Return the value of each option of an answerer, by option name."""
    return {option.name: getattr(answerer, name) for name, option in options_of(answerer).items()}


LIMITS = {
    "timeout": Option(
        "--timeout",
        "Time limit for each puzzle, including reading it; a slower puzzle is undecided.",
        None,
        metavar="SECONDS",
    ),
    "conflicts": Option(
        "--conflicts",
        "Limit on the solver's conflicts for each puzzle; one that needs more is undecided.",
        None,
        least=1,
        metavar="N",
    ),
}
"""The options of all questions with limits, by the fields of `Limits`."""

SETTINGS = {
    "solver": Option(
        "--solver",
        "A solver of python-sat by name, or by family: cadical, glucose, minisat, ...; "
        "`satdoku solvers` lists all. auto begins with minicard or gluecard4.",
        AUTOMATIC,
        metavar="NAME",
    ),
    "encoding": Option("--encoding", "Encoding of the rules; see `satdoku encodings`.", None),
    "at_most_one": Option("--at-most-one", "", None),
    "seed": Option(
        "--seed",
        "Seed of the randomized methods for boards above 25x25.",
        0,
        least=0,
    ),
}
"""The options of all questions to solvers that change an answer, by the fields of `Settings`."""


READING = {
    "format_name": Option(
        "--from",
        "Format of the input; detected if not given. paste: a board with other text around it.",
        None,
    ),
    "geometry": Option(
        "--box",
        "Box shape, if the text does not show it: 2x3 is two rows by three columns.",
        None,
        metavar="RxC",
    ),
    "alphabet": Option(
        "--alphabet",
        "Symbols of the digits: 1 for 1-9A-Z, 0 for 0-9A-Z, A for A-Z, numbers, or all in order.",
        None,
        metavar="ALPHABET",
    ),
    "column": Option(
        "--column",
        "CSV column or JSON key of the puzzles; data.puzzle is the key puzzle within data.",
        None,
        metavar="NAME|INDEX",
    ),
    "solution_column": Option(
        "--solution-column",
        "CSV column or JSON key with known solutions to compare with.",
        None,
        metavar="NAME|INDEX",
    ),
    "rules_column": Option(
        "--rules-column",
        "CSV column or JSON key with the rules of each puzzle (default: rules); none ignores them.",
        None,
        metavar="NAME|none",
    ),
    "rules": Option(
        "--rule",
        "A further rule for all puzzles, such as anti-knight; see `satdoku rules`.",
        None,
        metavar="NAME[:ARGUMENT]",
    ),
}
"""The options that change how puzzles are read, by the fields of `Hints`, and the format."""

FORMS = {
    "has_statistics": Option(
        "--stats",
        "Add time and statistics to --json; by default for a single puzzle only.",
        None,
        is_switch=True,
    ),
    "to": Option("--to", "Format of the grids; by default that of the input.", None),
}
"""The options of forms of output, by the fields of the forms."""


def reading_values(format_name: str | None, hints: Hints) -> dict[str, Any]:
    """Return the values of the options that say how to read puzzles, by option name."""
    values = {
        "format_name": format_name,
        "geometry": hints.geometry and str(hints.geometry),
        "alphabet": hints.alphabet and hints.alphabet.name,
        "rules": " ".join(hints.rules) or None,
    }
    return {
        option.name: values[name] if name in values else getattr(hints, name)
        for name, option in READING.items()
    }


def limit_values(limits: Limits) -> dict[str, Any]:
    """Return the limits by option name."""
    return {option.name: getattr(limits, name) for name, option in LIMITS.items()}


def setting_values(settings: Settings) -> dict[str, Any]:
    """Return the settings by option name, limits included."""
    values = {
        "solver": settings.engine,
        "encoding": settings.encoding.value,
        "at_most_one": settings.at_most_one and settings.at_most_one.value,
        "seed": settings.seed,
    }
    named = {option.name: values[name] for name, option in SETTINGS.items()}
    return named | limit_values(settings.limits)


def read_entries(kind: Any, message: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of an answerer for a message's entries, such as {"steps": true}.

    Raise SatdokuError for an entry that this question does not have, that has the wrong type, or
    that excludes another one.
    """
    options = options_of(kind)
    known = {option.entry: name for name, option in options.items()}
    found = {}
    for entry, value in message.items():
        if entry not in known:
            there_are = f"there are: {', '.join(known)}" if known else "it has none"
            raise SatdokuError(f"this question has no entry {entry!r}; {there_are}")
        name = known[entry]
        found[name] = options[name].read(value)
    given = {options[name].name: value for name, value in found.items() if value not in (False, ())}
    shown = {name: _called(name) for name in given}
    shown |= {f"{name}={value}": f"{shown[name]} {value!r}" for name, value in given.items()}
    lacking = find_lacking(shown, kind.needs, _called)
    for refusal in chain(find_excluded(shown, kind.excludes), lacking):
        raise SatdokuError(refusal)
    return found


def _called(name: str) -> str:
    return f"the entry {name.removeprefix('--').replace('-', '_')!r}"


Row = tuple[str, str, str]
"""Options, the options that they exclude or need, and the reason; `--name=value` means that value.

Options of one side are separated by spaces.
"""


def find_excluded(shown: Mapping[str, str], rows: Iterable[Row]) -> Iterator[str]:
    """Yield an error for each row with options on both sides; `shown` are all options given."""
    for these, those, why in rows:
        # Compare pair by pair, so that the message names the two options that were typed.
        for first, second in product(these.split(), those.split()):
            if first in shown and second in shown:
                reason = f": {why}" if why else ""
                yield f"{shown[first]} and {shown[second]} exclude each other{reason}"


def find_lacking(
    shown: Mapping[str, str], rows: Iterable[Row], call: Callable[[str], str] = str
) -> Iterator[str]:
    """Yield an error for each given option that lacks all of the options that it needs.

    `call` returns the name by which the message refers to an option that was not given.
    """
    for these, those, why in rows:
        for first in these.split():
            if first in shown and shown.keys().isdisjoint(those.split()):
                needed = " or ".join(map(call, those.split()))
                yield f"{shown[first]} needs {needed}: {why}"
