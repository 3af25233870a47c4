"""Pieces of C that all families of instructions share. In the code of a lane, `w` is
the wave and `l` the lane; `exec` is the mask of the active lanes."""

from operands import Operand, to_bits, width


class Target:
    """What the translation depends on."""

    def __init__(self, code_object):
        self.chip = code_object.chip
        self.wave_size = code_object.wave_size()
        self.is_cdna = self.chip.startswith("gfx9")
        self.is_gfx12 = self.chip.startswith("gfx12")
        self.uses_fnuz = self.chip in ("gfx940", "gfx941", "gfx942")
        self.word = code_object.word


def operands(instruction):
    return [Operand(text) for text in instruction.operands]


def lanes(body, before="", after=""):
    """`body` for each active lane."""
    return f"{{u64 exec=EXEC(w);{before}FOR_LANES(exec){{{body}}}{after}}}"


def write_scalar(operand, type, value):
    if operand.is_null:
        return ""
    bits = to_bits(value, type)
    if width(type) == 64:
        return f"setS64(w,{operand.index},{bits});"
    return f"S({operand.index})={bits};"


def write(target, operand, type, value, keeps_other_half=False):
    """Writes a value of `type`. A result of 16 bits clears the other half of the
    register on CDNA, unless a form with op_sel keeps it."""
    if not operand.is_vector:
        return write_scalar(operand, type, value)
    if type == "f32":
        return f"VF({operand.index})={value};"
    bits = to_bits(value, type)
    if width(type) == 64:
        return f"setV64(w,{operand.index},l,{bits});"
    register = f"V({operand.index})"
    if width(type) == 32:
        return f"{register}={bits};"
    if operand.half == "h":
        return write_half(register, bits, True)
    if operand.half == "l" or keeps_other_half or not target.is_cdna:
        return write_half(register, bits, False)
    return f"{register}=({bits})&0xffff;"


def write_half(register, bits, is_high):
    if is_high:
        return f"{register}=({register}&0xffff)|({bits})<<16;"
    return f"{register}=({register}&0xffff0000)|(({bits})&0xffff);"


def write_byte(register, bits, byte):
    return f"{register}=({register}&~(255u<<{8 * byte}))|({bits})<<{8 * byte};"


def write_mask(operand, value):
    """Writes a mask of lanes."""
    return "" if operand.is_null else f"setMask(w,{operand.index},{value});"


def read_mask(operand):
    if operand.is_scalar and not operand.is_null:
        return f"getMask(w,{operand.index})"
    return operand.bits("u64")


def snapshots(*registers):
    """Keeps what registers hold, for reads of other lanes: C that does it. The k-th
    is `snapshot[k]`."""
    return "".join(
        f"take(&snapshot[{k}],w,{register});" for k, register in enumerate(registers)
    )
