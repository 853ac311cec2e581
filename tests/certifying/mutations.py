"""Texts of clauses with one thing wrong in them."""

from random import Random


def spoil_line(rng: Random, line: str) -> str:
    """A literal flipped, shifted, dropped, doubled with its negation, or two exchanged."""
    tokens = line.split()
    # A line may be spoilt already.
    places = [n for n, token in enumerate(tokens) if token.removeprefix("-").isdecimal()]
    if not places:
        return "0"
    index = rng.choice(places)
    number = int(tokens[index])
    kind = rng.choice(["flip", "shift", "drop", "add", "end"])
    if kind == "flip" and number:
        tokens[index] = str(-number)
    elif kind == "shift":
        tokens[index] = str(number + rng.choice([1, -1, 4, -9]) or 7)
    elif kind == "drop":
        del tokens[index]
    elif kind == "add":
        tokens.insert(index, str(rng.choice([1, -1, 2, -5, 17, -30])))
    else:
        tokens.append(rng.choice(["0", "x", "1", "-"]))
    return " ".join(tokens)


def spoil_text(rng: Random, text: str) -> str:
    """A text of clauses with a line changed, dropped, doubled or moved, or cut off."""
    lines = text.splitlines()
    bodies = [i for i, line in enumerate(lines) if line[0] not in "cp"]
    index, other = rng.choice(bodies), rng.choice(bodies)
    kind = rng.choice(["spoil", "spoil", "spoil", "drop", "double", "swap", "cut"])
    if kind == "spoil":
        lines[index] = spoil_line(rng, lines[index])
    elif kind == "drop":
        del lines[index]
    elif kind == "double":
        lines.insert(index, lines[index])
    elif kind == "swap":
        lines[index], lines[other] = lines[other], lines[index]
    else:
        return text[: rng.randrange(len(text))]
    return "\n".join(lines) + "\n"
