"""Arithmetic, logic and moves of one thread. Each function gives C for an instruction;
`n` are the names it sees."""

from errors import Unsupported
from module import TYPE_BYTES
from operands import bits_of, c_type, from_bits, is_float, to_bits

COMPARISONS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=",
               "lo": "<", "ls": "<=", "hi": ">", "hs": ">="}  # fmt: skip


def type_of(i):
    """The last type in an instruction's name."""
    for part in reversed(i.parts):
        if part in TYPE_BYTES:
            return part
    raise Unsupported(i.name)


def element_of(type):
    """(type, how many in a register)"""
    return (type[:-2], 2) if type.endswith("x2") else (type, 1)


def halves(i, n, type, value):
    """`value(operands)` for both halves of packed operands."""
    element, _ = element_of(type)
    width = bits_of(element)
    results = []
    for half in range(2):
        operands = []
        for text in i.operands[1:]:
            bits = f"(u{width})({n.bits(text, 2 * width)}>>{width * half})"
            operands.append(from_bits(element, bits))
        results.append(to_bits(element, value(operands)))
    result = f"(u{2 * width}){results[0]}|(u{2 * width}){results[1]}<<{width}"
    return n.write_bits(i.operands[0], result)


def apply(i, n, value, type=None):
    """Writes `value(operands)`, by halves if the type is packed."""
    type = type or type_of(i)
    element = element_of(type)[0]
    flushed = i.has("ftz")
    # bf16 is read as the f32 that it is, and its smallest number is that of f32.
    if flushed and element not in ("f32", "bf16"):
        raise Unsupported(i.name)
    if i.has("sat") and not is_float(element):
        raise Unsupported(i.name)

    def whole(operands):
        if flushed:
            operands = [f"flush({o})" for o in operands]
        result = value(operands)
        if i.has("sat"):
            result = f"saturate({result})"
        return f"flush({result})" if flushed else result

    if type.endswith("x2"):
        return halves(i, n, type, whole)
    operands = [n.read(text, type) for text in i.operands[1:]]
    return n.write(i.operands[0], type, whole(operands))


def _binary(operator):
    def emit(i, n):
        type = element_of(type_of(i))[0]
        if type in ("f16", "bf16"):
            return apply(i, n, lambda o: f"((f64){o[0]}{operator}(f64){o[1]})")
        if type.startswith("s"):
            unsigned = f"u{bits_of(type)}"
            return apply(i, n, lambda o: f"(({unsigned}){o[0]}{operator}({unsigned}){o[1]})")
        return apply(i, n, lambda o: f"({o[0]}{operator}{o[1]})")

    return emit


def _wide(type):
    return type[0] + str(2 * bits_of(type))


def multiply(i, n):
    type = type_of(i)
    if is_float(element_of(type)[0]):
        return _binary("*")(i, n)
    wide = c_type(_wide(type)) if bits_of(type) < 64 else (
        "__int128" if type[0] == "s" else "unsigned __int128")  # fmt: skip
    a, b = (n.read(text, type) for text in i.operands[1:3])
    product = f"(({wide}){a}*({wide}){b})"
    return _integer_product(i, n, type, product)


def _integer_product(i, n, type, product):
    if i.has("wide"):
        return n.write(i.operands[0], _wide(type), product)
    if i.has("hi"):
        return n.write(i.operands[0], type, f"({product}>>{bits_of(type)})")
    return n.write(i.operands[0], type, f"({c_type(type)}){product}")


def multiply_add(i, n):
    type = type_of(i)
    if is_float(element_of(type)[0]):
        return fma(i, n)
    if i.has("sat"):
        raise Unsupported(i.name)
    signed = type[0] == "s"
    a, b = (n.read(text, type) for text in i.operands[1:3])
    wide = "__int128" if signed else "unsigned __int128"
    product = f"(({wide}){a}*({wide}){b})"
    if i.has("wide"):
        c = n.read(i.operands[3], _wide(type))
        return n.write(i.operands[0], _wide(type), f"({product}+({wide}){c})")
    c = n.read(i.operands[3], type)
    if i.has("hi"):
        product = f"({product}>>{bits_of(type)})"
    return n.write(i.operands[0], type, f"({product}+({wide}){c})")


def fma(i, n):
    element = element_of(type_of(i))[0]
    if element in ("f16", "bf16"):
        return apply(i, n, lambda o: f"((f64){o[0]}*(f64){o[1]}+(f64){o[2]})")
    function = "fma" if element == "f64" else "fmaf"
    return apply(i, n, lambda o: f"{function}({o[0]},{o[1]},{o[2]})")


