"""C for accesses to global memory, scratch and buffers."""

import re

import atomics
from c_code import lanes, operands, write_half
from errors import Unsupported
from operands import M0

WORDS = {
    "dword": 1, "dwordx2": 2, "dwordx3": 3, "dwordx4": 4,
    "b32": 1, "b64": 2, "b96": 3, "b128": 4,
}  # fmt: skip
NARROW = {
    "ubyte": "u8", "sbyte": "i8", "ushort": "u16", "sshort": "i16",
    "byte": "u8", "short": "u16", "b8": "u8", "b16": "u16",
    "u8": "u8", "i8": "i8", "u16": "u16", "i16": "i16",
}  # fmt: skip
ACCESS = re.compile(r"(?:global|flat|scratch|buffer)_(load|store)_(lds_)?(.+)$")


class Width:
    """The width of an access, from the end of its mnemonic: a number of words, or a
    narrow type, which d16 forms keep in one half of a register."""

    def __init__(self, text):
        self.is_d16, self.is_high = "d16" in text, "_hi" in text
        text = text.replace("d16_hi_", "").replace("d16_", "")
        text = text.replace("_d16", "").replace("_hi", "")
        self.words, self.narrow = WORDS.get(text, 0), NARROW.get(text)
        if not self.words and not self.narrow:
            raise Unsupported(f"width {text}")
        self.bytes = 4 * self.words or int(self.narrow[1:]) // 8

    def load(self, result):
        """Loads from `p`."""
        if self.words:
            return f"loadWords(w,{result.index},{self.words},l,p);"
        value = f"ld{self.narrow[1:]}(p)"
        if self.narrow[0] == "i":
            value = f"(u32)(i32)({self.narrow}){value}"
        register = f"V({result.index})"
        if self.is_d16 or result.half:
            return write_half(register, value, self.is_high or result.half == "h")
        return f"{register}={value};"

    def store(self, source):
        """Stores to `p`."""
        if self.words:
            return f"storeWords(w,{source.index},{self.words},l,p);"
        shift = ">>16" if self.is_high or source.half == "h" else ""
        return f"st{self.narrow[1:]}(p,V({source.index}){shift});"


def returns_old(i):
    """Whether an atomic instruction returns what memory held."""
    modifiers = i.modifiers
    return (
        "sc0" in modifiers
        or "glc" in modifiers
        or "RETURN" in str(modifiers.get("th", ""))
    )


def _address(i, vector, scalar, bytes):
    """The address of one lane. Global: a vector pair, or a scalar pair plus a vector
    offset; scratch: offsets."""
    offset = i.number("offset")
    has_scalar = scalar is not None and not scalar.is_null
    if i.name.startswith("scratch"):
        parts = [f"{offset}u"]
        if vector is not None and vector.kind != "off":
            parts.append(vector.bits())
        if has_scalar:
            parts.append(scalar.bits())
        return f"scratchAddress(w,l,{'+'.join(parts)},{bytes})"
    if has_scalar:
        base = f"S64({scalar.index})+(u64)" + (
            vector.bits("u32") if vector.is_vector else "0"
        )
    else:
        base = f"V64({vector.index})"
    base += f"+(i64){offset}ll"
    if i.name.startswith("flat"):
        return f"flatAddress(w,l,{base},{bytes})"
    return f"({base})"


def flat(i):
    """global_*, flat_*, scratch_*."""
    values = operands(i)
    third = values[2] if len(values) > 2 else None
    if "_atomic_" in i.name:
        result = values.pop(0) if returns_old(i) else None
        third = values[2] if len(values) > 2 else None
        operation = atomics.parse(i.name)
        address = _address(i, values[0], third, operation.bytes)
        return lanes(operation.code(address, values[1], result))
    found = ACCESS.match(i.name)
    if not found:
        raise Unsupported(i.name)
    direction, to_lds, width = found.groups()
    width = Width(width)
    if to_lds:
        scalar = values[1] if len(values) > 1 else None
        address = _address(i, values[0], scalar, width.bytes)
        return lanes(_to_lds(i, width, f"u64 p={address};", "p"))
    if direction == "load":
        address = _address(i, values[1], third, width.bytes)
        return lanes(f"u64 p={address};" + width.load(values[0]))
    address = _address(i, values[0], third, width.bytes)
    return lanes(f"u64 p={address};" + width.store(values[1]))


def _to_lds(i, width, before, source):
    """Global memory to LDS, at M0 + offset + lane."""
    size = max(width.bytes, 4)
    lds = f"ldsAddress(w,(S({M0})&0xffff)+{i.number('offset')}+l*{size},{size})"
    return (
        f"{before}u32 t[4]={{0}};if({source})memcpy(t,(void*){source},{width.bytes});"
        f"memcpy((void*){lds},t,{size});"
    )


def buffer(i):
    """buffer_*: an access out of range reads zeros and writes nothing, word by
    word."""
    values = operands(i)
    is_indexed, has_offset = "idxen" in i.modifiers, "offen" in i.modifiers
    to_lds = "lds" in i.modifiers or "_load_lds_" in i.name
    data = None if to_lds else values.pop(0)
    vector, resource, scalar = values[:3]
    index = f"V({vector.index})" if is_indexed and vector.is_vector else "0"
    register = vector.index + int(is_indexed)
    offset = f"V({register})" if has_offset and vector.is_vector else "0"

    def address(bytes, more="0"):
        return (
            f"bufferAddress(w,{resource.index},{scalar.bits('u32')},"
            f"{offset}+{i.number('offset')}+{more},{index},{bytes},{int(is_indexed)})"
        )

    if "_atomic_" in i.name:
        operation = atomics.parse(i.name)
        result = data if returns_old(i) else None
        sink = f"static u64 sink;u64 q={address(operation.bytes)};"
        return lanes(sink + operation.code("(q?q:(u64)&sink)", data, result)
        )
    found = ACCESS.match(i.name)
    if not found:
        raise Unsupported(i.name)
    direction, _, width = found.groups()
    width = Width(width)
    if to_lds:
        before = f"u64 p={address(width.bytes)};"
        return lanes(_to_lds(i, width, before, "p"))
    if not width.words:
        before = f"u64 p={address(width.bytes)};"
        if direction == "load":
            zero = "static u32 zero;if(!p)p=(u64)&zero;"
            return lanes(before + zero + width.load(data))
        return lanes(f"{before}if(p){{{width.store(data)}}}")
    each = f"for(int k=0;k<{width.words};k++){{u64 p={address(4, '4*k')};"
    if direction == "load":
        body = f"u32 t[4];{each}t[k]=p?ld32(p):0;}}"
        body += f"for(int k=0;k<{width.words};k++)V({data.index}+k)=t[k];"
        return lanes(body)
    return lanes(f"{each}if(p)storeWords(w,{data.index}+k,1,l,p);}}")
