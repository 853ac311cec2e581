"""Leads links out of `docs/` to the project's files on its forge, as the site does not have them.

SATDOKU_HOME is the project's address, as `setup.py` says. Without it such a link is only words.
"""

import os
import posixpath
import re
from typing import Any

# A link, or a picture, to a file of the project; groups: words and file.
_LINK = re.compile(r"(?<!!)\[([^\]]+)\]\((?!\w+:|#)([^)\s]+)\)")


def on_page_markdown(markdown: str, page: Any, **kwargs: Any) -> str:
    """Return a page without links that the site could not follow; the site builder calls it."""
    return led_out(markdown, page.file.src_uri, os.environ.get("SATDOKU_HOME", ""))


def led_out(markdown: str, page: str, home: str) -> str:
    """Return the text of a page, at a path below `docs/`, with its links out of that folder mended.

    >>> led_out("[Figures](../../x/README.md), [rules](../rules.md)", "tutorials/a.md", "")
    'Figures, [rules](../rules.md)'
    >>> led_out("[Figures](../x/README.md#b)", "a.md", "https://example.org/us/it/")
    '[Figures](https://example.org/us/it/blob/main/x/README.md#b)'
    """
    folder = posixpath.join("docs", posixpath.dirname(page))

    def mended(link: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(folder, link[2]))
        if f"{target}/".startswith("docs/"):
            return link[0]
        return f"[{link[1]}]({home.rstrip('/')}/blob/main/{target})" if home else link[1]

    return _LINK.sub(mended, markdown)
