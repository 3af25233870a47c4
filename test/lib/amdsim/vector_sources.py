"""How vector instructions read and write registers: DPP, SDWA and op_sel."""

import re

from c_code import lanes, write
from errors import Unsupported
from operands import Operand, from_bits, is_float, to_bits, width, with_sign

DPP_COUNTED = {
    "row_shl": 0x100, "row_shr": 0x110, "row_ror": 0x120, "row_newbcast": 0x150,
    "row_share": 0x150, "row_xmask": 0x160,
}  # fmt: skip
DPP_PLAIN = {
    "wave_shl": 0x130, "wave_rol": 0x134, "wave_shr": 0x138, "wave_ror": 0x13C,
    "row_mirror": 0x140, "row_half_mirror": 0x141,
}  # fmt: skip
SDWA_PARTS = {
    "BYTE_0": 0, "BYTE_1": 1, "BYTE_2": 2, "BYTE_3": 3, "WORD_0": 4, "WORD_1": 5,
    "DWORD": 6,
}  # fmt: skip
SDWA_UNUSED = {"UNUSED_PAD": 0, "UNUSED_SEXT": 1, "UNUSED_PRESERVE": 2}


def source(i, operand, type, position):
    """The value of source number `position`. The first one of a DPP form comes from
    another lane, which `lane_loop` calls `source`."""
    if i.is_sdwa:
        part = SDWA_PARTS[i.modifiers.get(f"src{position}_sel", "DWORD")]
        bits = f"sdwaRead({operand.bits()},{part},{int(operand.sign_extend)})"
        if is_float(type):
            bits = with_sign(bits, type, operand.negate, operand.absolute)
        return from_bits(bits, type)
    if i.is_dpp and position == 0 and operand.is_vector:
        bits = "laneOf(&snapshot[0],source)"
        if width(type) == 64:
            bits = f"((u64){bits}|(u64)laneOf(&snapshot[1],source)<<32)"
        if operand.half == "h":
            bits = f"({bits}>>16)"
        if is_float(type):
            bits = with_sign(bits, type, operand.negate, operand.absolute)
        return from_bits(bits, type)
    op_sel = i.numbers("op_sel", [])
    selects_high = position < len(op_sel) and op_sel[position]
    if selects_high and width(type) == 16:
        if operand.is_scalar:
            return from_bits(f"({operand.bits()}>>16)", type)
        if operand.is_vector:
            high = Operand(operand.text)
            high.half = "h"
            return high.typed(type)
    return operand.typed(type)


def select_source(i, operand, type, position):
    """As `source`, of an integer type whose operand may be negated as a float."""
    if operand.negate or operand.absolute:
        float_type = "f32" if type == "b32" else "f16"
        return to_bits(source(i, operand, float_type, position), float_type)
    return source(i, operand, type, position)


def result(i, target, operand, type, value):
    """Writes the result of one lane."""
    if i.is_sdwa:
        part = SDWA_PARTS[i.modifiers.get("dst_sel", "DWORD")]
        unused = SDWA_UNUSED[i.modifiers.get("dst_unused", "UNUSED_PAD")]
        register = f"V({operand.index})"
        bits = to_bits(value, type)
        return f"{register}=sdwaWrite({register},{bits},{part},{unused});"
    op_sel = i.numbers("op_sel", [])
    if width(type) == 16 and operand.is_vector and op_sel and not operand.half:
        # The last op_sel bit is the result's, if there is one more than sources.
        if len(op_sel) > len(i.operands) - 1 and op_sel[-1]:
            operand = Operand(operand.text)
            operand.half = "h"
        return write(target, operand, type, value, keeps_other_half=True)
    return write(target, operand, type, value)


def lane_loop(i, body, before="", after=""):
    """`body` for each active lane; of a DPP form, with the source lane as `source`:
    -1 reads 0."""
    if not i.is_dpp:
        return lanes(body, before, after)
    first = _first_vector(i)
    before += f"take(&snapshot[0],w,{first});"
    if "64" in i.name:
        before += f"take(&snapshot[1],w,{first + 1});"
    reads_inactive = int(i.flag("fi"))
    if "dpp8" in i.modifiers:
        pattern = ",".join(str(lane) for lane in i.numbers("dpp8", []))
        before += f"static const int pattern[8]={{{pattern}}};"
        choose = (
            "int source=(l&~7)|pattern[l&7];"
            f"if(!(exec>>source&1)&&!{reads_inactive})source=-1;"
        )
        return lanes(choose + body, before, after)
    rows, banks = i.number("row_mask", 15), i.number("bank_mask", 15)
    # bound_ctrl:0 in the text of older chips means that the bit is set.
    reads_zero = "bound_ctrl" in i.modifiers
    invalid = "source=-1;" if reads_zero else "continue;"
    choose = (
        f"if(!({rows}>>(l>>4)&1)||!({banks}>>((l>>2)&3)&1))continue;"
        f"int source=dppSource({_dpp_control(i):#x},l);"
        f"if(source<0||(!(exec>>source&1)&&!{reads_inactive})){invalid}"
    )
    return lanes(choose + body, before, after)


def _first_vector(i):
    """The register whose lanes a DPP form permutes: its first source. Comparisons
    to vcc have no vector result in front of it."""
    is_vector = re.compile(r"[-|a-z(]*v[\d\[]")
    vectors = [Operand(text) for text in i.operands if is_vector.match(text)]
    position = 0 if i.name.startswith("v_cmp") else 1
    return vectors[position].index


def _dpp_control(i):
    modifiers = i.modifiers
    if "quad_perm" in modifiers:
        a, b, c, d = i.numbers("quad_perm", [])
        return a | b << 2 | c << 4 | d << 6
    for name, control in DPP_COUNTED.items():
        if name in modifiers:
            return control + int(modifiers[name])
    for name, control in DPP_PLAIN.items():
        if name in modifiers:
            return control
    if "row_bcast" in modifiers:
        return 0x142 if modifiers["row_bcast"] == "15" else 0x143
    raise Unsupported("DPP control")
