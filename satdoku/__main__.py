"""`python -m satdoku`."""

from satdoku.cli.main import main

main()
