"""Operands of instructions, and what they are in C.

Types are the ISA documents' (f32, u16, b64, ...); runtime/wave.h defines C
types of the same names. "Bits" are a register's contents as u32 or u64."""

import re
import struct

from errors import Unsupported

VCC, M0, NULL, EXEC = 106, 124, 125, 126
FIRST_TRAP_REGISTER = 108
FIRST_ACCUMULATOR = 256
SPECIAL_REGISTERS = {
    "vcc": (VCC, 2), "vcc_lo": (VCC, 1), "vcc_hi": (VCC + 1, 1),
    "exec": (EXEC, 2), "exec_lo": (EXEC, 1), "exec_hi": (EXEC + 1, 1),
    "m0": (M0, 1), "null": (NULL, 1),
    "flat_scratch": (102, 2), "flat_scratch_lo": (102, 1),
    "flat_scratch_hi": (103, 1), "xnack_mask": (104, 2),
    "xnack_mask_lo": (104, 1), "xnack_mask_hi": (105, 1),
}  # fmt: skip
APERTURES = {
    "src_shared_base": "SHARED_APERTURE", "src_private_base": "PRIVATE_APERTURE",
    "src_shared_limit": "0xffffffffu", "src_private_limit": "0xffffffffu",
}  # fmt: skip
EXPRESSIONS = {
    "scc": "w->scc", "src_scc": "w->scc",
    "vccz": "(VCC(w)==0)", "src_vccz": "(VCC(w)==0)",
    "execz": "(EXEC(w)==0)", "src_execz": "(EXEC(w)==0)",
}  # fmt: skip
REGISTER = re.compile(
    r"^(v|s|a|ttmp)(?:(\d+)(?:\.(l|h))?|\[(\d+)(?::(\d+))?\])$"
)
VECTOR_REGISTER = re.compile(r"^V\(\d+\)$")
INVERSE_TWO_PI = 0.15915494309189532

FROM_BITS = {
    "f32": "F({})", "f16": "H({})", "bf16": "B(({})&0xffff)", "f64": "D({})",
    "u32": "({})", "b32": "({})", "i32": "(i32)({})", "u64": "({})",
    "b64": "({})", "i64": "(i64)({})", "u16": "(u16)({})", "b16": "(u16)({})",
    "i16": "(i16)({})", "u24": "(({})&0xffffff)", "i24": "((i32)(({})<<8)>>8)",
}  # fmt: skip
TO_BITS = {
    "f32": "U({})", "f16": "UH({})", "bf16": "UB({})", "f64": "UD({})",
    "u32": "(u32)({})", "b32": "(u32)({})", "i32": "(u32)({})",
    "u64": "(u64)({})", "b64": "(u64)({})", "i64": "(u64)({})",
    "u16": "(u32)(u16)({})", "b16": "(u32)(u16)({})", "i16": "(u32)(u16)({})",
}  # fmt: skip


def from_bits(bits, type):
    # A register of a lane is read as a float in place: without optimization, a call
    # of F costs more than the arithmetic.
    if type == "f32" and VECTOR_REGISTER.match(bits):
        return f"VF{bits[1:]}"
    return FROM_BITS[type].format(bits)


def to_bits(value, type):
    return TO_BITS[type].format(value)


def width(type):
    return int(type.lstrip("fuib"))


def is_float(type):
    return type in ("f32", "f16", "f64", "bf16")


def with_sign(bits, type, negate, absolute):
    """Bits of a float after the modifiers -x and |x|."""
    size = width(type)
    suffix = "ull" if size == 64 else "u"
    if absolute:
        bits = f"(({bits})&0x{(1 << (size - 1)) - 1:x}{suffix})"
    if negate:
        bits = f"(({bits})^0x{1 << (size - 1):x}{suffix})"
    return bits


