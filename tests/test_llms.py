"""docs/llms.txt, by which models find their way: it links every page and schema, and no other."""

import re
from pathlib import Path

DOCS = Path(__file__).parent.parent / "docs"


def test_every_page_and_schema_is_linked_once() -> None:
    text = (DOCS / "llms.txt").read_text("utf-8")
    linked = re.findall(r"\]\(([^)]+)\)", text)
    pages = [path for path in DOCS.rglob("*.md") if path.name != "index.md"]
    there = {str(path.relative_to(DOCS)) for path in (*pages, *DOCS.glob("*.schema.json"))}
    assert set(linked) == there
    assert len(linked) == len(set(linked))
    # As llmstxt.org says: a heading, a summary in a quote, then sections of links.
    assert re.match(r"# satdoku\n\n> [^\n]+\n\n", text)
