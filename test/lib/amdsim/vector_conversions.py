"""C for conversions to and from FP8, BF8 and FP4."""

import re

from c_code import lanes, operands, write_byte, write_half
from operands import from_bits, to_bits
from vector_sources import SDWA_PARTS

TO_PAIR = re.compile(r"v_cvt_pk_(fp8|bf8)_f32$")
FROM_PAIR = re.compile(r"v_cvt_pk_f32_(fp8|bf8)$")
FROM_ONE = re.compile(r"v_cvt_f32_(fp8|bf8)$")
STOCHASTIC = re.compile(r"v_cvt_sr_(fp8|bf8)_f32$")
SCALED_TO_PAIR = re.compile(r"v_cvt_scalef32_pk_(fp8|bf8|fp4)_(f32|f16|bf16)$")
SCALED_FROM_PAIR = re.compile(r"v_cvt_scalef32_pk_(f32|f16|bf16)_(fp8|bf8|fp4)$")
SCALED_FROM_ONE = re.compile(r"v_cvt_scalef32_(f32|f16)_(fp8|bf8)$")


def generate(i, target):
    for pattern, family in FAMILIES:
        found = pattern.match(i.name)
        if found:
            return family(i, target, *found.groups())
    return None


def _to_pair(i, target, format):
    destination, a, b = operands(i)
    op_sel = i.numbers("op_sel", [0, 0, 0])
    is_high = bool(op_sel[-1]) or destination.half == "h"
    body = (
        f"u32 t=to_{format}(w,{a.typed('f32')})|to_{format}(w,{b.typed('f32')})<<8;"
    )
    return lanes(body + write_half(f"V({destination.index})", "t", is_high))


def _from_pair(i, target, format):
    destination, source = operands(i)
    is_high = (
        "WORD_1" in str(i.modifiers.get("src0_sel", ""))
        or i.numbers("op_sel", [0])[0]
        or source.half == "h"
    )
    source.half = None
    body = (
        f"u32 a={source.bits()}>>{16 if is_high else 0};"
        f"V({destination.index})=U(from_{format}(a));"
        f"V({destination.index + 1})=U(from_{format}(a>>8));"
    )
    return lanes(body)


def _from_one(i, target, format):
    if i.is_dpp:
        return None
    destination, source = operands(i)
    byte = 0
    if "byte_sel" in i.modifiers:
        byte = i.number("byte_sel")
    elif "src0_sel" in i.modifiers:
        byte = SDWA_PARTS[i.modifiers["src0_sel"]]
        byte = {4: 0, 5: 2, 6: 0}.get(byte, byte)
    elif target.is_gfx12:
        # op_sel: the two bits of the byte, the upper one first.
        op_sel = i.numbers("op_sel", [0, 0])
        byte = op_sel[0] * 2 + (op_sel[1] if len(op_sel) > 1 else 0)
    value = f"from_{format}(({source.bits()})>>{8 * byte})"
    return lanes(f"V({destination.index})=U({value});")


def _selected_byte(i, first):
    """The byte that two bits of op_sel choose, the lower one first."""
    if "byte_sel" in i.modifiers:
        return i.number("byte_sel")
    op_sel = i.numbers("op_sel", [])
    op_sel += [0] * (first + 2 - len(op_sel))
    return op_sel[first] + 2 * op_sel[first + 1]


def _stochastic(i, target, format):
    destination, source, random = operands(i)
    value = f"stochastic(w,&{format},{source.typed('f32')},{random.bits()})"
    register = f"V({destination.index})"
    return lanes(f"u32 t={value};" + write_byte(register, "t", _selected_byte(i, 2)))


def _scaled_sources(values, type):
    """Two values and the scale: of 16 bits, the values share a register."""
    if type == "f32":
        a, b, scale = values
        return a.typed("f32"), b.typed("f32"), scale.bits()
    pair, scale = values
    bits = pair.bits()
    return from_bits(bits, type), from_bits(f"(({bits})>>16)", type), scale.bits()


def _scaled_to_pair(i, target, format, type):
    destination, *values = operands(i)
    a, b, scale = _scaled_sources(values, type)
    register = f"V({destination.index})"
    shift = 4 if format == "fp4" else 8
    body = (
        f"f64 scale=block_scale({scale});u32 t=to_{format}(w,(f64)({a})/scale)|"
        f"to_{format}(w,(f64)({b})/scale)<<{shift};"
    )
    if format == "fp4":
        return lanes(body + write_byte(register, "t", _selected_byte(i, 2)))
    is_high = bool(i.numbers("op_sel", [0])[-1])
    return lanes(body + write_half(register, "t", is_high))


def _scaled_from_pair(i, target, type, format):
    destination, source, scale = operands(i)
    if format == "fp4":
        shift, width = 8 * _selected_byte(i, 0), 4
    else:
        shift, width = 16 * i.numbers("op_sel", [0])[0], 8
    body = (
        f"f64 scale=block_scale({scale.bits()});u32 a=({source.bits()})>>{shift};"
        f"f32 x=(f32)(from_{format}(a)*scale),y=(f32)(from_{format}(a>>{width})*scale);"
    )
    index = destination.index
    if type == "f32":
        return lanes(body + f"V({index})=U(x);V({index + 1})=U(y);")
    x, y = to_bits(f"({type})x", type), to_bits(f"({type})y", type)
    return lanes(body + f"V({index})=pack16({x},{y});")


def _scaled_from_one(i, target, type, format):
    destination, source, scale = operands(i)
    code = f"({source.bits()})>>{8 * _selected_byte(i, 0)}"
    value = f"(f32)(from_{format}({code})*block_scale({scale.bits()}))"
    register = f"V({destination.index})"
    if type == "f32":
        return lanes(f"{register}=U({value});")
    is_high = bool((i.numbers("op_sel", []) + [0] * 4)[3])
    return lanes(f"u32 t=UH((f16){value});" + write_half(register, "t", is_high))


FAMILIES = [
    (TO_PAIR, _to_pair),
    (FROM_PAIR, _from_pair),
    (FROM_ONE, _from_one),
    (STOCHASTIC, _stochastic),
    (SCALED_TO_PAIR, _scaled_to_pair),
    (SCALED_FROM_PAIR, _scaled_from_pair),
    (SCALED_FROM_ONE, _scaled_from_one),
]
