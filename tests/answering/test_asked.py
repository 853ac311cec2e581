"""Each option of a question is declared once, and every surface obeys the declaration."""

import ast
import inspect
import json
from pathlib import Path
from typing import Any

import click
import pytest

import satdoku
from satdoku.answering.asked import (
    FORMS,
    LIMITS,
    READING,
    SETTINGS,
    Option,
    options_of,
    read_entries,
)
from satdoku.answering.certifier import Certifier
from satdoku.answering.fact_finder import Csv, Json
from satdoku.answering.maker import Formatted, JsonFacts, Maker, Wanted
from satdoku.answering.output.ending import Ending
from satdoku.answering.output.open_file import Identity, write_sidecar
from satdoku.cli.inputs import Inputs
from satdoku.cli.main import satdoku as group
from satdoku.errors import SatdokuError
from satdoku.notation.hints import Hints
from satdoku.puzzle.puzzle import Puzzle
from satdoku.serving.facts import QUESTIONS, answerer_of
from tests.commands import SMALL, run
from tests.each import for_each

ROOT = Path(satdoku.__file__).parent

questions = for_each("question", list(QUESTIONS))


def kind_of(question: str) -> Any:
    """The class that declares the options of a command."""
    others = {"generate": Wanted, "certify": Certifier}
    return others.get(question) or answerer_of(question)


def command_named(name: str) -> click.Command:
    assert isinstance(group, click.Group)
    found = group.get_command(click.Context(group), name)
    assert found is not None
    return found


@for_each("question", [*QUESTIONS, "generate", "certify"])
def test_each_option_is_one_of_the_command_with_the_same_help(question: str) -> None:
    # `solve` asks what `check` asks, and may take any solution.
    name = "solve" if question == "check" else question
    shown = {each.name: each for each in command_named(name).params}
    for field, option in options_of(kind_of(question)).items():
        parameter = shown[field]
        assert isinstance(parameter, click.Option)
        assert (parameter.opts[-1], parameter.help) == (option.name, option.help)


@questions
def test_each_option_tells_one_run_from_another(question: str) -> None:
    kind = answerer_of(question)
    plain = kind(Json(False))
    for field, option in options_of(kind).items():
        other = kind(Json(False), **{field: _another(option)})
        assert other.options()[option.name] != plain.options()[option.name]
        assert plain.usual_options[option.name] == option.usual


def _another(option: Option) -> Any:
    if option.choices:
        return next(choice for choice in option.choices if choice != option.usual)
    if option.least is not None:
        return option.least + 1
    return {bool: True, tuple: ("r1c1",)}.get(type(option.usual), "7")


def test_each_wish_tells_one_run_from_another() -> None:
    board = Puzzle.from_line("." * 16)
    full = Puzzle.from_line("1234341221434321")
    others: dict[str, Any] = {
        "seed": "7",
        "givens": (5, 6),
        "is_fewest": True,
        "has_needed_clues": True,
        "is_minimal": False,
        "symmetry": "rotate180",
        "mask": "#... ..#. .#.. ...#",
        "start": "1234341221434321",
        "technique": "singles",
        "rating": (0, 1),
        "difficulty": "easy",
        "needed": ("x-wing",),
        "hardest": "x-wing",
        "compared": "exact",
    }
    assert others.keys() == options_of(Wanted).keys()

    def told(wanted: Wanted, is_drawn: bool = False) -> dict[str, Any]:
        request = wanted.request(full if wanted.start else board, ("killer",) if is_drawn else ())
        maker = Maker(
            request, Formatted(), wanted.ratings, distinct=wanted.distinct, needs=wanted.steps
        )
        return maker.options()

    for field, value in others.items():
        is_drawn = field == "has_needed_clues"
        other: dict[str, Any] = {"seed": "1", field: value}
        assert told(Wanted(**other), is_drawn) != told(Wanted(seed="1"), is_drawn), field


# What makes no answer another one: where it goes, who works at it and what is shown meanwhile. The
# form of the output has a name of its own, and regions and files of rules are told as rules.
_BESIDE = {
    *("--output", "--force", "--quiet", "--verbose", "--rejects", "--resume", "--progress"),
    *("--jobs", "--dask", "--with", "--portfolio", "--draw", "--html", "--plot"),
    *("--json", "--csv", "--table", "--to", "--regions", "--rules"),
}
# Of outputs that cannot be resumed or have another form, or of rows that are told or left out after
# they are made.
_BESIDE_OF = {
    "solve": {"-n", "--all", "--sat-exit-codes"},
    "check": {"--with-filename", "--junit"},  # names are told only where lines have places
    "explain": {"--brief", "--full", "--notation", "--candidates"},
    "canonical": {"--unique", "--against"},
    # A level is told as ratings, the hardest step with those that are needed.
    "generate": {"--number", "--time-limit", "--difficulty", "--hardest", "--with-steps"},
}


