"""C for atomic instructions. Lanes take effect one after the other."""

import re

from errors import Unsupported
from operands import from_bits, to_bits

NAME = re.compile(
    r"_atomic_(add|sub|smin|umin|smax|umax|min|max|min_num|max_num|and|or|xor|swap|"
    r"cmpswap|inc|dec|pk_add|fadd|fmin|fmax)"
    r"(?:_(x2|u32|i32|u64|i64|f32|f64|b32|b64|f16|bf16))?$"
)
PACKED_ADD = {
    "f16": "(UH(H(o)+H(x))&0xffff)|UH(H(o>>16)+H(x>>16))<<16",
    "bf16": "UB(B(o&0xffff)+B(x&0xffff))|UB(B(o>>16)+B(x>>16))<<16",
}
# Of what memory held, o, and the operand, x; a and b are the two in their type.
BITWISE = {
    "and": "o&x", "or": "o|x", "xor": "o^x", "swap": "x", "wrxchg": "x",
    "storexchg": "x", "inc": "o>=x?0:o+1", "dec": "(o==0||o>x)?x:o-1",
}  # fmt: skip
TYPED = {"add": "a+b", "sub": "a-b", "rsub": "b-a"}
MINMAX = {
    ("min", "f32"): "minnum(a,b)", ("max", "f32"): "maxnum(a,b)",
    ("min", "f64"): "minnum64(a,b)", ("max", "f64"): "maxnum64(a,b)",
}  # fmt: skip


class Atomic:
    """`type` is an operand type, "pk_f16" or "pk_bf16"."""

    def __init__(self, operation, type):
        self.operation = operation
        self.type = type.replace("b32", "u32").replace("b64", "u64")
        self.bytes = 8 if "64" in type else 4

    def code(self, address, data, result, compared=None, new=None):
        """For one lane. `compared`, `new`: operands of a compare-and-swap that has
        them apart; otherwise they follow each other in `data`."""
        bits = "u64" if self.bytes == 8 else "u32"
        code = f"u64 p={address};{bits} o,x={_read(data.index, bits)};(void)x;"
        code += f"memcpy(&o,(void*)p,sizeof o);{bits} n;"
        code += self._new_value(data, bits, compared, new)
        code += "memcpy((void*)p,&n,sizeof n);"
        if result is not None:
            is_wide = bits == "u64"
            index = result.index
            code += f"setV64(w,{index},l,o);" if is_wide else f"V({index})=o;"
        return f"{{{code}}}"

    def _new_value(self, data, bits, compared, new):
        operation, type = self.operation, self.type
        if operation == "cmpswap":
            if compared is None:
                compared, new = data.index + self.bytes // 4, data.index
            return f"n=o=={_read(compared, bits)}?{_read(new, bits)}:o;"
        if operation == "pk_add":
            return f"n={PACKED_ADD[type]};"
        if operation in BITWISE:
            return f"n={BITWISE[operation]};"
        expression = TYPED.get(operation) or MINMAX.get((operation, type))
        if not expression:
            sign = "<" if operation == "min" else ">"
            expression = f"a{sign}b?a:b"
        values = f"{type} a={from_bits('o', type)},b={from_bits('x', type)};"
        return f"{values}n={to_bits('(' + expression + ')', type)};"


def _read(register, bits):
    return f"V64({register})" if bits == "u64" else f"V({register})"


def parse(name):
    """Of a mnemonic of global, flat or buffer memory."""
    found = NAME.search(name)
    if not found:
        raise Unsupported(name)
    operation, type = found.group(1), found.group(2) or "u32"
    if type == "x2":
        type = "u64"
    if operation in ("smin", "smax"):
        operation, type = operation[1:], type.replace("u", "i")
    elif operation in ("umin", "umax"):
        operation = operation[1:]
    elif operation in ("fadd", "fmin", "fmax"):
        operation, type = operation[1:], "f64" if type in ("u64", "f64") else "f32"
    elif operation.endswith("_num"):
        operation = operation[:-4]
    return Atomic(operation, type)
