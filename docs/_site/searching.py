"""Puts the title of the page before that of a section in the results of the site's search."""

import json
from pathlib import Path
from typing import Any


def on_post_build(config: Any, **kwargs: Any) -> None:
    """Write the search index anew when it is complete; the site builder calls it."""
    path = Path(config["site_dir"]) / "search" / "search_index.json"
    index = json.loads(path.read_text("utf-8"))
    index["docs"] = titled(index["docs"])
    path.write_text(json.dumps(index, separators=(",", ":")), "utf-8")


def titled(entries: list[dict[str, str]]) -> list[dict[str, str]]:
    """Return the entries of the index, in which a section is found as `Page: Section`.

    >>> page, section = {"location": "a/", "title": "A"}, {"location": "a/#b", "title": "B"}
    >>> titled([page, section])[1]["title"]
    'A: B'
    """
    pages = {each["location"]: each["title"] for each in entries if "#" not in each["location"]}
    found = []
    for each in entries:
        page, anchor, _ = each["location"].partition("#")
        title, above = each["title"], pages.get(page, "")
        is_inner = anchor and above and title != above
        found.append({**each, "title": f"{above}: {title}"} if is_inner else each)
    return found
