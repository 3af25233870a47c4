"""C for packed arithmetic, mixed-precision FMA and dot products."""

import re

from c_code import lanes, operands, write_half
from errors import Unsupported
from operands import from_bits, is_float, to_bits, with_sign
from vector_table import PACKED16, PACKED32

DOT = re.compile(
    r"v_dot(2|4|8)_(f32|i32|u32)_(f16|bf16|i8|u8|i4|u4|i16|u16|iu8|iu4|"
    r"fp8_fp8|bf8_bf8|fp8_bf8|bf8_fp8)$"
)


def generate(i, target):
    if i.name in PACKED32:
        return _packed32(i)
    if i.name in PACKED16:
        return _packed16(i)
    if i.name == "v_pk_mov_b32":
        return _packed_move(i)
    if i.name.startswith(("v_fma_mix", "v_mad_mix")):
        return _mixed(i)
    return _dot(i)


def _numbered(expression, half):
    """The expression for one half: a becomes a0 or a1."""
    return re.sub(r"\b([abcd])\b", rf"\g<1>{half}", expression)


def _packed32(i):
    entry = PACKED32[i.name]
    count = len(entry.sources)
    destination, *sources = operands(i)
    select = [i.numbers("op_sel", [0] * count), i.numbers("op_sel_hi", [1] * count)]
    negate = [i.numbers("neg_lo", [0] * count), i.numbers("neg_hi", [0] * count)]
    code = ""
    for half in (0, 1):
        for k, name in enumerate("abc"[:count]):
            is_register = sources[k].is_vector or sources[k].is_scalar
            bits = sources[k].bits("b32", select[half][k] if is_register else 0)
            bits = with_sign(bits, "f32", negate[half][k], False)
            code += f"f32 {name}{half}=F({bits});"
    for half in (0, 1):
        value = _numbered(entry.expression, half)
        if "clamp" in i.modifiers:
            value = f"clamp01({value})"
        code += f"V({destination.index + half})=U({value});"
    return lanes(code)


def _packed16(i):
    entry = PACKED16[i.name]
    count = len(entry.sources)
    destination, *sources = operands(i)
    select = [i.numbers("op_sel", [0] * count), i.numbers("op_sel_hi", [1] * count)]
    negate = [i.numbers("neg_lo", [0] * count), i.numbers("neg_hi", [0] * count)]
    register, type = f"V({destination.index})", entry.result
    code = ""
    for half in (0, 1):
        for k, (name, source_type) in enumerate(zip("abc", entry.sources)):
            bits = sources[k].bits("f16" if is_float(source_type) else "b32")
            if select[half][k]:
                # A constant has only a low half: integers are sign-extended.
                bits = f"(({bits})>>16)"
            bits = f"(({bits})^{0x8000 * negate[half][k]:#x}u)"
            code += f"{source_type} {name}{half}={from_bits(bits, source_type)};"
        code += f"{type} d{half}={from_bits(f'({register}>>{16 * half})', type)};"
        code += f"(void)d{half};"
    values = []
    for half in (0, 1):
        value = _numbered(entry.expression, half)
        if "clamp" in i.modifiers:
            if not is_float(type):
                raise Unsupported(f"{i.name} with clamp")
            value = f"(f16)clamp01({value})"
        code += f"{type} r{half}={value};"
        values.append(to_bits(f"r{half}", type))
    return lanes(code + f"{register}=pack16({values[0]},{values[1]});")


def _packed_move(i):
    destination, a, b = operands(i)
    select = i.numbers("op_sel", [0, 0])
    a, b = (
        o.bits("b32", s if o.is_vector or o.is_scalar else 0)
        for o, s in zip((a, b), select)
    )
    index = destination.index
    return lanes(f"u32 a={a},b={b};V({index})=a;V({index + 1})=b;")


def _mixed(i):
    """Each source is an f32, or a half of a register where op_sel_hi says so."""
    select, is_half = i.numbers("op_sel", [0] * 3), i.numbers("op_sel_hi", [0] * 3)
    destination, *sources = operands(i)
    narrow = "bf16" if i.name.endswith("bf16") else "f16"
    values = []
    for k, source in enumerate(sources):
        type = narrow if is_half[k] else "f32"
        bits = source.bits(type)
        if is_half[k] and select[k]:
            bits = f"(({bits})>>16)"
        bits = with_sign(bits, type, source.negate, source.absolute)
        values.append(f"(f32){from_bits(bits, type)}")
    value = f"fma32({','.join(values)})"
    if "clamp" in i.modifiers:
        value = f"clamp01({value})"
    register = f"V({destination.index})"
    if i.name.endswith("_f32") or "_f32_" in i.name:
        return lanes(f"{register}=U({value});")
    bits = to_bits(f"({narrow})" + value, narrow)
    return lanes(f"u32 t={bits};" + write_half(register, "t", "mixhi" in i.name))


def _dot(i):
    found = DOT.match(i.name)
    if not found:
        return None
    count, result, elements = found.groups()
    types = elements.split("_") if "_" in elements else [elements] * 2
    negate = i.numbers("neg_lo", [0, 0, 0])
    products = "+".join(
        _dot_element("a", types[0], k, negate[0])
        + "*"
        + _dot_element("b", types[1], k, negate[1])
        for k in range(int(count))
    )
    destination, *sources = operands(i)
    values = (source.bits("f16" if "f16" in types else "b32") for source in sources)
    a, b, c = values
    body = (
        f"u32 a={a},b={b},c={c};{result} r={products}+{from_bits('c', result)};"
        f"V({destination.index})={to_bits('r', result)};"
    )
    return lanes(body)


def _dot_element(register, type, k, is_signed):
    if type in ("fp8", "bf8"):
        return f"from_{type}({register}>>{8 * k})"
    size = int(re.sub(r"\D", "", type))
    part = f"({register}>>{size * k})"
    if type == "f16":
        return f"(f32)H({part})"
    if type == "bf16":
        return f"B({part}&0xffff)"
    if type.startswith("iu"):
        type = "i" if is_signed else "u"
    if type[0] == "i":
        return f"((i32)({part}<<{32 - size})>>{32 - size})"
    return f"(i32)({part}&{(1 << size) - 1})"
