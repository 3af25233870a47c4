"""Every code of the fusion has a test here that provokes it, and a cure that works.

    every_code.py FUSION_CODES_DEF TESTS

A code that can be missed needs a function without its cure, and one named `cure_*`
that fuses in its place.
"""

import pathlib
import re
import sys

definitions, tests = sys.argv[1:]
codes = re.findall(r'MLAFUSE_FUSION_CODE\(\w+,\s*"(MLAFUSE-F(\d+))",\s*(\w+),\s*"([a-z-]+)"',
                   pathlib.Path(definitions).read_text())
assert codes, definitions
wrong = []
for code, number, kind, name in codes:
    path = pathlib.Path(tests) / f"f{number}-{name}.mlir"
    if not path.exists():
        wrong.append(f"{code}: no {path.name}")
        continue
    checks = re.findall(r"CHECK.*?: (passed|missed) (MLAFUSE-F\d+) ([a-z-]+) in @(\w+)",
                        path.read_text())
    if not any(c[:3] == (kind.lower(), code, name) for c in checks):
        wrong.append(f"{path.name}: does not provoke {kind.lower()} {code} {name}")
    cures = [c for c in checks if c[3].startswith("cure_")]
    if kind == "Missed" and not cures:
        wrong.append(f"{path.name}: has no cure")
    wrong += [f"{path.name}: @{function} does not cure" for outcome, _, _, function
              in cures if outcome == "missed"]
known = {f"f{number}-{name}.mlir" for _, number, _, name in codes}
wrong += [f"{path.name}: no such code" for path in pathlib.Path(tests).glob("*.mlir")
          if path.name not in known]
if wrong:
    sys.exit("\n".join(wrong))
print(len(codes), "codes")