def _extreme(name):
    def emit(i, n):
        type = element_of(type_of(i))[0]
        if not is_float(type):
            sign = "<" if name == "min" else ">"
            return apply(i, n, lambda o: f"({o[0]}{sign}{o[1]}?{o[0]}:{o[1]})")
        if type == "f64":
            raise Unsupported(i.name)
        function = f"{name}imum" if i.has("NaN") else f"{name}num"
        if i.has("xorsign"):
            if i.has("NaN"):
                raise Unsupported(i.name)
            function += "_xorsign"

        def value(o):
            result = f"{function}({o[0]},{o[1]})"
            return f"{function}({result},{o[2]})" if len(o) > 2 else result

        return apply(i, n, value)

    return emit


def absolute(i, n):
    type = element_of(type_of(i))[0]
    if is_float(type):
        return apply(i, n, lambda o: f"fabs({o[0]})")
    return apply(i, n, lambda o: f"({o[0]}<0?-{o[0]}:{o[0]})")


def divide(i, n):
    type = type_of(i)
    if is_float(type):
        return apply(i, n, lambda o: f"({o[0]}/{o[1]})")
    # The quotient of the least number and -1 has no place in the type.
    if type[0] == "s":
        return apply(i, n, lambda o: f"({o[1]}==-1?-{o[0]}:{o[1]}?{o[0]}/{o[1]}:-1)")
    return apply(i, n, lambda o: f"({o[1]}?{o[0]}/{o[1]}:({c_type(type)})-1)")


def remainder(i, n):
    if type_of(i)[0] == "s":
        return apply(i, n, lambda o: f"({o[1]}==-1?0:{o[1]}?{o[0]}%{o[1]}:{o[0]})")
    return apply(i, n, lambda o: f"({o[1]}?{o[0]}%{o[1]}:{o[0]})")


def shift(i, n):
    type = type_of(i)
    a, count = n.read(i.operands[1], type), n.read(i.operands[2], "u32")
    width = bits_of(type)
    if i.parts[0] == "shl":
        value = f"({count}>={width}?0:{a}<<{count})"
    elif type[0] == "s":
        value = f"({a}>>({count}>={width}?{width - 1}:{count}))"
    else:
        value = f"({count}>={width}?0:{a}>>{count})"
    return n.write(i.operands[0], type, value)


def funnel(i, n):
    a, b, c = (n.read(text, "u32") for text in i.operands[1:])
    count = f"MIN({c},32u)" if i.has("clamp") else f"({c}&31u)"
    pair = f"((u64){b}<<32|{a})"
    value = f"({pair}>>{count})" if i.has("r") else f"({pair}<<{count}>>32)"
    return n.write(i.operands[0], "b32", value)


def permute(i, n):
    if len(i.parts) > 2:
        raise Unsupported(i.name)
    a, b, c = (n.read(text, "u32") for text in i.operands[1:])
    return n.write(i.operands[0], "b32", f"permute({a},{b},{c})")


def lop3(i, n):
    a, b, c = (n.read(text, "u32") for text in i.operands[1:4])
    return n.write(i.operands[0], "b32", f"lop3({a},{b},{c},{int(i.operands[4], 0)})")


def call(name, *types):
    """A function of the runtime; types of its operands, else the instruction's."""

    def emit(i, n):
        type = type_of(i)
        operands = ",".join(
            n.read(text, types[k] if k < len(types) else type)
            for k, text in enumerate(i.operands[1:])
        )
        suffix = "" if types else "_" + type
        return n.write(i.operands[0], type, f"{name}{suffix}({operands})")

    return emit


def approximate(name):
    def emit(i, n):
        if type_of(i) == "f64":
            raise Unsupported(i.name)
        return apply(i, n, lambda o: f"{name}({o[0]})")

    return emit


def copy_sign(i, n):
    if type_of(i) == "f64":
        raise Unsupported(i.name)
    return apply(i, n, lambda o: f"copysignf({o[1]},{o[0]})")


def find_bit(i, n):
    type = type_of(i)
    return n.write(i.operands[0], "u32", f"bfind_{type}({n.read(i.operands[1], type)})")


def count_bits(i, n):
    type = type_of(i)
    value = n.read(i.operands[1], "u" + type[1:])
    return n.write(i.operands[0], "u32", f"{i.parts[0]}_{bits_of(type)}({value})")


def not_(i, n):
    type = type_of(i)
    a = n.read(i.operands[1], type)
    return n.write(i.operands[0], type, f"!{a}" if type == "pred" else f"~{a}")


def select(i, n):
    type = type_of(i)
    a, b = n.read(i.operands[1], type), n.read(i.operands[2], type)
    return n.write(i.operands[0], type, f"({n.bits(i.operands[3])}?{a}:{b})")


