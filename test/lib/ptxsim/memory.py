"""Loads, stores, atomics, copies, and what orders them."""

import re

from c_string import quote
from errors import Unsupported
from operands import bits_of, c_type, from_bits, to_bits
from scalar import type_of

# Orders, scopes and hints for caches: memory is the same for all threads here.
SPACES = ("shared", "global", "local", "param", "const")


def space_of(i):
    for part in i.parts:
        space = part.split("::")[0]
        if space in SPACES:
            return space
    return "generic"


def place(i, n, operand, bytes, writes):
    """C for a pointer to what an address operand names."""
    space, address = space_of(i), n.address(operand)
    if space == "shared":
        return f"{'write' if writes else 'read'}Shared({address},{bytes})"
    if space == "param":
        return f"(u8*)({address})"
    return f"memoryAt({address},{bytes},{int(writes)})"


def _lets_others_run(i):
    """A load that may be repeated until another thread stores."""
    waits = i.has("volatile") or i.has("relaxed") or i.has("acquire")
    return "leave();" if waits else ""


def load(i, n):
    type = type_of(i)
    width, names = bits_of(type), n.vector(i.operands[0])
    pointer = place(i, n, i.operands[1], len(names) * width // 8, False)
    text = f"const u8*p={pointer};"
    for k, name in enumerate(names):
        bits = f"get{width}(p+{k * width // 8})"
        value = from_bits(type, bits)
        text += f"{c_type(type)} x{k}={value};"
    for k, name in enumerate(names):
        text += n.write(name, type, f"x{k}")
    return f"{{self->at={quote(i.text)};{_lets_others_run(i)}{text}}}"


def store(i, n):
    type = type_of(i)
    width, values = bits_of(type), n.vector(i.operands[1])
    pointer = place(i, n, i.operands[0], len(values) * width // 8, True)
    text = f"u8*p={pointer};"
    for k, value in enumerate(values):
        text += f"put{width}(p+{k * width // 8},(u{width})({n.bits(value, width)}));"
    return f"{{self->at={quote(i.text)};{text}}}"


def atomic(i, n):
    type = type_of(i)
    returns = i.parts[0] == "atom"
    operands = i.operands if returns else ["_", *i.operands]
    width = bits_of(type)
    pointer = place(i, n, operands[1], width // 8, True)
    new = [n.read(text, type) for text in operands[2:]]
    operation = next(
        (p for p in i.parts if p in ("add", "min", "max", "and", "or", "xor", "exch",
                                     "cas", "inc", "dec")), None)  # fmt: skip
    expression = {
        "add": "old+x", "min": "old<x?old:x", "max": "old>x?old:x", "and": "old&x",
        "or": "old|x", "xor": "old^x", "exch": "x", "cas": "old==x?y:old",
        "inc": "old>=x?0:old+1", "dec": "old==0||old>x?x:old-1",
    }.get(operation)  # fmt: skip
    if not expression or type.endswith("x2"):
        raise Unsupported(i.name)
    c = c_type(type)
    text = f"u8*p={pointer};{c} old={from_bits(type, f'get{width}(p)')},x={new[0]};"
    if len(new) > 1:
        text += f"{c} y={new[1]};"
    result = to_bits(type, f"({c})({expression})")
    text += f"put{width}(p,{result});"
    text += n.write(operands[0], type, "old")
    # Who takes a lock, if it is free, lets others give it back.
    waits = "leave();" if operation in ("exch", "cas") else ""
    return f"{{self->at={quote(i.text)};{waits}{text}block.progress++;}}"


def cvta(i, n):
    value = n.bits(i.operands[1], 64)
    if space_of(i) == "shared":
        sign = "-" if i.has("to") else "+"
        value = f"((u64){value}{sign}(u64)block.shared)"
    register = n.register(i.operands[0])
    return n.write_bits(i.operands[0], f"(u{bits_of(register[1])})({value})")


def copy_async(i, n):
    name, at = i.name, quote(i.text)
    if name == "cp.async.bulk.prefetch.L2.global":
        source, bytes = i.operands[:2]
        return f"prefetchBulk({at},{n.address(source)},{n.bits(bytes)});"
    if name == "cp.async.commit_group":
        return "commitCopies();"
    if name == "cp.async.wait_group":
        return f"waitCopies({int(i.operands[0], 0)});"
    if name == "cp.async.wait_all":
        return "commitCopies();waitCopies(0);"
    if re.fullmatch(
        r"cp\.async\.mbarrier\.arrive\.noinc(\.shared(::cta)?)?\.b64", name
    ):
        return f"arriveBehindCopies({at},{n.address(i.operands[0])});"
    if name == "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes":
        to, source, bytes, barrier = i.operands[:4]
        return (
            f"copyBulk({at},{n.address(to)},{n.address(source)},{n.bits(bytes)},"
            f"{n.address(barrier)});"
        )
    if re.fullmatch(r"cp\.async\.c[ag]\.shared(::cta)?\.global(\.L2::\w+)*", name):
        to, source, bytes = i.operands[:3]
        # A fourth operand is a size, but for that of a cache policy.
        has_policy = i.has("L2::cache_hint")
        rest = i.operands[3 : len(i.operands) - has_policy]
        register = n.register(rest[0]) if rest else None
        if len(rest) > 1 or (register and register[1] == "pred"):
            raise Unsupported(f"{name} with a predicate")
        size = n.bits(rest[0]) if rest else bytes
        return (
            f"copyAsync({at},{n.address(to)},{n.address(source)},{bytes},{size});"
        )
    raise Unsupported(i.name)


def memory_barrier(i, n):
    """mbarrier.*"""
    at, what = quote(i.text), i.parts[1]
    if what == "init":
        count = n.bits(i.operands[1])
        return f"makeBarrier({at},{n.address(i.operands[0])},{count});"
    if what == "inval":
        return f"endBarrier({at},{n.address(i.operands[0])});"
    if what == "expect_tx":
        bytes = n.bits(i.operands[1])
        return f"expectBytes({at},{n.address(i.operands[0])},{bytes});"
    if what == "arrive" and i.operands[0] == "_":
        address = n.address(i.operands[1])
        if i.has("expect_tx"):
            bytes = n.bits(i.operands[2])
            return f"expectBytes({at},{address},{bytes});arriveAt({at},{address},1);"
        count = n.bits(i.operands[2]) if len(i.operands) > 2 else "1"
        return f"arriveAt({at},{address},{count});"
    if what in ("try_wait", "test_wait") and i.has("parity"):
        value = f"testBarrier({at},{n.address(i.operands[1])},{n.bits(i.operands[2])})"
        return n.write(i.operands[0], "pred", value)
    raise Unsupported(i.name)


def fence(i, n):
    """fence: one of async's proxy for shared memory is looked for by products."""
    if re.fullmatch(r"fence\.proxy\.async(\.shared::(cta|cluster))?", i.name):
        return "fenceProxy();"
    if re.fullmatch(
        r"membar\.\w+|fence(\.proxy\.async\.global|\.mbarrier_init\.release\.cluster|"
        r"(\.sc|\.acq_rel|\.acquire|\.release)?\.(cta|cluster|gpu|sys))",
        i.name,
    ):
        return ";"
    raise Unsupported(i.name)


def _nothing(i, n):
    return ";"


MEMORY = {
    "ld": load, "ldu": load, "st": store, "atom": atomic, "red": atomic, "cvta": cvta,
    "cp": copy_async, "mbarrier": memory_barrier, "fence": fence, "membar": fence,
    "prefetch": _nothing, "prefetchu": _nothing, "applypriority": _nothing,
    "createpolicy": lambda i, n: n.write_bits(i.operands[0], "0"),
}  # fmt: skip
