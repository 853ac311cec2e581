"""Shows the examples of docstrings as code on the site, which would take their lists for links."""

import re
from typing import Any

import griffe

# From a prompt to the next empty line, as doctest reads examples.
_EXAMPLE = re.compile(r"^>>> .*?(?=^\s*$|\Z)", re.MULTILINE | re.DOTALL)


class Examples(griffe.Extension):  # type: ignore[misc, unused-ignore]  # where griffe is absent
    """Puts the examples of each docstring into a block of code."""

    def on_object(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        if obj.docstring is not None:
            obj.docstring.value = _EXAMPLE.sub(_as_block, obj.docstring.value)


def _as_block(example: re.Match[str]) -> str:
    return f"```pycon\n{example[0].rstrip()}\n```\n"
