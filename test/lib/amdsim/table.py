"""Reads tables of instructions. A line is

    names = type of the result (types of the sources): C expression => condition

with the sources a, b and c and, in the expression, d for what the destination
held. The condition, if any, becomes the scalar condition code; it may use the
result r. A line with `{x; y}` in its names stands for one line for x and one for
y; $1 (of the second such group: $2) is the choice. With `{x: C; y: D}`, $e is C or
D."""

import re


class Entry:
    def __init__(self, result, sources, expression, condition):
        self.result, self.sources = result, sources
        self.expression, self.condition = expression, condition

    @property
    def reads_destination(self):
        return re.search(r"\bd\b", self.expression) is not None


LINE = re.compile(r"^(.+?) = (\w+) \(([\w ]*)\): (.+?)(?: => (.+))?$")
CHOICE = re.compile(r"\{([^}]*)\}")


def read(text):
    """{name: Entry}"""
    table = {}
    for line in text.strip().splitlines():
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        for expanded in _expand(line, 1):
            found = LINE.match(expanded)
            if not found:
                raise ValueError(f"bad line of a table: {expanded}")
            names, result, sources, expression, condition = found.groups()
            for name in names.split():
                table[name] = Entry(result, sources.split(), expression, condition)
    return table


def _expand(line, number):
    found = CHOICE.search(line)
    if not found:
        return [line]
    lines = []
    for choice in found.group(1).split(";"):
        name, _, expression = (part.strip() for part in choice.partition(":"))
        copy = line[: found.start()] + name + line[found.end() :]
        copy = copy.replace(f"${number}", name)
        if expression:
            copy = copy.replace("$e", expression)
        lines += _expand(copy, number + 1)
    return lines
