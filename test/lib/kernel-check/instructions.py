"""What instructions the kernels of a code object may and must have."""

import re

import tools

# Private memory in any form, and accesses that could be private ones.
NEVER = re.compile(r"(scratch|flat|buffer)_(load|store|atomic)")
# Conversions from and to a narrow type; what `fp8` and `bf8` are depends on the chip.
CONVERSIONS = {
    "fp8": re.compile(r"v_cvt_\w*fp8"),
    "bf8": re.compile(r"v_cvt_\w*bf8"),
    "fp4": re.compile(r"v_cvt_\w*fp4"),
}
# The type of the manifest that a chip's instruction converts. E2M1 is packed in i8
# and shows in the name of the argument.
NATIVE = {
    "gfx942": {"fp8": "f8E4M3FNUZ", "bf8": "f8E5M2FNUZ"},
    "gfx950": {"fp8": "f8E4M3FN", "bf8": "f8E5M2", "fp4": "e2m1"},
    "gfx1201": {"fp8": "f8E4M3FN", "bf8": "f8E5M2"},
}


def disassemble(path):
    """The names of the instructions of each kernel."""
    kernels, names = {}, None
    for line in tools.run(["llvm-objdump", "-d", "--no-show-raw-insn", path]).splitlines():
        symbol = re.match(r"[0-9a-f]+ <(.+)>:", line)
        if symbol:
            names = kernels.setdefault(symbol[1], set())
        elif line.startswith("\t"):
            names.add(line.split()[0])
    return kernels


def types_of(function, wanted=""):
    """Element types of a function's arguments whose names hold `wanted`."""
    types = set()
    for argument in function["arguments"]:
        if wanted in argument["name"]:
            types.add("e2m1" if "e2m1" in argument["name"] else argument["type"])
    # The entries of this cache are bytes that hold codes, scales and bf16.
    if "fp8_ds_mla" in function["name"] and not wanted:
        types.add("f8E4M3FN")
    return types


def instruction_problems(chip, function, kernels):
    """`kernels`: the instructions of each kernel that the function launches."""
    present = set()
    for kernel, names in kernels.items():
        for name in sorted(names):
            if NEVER.match(name):
                yield f"kernel '{kernel}': {name}"
        present |= {
            kind
            for kind, pattern in CONVERSIONS.items()
            if any(pattern.match(name) for name in names)
        }
    types, codes = types_of(function), types_of(function, "codes")
    for kind in CONVERSIONS:
        native = NATIVE[chip].get(kind)
        where = f"function '{function['name']}': {kind} conversions"
        if kind in present and native not in types:
            yield f"{where}, but it has no {native}"
        if kind not in present and native in codes:
            yield f"{where} are missing, but its codes are {native}"
