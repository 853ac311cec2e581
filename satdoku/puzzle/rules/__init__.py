"""The rules of puzzles: each has a definition and the constraints that a solver is given.

| file | contents |
|---|---|
| `rule.py` | the base class: name, sentence, definition, constraints |
| `arguments.py` | cells, numbers and lines in arguments |
| `cell_rules.py`, `group_rule.py`, `machine_rule.py` | base classes |
| `classic.py` | units; rows, columns, boxes: the rules of a puzzle that names none |
| `regions.py` | irregular regions (jigsaw); diagonals, windoku, disjoint groups, extra regions |
| `everywhere.py` | anti-chess moves, non-consecutive, missing marks, flat mates, global entropy |
| `single_cells.py` | odd and even cells, candidates, digits from 0 |
| `indexers.py` | indexers of rows, columns and boxes |
| `order.py` | pairs of cells; thermometers, greater, minima and maxima |
| `dots.py` | differences, ratios, sums of two, kropki, XV |
| `lines.py` | whispers, modular, entropic, palindromes, renban, sum lines, between, zippers |
| `cages.py`, `sums.py` | killer, rellik, equality cages; sums, little killers, arrows |
| `contents.py` | quadruples, contents, the same digits, clones, counting circles |
| `outside.py` | skyscrapers, numbered rooms, sandwiches, x-sums |
| `hidden_regions.py` | regions that the solver has to find (chaos construction) |
| `own.py`, `automaton.py`, `either.py` | rules that setters define |
| `registry.py` | all rules by name; rules as text |
"""
