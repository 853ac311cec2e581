"""Frozen dataclasses without generated code, and how their objects are displayed.

`dataclass` generates and compiles source text for each class, which takes as long as importing five
small modules. A check of one puzzle needs a dozen such classes; generating them was a tenth of its
time. Here all classes share a few functions. Type checkers, `dataclasses.replace` and subclasses
see ordinary dataclasses.

`picture/` defines how a board looks, as text or as HTML. As it imports this package and not the
other way round, each class that displays itself looks up its printer in a table here, which
`satdoku.api` fills.
"""

from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, fields
from inspect import Parameter, Signature
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, NoReturn

__all__ = ["value"]


def _value(*, frozen: bool, repr: bool = True) -> Callable[[type], type]:
    """Return a decorator like `dataclass` for immutable values; `frozen` is for type checkers."""
    assert frozen
    return lambda kind: _made_value(kind, repr)


# The two branches name the function differently, since the site builder reads both.
if TYPE_CHECKING:
    from dataclasses import dataclass as value
else:
    value = _value


def _made_value(kind: type, has_repr: bool) -> type:
    own = kind.__dict__
    kind.__dataclass_fields__ = _fields_of(kind)  # type: ignore[attr-defined]
    kind.__dataclass_params__ = _FROZEN  # type: ignore[attr-defined]
    found = fields(kind)
    compared = [field.name for field in found if field.compare]
    shown = [field.name for field in found if field.repr]
    read = attrgetter(*compared) if compared else _nothing
    methods: dict[str, object] = {
        "__eq__": _equal_by(read),
        "__hash__": lambda self: hash(read(self)),
        "__setattr__": _refuse_change,
        "__delattr__": _refuse_change,
        "__match_args__": tuple(field.name for field in found if not field.kw_only),
    }
    if has_repr:
        methods["__repr__"] = _show_by(shown)
    if "__init__" not in own:
        methods["__init__"] = _set_by(found, hasattr(kind, "__post_init__"))
        kind.__signature__ = _LateSignature(found)  # type: ignore[attr-defined]
    for name, method in methods.items():
        if own.get(name) is None:
            setattr(kind, name, method)
    return kind


def _fields_of(kind: type) -> dict[str, Field[Any]]:
    """Return the fields of a class after those of its bases; replace each `field()` by its default.

    `dataclass` reads the fields from a class without bases. It would generate code for a class
    with frozen bases.
    """
    found: dict[str, Field[Any]] = {}
    for base in kind.__mro__[:0:-1]:
        found |= getattr(base, "__dataclass_fields__", {})
    types = {
        name: each
        for name, each in kind.__annotations__.items()
        if name in found or getattr(each, "__origin__", None) is not ClassVar
    }
    if not types:
        return found
    stated = {name: getattr(kind, name) for name in types if hasattr(kind, name)}
    # Without a docstring, `dataclass` would compute one from the signature.
    stated |= {"__doc__": kind.__doc__ or "-"}
    stated |= {"__annotations__": types, "__module__": kind.__module__}
    apart: Any = dataclass(init=False, repr=False, eq=False)(type(kind.__name__, (), stated))
    for name, given in stated.items():
        if not isinstance(given, Field):
            continue
        if name in apart.__dict__:
            setattr(kind, name, apart.__dict__[name])
        else:
            delattr(kind, name)
    found |= apart.__dataclass_fields__
    return found


@dataclass(init=False, repr=False, eq=False)
class _Unchanged:
    """A dataclass without fields, whose parameters all values share."""


# Marked as frozen, so that dataclasses that inherit from a value may be frozen, too.
_FROZEN = _Unchanged.__dataclass_params__  # type: ignore[attr-defined]
_FROZEN.frozen = True


def _nothing(_: object) -> tuple[()]:
    return ()


