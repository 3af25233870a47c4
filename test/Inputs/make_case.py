"""Makes the safetensors file of a case that a test describes in comments.

usage: make_case.py TEST CASE OUTPUT

A line of the test gives one tensor of the case, element by element, as a Python
expression in `t` (row: all dimensions but the last, counted as one) and `i`
(column):

    // CASE zeros: in_x BF16 [2, 128] = 0.0
    // CASE zeros: out_scale F32 [2, 1] = f32(1.0 / (448 * 512))

Tensors named out_* are what mlafuse-compare wants, bit for bit. Types are those
of safetensors, and E4M3FNUZ (a U8 tensor). Integers and floats are numbers;
code(0x7E) is an element by its bits. f32, bf16 and e4m3 round a number, and all
of `math` is there.
"""

import json
import math
import re
import struct
import sys

import safetensors_file
from float_formats import FORMATS, bf16, e4m3, encode, f32

# type: (type in the file, encoding, struct format of an element)
TYPES = {
    "F32": ("F32", None, "<f"),
    "BF16": ("BF16", None, "<H"),
    "F16": ("F16", None, "<H"),
    "F8_E4M3": ("F8_E4M3", None, "<B"),
    "F8_E5M2": ("F8_E5M2", None, "<B"),
    "F8_E8M0": ("F8_E8M0", None, "<B"),
    "E4M3FNUZ": ("U8", "e4m3fnuz", "<B"),
    "U8": ("U8", None, "<B"),
    "I32": ("I32", None, "<i"),
    "I64": ("I64", None, "<q"),
}
LINE = re.compile(r"(?://|#)\s*CASE ([\w-]+): (\w+) (\w+) (\[[\d, ]*\]) = (.*)")


class Code(int):
    """Bits of an element, in place of a number."""


def pack(kind, value):
    """The bytes of one element."""
    layout = TYPES[kind][2]
    if isinstance(value, Code):
        return int(value).to_bytes(struct.calcsize(layout), "little")
    if kind == "F8_E8M0":
        mantissa, exponent = math.frexp(value)
        if mantissa != 0.5:
            raise ValueError(f"{value} is no power of two")
        return struct.pack(layout, exponent - 1 + 127)
    return struct.pack(layout, encode(kind, value) if kind in FORMATS else value)


def make_bytes(kind, shape, expression):
    """The bytes of a tensor, row by row."""
    names = {name: getattr(math, name) for name in dir(math) if name[0] != "_"}
    names.update(f32=f32, bf16=bf16, e4m3=e4m3, code=Code)
    element = eval(f"lambda t, i: {expression}", names)
    width = shape[-1]
    rows = math.prod(shape[:-1])
    return b"".join(
        pack(kind, element(t, i)) for t in range(rows) for i in range(width)
    )


def read_case(path, case):
    """Yields (name, type, shape, expression) of each tensor of a case."""
    with open(path) as test:
        for line in test:
            match = LINE.match(line)
            if match and match[1] == case:
                yield match[2], match[3], json.loads(match[4]), match[5]


def main(path, case, output):
    tensors, tolerances, encodings = {}, {}, {}
    for name, kind, shape, expression in read_case(path, case):
        dtype, encoding, _ = TYPES[kind]
        if name in tensors:
            sys.exit(f"{path}, case {case}: {name} stands there twice")
        try:
            tensors[name] = dtype, shape, make_bytes(kind, shape, expression)
        except Exception as error:
            sys.exit(f"{path}, case {case}, {name}: {error}")
        if name.startswith("out_"):
            tolerances[name] = {"kind": "bits"}
        if encoding:
            encodings[name] = encoding
    if not tensors:
        sys.exit(f"{path} has no case {case}")
    metadata = {
        "tolerance": json.dumps(tolerances),
        "encodings": json.dumps(encodings),
    }
    safetensors_file.write(output, tensors, metadata)


if __name__ == "__main__":
    main(*sys.argv[1:])
