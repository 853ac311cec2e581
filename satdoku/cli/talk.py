"""What goes to stderr."""

import click

from satdoku.errors import SatdokuError


class Talk:
    """Messages for people; remembers whether something was refused."""

    def __init__(self, is_quiet: bool = False) -> None:
        self.is_quiet = is_quiet
        self.has_refused = False

    def say(self, message: str) -> None:
        """Something that a person may want to know."""
        if not self.is_quiet:
            click.echo(message, err=True)

    def refuse(self, error: SatdokuError) -> None:
        """Something that could not be read or done; the run goes on without it."""
        self.has_refused = True
        self.say(str(error))
