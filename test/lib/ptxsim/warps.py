"""What threads do together, matrix products, and where a thread goes on."""

import re

from c_string import quote
from errors import Unsupported
from scalar import type_of


def shuffle(i, n):
    results = i.operands[0].split("|")
    mode = i.parts[2][0] if i.parts[2] != "idx" else "i"
    value, b, c, members = (n.bits(text) for text in i.operands[1:5])
    text = (
        f"u32 inRange,x=shuffle({quote(i.text)},'{mode}',{value},{b},{c},{members},"
        "&inRange);"
    )
    text += n.write_bits(results[0], "x")
    if len(results) > 1:
        text += n.write(results[1], "pred", "inRange")
    return f"{{{text}(void)inRange;}}"


def vote(i, n):
    predicate, members = n.bits(i.operands[1]), n.bits(i.operands[2])
    lanes = f"ballot({quote(i.text)},{predicate},{members})"
    if i.has("ballot"):
        return n.write_bits(i.operands[0], lanes)
    all = f"(({members})&lanesOfWarp(self->warp))"
    text = f"u32 lanes={lanes};"
    if i.has("any"):
        value = "lanes!=0"
    elif i.has("all"):
        value = f"lanes=={all}"
    else:
        value = f"lanes==0||lanes=={all}"
    return f"{{{text}{n.write(i.operands[0], 'pred', value)}}}"


def reduce(i, n):
    operation, type = i.parts[2], type_of(i)
    name = f"redux_{operation}"
    if operation in ("min", "max"):
        name += f"_{type}"
    if type not in ("s32", "u32", "b32"):
        raise Unsupported(i.name)
    value, members = n.bits(i.operands[1]), n.bits(i.operands[2])
    return n.write_bits(i.operands[0], f"{name}({quote(i.text)},{value},{members})")


def match(i, n):
    if not i.has("any") or type_of(i) != "b32":
        raise Unsupported(i.name)
    value, members = n.bits(i.operands[1]), n.bits(i.operands[2])
    return n.write_bits(i.operands[0], f"matchAny({quote(i.text)},{value},{members})")


def elect(i, n):
    result, leads = i.operands[0].split("|")
    members = n.bits(i.operands[1])
    text = f"u32 lanes=ballot({quote(i.text)},1,{members});"
    text += f"u32 leader=(u32)__builtin_ctz(lanes);{n.write_bits(result, 'leader')}"
    return f"{{{text}{n.write(leads, 'pred', 'leader==self->lane')}}}"


def barrier(i, n):
    at = quote(i.text)
    name = i.name.replace("barrier.cta", "bar").replace(".aligned", "")
    if name == "bar.warp.sync":
        return f"syncWarp({at},{n.bits(i.operands[0])});"
    operands = i.operands
    if name == "bar.sync":
        count = n.bits(operands[1]) if len(operands) > 1 else "0"
        return f"syncNamed({at},{n.bits(operands[0])},{count});"
    if name == "bar.arrive":
        return (
            f"arriveNamed({at},{n.bits(operands[0])},{n.bits(operands[1])},0,0);"
        )
    kind = re.match(r"bar\.red\.(or|and)\.pred$", name)
    if kind:
        count = n.bits(operands[2]) if len(operands) > 3 else "0"
        value = (
            f"reduceNamed({at},{n.bits(operands[1])},{count},{n.bits(operands[-1])},"
            f"{int(kind[1] == 'or')})"
        )
        return n.write(operands[0], "pred", value)
    raise Unsupported(i.name)


