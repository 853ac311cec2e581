"""Options of commands that answerers declare: each field made by `asked` becomes one."""

from functools import update_wrapper
from typing import Any

import click

from satdoku.answering.asked import Option, options_of
from satdoku.cli.declaring import Whole
from satdoku.cli.options import Command, Decorator, all_of, read_text


def asked_options(kind: Any) -> Decorator:
    """The options that an answerer's class declares; the command gets their values as `asked`."""
    options = options_of(kind)

    def decorate(command: Command) -> Command:
        def collect(**values: Any) -> Any:
            asked = {name: values.pop(name) for name in options}
            return command(asked=asked, **values)

        declared = [_option_of(name, option) for name, option in options.items()]
        return all_of(declared)(update_wrapper(collect, command))

    return decorate


def _option_of(name: str, option: Option) -> Decorator:
    attributes: dict[str, Any] = {"help": option.help, "metavar": option.metavar}
    if option.is_counted:
        attributes["count"] = True
    elif option.is_flag:
        attributes["is_flag"] = True
    elif option.is_repeatable:
        attributes["multiple"] = True
    else:
        attributes |= {"type": _type_of(option), "default": option.usual, "callback": _checked}
        attributes["show_default"] = option.is_usual_shown and option.usual not in (None, "")
    return click.option(option.name, name, **attributes)


def _type_of(option: Option) -> "click.ParamType[Any] | None":
    if option.choices:
        return click.Choice(option.choices)
    return None if option.least is None else Whole(min=option.least)


def _checked(ctx: click.Context, param: click.Parameter, value: Any) -> Any:
    """A text without halves of surrogate pairs; anything else as it is."""
    return read_text(ctx, param, value) if isinstance(value, str) else value