def compare(type, name, a, b):
    if not is_float(type):
        return f"({a}{COMPARISONS[name]}{b})"
    if name in ("num", "nan"):
        value = f"isunordered({a},{b})"
        return value if name == "nan" else f"!{value}"
    if name.endswith("u") and name[:-1] in COMPARISONS:
        return f"(isunordered({a},{b})||{a}{COMPARISONS[name[:-1]]}{b})"
    if name == "ne":
        return f"(!isunordered({a},{b})&&{a}!={b})"
    return f"({a}{COMPARISONS[name]}{b})"


def set_predicate(i, n):
    """setp and set: p = a op b, combined with c."""
    type = type_of(i)
    element, count = element_of(type)
    if count == 2:
        if i.parts[0] == "set" or len(i.operands) > 3 or i.has("ftz"):
            raise Unsupported(i.name)
        return _set_packed(i, n, element)
    a, b = (n.read(text, type) for text in i.operands[1:3])
    if i.has("ftz"):
        if type != "f32":
            raise Unsupported(i.name)
        a, b = f"flush({a})", f"flush({b})"
    value = compare(type, i.parts[1], a, b)
    results = i.operands[0].split("|")
    values = [value, f"!{value}"]
    if len(i.operands) > 3:
        operator = {"and": "&", "or": "|", "xor": "^"}[i.parts[2]]
        c = f"({n.bits(i.operands[3])}!=0)"
        values = [f"(({v}){operator}{c})" for v in values]
    if i.parts[0] == "set":
        result = next(part for part in i.parts if part in TYPE_BYTES)
        yes = "1.0f" if is_float(result) else f"({c_type(result)})-1"
        return n.write(results[0], result, f"({values[0]}?{yes}:0)")
    text = f"u8 yes={values[0]},no={values[1]};"
    for name, value in zip(results, ("yes", "no")):
        text += n.write(name, "pred", value)
    return "{" + text + "(void)no;}"


def _set_packed(i, n, element):
    values = []
    for half in range(2):
        a, b = (
            from_bits(element, f"(u16)({n.bits(text)}>>{16 * half})")
            for text in i.operands[1:3]
        )
        values.append(compare(element, i.parts[1], a, b))
    results = i.operands[0].split("|")
    return "".join(n.write(r, "pred", v) for r, v in zip(results, values))


def move(i, n):
    type = type_of(i)
    to, source = i.operands
    if source.startswith("{"):
        parts = n.vector(source)
        width = bits_of(type) // len(parts)
        joined = "|".join(
            f"(u64)(u{width}){n.bits(part, width)}<<{width * k}"
            for k, part in enumerate(parts)
        )
        return n.write_bits(to, f"(u{bits_of(type)})({joined})")
    if to.startswith("{"):
        parts = n.vector(to)
        width = bits_of(type) // len(parts)
        text = f"u64 all={n.bits(source, bits_of(type))};"
        for k, part in enumerate(parts):
            text += n.write_bits(part, f"(u{width})(all>>{width * k})")
        return "{" + text + "}"
    if type == "pred":
        return n.write(to, "pred", n.bits(source))
    return n.write_bits(to, f"(u{bits_of(type)})({n.bits(source, bits_of(type))})")


def _bitwise(operator):
    def emit(i, n):
        type = type_of(i)
        if type == "pred":
            a, b = (f"({n.bits(text)}!=0)" for text in i.operands[1:])
            return n.write(i.operands[0], type, f"({a}{operator}{b})")
        return apply(i, n, lambda o: f"({o[0]}{operator}{o[1]})")

    return emit


SCALAR = {
    "add": _binary("+"), "sub": _binary("-"), "mul": multiply, "mad": multiply_add,
    "fma": fma, "min": _extreme("min"), "max": _extreme("max"), "abs": absolute,
    "neg": lambda i, n: apply(i, n, lambda o: f"(-{o[0]})"),
    "div": divide, "rem": remainder,
    "and": _bitwise("&"), "or": _bitwise("|"), "xor": _bitwise("^"), "not": not_,
    "shl": shift, "shr": shift, "shf": funnel, "prmt": permute, "lop3": lop3,
    "bfe": call("bfe"), "bfi": call("bfi"),
    "popc": count_bits, "clz": count_bits, "brev": call("brev"),
    "bfind": find_bit,
    "rcp": approximate("1/"), "sqrt": approximate("sqrtf"),
    "rsqrt": approximate("1/sqrtf"), "ex2": approximate("exp2f"),
    "lg2": approximate("log2f"), "tanh": approximate("tanhf"),
    "sin": approximate("sinf"), "cos": approximate("cosf"),
    "copysign": copy_sign,
    "selp": select, "setp": set_predicate, "set": set_predicate, "mov": move,
}  # fmt: skip
