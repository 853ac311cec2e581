"""All benchmarks as subcommands: `python -m benchmarks speed`, `... startup`, and so on."""

from importlib import import_module

import click

# Each name is that of a module and of a click command in it.
NAMES = (
    "speed",
    "lanes",
    "jobs",
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
    """Measure satdoku; see benchmarks/README.md for the results."""


for name in NAMES:
    benchmarks.add_command(getattr(import_module(f"benchmarks.{name}"), name))

if __name__ == "__main__":
    benchmarks(prog_name="python -m benchmarks")
