"""What goes to stderr."""

import click

from satdoku.cli.progress import Progress
from satdoku.errors import SatdokuError


class Talk:
    """Messages for people; remembers whether something was refused."""

    def __init__(self, is_quiet: bool = False, progress: Progress | None = None) -> None:
        self.is_quiet = is_quiet
        self.has_refused = False
        self._progress = progress

    def say(self, message: str) -> None:
        """Something that a person may want to know."""
        if self._progress is not None:
            self._progress.clear()
        if not self.is_quiet:
            click.echo(message, err=True)

    def refuse(self, error: SatdokuError) -> None:
        """Something that could not be read or done; the run goes on without it."""
        self.has_refused = True
        self.say(str(error))
