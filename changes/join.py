"""Put the entries of this folder into the changelog and delete them: `python changes/join.py`.

An entry is a file such as `added-fast-thermo.md`, whose name begins with its section. Until the
version is 1.0 or newer, entries go into docs/history.md, since 1.0 is one screen of CHANGELOG.md;
from then on they go into CHANGELOG.md.
"""

import re
import sys
from collections.abc import Mapping
from pathlib import Path
from textwrap import fill

HERE = Path(__file__).parent
SECTIONS = ("breaking", "added", "changed", "fixed")
MOST_WORDS = 20
_NAME = re.compile(rf"({'|'.join(SECTIONS)})-[a-z0-9-]+\.md")
_UNRELEASED = "## [Unreleased]\n"
_WIDTH = 120


def is_before_1(root: Path = HERE.parent) -> bool:
    """Whether the version in pyproject.toml begins with 0."""
    project = (root / "pyproject.toml").read_text("utf-8")
    return re.search(r'^version = "0\.', project, re.MULTILINE) is not None


def fault_of(name: str, text: str) -> str:
    """Return what is wrong with the file of an entry; empty if nothing is."""
    if not _NAME.fullmatch(name):
        return f"{name}: the name is SECTION-WORDS.md, SECTION one of {', '.join(SECTIONS)}"
    if text.startswith(("-", "*", "#")) or not text.strip():
        return f"{name}: an entry is a sentence, without a bullet or a heading"
    if len(text.split()) > MOST_WORDS:
        return f"{name}: {len(text.split())} words are too many; {MOST_WORDS} say it"
    return ""


def joined(changelog: str, entries: Mapping[str, str]) -> str:
    """Return the changelog with these entries, texts by file names, among what is unreleased."""
    before, unreleased, rest = changelog.partition(_UNRELEASED)
    assert unreleased, "the changelog has no heading for what is unreleased"
    own, released, older = rest.partition("\n## [")
    parts = re.split(r"^### ([\w ]+)\n", own, flags=re.MULTILINE)
    pairs = zip(parts[1::2], parts[2::2], strict=True)
    found = {title.lower(): text.strip("\n") for title, text in pairs}
    for name, text in sorted(entries.items()):
        section = name.partition("-")[0]
        entry = fill(" ".join(text.split()), _WIDTH, initial_indent="- ", subsequent_indent="  ")
        found[section] = "\n".join(filter(None, [found.get(section, ""), entry]))
    order = [*SECTIONS, *(section for section in found if section not in SECTIONS)]
    texts = [f"\n### {s.capitalize()}\n\n{found[s]}\n" for s in order if s in found]
    # What stands before the first section is for all readers, such as a warning.
    opening = f"{parts[0].rstrip()}\n" if parts[0].strip() else ""
    return "".join([before, unreleased, opening, *texts, released, older])


def main() -> None:
    if len(sys.argv) > 1:
        raise SystemExit(__doc__)  # it deletes files, so nothing is done on a guess
    files = sorted(HERE.glob("*.md"))
    entries = {file.name: file.read_text("utf-8") for file in files}
    faults = [fault for name, text in entries.items() if (fault := fault_of(name, text))]
    if faults:
        raise SystemExit("\n".join(faults))
    path = HERE.parent / ("docs/history.md" if is_before_1() else "CHANGELOG.md")
    path.write_text(joined(path.read_text("utf-8"), entries), "utf-8")
    for file in files:
        file.unlink()


if __name__ == "__main__":
    main()
