"""The small formulas of what is left open of small classic boards.

`FormulaBuilder` makes them several times as fast as a loop over candidates would. README.md says
what each file is for.
"""
