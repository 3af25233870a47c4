#!/usr/bin/env python3
"""Multiplies a bf16 tensor of a safetensors file by a power of two, which is exact: its
numbers must stay normal.

usage: scale_tensor.py FROM TO TENSOR EXPONENT
"""

import pathlib
import struct
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parents[1] / "Inputs"))

import safetensors_file

MANTISSA, MOST = 7, 0xFE


def scaled(code, exponent):
    old = code >> MANTISSA & 0xFF
    if not code & 0x7FFF:
        return code
    if not (0 < old <= MOST and 0 < old + exponent <= MOST):
        sys.exit(f"scale_tensor.py: error: 0x{code:04x} times 2^{exponent} is not normal")
    return code + exponent * (1 << MANTISSA)


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    source, target, name, exponent = sys.argv[1:]
    file = safetensors_file.File(source)
    if name not in file.tensors or file.tensors[name][0] != "BF16":
        sys.exit(f"scale_tensor.py: error: '{source}' has no bf16 tensor '{name}'")
    dtype, shape, content = file.tensors[name]
    codes = struct.unpack(f"<{len(content) // 2}H", content)
    content = struct.pack(f"<{len(codes)}H", *(scaled(code, int(exponent)) for code in codes))
    file.tensors[name] = dtype, shape, content
    safetensors_file.write(target, file.tensors, file.metadata)


main()
