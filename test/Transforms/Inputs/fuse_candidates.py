"""The report of --mlafuse-fuse has one remark for each candidate, and no other.

    fuse_candidates.py MLAFUSE_OPT SCHEMA [MODULES]

Random modules of one to three functions, many to a run. The candidates of each
function are counted by a walk of their own over its text, and every report is
checked against its schema. The seed is taken from MLAFUSE_FUZZ_SEED, else from the
clock, and is printed.
"""

import collections
import json
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "fusion"))

from candidates import Function
from program import Program
from schema import violations
from spelling import spell
from tool import fail, fuse, seed

BATCH = 100


def write_module(index, rng):
    """The text of a module, and of each of its functions."""
    functions, lines = {}, []
    for f in range(rng.randint(1, 3)):
        name = f"m{index}_{f}"
        program = Program(rng, is_wild=True, tag=name + "_")
        functions[name] = spell(program, name, rng, plain=rng.random() < 0.3)
        lines += program.declarations() + [functions[name]]
    return "\n".join(lines), functions


def check(opt, schema, indices, first, seen):
    modules, functions = [], {}
    for index in indices:
        text, of_module = write_module(index, random.Random(first + index))
        modules.append(text)
        functions.update(of_module)
    report, _ = fuse(opt, "\n// -----\n".join(modules), "--split-input-file",
                     "--mlafuse-fusion-report=json", "-o", os.devnull)
    report = json.loads(report)
    wrong = violations(report, schema)
    if wrong:
        fail("the report is not what the schema says", *wrong)
    remarks = collections.defaultdict(list)
    for remark in report["remarks"]:
        remarks[remark["function"]].append(remark)
        seen[remark["code"]] += 1
    for name, text in functions.items():
        candidates = Function(text.splitlines()).count()
        if len(remarks[name]) != candidates:
            fail(f"@{name}: {candidates} candidates, {len(remarks[name])} remarks",
                 text, *remarks[name])
    return sum(map(len, remarks.values()))


def main():
    opt, schema = sys.argv[1], json.load(open(sys.argv[2]))
    modules = int(sys.argv[3]) if len(sys.argv) > 3 else 1000
    first, seen, total = seed(), collections.Counter(), 0
    for begin in range(0, modules, BATCH):
        indices = range(begin, min(begin + BATCH, modules))
        total += check(opt, schema, indices, first, seen)
    print(modules, "modules,", total, "candidates, each with one remark")
    for code, count in sorted(seen.items()):
        print(code, count)


main()
