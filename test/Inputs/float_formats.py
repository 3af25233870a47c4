"""Numbers in the float formats of safetensors files."""

import math
import struct

# name: (exponent bits, mantissa bits, bias, largest number, code of NaN or None)
FORMATS = {
    "BF16": (8, 7, 127, float.fromhex("0x1.fep127"), 0x7FC0),
    "F16": (5, 10, 15, 65504.0, 0x7E00),
    "F8_E4M3": (4, 3, 7, 448.0, 0x7F),
    "F8_E5M2": (5, 2, 15, 57344.0, 0x7F),
    "E4M3FNUZ": (4, 3, 8, 240.0, 0x80),
    "E2M1": (2, 1, 1, 6.0, None),
}


def f32(number):
    """The nearest number of f32; infinite if it is beyond."""
    try:
        return struct.unpack("<f", struct.pack("<f", number))[0]
    except OverflowError:
        return math.copysign(math.inf, number)


def encode(name, number):
    """The code of the nearest number of a format, ties to even."""
    exponent_bits, mantissa_bits, bias, largest, nan = FORMATS[name]
    if math.isnan(number):
        return nan
    sign = int(math.copysign(1, number) < 0) << (exponent_bits + mantissa_bits)
    if math.isinf(number):
        if name not in ("BF16", "F16", "F8_E5M2"):
            raise ValueError(f"{name} has no infinity")
        return sign | ((1 << exponent_bits) - 1) << mantissa_bits
    magnitude = abs(number)
    if magnitude == 0:
        return 0 if name == "E4M3FNUZ" else sign
    exponent = max(math.frexp(magnitude)[1] - 1, 1 - bias)
    step = math.ldexp(1.0, exponent - mantissa_bits)
    rounded = round(magnitude / step)
    if rounded * step > largest:
        raise ValueError(f"{number} is beyond {name}")
    return sign | (rounded + ((exponent + bias - 1) << mantissa_bits))


def decode(name, code):
    """The number of a finite code."""
    exponent_bits, mantissa_bits, bias, _, _ = FORMATS[name]
    sign = -1.0 if code >> (exponent_bits + mantissa_bits) & 1 else 1.0
    exponent = code >> mantissa_bits & ((1 << exponent_bits) - 1)
    mantissa = code & ((1 << mantissa_bits) - 1)
    if exponent:
        mantissa += 1 << mantissa_bits
    return sign * math.ldexp(mantissa, max(exponent, 1) - bias - mantissa_bits)


def bf16(number):
    """The nearest number of bf16."""
    return decode("BF16", encode("BF16", number))


def e4m3(number):
    """The nearest number of f8E4M3FN, after saturation."""
    clamped = max(-448.0, min(448.0, number))
    return decode("F8_E4M3", encode("F8_E4M3", clamped))