@for_each("question", [*QUESTIONS, "generate"])
def test_every_option_tells_runs_apart_or_is_known_to_change_no_answer(question: str) -> None:
    if question == "generate":
        request = Wanted().request(Puzzle.from_line("." * 16))
        told = Maker(request, JsonFacts()).options()
    else:
        form = Json(False)
        reading = Inputs((), None, Hints()).options()
        told = answerer_of(question)(form).options() | form.options() | reading
    options = [each for each in command_named(question).params if isinstance(each, click.Option)]
    untold = {each.opts[-1] for each in options} - told.keys() - _BESIDE
    assert untold == _BESIDE_OF.get(question, set())


def test_no_command_declares_an_option_of_an_answerer_again() -> None:
    declared = {
        option.name
        for question in QUESTIONS
        for option in options_of(answerer_of(question)).values()
    }
    declared |= {
        option.name for each in (LIMITS, SETTINGS, READING, FORMS) for option in each.values()
    }
    wishes = {option.name for option in options_of(Wanted).values()}
    again = set()
    for path in sorted((ROOT / "cli").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and _called(node) in ("option", "timeout_option"):
                names = {each.value for each in node.args if isinstance(each, ast.Constant)}
                known = wishes if path.name == "generate.py" else declared
                again |= {(path.name, name) for name in names & known}
    # Of listings and lists of solutions, of what has no puzzle as its input, and of comparisons.
    assert again == {
        ("listing.py", "--all"),
        ("solve.py", "--all"),
        *((name, "--box") for name in ("checking.py", "listing.py")),
        *((name, "--to") for name in ("checking.py", "convert.py", "export.py")),
        *(("teach.py", name) for name in ("--count", "--seed")),
        *(("bench.py", name) for name in ("--solver", "--encoding", "--at-most-one")),
    }


def _called(node: ast.Call) -> str:
    return getattr(node.func, "attr", getattr(node.func, "id", ""))


@questions
def test_facts_have_a_value_for_each_column(question: str) -> None:
    kind = answerer_of(question)
    if question == "hint":
        return  # it makes no table
    options = options_of(kind)
    given = {name: option.usual or bool(option.columns) for name, option in options.items()}
    for name, option in options.items():
        if option.columns:
            asked = {**given, **{each: each == name for each in given if options[each].columns}}
            columns = kind.columns_with(asked)
            given_only: dict[str, Any] = {name: True}
            facts = kind(Csv(columns), **given_only).facts(Puzzle.from_line(SMALL))
            if facts.ending is Ending.UNIQUE:
                assert {column.name for column in columns} <= facts.values.keys()


def test_entries_of_a_message_are_checked_as_they_are_declared() -> None:
    kind = answerer_of("minimize")
    assert read_entries(kind, {"seed": "7", "clues": True}) == {"seed": "7", "with_clues": True}
    refused: list[tuple[dict[str, Any], str]] = [
        ({"sed": "7"}, "has no entry 'sed'; there are: seed, keep"),
        ({"seed": 7}, "'seed' is a text"),
        ({"clues": 1}, "'clues' is true or false"),
        ({"limit": -1, "all": True}, "'limit' is a whole number from 0 on"),
        ({"symmetry": "upside"}, "'symmetry' is one of: none"),
        ({"all": True, "fewest": True}, "'all' and the entry 'fewest' exclude each other"),
        ({"limit": 3}, "'limit' needs the entry 'all'"),
    ]
    for message, reason in refused:
        with pytest.raises(SatdokuError, match=reason):
            read_entries(kind, message)


def test_keywords_of_the_library_are_called_as_options_are() -> None:
    own = {"puzzle", "settings", "limits", "progress", "keywords", "board", "steps"}
    # The board, and what the library calls otherwise: a way to be minimal, a full grid, ratings.
    own |= {"count", "box", "rules", "has_random_regions", "minimality", "solution", "ratings"}
    for question in (*QUESTIONS, "generate"):
        call = getattr(satdoku, question, None)
        if call is None or question in ("check", "solve"):
            continue
        entries = {option.entry: option for option in options_of(kind_of(question)).values()}
        for name, parameter in inspect.signature(call).parameters.items():
            if name not in own:
                assert name in entries, (question, name)
                usual = getattr(parameter.default, "value", parameter.default)
                # Counting in a program has no limit unless one is given.
                assert usual == entries[name].usual or name == "limit", (question, name)


@for_each(
    "arguments, options",
    list(json.loads((Path(__file__).parent / "sidecars.json").read_text()).items()),
)
def test_runs_of_earlier_versions_are_resumed(
    arguments: str, options: dict[str, Any], tmp_path: Path
) -> None:
    """The options as version 0.2.0 wrote them beside the output of these command lines."""
    puzzles, output = tmp_path / "in.txt", tmp_path / "out"
    puzzles.write_text(f"{SMALL}\n{SMALL}\n")
    command = [str(puzzles) if each == "in.txt" else each for each in arguments.split()]
    whole = tmp_path / "whole"
    assert run(*command, "-o", whole).code == 0
    first, _ = whole.read_text().splitlines(keepends=True)
    # What is resumed has to be the output of an unfinished run: begin one, and put theirs there.
    output.write_text(first)
    inputs = [] if "generate" in command else [puzzles]
    content = Identity({}, inputs).as_object(None)
    write_sidecar(output, {**content, "options": options})
    resumed = run(*command, "-o", output, "--resume")
    assert (resumed.code, output.read_text()) == (0, whole.read_text()), resumed.stderr
