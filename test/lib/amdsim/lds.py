"""C for ds_*: LDS, and permutations of lanes."""

import re

from atomics import Atomic
from c_code import lanes, operands, snapshots, write_half
from errors import Unsupported

READ = re.compile(r"ds_(?:read|load)(?:_)?(2|2st64|2addr|2addr_stride64)?_b(\d+)$")
WRITE = re.compile(r"ds_(?:write|store)(?:_)?(2|2st64|2addr|2addr_stride64)?_b(\d+)$")
READ_NARROW = re.compile(r"ds_(?:read|load)_([ui])(8|16)(_d16)?(_hi)?$")
WRITE_NARROW = re.compile(r"ds_(?:write|store)_b(8|16)(_d16_hi)?$")
TRANSPOSE = re.compile(r"ds_read_b64_tr_b(8|16)$")
ATOMIC = re.compile(
    r"ds_(add|sub|rsub|inc|dec|min|max|min_num|max_num|and|or|xor|pk_add|cmpst|"
    r"cmpstore|wrxchg|storexchg)_(rtn_)?([uifb]\d+|bf16)$"
)


def generate(i, target):
    for family in (_permute, _wide, _narrow, _transpose, _atomic):
        code = family(i, target)
        if code is not None:
            return code
    raise Unsupported(i.name)


def _address(i, register, bytes, offset=None):
    offset = i.number("offset") if offset is None else offset
    return f"ldsAddress(w,V({register})+{offset},{bytes})"


def _wide(i, target):
    is_read = READ.match(i.name)
    found = is_read or WRITE.match(i.name)
    if not found or int(found.group(2)) < 32:
        return None
    pair, size = found.group(1), int(found.group(2))
    values, bytes, words = operands(i), size // 8, size // 32
    if not pair:
        if is_read:
            address = _address(i, values[1].index, bytes)
            return lanes(f"loadWords(w,{values[0].index},{words},l,{address});"
            )
        address = _address(i, values[0].index, bytes)
        return lanes(f"storeWords(w,{values[1].index},{words},l,{address});"
        )
    step = bytes * (64 if "64" in pair else 1)
    offsets = [i.number(f"offset{k}") * step for k in (0, 1)]
    if is_read:
        first, second = (_address(i, values[1].index, bytes, o) for o in offsets)
        result = values[0].index
        # Both addresses before either result, which may overwrite them.
        return lanes(f"u64 p={first},q={second};loadWords(w,{result},{words},l,p);"
            f"loadWords(w,{result + words},{words},l,q);",
        )
    code = ""
    for data, offset in zip(values[1:], offsets):
        address = _address(i, values[0].index, bytes, offset)
        code += f"storeWords(w,{data.index},{words},l,{address});"
    return lanes(code)


def _narrow(i, target):
    read = READ_NARROW.match(i.name)
    values = operands(i)
    if read:
        sign, size, is_d16, is_high = read.groups()
        address = _address(i, values[1].index, int(size) // 8)
        value = f"ld{size}({address})"
        if sign == "i":
            value = f"(u32)(i32)(i{size}){value}"
        result = values[0]
        register = f"V({result.index})"
        if not is_d16 and not result.half:
            return lanes(f"{register}={value};")
        is_high = is_high or result.half == "h"
        return lanes(f"u32 t={value};" + write_half(register, "t", is_high))
    write = WRITE_NARROW.match(i.name)
    if write:
        size, is_high = write.groups()
        shift = ">>16" if is_high or values[1].half == "h" else ""
        address = _address(i, values[0].index, int(size) // 8)
        return lanes(f"st{size}({address},V({values[1].index}){shift});")
    return None


def _permute(i, target):
    if i.name not in ("ds_bpermute_b32", "ds_permute_b32", "ds_swizzle_b32"):
        return None
    values = operands(i)
    result = f"V({values[0].index})"
    if i.name == "ds_swizzle_b32":
        pattern = target.word(i.pc) & 0xFFFF
        if pattern & 0x8000 and pattern & 0xFF00 != 0x8000:
            raise Unsupported("swizzle that rotates")
        body = (
            f"int source=swizzleSource({pattern:#x},l);"
            f"{result}=exec>>source&1?snapshot[0].lane[source]:0;"
        )
        return lanes(body, snapshots(values[1].index))
    lane = (
        f"(snapshot[0].lane[l]+{i.number('offset')})>>2&{target.wave_size - 1}"
    )
    before = snapshots(values[1].index, values[2].index)
    if i.name == "ds_bpermute_b32":
        body = (
            f"int source={lane};"
            f"{result}=exec>>source&1?snapshot[1].lane[source]:0;"
        )
        return lanes(body, before)
    # The lane with the largest number wins.
    send = lanes(
        f"t[{lane}]=snapshot[1].lane[l];", before + "u32 t[WAVE_SIZE]={0};",
        f"FOR_LANES(exec){result}=t[l];",
    )  # fmt: skip
    return send


def _transpose(i, target):
    """16 lanes read a row of 8 bytes each; each gets a column."""
    found = TRANSPOSE.match(i.name)
    if not found:
        return None
    size = int(found.group(1))
    count = 64 // size
    result, source = operands(i)
    address = _address(i, source.index, 8)
    before = (
        "static u64 t[WAVE_SIZE];"
        f"for(int l=0;l<WAVE_SIZE;l++)memcpy(t+l,(void*){address},8);"
    )
    body = (
        f"u64 r=0;for(int k=0;k<{count};k++){{"
        f"int row=(l&~15)+k*{16 // count}+(l&15)/{count};"
        f"r|=(t[row]>>{size}*(l%{count})&{(1 << size) - 1}ull)<<{size}*k;}}"
        f"setV64(w,{result.index},l,r);"
    )
    return lanes(body, before)


def _atomic(i, target):
    found = ATOMIC.match(i.name)
    if not found:
        return None
    operation, returns, type = found.groups()
    values = operands(i)
    result = values.pop(0) if returns else None
    compared = new = None
    if operation in ("cmpst", "cmpstore"):
        operation = "cmpswap"
        # gfx11 swapped the two operands.
        compared, new = (v.index for v in values[1:3])
        if not target.is_cdna:
            compared, new = new, compared
    atomic = Atomic(operation.replace("_num", ""), type)
    address = _address(i, values[0].index, atomic.bytes)
    return lanes(atomic.code(address, values[1], result, compared, new))
