"""Every benchmark as a subcommand: `python -m benchmarks speed`, `... startup`, and so on."""

from importlib import import_module

import click

# A module of this name with a click command of the same name in it.
NAMES = (
    "speed",
    "lanes",
    "collections",
    "solvers",
    "startup",
    "tables",
    "big",
    "boards",
    "shares",
    "certificates",
    "explaining",
    "generating",
    "listing",
    "rating",
    "rules",
    "serving",
)


@click.group()
def benchmarks() -> None:
    """Measure satdoku; see benchmarks/README.md for what was found."""


for name in NAMES:
    benchmarks.add_command(getattr(import_module(f"benchmarks.{name}"), name))

if __name__ == "__main__":
    benchmarks(prog_name="python -m benchmarks")
