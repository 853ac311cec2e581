"""The rules of puzzles: each says what it forbids, and what it asks of a solver.

| file | rules in it |
|---|---|
| `rule.py` | what every rule has: a name, a sentence, a definition, constraints |
| `drawn.py` | the shapes that rules are drawn with |
| `unit_rule.py` | what rules have whose cells hold different digits |
| `classic.py` | rows, columns, boxes: the rules of a puzzle that names no others |
| `regions.py` | irregular regions in place of boxes (jigsaw) |
| `diagonals.py` | one diagonal, or both |
| `windoku.py`, `disjoint_groups.py`, `extra_region.py` | further cells with different digits |
| `moves.py` | anti-knight, anti-king |
| `non_consecutive.py` | neighbours that may not hold 4 and 5 |
| `parity.py` | odd cells, even cells |
| `candidates.py` | cells that hold one of some digits |
| `pair_rule.py`, `group_rule.py`, `machine_rule.py` | what such rules share |
| `order.py` | thermometers, greater, minima and maxima |
| `dots.py`, `kropki.py` | kropki, XV, differences, ratios, and what missing marks say |
| `coloured_lines.py` | whispers, nabner, modular, entropic, palindromes |
| `cages.py`, `sums.py`, `equal_sums.py` | killer, renban; sums, arrows; zippers |
| `contents.py` | quadruples, contents, global entropy, counting circles |
| `outside.py`, `numbered_room.py` | sandwiches, x-sums, skyscrapers, rooms |
| `between.py` | between, lockout |
| `indexers.py`, `clone.py`, `digits.py` | indexers, clones, digits from 0 |
| `own.py`, `expression.py`, `regular.py`, `either.py` | rules that setters make up |
| `registry.py` | all of them by name; rules as text |
"""
