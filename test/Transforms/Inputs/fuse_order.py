"""Random programs for --mlafuse-fuse, each written in many ways.

A program is written several times: in another legal order of its statements, and
with another part of it already in fused form. All versions must fuse to one graph
with one list of remarks, and fusing again must change nothing.

    fuse_order.py MLAFUSE_OPT [PROGRAMS]

The seed is taken from MLAFUSE_FUZZ_SEED, else from the clock, and is printed.
"""

import collections
import os
import random
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "fusion"))

from candidates import Function
from program import Program
from spelling import spell
from tool import fail, fuse, seed

WAYS = 6
MERGED = "MLAFUSE-F004"


def graph_of(lines):
    """A function's text with every value replaced by what computes it, as a
    sorted list, so that the order of pure ops does not count."""
    value, ops, effects = {}, [], []

    def resolve(match):
        name = match.group(0)
        return value.get(name, name)

    for line in lines:
        match = re.match(r"\s*(%\w+)(?::(\d+))? = (.*)", line)
        text = match.group(3) if match else line.strip()
        # Of two equal quantizations into scratch memory either may stay.
        text = re.sub(r"tensor\.empty\(.*?\)", "tensor.empty()", text)
        text = re.sub(r"%\w+(?:#\d+)?", resolve, text)
        if not match:
            # What ends a region goes with the op that has it.
            is_effect = text.startswith(("call", "return"))
            (effects if is_effect else ops).append(text)
            continue
        identity = f"<{hash(text):x}>"
        # What only serves a destination shows where that is written.
        if not text.startswith(("tensor.dim ", "tensor.empty(")):
            ops.append(text)
        if match.group(2):
            for i in range(int(match.group(2))):
                value[f"{match.group(1)}#{i}"] = f"{identity}#{i}"
        else:
            value[match.group(1)] = identity
    return sorted(ops) + effects


def difference(lines, expected):
    """What is in one list and not in the other, as often as it is."""
    count = collections.Counter(lines)
    count.subtract(expected)
    return [f"{n:+d} {line}" for line, n in count.items() if n]


def functions_of(text):
    """The lines inside each @w function, whose end is indented as it is."""
    result, name, end = {}, None, None
    for line in text.splitlines():
        match = re.match(r"( *)func\.func @(w\d+)\(", line)
        if match:
            end, name = match.group(1) + "}", match.group(2)
            result[name] = []
        elif line == end:
            name = None
        elif name:
            result[name].append(line)
    return result


def remarks_of(text):
    """What is said of each function; the order is that of its text."""
    result = {}
    for code, function, message in re.findall(
            r"remark: \[\w+\] (MLAFUSE-F\d+) \|.*Function=(\w+) \| Remark=\"(.*)\"",
            text):
        # The blocker is the first of several, as the program is written.
        message = re.sub(r" \('[\w.]+' at [^)]*\)", "", message)
        result.setdefault(function, []).append(f"{code} {message}")
    return {function: sorted(remarks) for function, remarks in result.items()}


def check(opt, index, rng):
    program = Program(rng, is_wild=index % 2 == 1)
    text = "\n".join(
        program.declarations() +
        [spell(program, f"w{i}", rng, plain=i == 0) for i in range(WAYS)])
    fused, remarks = fuse(opt, text, "--remarks-filter=mlafuse-fuse")
    graphs = {k: graph_of(v) for k, v in functions_of(fused).items()}
    said = remarks_of(remarks)
    expected = said.get("w0", [])
    for i in range(WAYS):
        name = f"w{i}"
        if graphs[name] != graphs["w0"]:
            fail(f"program {index}: @{name} is not @w0", text, fused,
                 *difference(graphs[name], graphs["w0"]))
        if said.get(name, []) != expected:
            fail(f"program {index}: the remarks of @{name} are not @w0's", text,
                 fused, *expected, "--", *said.get(name, []))
    candidates = Function(functions_of(text)["w0"]).count()
    if len(expected) != candidates:
        fail(f"program {index}: {candidates} candidates", text, *expected)
    again, repeated = fuse(opt, fused, "--remarks-filter=mlafuse-fuse")
    if again != fused:
        fail(f"program {index}: fusing again changes the text", fused, again)
    # What was merged is gone.
    lasting = {function: [r for r in remarks if MERGED not in r]
               for function, remarks in said.items()}
    if remarks_of(repeated) != lasting:
        fail(f"program {index}: fusing again says something else", fused, lasting,
             remarks_of(repeated))


def main():
    opt = sys.argv[1]
    programs = int(sys.argv[2]) if len(sys.argv) > 2 else 40
    first = seed()
    for index in range(programs):
        check(opt, index, random.Random(first + index))
    print(programs, "programs,", WAYS, "ways each")


main()