class Operand:
    """`kind` is "vector", "scalar", "constant", "expression", "aperture" or
    "off". `index`, `count`: registers; accumulators follow the vector registers.
    `half`: "l" or "h" for one half of a register."""

    def __init__(self, text):
        self.text, self.half, self.index, self.count = text, None, 0, 1
        text = self._strip_modifiers(text.strip())
        register = REGISTER.match(text)
        if register:
            self._set_register(*register.groups())
        elif text in SPECIAL_REGISTERS:
            self.kind = "scalar"
            self.index, self.count = SPECIAL_REGISTERS[text]
        elif text == "off":
            self.kind = "off"
        elif text in APERTURES:
            self.kind, self.value = "aperture", APERTURES[text]
        elif text in EXPRESSIONS:
            self.kind, self.value = "expression", EXPRESSIONS[text]
        elif re.match(r"^-?(\d|0x)", text):
            self.kind, self.value = "constant", text
        else:
            raise Unsupported(f"operand '{text}'")

    def _strip_modifiers(self, text):
        self.negate = self.absolute = self.sign_extend = False
        while True:
            if text.startswith("-") and not re.match(r"^-[\d.]", text):
                self.negate, text = True, text[1:]
            elif text.startswith("neg(") and text.endswith(")"):
                self.negate, text = True, text[4:-1]
            elif text.startswith("|") and text.endswith("|"):
                self.absolute, text = True, text[1:-1]
            elif text.startswith("abs(") and text.endswith(")"):
                self.absolute, text = True, text[4:-1]
            elif text.startswith("sext(") and text.endswith(")"):
                self.sign_extend, text = True, text[5:-1]
            else:
                return text

    def _set_register(self, file, number, half, first, last):
        self.index = int(number or first)
        self.count = int(last) - self.index + 1 if last else 1
        self.half = half
        self.kind = "vector" if file in "va" else "scalar"
        if file == "a":
            self.index += FIRST_ACCUMULATOR
        if file == "ttmp":
            self.index += FIRST_TRAP_REGISTER

    @property
    def is_vector(self):
        return self.kind == "vector"

    @property
    def is_scalar(self):
        return self.kind == "scalar"

    @property
    def is_null(self):
        return self.kind == "off" or self.is_scalar and self.index == NULL

    def bits(self, type="b32", word=0):
        """The contents; `word` selects a register of a sequence."""
        wide = width(type) == 64
        if self.is_vector:
            if wide:
                return f"V64({self.index})"
            register = f"V({self.index + word})"
            return f"({register}>>16)" if self.half == "h" else register
        if self.is_null:
            return "0u"
        if self.is_scalar:
            return f"S64({self.index})" if wide else f"S({self.index + word})"
        if self.kind == "expression":
            return f"(u32)({self.value})"
        if self.kind == "aperture":
            return f"((u64){self.value}<<32)" if wide else self.value
        return _constant_bits(self.value, type)

    def typed(self, type, word=0):
        """The value in C's type for `type`, after the modifiers."""
        bits = self.bits(type, word)
        if is_float(type):
            bits = with_sign(bits, type, self.negate, self.absolute)
        elif self.negate and width(type) in (32, 64):
            bits = with_sign(bits, type, True, False)
        return from_bits(bits, type)


def _constant_bits(text, type):
    """A constant of the instruction: an integer, or a float if it has a point."""
    is_hex = text.lower().startswith(("0x", "-0x"))
    if not is_hex and ("." in text or "e" in text):
        value = float(text)
        if abs(value - INVERSE_TWO_PI) < 1e-6:
            value = INVERSE_TWO_PI
        if width(type) == 64:
            return "0x%xull" % struct.unpack("<Q", struct.pack("<d", value))
        if type == "f16":
            return "0x%xu" % struct.unpack("<H", struct.pack("<e", value))
        (single,) = struct.unpack("<I", struct.pack("<f", value))
        return f"0x{single >> 16 if type == 'bf16' else single:x}u"
    value = int(text, 0)
    if type == "f64" and is_hex:
        # A literal of 32 bits is the high half of a double.
        return f"0x{(value << 32) & (2**64 - 1):x}ull"
    if width(type) == 64:
        return f"0x{value & (2**64 - 1):x}ull"
    return f"0x{value & (2**32 - 1):x}u"
