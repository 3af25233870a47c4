"""C for vector instructions: those of the table, comparisons, carries; the other
families have modules of their own."""

import re

import vector_conversions
import vector_lanes
import vector_matrix
import vector_packed
from c_code import lanes, operands, read_mask, write, write_mask
from disassembly import Instruction
from errors import Unsupported
from operands import EXEC, VCC, Operand, is_float, to_bits, width
from scalar_table import FLOAT_COMPARISONS, INTEGER_COMPARISONS, NO_EFFECT
from vector_sources import lane_loop, result, select_source, source
from vector_table import TABLE

COMPARE = re.compile(r"v_cmp(x)?_(\w+?)_([fiu])(16|32|64)$")
CLASSIFY = re.compile(r"v_cmp(x)?_class_f(16|32|64)$")
CARRY = re.compile(
    r"v_(add|sub|subrev|addc|subb|subbrev|add_co_ci|sub_co_ci|subrev_co_ci)"
    r"(?:_co)?_u32$"
)
MULTIPLY_ADD = re.compile(r"v_mad_(?:co_)?(u64_u32|i64_i32)$")
DIVISION_SCALE = re.compile(r"v_div_scale_f(32|64)$")
SCALAR_FLOAT = re.compile(r"v_s_(exp|log|rcp|rsq|sqrt)_f(32|16)$")
SATURATING = {
    "v_sub_u32": "a<b?0:a-b", "v_sub_nc_u32": "a<b?0:a-b",
    "v_add_u32": "a+b<a?~0u:a+b", "v_add_nc_u32": "a+b<a?~0u:a+b",
}  # fmt: skip


def generate(i, target):
    if i.name in NO_EFFECT:
        return ""
    if i.name.startswith("v_dual_"):
        return _dual(i, target)
    families = (
        vector_lanes.generate, vector_matrix.generate, _compare, _classify, _select,
        _carry, _multiply_add, _division_scale, vector_packed.generate,
        vector_conversions.generate, _bitop3, _table, _scalar_float,
    )  # fmt: skip
    for family in families:
        code = family(i, target)
        if code is not None:
            return code
    raise Unsupported(i.name)


def _dual(i, target):
    """Two instructions in one; both read before either writes."""
    first, second = (
        Instruction(half.strip().replace("v_dual_", "v_", 1), i.pc, i.size, i.symbol)
        for half in i.text.split("::")
    )
    codes = generate(first, target), generate(second, target)
    written = Operand(first.operands[0]).index
    read = [Operand(text) for text in second.operands[1:]]
    if TABLE.get(second.name) and TABLE[second.name].reads_destination:
        read.append(Operand(second.operands[0]))
    if not any(o.is_vector and o.index == written for o in read):
        return codes[0] + codes[1]
    # The second one sees the old value of what the first one writes.
    return (
        f"{{static u32 old[WAVE_SIZE],new[WAVE_SIZE];u32 *r=w->v[{written}];"
        f"memcpy(old,r,sizeof old);{codes[0]}memcpy(new,r,sizeof new);"
        f"memcpy(r,old,sizeof old);{codes[1]}memcpy(r,new,sizeof new);}}"
    )


def _compare_result(i, target, values, body, writes_exec):
    """A comparison's mask; the code of a lane sets its bit of r."""
    after = write_mask(values[0], "r") if values else ""
    if writes_exec:
        after += f"setMask(w,{EXEC},r);"
    return lane_loop(i, body, "u64 r=0;", after)


def _split_compared(i, target, writes_exec):
    """(what is written, the two sources): RDNA's v_cmpx writes EXEC only."""
    values = operands(i)
    has_result = not writes_exec or target.is_cdna or len(values) > 2
    return (values[:1], values[1:]) if has_result else ([], values)


def _compare(i, target):
    found = COMPARE.match(i.name)
    if not found or found.group(2) == "class":
        return None
    writes_exec, comparison, kind, size = found.groups()
    written, (a, b) = _split_compared(i, target, writes_exec)
    type = kind + size
    table = FLOAT_COMPARISONS if kind == "f" else INTEGER_COMPARISONS
    body = (
        f"{type} a={source(i, a, type, 0)};{type} b={source(i, b, type, 1)};"
        f"if({table[comparison]})r|=1ull<<l;"
    )
    return _compare_result(i, target, written, body, writes_exec)


def _classify(i, target):
    found = CLASSIFY.match(i.name)
    if not found:
        return None
    writes_exec, size = found.groups()
    written, (a, b) = _split_compared(i, target, writes_exec)
    type = "f" + size
    bits = to_bits(source(i, a, type, 0), type)
    body = f"if(class{size}({bits},{source(i, b, 'u32', 1)}))r|=1ull<<l;"
    return _compare_result(i, target, written, body, writes_exec)


