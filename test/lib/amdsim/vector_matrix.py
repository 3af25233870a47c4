"""C for matrix instructions: v_mfma_* and v_wmma_*."""

import re

from c_code import operands
from errors import Unsupported

MFMA = re.compile(r"v_mfma_(scale_)?(f32|i32|f64)_(\d+)x\d+x(\d+)_?(?:(\d+)b_)?(.*)$")
WMMA = re.compile(r"v_wmma_(f32|f16|bf16|i32)_16x16x(\d+)_(\w+)$")
# The formats that cbsz and blgp name in the f8f6f4 forms.
MIXED_FORMATS = ["FP8", "BF8", "FP6", "BF6", "FP4"]
ELEMENTS = ("F32", "F16", "BF16", "I8", "F64", "XF32", "FP8", "BF8", "I32")


def generate(i, target):
    if i.name.startswith("v_mfma"):
        return _mfma(i)
    if i.name.startswith("v_wmma"):
        return _wmma(i, target)
    if i.name.startswith(("v_smfmac", "v_swmmac")):
        raise Unsupported(f"sparse matrices: {i.name}")
    return None


def _element(name):
    element = name.upper().replace("_1K", "")
    if element not in ELEMENTS and element not in MIXED_FORMATS:
        raise Unsupported(f"elements '{name}'")
    return f"ELEMENT_{element}"


def _addend(operand, type):
    """(register or -1, constant)"""
    if operand.is_vector:
        return operand.index, "0"
    return -1, operand.bits(type)


def _mfma(i):
    found = MFMA.match(i.name)
    if not found:
        raise Unsupported(i.name)
    is_scaled, result, size, depth, blocks, elements = found.groups()
    values = operands(i)
    first_mode, second_mode = i.number("cbsz"), i.number("blgp")
    negate = 0
    if elements == "f8f6f4":
        a, b = (_element(MIXED_FORMATS[k]) for k in (first_mode, second_mode))
    else:
        names = elements.replace("bf16_1k", "bf16").split("_")
        a, b = _element(names[0]), _element(names[-1])
        if result == "f64":
            negate = second_mode
        elif first_mode or second_mode:
            raise Unsupported(f"{i.name} with broadcasts")
    rc, constant = _addend(values[3], "f64" if result == "f64" else "b32")
    scales = ["{-1,0,0}"] * 2
    if is_scaled:
        low, high = i.numbers("op_sel", [0] * 3), i.numbers("op_sel_hi", [0] * 3)
        scales = [
            _scale(values[4 + k], low[k] + 2 * high[k]) for k in range(2)
        ]
    registers = ",".join(str(value.index) for value in values[:3])
    return (
        f"{{Mfma m={{{size},{depth},{blocks or 1},{a},{b},{_element(result)},"
        f"{registers},{rc},{constant},{negate},{scales[0]},{scales[1]}}};mfma(w,&m);}}"
    )


def _scale(operand, byte):
    if operand.is_vector:
        return f"{{{operand.index},{byte},0}}"
    return f"{{-2,{byte},{operand.bits()}}}"


def _wmma(i, target):
    found = WMMA.match(i.name)
    if not found or target.wave_size != 32:
        raise Unsupported(i.name)
    result, depth, elements = found.groups()
    negate, absolute = i.numbers("neg_lo", [0] * 3), i.numbers("neg_hi", [0] * 3)
    if elements in ("iu8", "iu4"):
        # neg_lo of an integer operand says that it is signed.
        a, b = (f"ELEMENT_{'I' if negate[k] else 'U'}{elements[2:]}" for k in (0, 1))
        negate = [0] * 3
    else:
        names = elements.split("_")
        a, b = _element(names[0]), _element(names[-1])
    if any(negate[:2]) or any(absolute[:2]):
        raise Unsupported(f"{i.name} with negated factors")
    destination, first, second, addend = operands(i)
    rc, constant = _addend(addend, "b32" if result in ("f32", "i32") else result)
    upper = (i.numbers("op_sel", []) + [0] * 3)[2]
    return (
        f"{{Wmma m={{{int(target.is_gfx12)},{depth},{a},{b},{_element(result)},"
        f"{destination.index},{first.index},{second.index},{rc},{constant},"
        f"{negate[2]},{absolute[2]},{upper}}};wmma(w,&m);}}"
    )
