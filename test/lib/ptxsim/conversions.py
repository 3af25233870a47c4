"""cvt: between the types of PTX."""

from errors import Unsupported
from module import TYPE_BYTES
from operands import bits_of, c_type, is_float

SMALL = {"e4m3x2": "fp8", "e5m2x2": "bf8", "e2m1x2": "fp4", "ue8m0x2": "ue8m0"}
ROUNDINGS = {"rni": "rint", "rzi": "trunc", "rmi": "floor", "rpi": "ceil"}


def convert(i, n):
    types = [p for p in i.parts if p in TYPE_BYTES or p in SMALL]
    if len(types) != 2:
        raise Unsupported(i.name)
    to, source = types
    if to in SMALL:
        return _to_small(i, n, to, source)
    if source in SMALL:
        return _from_small(i, n, to, source)
    if to in ("f16x2", "bf16x2"):
        return _pack(i, n, to[:-2])
    value = n.read(i.operands[1], source)
    if i.has("ftz") and source == "f32":
        value = f"flush({value})"
    if is_float(source) and is_float(to):
        return n.write(i.operands[0], to, _between_floats(i, to, source, value))
    if is_float(source):
        rounding = next((ROUNDINGS[p] for p in i.parts if p in ROUNDINGS), None)
        if not rounding:
            raise Unsupported(i.name)
        value = f"to_{to}({rounding}((f64){value}))"
        return n.write(i.operands[0], to, value)
    if is_float(to):
        if not i.has("rn"):
            raise Unsupported(i.name)
        if i.has("sat"):
            raise Unsupported(i.name)
        cast = "" if to == "f64" else "(f32)" if to == "f32" else "(f64)"
        return n.write(i.operands[0], to, f"({cast}{value})")
    if i.has("sat"):
        value = f"clamp_{to}({value})"
    return n.write(i.operands[0], to, f"({c_type(to)}){value}")


def _between_floats(i, to, source, value):
    rounding = next((ROUNDINGS[p] for p in i.parts if p in ROUNDINGS), None)
    if rounding:
        value = f"{rounding}({value})"
    elif bits_of(to) < bits_of(source) and not i.has("rn"):
        if to == "bf16" and source == "f32" and i.has("rz") and not i.has("sat"):
            return f"truncateBF16({value})"
        raise Unsupported(i.name)
    if i.has("sat"):
        value = f"saturate({value})"
    if i.has("satfinite"):
        raise Unsupported(i.name)
    if i.has("ftz") and to == "f32":
        value = f"flush({value})"
    return value


def _pack(i, n, element):
    """cvt.rn.bf16x2.f32 d, high, low"""
    if not i.has("rn") or i.has("satfinite"):
        raise Unsupported(i.name)
    round = "roundBF16" if element == "bf16" else "UH"
    high, low = (f"{round}({n.read(text, 'f32')})" for text in i.operands[1:])
    return n.write_bits(i.operands[0], f"(u32)(u16){low}|(u32){high}<<16")


def _to_small(i, n, to, source):
    name = SMALL[to]
    if source == "f32":
        high, low = (n.read(text, "f32") for text in i.operands[1:])
    elif source in ("f16x2", "bf16x2"):
        bits = n.bits(i.operands[1])
        one = "H" if source == "f16x2" else "B"
        high, low = f"{one}(({bits})>>16)", f"{one}(({bits})&0xffff)"
    else:
        raise Unsupported(i.name)
    if name == "ue8m0":
        if i.has("rn") or not i.has("satfinite"):
            raise Unsupported(i.name)
        up = int(i.has("rp"))
        low, high = f"to_ue8m0({low},{up})", f"to_ue8m0({high},{up})"
    else:
        if not (i.has("rn") and i.has("satfinite")):
            raise Unsupported(i.name)
        low, high = (f"to_{name}({x})" for x in (low, high))
    width = 4 if name == "fp4" else 8
    return n.write_bits(i.operands[0], f"(u16)({low}|{high}<<{width})")


def _from_small(i, n, to, source):
    name = SMALL[source]
    width = 4 if name == "fp4" else 8
    bits = n.bits(i.operands[1])
    values = []
    for half in range(2):
        code = f"({bits}>>{half * width}&{(1 << width) - 1})"
        value = f"from_ue8m0({code})" if name == "ue8m0" else f"decode(&{name},{code})"
        if to == "f16x2":
            values.append(f"UH({value})")
        elif to == "bf16x2":
            values.append(f"roundBF16({value})")
        else:
            raise Unsupported(i.name)
    return n.write_bits(i.operands[0], f"(u32)(u16){values[0]}|(u32){values[1]}<<16")
