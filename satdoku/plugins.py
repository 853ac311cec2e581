"""Rules and formats of other packages, which name them by entry points.

A package with this in its `pyproject.toml` has a rule that `--rule fast-thermo:CELLS` asks for:

    [project.entry-points."satdoku.rules"]
    fast-thermo = "its_module:FastThermo"

Formats are in the group `satdoku.formats`. Entry points are read only for names that satdoku itself
does not have, as reading them takes longer than solving a puzzle.
"""

from functools import cache
from typing import TYPE_CHECKING, TypeVar

from satdoku.errors import SatdokuError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

_RULES = "satdoku.rules"
_FORMATS = "satdoku.formats"
_WORD = {_RULES: "rule", _FORMATS: "format"}

Kind = TypeVar("Kind")


def rule_of_packages(name: str, base: type[Kind]) -> type[Kind] | None:
    """Return the rule that another package has under that name; None if no package has one.

    The rule must be a subclass of `base`; otherwise a SatdokuError names its package.
    """
    return _find(_RULES, name, base)


def format_of_packages(name: str, base: type[Kind]) -> type[Kind] | None:
    """Return the format that another package has under that name; see `rule_of_packages`."""
    return _find(_FORMATS, name, base)


def rule_names_of_packages() -> list[str]:
    """Return the names of all rules of other packages; loading one may still fail."""
    return sorted(_entries(_RULES))


def has_rule(name: str) -> bool:
    """Return whether a package has a rule of that name; loading it may still fail."""
    return name in _entries(_RULES)


def has_format(name: str) -> bool:
    """Return whether a package has a format of that name; loading it may still fail."""
    return name in _entries(_FORMATS)


def _find(group: str, name: str, base: type[Kind]) -> type[Kind] | None:
    entries = _entries(group).get(name, ())
    if len(entries) > 1:
        packages = " and ".join(sorted(map(_package_of, entries)))
        raise SatdokuError(f"{packages} both have a {_WORD[group]} {name}; uninstall one of them")
    for entry in entries:
        kind = _loaded(entry)
        if not isinstance(kind, type) or not issubclass(kind, base):
            fault = f"it is no class made from {base.__module__}.{base.__name__}"
        else:
            fault = _fault_of(kind, name)
            if not fault:
                return kind
        raise SatdokuError(f"{_told(entry)} cannot be used: {fault}")
    return None


@cache
def _entries(group: str) -> "dict[str, tuple[EntryPoint, ...]]":
    """Return the entry points of a group, by name."""
    from importlib.metadata import entry_points  # slow to import, and few names are unknown

    found: dict[str, tuple[EntryPoint, ...]] = {}
    for entry in entry_points(group=group):
        found[entry.name] = (*found.get(entry.name, ()), entry)
    return found


def _loaded(entry: "EntryPoint") -> object:
    try:
        return entry.load()
    except Exception as error:  # a foreign file may raise anything
        raise SatdokuError(f"{_told(entry)} cannot be imported: {_said(error)}") from error


def _fault_of(kind: type, name: str) -> str:
    """Return what is wrong with a class of another package; empty if nothing is."""
    missing = sorted(getattr(kind, "__abstractmethods__", ()))
    if missing:
        return f"its class {kind.__name__} has no {missing[0]}"
    if getattr(kind, "name", "") != name:
        return f"its class {kind.__name__} has another name, {getattr(kind, 'name', '')!r}"
    return ""


def _told(entry: "EntryPoint") -> str:
    return f"the {_WORD[entry.group]} {entry.name} of the package {_package_of(entry)}"


def _package_of(entry: "EntryPoint") -> str:
    return entry.dist.name if entry.dist else entry.value.partition(".")[0]


def fault_of_package(error: BaseException) -> str:
    """Return a sentence about an error raised by the code of another package; empty for others.

    The package is the one with the innermost call, among packages with rules or formats.
    """
    entries = [entry for group in _WORD for each in _entries(group).values() for entry in each]
    packages = {_top_module(entry.module): _package_of(entry) for entry in entries}
    frames, told = error.__traceback__, ""
    while frames is not None and packages:
        package = packages.get(_top_module(frames.tb_frame.f_globals.get("__name__", "")))
        if package is not None:
            place = f"{frames.tb_frame.f_code.co_filename}, line {frames.tb_lineno}"
            told = f"the package {package} failed at {place}: {_said(error)}"
        frames = frames.tb_next
    return told


def _top_module(name: str) -> str:
    return name.partition(".")[0]


def _said(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())