def matrix_access(i, n):
    """ldmatrix and stmatrix"""
    if not i.has("m8n8") or type_of(i) != "b16":
        raise Unsupported(i.name)
    count = int(next(p for p in i.parts if re.match(r"x[124]$", p))[1:])
    is_load = i.parts[0] == "ldmatrix"
    address, registers = i.operands[1:] + i.operands[:1] if is_load else i.operands
    names = n.vector(registers)
    function = "loadMatrix" if is_load else "storeMatrix"
    call = (
        f"{function}({quote(i.text)},{n.address(address)},{count},"
        f"{int(i.has('trans'))},m);"
    )
    if is_load:
        text = f"u32 m[{count}];{call}"
        text += "".join(n.write_bits(r, f"m[{k}]") for k, r in enumerate(names))
    else:
        values = ",".join(n.bits(name) for name in names)
        text = f"u32 m[{count}]={{{values}}};{call}"
    return f"{{{text}}}"


def _decoder(i):
    types = [p for p in i.parts if p in ("f16", "bf16")]
    if len(types) != 2 or types[0] != types[1] or not i.has("f32"):
        raise Unsupported(i.name)
    return "fromF16" if types[0] == "f16" else "fromBF16"


def matrix_product(i, n):
    """mma.sync"""
    if not (i.has("m16n8k16") and i.has("row") and i.has("col")):
        raise Unsupported(i.name)
    d, a, b, c = (n.vector(text) for text in i.operands)
    lists = [",".join(n.bits(x) for x in names) for names in (a, b)]
    sums = ",".join(n.read(x, "f32") for x in c)
    text = (
        f"u32 a[]={{{lists[0]}}},b[]={{{lists[1]}}};f32 d[]={{{sums}}};"
        f"multiplyWarp({quote(i.text)},{_decoder(i)},d,a,b);"
    )
    text += "".join(n.write(x, "f32", f"d[{k}]") for k, x in enumerate(d))
    return f"{{{text}}}"


def group_product(i, n):
    """wgmma.*"""
    at = quote(i.text)
    if i.parts[1] == "fence":
        return "self->hasGroupFence=1;"
    if i.parts[1] == "commit_group":
        return f"commitGroup({at});"
    if i.parts[1] == "wait_group":
        return f"waitGroup({at},{int(i.operands[0], 0)});"
    shape = re.search(r"\.m64n(\d+)k16\.", i.name)
    if i.parts[1] != "mma_async" or not shape:
        raise Unsupported(i.name)
    d, a, b, adds, *flags = i.operands
    if [int(flag) for flag in flags[:2]] != [1, 1]:
        raise Unsupported(f"{i.name} with negated operands")
    sums = n.vector(d)
    transposed = [int(flag) for flag in flags[2:]]
    in_registers = a.startswith("{")
    text = f"f32 d[]={{{','.join(n.read(x, 'f32') for x in sums)}}};"
    if in_registers:
        text += f"u32 a[]={{{','.join(n.bits(x) for x in n.vector(a))}}};"
        transposed = [0, *transposed]
    adds = n.bits(adds)
    text += (
        f"multiplyGroup({quote(i.name)},(GroupProduct){{{_decoder(i)},{shape[1]},{adds},d,"
        f"{'a' if in_registers else 'NULL'},{'0' if in_registers else n.bits(a, 64)},"
        f"{n.bits(b, 64)},{transposed[0]},{transposed[1]}}});"
    )
    text += "".join(n.write(x, "f32", f"d[{k}]") for k, x in enumerate(sums))
    return f"{{{text}}}"


def branch(i, n):
    return f"goto {n.label(i.operands[0])};"


def end(i, n):
    return "return;"


WARPS = {
    "shfl": shuffle, "vote": vote, "redux": reduce, "match": match, "elect": elect,
    "bar": barrier, "barrier": barrier,
    "ldmatrix": matrix_access, "stmatrix": matrix_access, "mma": matrix_product,
    "wgmma": group_product, "bra": branch, "ret": end, "exit": end,
    "trap": lambda i, n: 'fail("trap");',
    "brkpt": lambda i, n: 'fail("breakpoint");',
    "nanosleep": lambda i, n: "leave();",
    # Registers are as many as one wants.
    "griddepcontrol": lambda i, n: "waitForLaunches();" if i.has("wait") else ";",
    "setmaxnreg": lambda i, n: ";",
}  # fmt: skip
