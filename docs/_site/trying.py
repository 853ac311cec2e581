"""Puts the page of `satdoku serve` on the site, where Python runs in the browser.

SATDOKU_PYODIDE names a folder with npm's `pyodide` and the wheel of python-sat for it, as `.ci/run`
makes one; the site then has all that it needs. Without it browsers fetch both from where they are
published.
"""

import json
import os
from importlib.metadata import version
from pathlib import Path
from shutil import copyfile
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import satdoku
from satdoku.picture.documents import page_style_sheet

_HERE = Path(__file__).parent / "try"
_LIBRARY = Path(satdoku.__file__).parent
_WEB = _LIBRARY / "picture" / "web"
# The release that the tests run.
_PYODIDE = "https://cdn.jsdelivr.net/npm/pyodide@314.0.7/"
# What of it a browser needs, with the hashes by which it refuses files that were changed where they
# are published: `openssl dgst -sha384 -binary FILE | base64` of npm's package.
_FILES = {
    "pyodide.mjs": "Lp79fMwxa4n2BLtugpUAoQMlbxIdg8iCUiP1r3h7nJLkQjwlXT1JzZTeHVL+f4Dg",
    "pyodide.asm.mjs": "/2281iaC0Iimw0B3Kagy1DBfZcJG3W4KYW+EmOqhsdY3fR9BJ88FE2Zt6y0KQKpa",
    "pyodide.asm.wasm": "y++qrQ72KPA1fTjLIuGMP+jppgGxjbLCgfdb0zMrnNnQVhxRUXTOTF6rTxNzllSu",
    "python_stdlib.zip": "xW3A5jmenkrPXbsgrIaB1FCJh9OuLT7FRMagsJMgtlhVc19k/mSy3+7nMaF/d767",
    "pyodide-lock.json": "o8SQQvpVlZnOl04+3dFTJipKxul9GbViVusA379wlOrfHSgxbzt0yPiqCTxOiYES",
}
# Where Pyodide looks for packages.
_PACKAGES = "/lib/python3.14/site-packages"


def on_post_build(config: Any, **kwargs: Any) -> None:
    """What the site builder calls when all pages are written."""
    build(Path(config["site_dir"]) / "try", os.environ.get("SATDOKU_PYODIDE", ""))


def build(target: Path, pyodide: str = "") -> None:
    """Writes the page and all that it needs into a folder."""
    target.mkdir(parents=True, exist_ok=True)
    for file in [*_WEB.iterdir(), *_HERE.iterdir()]:
        copyfile(file, target / file.name)
    (target / "board.css").write_text(page_style_sheet(), "utf-8")
    _write_library(target / "satdoku.zip")
    archives = [["satdoku.zip", "zip"]]
    if pyodide:
        for name in _FILES:
            copyfile(Path(pyodide, "node_modules", "pyodide", name), target / name)
        for wheel in Path(pyodide).glob("python_sat-*.whl"):
            copyfile(wheel, target / wheel.name)
            archives.append([wheel.name, "wheel"])
    settings = {
        "pyodide": "./" if pyodide else _PYODIDE,
        "hashes": {} if pyodide else {name: f"sha384-{found}" for name, found in _FILES.items()},
        # The one that was tried here, and none that comes out later.
        "packages": [] if pyodide else [f"python-sat=={version('python-sat')}"],
        "archives": archives,
        "folder": _PACKAGES,
    }
    (target / "settings.json").write_text(json.dumps(settings), "utf-8")


def _write_library(path: Path) -> None:
    """The library as it is, with what says which version it is."""
    told = f"Metadata-Version: 2.1\nName: satdoku\nVersion: {version('satdoku')}\n"
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for file in sorted(_LIBRARY.rglob("*")):
            if file.is_file() and file.suffix not in (".pyc", ".so", ".c", ".h"):
                archive.write(file, Path("satdoku", file.relative_to(_LIBRARY)))
        archive.writestr(f"satdoku-{version('satdoku')}.dist-info/METADATA", told)