def _set_by(found: tuple[Field[Any], ...], has_more: bool) -> Callable[..., None]:
    names = frozenset(field.name for field in found)
    placed = tuple(field.name for field in found if not field.kw_only)
    usual = {field.name: field.default for field in found if field.default is not MISSING}
    makers = {
        field.name: field.default_factory for field in found if field.default_factory is not MISSING
    }
    least = sum(name not in usual for name in placed)
    # Whether positional arguments alone can set all fields without further work.
    is_quick = not makers and names == {*placed[:least], *usual}

    def __init__(self: Any, *args: Any, **named: Any) -> None:
        # Fast path for the usual call; some classes are made several times per puzzle.
        if is_quick and not named and least <= len(args) <= len(placed):
            self.__dict__.update(usual)
            self.__dict__.update(zip(placed, args))  # noqa: B905 - the others are usual
            if has_more:
                self.__post_init__()
            return
        given = dict(zip(placed, args))  # noqa: B905 - too many are told below
        if len(args) > len(placed) or not given.keys().isdisjoint(named):
            raise TypeError(f"{type(self).__name__} takes each of {', '.join(placed)} once")
        given |= named
        values = usual | given
        if len(values) < len(names):
            values |= {name: make() for name, make in makers.items() if name not in given}
        if values.keys() != names:
            wrong = ", ".join(sorted(values.keys() ^ names))
            raise TypeError(f"{type(self).__name__} lacks {wrong}, or does not know it")
        # Written past `__setattr__`, which raises an error.
        self.__dict__.update(values)
        if has_more:
            self.__post_init__()

    return __init__


def _equal_by(read: Callable[[Any], Any]) -> Callable[[Any, Any], Any]:
    def __eq__(self: Any, other: object) -> Any:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return read(self) == read(other)

    return __eq__


def _show_by(names: list[str]) -> Callable[[Any], str]:
    def __repr__(self: Any) -> str:
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{type(self).__qualname__}({shown})"

    return __repr__


def _refuse_change(self: Any, name: str, *_: Any) -> NoReturn:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


class _LateSignature:
    """The signature of a class, made when `help` or `inspect` first reads it."""

    def __init__(self, found: tuple[Field[Any], ...]) -> None:
        self._found = found

    def __get__(self, _: Any, kind: Any) -> Signature:
        parameters = []
        for field in self._found:
            place = Parameter.KEYWORD_ONLY if field.kw_only else Parameter.POSITIONAL_OR_KEYWORD
            default = field.default if field.default is not MISSING else field.default_factory
            default = Parameter.empty if default is MISSING else default
            parameters.append(Parameter(field.name, place, default=default, annotation=field.type))
        return Signature(sorted(parameters, key=lambda each: each.kind))


class Printer(NamedTuple):
    """Two functions that display objects of a class: for `print`, and for a notebook."""

    text: Callable[[Any], str]
    html: Callable[[Any], str]


# Most characters on a line: enough for a 9x9 board with its constructor; longer lines wrap twice on
# most screens.
_LONGEST_LINE = 110

_PRINTERS: dict[type, Printer] = {}
# Functions that register printers; called at the first display because they import much.
_BRINGERS: list[Callable[[], None]] = []


def show_by(kind: type, printer: Printer) -> None:
    """Register the printer for objects of a class."""
    _PRINTERS[kind] = printer


def show_later(bring: Callable[[], None]) -> None:
    """Register a function that calls `show_by`; it runs before the first object is displayed."""
    _BRINGERS.append(bring)


def fit_line(written: str, shortened: str) -> str:
    """Return `written`, which makes an object again, if it fits on a line, else `shortened`."""
    return written if len(written) <= _LONGEST_LINE else shortened


class Shown:
    """Base of classes that display themselves by a printer, or by `repr` if none is registered."""

    __slots__ = ()

    def __str__(self) -> str:
        printer = _printer_of(type(self))
        return repr(self) if printer is None else printer.text(self)

    def _repr_html_(self) -> str | None:
        """Return HTML for notebooks; None makes them show the text."""
        printer = _printer_of(type(self))
        return None if printer is None else printer.html(self)


def _printer_of(kind: type) -> Printer | None:
    for bring in _BRINGERS:
        bring()
    _BRINGERS.clear()
    return _PRINTERS.get(kind)
