"""`satdoku completion`: complete commands, options and names in the shell."""

import os
from pathlib import Path
from shlex import quote

import click
from click.shell_completion import get_completion_class

from satdoku.cli.options import command, quiet_option
from satdoku.errors import SatdokuError
from satdoku.files import new_file

SHELLS = ("bash", "zsh", "fish")
_VARIABLE = "_SATDOKU_COMPLETE"
# zsh knows `compdef`, which the script calls, only after `compinit`.
_COMPINIT = "(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }; "


@command()
@click.argument("action", metavar="[install]", required=False, type=click.Choice(["install"]))
@click.option(
    "--shell",
    type=click.Choice(SHELLS),
    help="The shell to complete in; by default the one that $SHELL names.",
)
@quiet_option
def completion(action: str | None, shell: str | None, quiet: bool) -> None:
    """Complete commands, options, solvers and rules in the shell when Tab is pressed.

    Prints the script for the shell. With `install`, writes the script to a file; for bash and zsh,
    it also adds a line that reads the file to .bashrc or .zshrc. Installing again changes nothing.

    \b
    satdoku completion install
    satdoku completion install --shell zsh
    satdoku completion --shell bash
    """
    shell = shell or _usual_shell()
    script = _script_for(shell)
    if action is None:
        click.echo(script)
        return
    try:
        told = _install(shell, script)
    except RuntimeError:  # raised by `Path.home`
        raise SatdokuError("the home folder is not known; set HOME to it") from None
    if not quiet:
        click.echo("\n".join([*told, f"new {shell} windows complete satdoku"]), err=True)


def _usual_shell() -> str:
    name = Path(os.environ.get("SHELL", "")).stem
    if name not in SHELLS:
        named = f"$SHELL is {name}" if name else "$SHELL is not set"
        raise click.UsageError(f"{named}; choose a shell with --shell {'|'.join(SHELLS)}")
    return name


def _script_for(shell: str) -> str:
    kind = get_completion_class(shell)
    assert kind is not None
    return (
        kind(click.get_current_context().find_root().command, {}, "satdoku", _VARIABLE)
        .source()
        .strip()
    )


def _install(shell: str, script: str) -> list[str]:
    """Write the files that are missing or old, and return what was done, a sentence each."""
    home, config, data = Path.home(), _folder("CONFIG", ".config"), _folder("DATA", ".local/share")
    if shell == "fish":
        return [_write(config / "fish" / "completions" / "satdoku.fish", script)]
    path = data / "satdoku" / f"completion.{shell}"
    begin = "" if shell == "bash" else _COMPINIT
    folder = Path(os.environ.get("ZDOTDIR") or home) if shell == "zsh" else home
    name = quote(str(path))
    line = f"{begin}[ ! -r {name} ] || . {name}  # completion of satdoku"
    return [_write(path, script), _add_line(folder / f".{shell}rc", line)]


def _folder(name: str, usual: str) -> Path:
    """Return a folder for files of a user, as freedesktop.org names them."""
    named = os.environ.get(f"XDG_{name}_HOME", "")
    return Path(named) if os.path.isabs(named) else Path.home() / usual


def _write(path: Path, script: str) -> str:
    text = f"{script}\n"
    try:
        if path.is_file() and path.read_text("utf-8") == text:
            return f"{path} is up to date"
        path.parent.mkdir(parents=True, exist_ok=True)
        with new_file(path, force=True) as file:
            file.write(text)
    except OSError as error:
        raise SatdokuError(f"{path} cannot be written: {error.strerror}") from None
    return f"{path} is written"


def _add_line(path: Path, line: str) -> str:
    """Append the line to the file, unless it is there; never rewrite the file."""
    try:
        text = path.read_text("utf-8", errors="replace") if path.exists() else ""
        if line in text.splitlines():
            return f"{path} reads it already"
        with path.open("a", encoding="utf-8", newline="\n") as file:
            file.write(f"{'' if not text or text.endswith(chr(10)) else chr(10)}{line}\n")
    except OSError as error:
        raise SatdokuError(f"{path} cannot be written: {error.strerror}") from None
    return f"{path} has a further line, which reads it"
