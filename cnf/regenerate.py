"""Writes the files of this folder anew, or into another: `python cnf/regenerate.py [FOLDER]`."""

import sys
from pathlib import Path

from satdoku.cli.commands.examples import write_formulas

if __name__ == "__main__":
    write_formulas(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
