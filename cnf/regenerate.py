"""Writes the files of this folder anew, or into another: `python cnf/regenerate.py [FOLDER]`."""

import sys
from pathlib import Path

from satdoku.cli.commands.examples import write_formulas

if __name__ == "__main__":
    folders = sys.argv[1:]
    if len(folders) > 1 or any(name.startswith("-") for name in folders):
        sys.exit(__doc__)
    write_formulas(Path(folders[0]) if folders else Path(__file__).parent)
