"""Tensors of safetensors files, and numbers to fill them with."""

import dataclasses
import math
import struct

from float_formats import decode, encode, f32

INTEGERS = {"I32": "<i", "I64": "<q"}
SIZES = {"BF16": 2, "F16": 2, "F32": 4, "F8_E4M3": 1}
MLIR = {"BF16": "bf16", "F16": "f16", "F32": "f32", "F8_E4M3": "f8E4M3FN"}

E4M3 = [decode("F8_E4M3", c) if c & 0x7F != 0x7F else math.nan for c in range(256)]
# Codes of numbers up to 2, so that no key outweighs all others.
SMALL_E4M3 = [c for c in range(256) if abs(E4M3[c]) <= 2]


@dataclasses.dataclass
class Tensor:
    dtype: str
    shape: list
    data: bytes


def pack_floats(dtype, values):
    if dtype == "F32":
        return struct.pack(f"<{len(values)}f", *values)
    codes = {}
    size = SIZES[dtype]
    for value in values:
        # The key tells -0 from 0, and is a NaN's too.
        key = (value, math.copysign(1, value)) if value == value else None
        if key not in codes:
            codes[key] = encode(dtype, value).to_bytes(size, "little")
    return b"".join(
        codes[(value, math.copysign(1, value)) if value == value else None]
        for value in values
    )


def floats(dtype, shape, values):
    assert math.prod(shape) == len(values)
    return Tensor(dtype, list(shape), pack_floats(dtype, values))


def integers(dtype, shape, values):
    assert math.prod(shape) == len(values)
    layout = INTEGERS[dtype]
    return Tensor(dtype, list(shape), b"".join(struct.pack(layout, v) for v in values))


def rounded(dtype, number):
    """The nearest number of a type."""
    if dtype == "F32" or not math.isfinite(number):
        return f32(number)
    return decode(dtype, encode(dtype, number))


def draw_numbers(random, count):
    """Numbers that bf16, f16 and f32 all hold."""
    return [random.randrange(-128, 129) / 64 for _ in range(count)]


# What an output may be off: sums are taken in another order and in f32.
TOLERANCES = {
    "F32": {"kind": "close", "rtol": 2e-5, "atol": 2e-5},
    "F16": {"kind": "close", "rtol": 2.0**-10, "atol": 2e-5},
    "BF16": {"kind": "close", "rtol": 2.0**-7, "atol": 2e-5},
}
