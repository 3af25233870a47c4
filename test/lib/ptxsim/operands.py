"""Operands of PTX as C. Registers are unsigned integers of their width; values of other
types are made from their bits."""

import re

from errors import Unsupported
from module import TYPE_BYTES

SPECIAL = {
    "%tid.x": "self->id[0]", "%tid.y": "self->id[1]", "%tid.z": "self->id[2]",
    "%ntid.x": "block.size[0]", "%ntid.y": "block.size[1]",
    "%ntid.z": "block.size[2]", "%ctaid.x": "block.id[0]",
    "%ctaid.y": "block.id[1]", "%ctaid.z": "block.id[2]",
    "%nctaid.x": "block.grid[0]", "%nctaid.y": "block.grid[1]",
    "%nctaid.z": "block.grid[2]", "%laneid": "self->lane",
    "%warpid": "self->warp", "WARP_SZ": "32u",
    "%lanemask_lt": "((1u<<self->lane)-1)",
    "%total_smem_size": "(block.sharedEnd-SHARED_START)",
    "%dynamic_smem_size": "block.dynamicShared",
}  # fmt: skip


def bits_of(type):
    return 8 * TYPE_BYTES[type]


def is_float(type):
    return type in ("f16", "bf16", "f32", "f64")


def c_type(type):
    """The C type in which one computes."""
    if type == "pred":
        return "u8"
    if type == "bf16":
        return "f32"
    return type if is_float(type) else ("i" if type[0] == "s" else "u") + type[1:]


def from_bits(type, bits):
    convert = {"f16": "H", "bf16": "B", "f32": "F", "f64": "D"}.get(type)
    return f"{convert}({bits})" if convert else f"(({c_type(type)})({bits}))"


def to_bits(type, value):
    convert = {"f16": "UH", "bf16": "roundBF16", "f32": "U", "f64": "UD"}.get(type)
    if convert:
        return f"{convert}({value})"
    unsigned = "u8" if type == "pred" else f"u{bits_of(type)}"
    return f"(({unsigned})({value}))"


class Names:
    """The registers, variables and labels that one sees, innermost first."""

    def __init__(self, number, outer=None, symbols=None):
        self.number, self.outer = number, outer
        self.registers, self.labels = {}, {}
        self.symbols = symbols if symbols is not None else {}

    def _find(self, what, name):
        names = self
        while names:
            found = getattr(names, what).get(name)
            if found is not None:
                return found
            names = names.outer
        return None

    def register(self, name):
        """(C name, type), or None."""
        return self._find("registers", name)

    def label(self, name):
        found = self._find("labels", name)
        if found is None:
            raise Unsupported(f"no label '{name}'")
        return found

    def symbol(self, name):
        return self._find("symbols", name)

    def bits(self, text, width=32):
        """An operand's bits."""
        register = self.register(text)
        if register:
            return register[0]
        if text in SPECIAL:
            return SPECIAL[text]
        if text.startswith("!"):
            return f"(u8)!{self.bits(text[1:])}"
        if re.match(r"0[fF][0-9a-fA-F]{8}$", text):
            if width == 64:
                return f"UD(F(0x{text[2:]}u))"
            return f"0x{text[2:]}u"
        if re.match(r"0[dD][0-9a-fA-F]{16}$", text):
            return f"0x{text[2:]}ull"
        if re.match(r"-?(0x[0-9a-fA-F]+|\d+)U?$", text):
            return f"(u{width})({int(text.rstrip('U'), 0)}ll)"
        match = re.match(r"([\w$%]+)(?:\+(-?\d+))?$", text)
        symbol = match and self.symbol(match[1])
        if symbol:
            return f"({symbol[0]}+{match[2] or 0})"
        raise Unsupported(f"operand '{text}'")

    def read(self, text, type):
        """An operand as a value of a type."""
        if type == "pred":
            return self.bits(text)
        width = bits_of(type)
        bits = self.bits(text, width)
        register = self.register(text)
        if register and register[1] != "pred" and bits_of(register[1]) > width:
            bits = f"(u{width}){bits}"
        return from_bits(type, bits)

    def write(self, text, type, value):
        """C that sets a register to a value; wider ones are extended."""
        if text == "_":
            return f"(void)({value});"
        register = self.register(text)
        if not register:
            raise Unsupported(f"result '{text}'")
        name, own = register
        bits = to_bits(type, value)
        if type == "pred":
            return f"{name}=({value})!=0;"
        if type[0] == "s" and own != "pred" and bits_of(own) > bits_of(type):
            bits = f"(u{bits_of(own)})(i{bits_of(own)})({c_type(type)}){bits}"
        return f"{name}={bits};"

    def write_bits(self, text, bits):
        if text == "_":
            return f"(void)({bits});"
        register = self.register(text)
        if not register:
            raise Unsupported(f"result '{text}'")
        return f"{register[0]}={bits};"

    def address(self, text):
        """'[a+8]' as C of 64 bits."""
        match = re.match(r"\[\s*([\w$%.]+)\s*(?:\+\s*(-?\w+))?\s*\]$", text)
        if not match:
            raise Unsupported(f"address '{text}'")
        offset = int(match[2] or "0", 0)
        base = self.bits(match[1], 64)
        register = self.register(match[1])
        if register and bits_of(register[1]) == 32:
            return f"(u64)(u32)({base}+{offset & 0xFFFFFFFF}u)"
        return f"((u64){base}+{offset}ll)"

    def vector(self, text):
        """'{a, b}' or 'a' as a list."""
        if text.startswith("{"):
            return [part.strip() for part in text[1:-1].split(",")]
        return [text]
