#!/usr/bin/env python3
"""Multiplies a bf16 tensor [..., heads, columns] of a safetensors file by powers of two,
which is exact: its numbers must stay normal.

usage: scale_tensor.py FROM TO TENSOR FACTOR...

FACTOR is EXPONENT, of all heads that no other factor names, or EXPONENT@HEAD; with `zero`
in place of EXPONENT the row becomes zeros.
"""

import pathlib
import struct
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parents[1] / "Inputs"))

import safetensors_file

MANTISSA, MOST = 7, 0xFE


def scaled(code, exponent):
    if exponent == "zero" or not code & 0x7FFF:
        return 0
    old = code >> MANTISSA & 0xFF
    if not (0 < old <= MOST and 0 < old + int(exponent) <= MOST):
        sys.exit(f"scale_tensor.py: error: 0x{code:04x} times 2^{exponent} is not normal")
    return code + int(exponent) * (1 << MANTISSA)


def main():
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    source, target, name, *factors = sys.argv[1:]
    file = safetensors_file.File(source)
    if name not in file.tensors or file.tensors[name][0] != "BF16":
        sys.exit(f"scale_tensor.py: error: '{source}' has no bf16 tensor '{name}'")
    of_heads, others = {}, 0
    for factor in factors:
        exponent, _, head = factor.partition("@")
        if head:
            of_heads[int(head)] = exponent
        else:
            others = exponent
    dtype, shape, content = file.tensors[name]
    heads, columns = shape[-2:]
    codes = struct.unpack(f"<{len(content) // 2}H", content)
    changed = [
        scaled(code, of_heads.get(i // columns % heads, others))
        for i, code in enumerate(codes)
    ]
    file.tensors[name] = dtype, shape, struct.pack(f"<{len(codes)}H", *changed)
    safetensors_file.write(target, file.tensors, file.metadata)


main()
