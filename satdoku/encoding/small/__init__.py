"""Small classic boards as bytes, and the small formulas of what is left open of them.

`Sifter` excludes candidates on one board, `satdoku.bulk` on many at once; `FormulaBuilder` then
makes a formula of the rest, several times as fast as a loop over candidates would. README.md says
what each file is for.
"""