def _select(i, target):
    if i.name not in ("v_cndmask_b32", "v_cndmask_b16"):
        return None
    type = i.name[-3:]
    destination, a, b, *mask = operands(i)
    mask = read_mask(mask[0]) if mask else f"getMask(w,{VCC})"
    a, b = select_source(i, a, type, 0), select_source(i, b, type, 1)
    value = f"(mask>>l&1)?({b}):({a})"
    return lane_loop(
        i, result(i, target, destination, type, value), f"u64 mask={mask};"
    )


def _carry(i, target):
    found = CARRY.match(i.name)
    operation = found and found.group(1)
    if not found or operation in ("add", "sub", "subrev") and "_co_" not in i.name:
        return None
    destination, carry_out, a, b, *carry_in = operands(i)
    a, b = source(i, a, "u32", 0), source(i, b, "u32", 1)
    if "rev" in operation:
        a, b = b, a
    before, carry = "u64 r=0;", "0"
    if carry_in:
        before += f"u64 carry={read_mask(carry_in[0])};"
        carry = "(carry>>l&1)"
    sign = "+" if operation.startswith("add") else "-"
    body = (
        f"u64 t=(u64)({a}){sign}({b}){sign}{carry};"
        f"V({destination.index})=(u32)t;if(t>>32)r|=1ull<<l;"
    )
    return lane_loop(i, body, before, write_mask(carry_out, "r"))


def _multiply_add(i, target):
    found = MULTIPLY_ADD.match(i.name)
    if not found:
        return None
    wide, narrow = found.group(1).split("_")
    destination, carry_out, a, b, c = operands(i)
    product = f"({wide})({a.typed(narrow)})*({b.typed(narrow)})"
    body = f"u64 p=(u64)({product}),c={c.bits(wide)},q=p+c;"
    if wide == "u64":
        body += "if(q<c)r|=1ull<<l;"
    body += f"setV64(w,{destination.index},l,q);"
    return lanes(body, "u64 r=0;", write_mask(carry_out, "r"))


def _division_scale(i, target):
    found = DIVISION_SCALE.match(i.name)
    if not found:
        return None
    size = found.group(1)
    type = "f" + size
    destination, vcc, *values = operands(i)
    arguments = ",".join(value.typed(type) for value in values)
    body = (
        f"int vcc;{type} q=div_scale{size}({arguments},&vcc);"
        + write(target, destination, type, "q")
        + "if(vcc)r|=1ull<<l;"
    )
    return lanes(body, "u64 r=0;", write_mask(vcc, "r"))


def _bitop3(i, target):
    """Any function of three bits; the modifier is its table of values."""
    if i.name not in ("v_bitop3_b32", "v_bitop3_b16"):
        return None
    values = int(str(i.modifiers.get("bitop3", "0")), 0)
    bits = ((2, "a"), (1, "b"), (0, "c"))
    terms = [
        "&".join(name if row >> k & 1 else f"~{name}" for k, name in bits)
        for row in range(8)
        if values >> row & 1
    ]
    expression = "|".join(f"({term})" for term in terms) or "0"
    destination, *sources = operands(i)
    type = i.name[-3:]
    code = "".join(
        f"u32 {name}={source(i, operand, type, k)};"
        for k, (name, operand) in enumerate(zip("abc", sources))
    )
    return lanes(code + result(i, target, destination, type, f"({expression})"))


def _table(i, target):
    entry = TABLE.get(i.name)
    if not entry:
        return None
    destination, *sources = operands(i)
    type, code = entry.result, ""
    if entry.reads_destination:
        old = destination.bits("u64" if width(type) == 64 else "u32")
        code = f"u{max(width(type), 32)} d={old};"
    for k, (name, source_type) in enumerate(zip("abc", entry.sources)):
        code += f"{source_type} {name}={source(i, sources[k], source_type, k)};"
    value = f"({_modify_output(i, type, entry.expression)})"
    if destination.is_scalar:
        write_result = write(target, destination, type, value)
        return f"{{int l=0;(void)l;{code}{write_result}}}"
    return lane_loop(i, code + result(i, target, destination, type, value))


def _modify_output(i, type, expression):
    """mul:2, mul:4, div:2 and clamp."""
    if not is_float(type):
        if "clamp" not in i.modifiers:
            return expression
        if i.name not in SATURATING:
            raise Unsupported(f"{i.name} with clamp")
        return SATURATING[i.name]
    factor = None
    if "mul" in i.modifiers:
        factor = i.modifiers["mul"] + ".0"
    elif "div" in i.modifiers:
        factor = "0.5"
    if factor:
        expression = f"({type})(({expression})*({type}){factor})"
    if "clamp" in i.modifiers:
        expression = f"({type})clamp01({expression})"
    return expression


def _scalar_float(i, target):
    """gfx12's transcendental functions of scalar registers."""
    found = SCALAR_FLOAT.match(i.name)
    if not found:
        return None
    entry = TABLE[f"v_{found.group(1)}_f{found.group(2)}"]
    destination, a = operands(i)
    type = entry.result
    value = write(target, destination, type, f"({entry.expression})")
    return f"{{{type} a={a.typed(type)};{value}}}"
