"""Why a puzzle has one solution, several or none, in steps that people can follow."""
