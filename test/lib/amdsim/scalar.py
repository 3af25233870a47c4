"""C for scalar instructions: branches, moves, arithmetic, loads."""

import re

from c_code import operands, write_scalar
from errors import Unsupported
from operands import EXEC, M0, Operand
from scalar_table import (
    EXEC_OPERATIONS,
    FLOAT_COMPARISONS,
    INTEGER_COMPARISONS,
    NO_EFFECT,
    TABLE,
)

BRANCH_CONDITIONS = {
    "s_branch": "1",
    "s_cbranch_scc0": "!w->scc",
    "s_cbranch_scc1": "w->scc",
    "s_cbranch_vccz": "VCC(w)==0",
    "s_cbranch_vccnz": "VCC(w)!=0",
    "s_cbranch_execz": "EXEC(w)==0",
    "s_cbranch_execnz": "EXEC(w)!=0",
}
MODE_REGISTERS = ("HW_REG_MODE", "HW_REG_WAVE_MODE", "1")
SAVE_EXEC = re.compile(r"s_(\w+)_(saveexec|wrexec)_b(32|64)$")
LOAD = re.compile(r"s_(buffer_)?load_(?:dword(?:x(\d+))?|b(\d+)|([ui])(8|16))$")
COMPARE = re.compile(r"s_cmp_(\w+)_([iuf]\d+)$")
COMPARE_CONSTANT = re.compile(r"s_cmpk_(\w+)_([iu]32)$")
TEST_BIT = re.compile(r"s_bitcmp([01])_b(\d+)$")
HARDWARE_REGISTER = re.compile(r"hwreg\((\w+)(?:, (\d+), (\d+))?\)")


def generate(instruction):
    name = instruction.name
    if name in NO_EFFECT:
        return ""
    for family in (_control, _mode, _constant, _compare, _exec, _load, _table):
        code = family(instruction)
        if code is not None:
            return code
    raise Unsupported(name)


def _control(i):
    """What moves the program counter. A jump through a register leaves the function,
    whose caller finds the target by `w->pc`."""
    if i.name in ("s_endpgm", "s_endpgm_saved"):
        return "return WAVE_ENDED;"
    if i.name in ("s_barrier", "s_barrier_wait"):
        return f"w->pc=BASE+{i.next_pc:#x};return WAVE_AT_BARRIER;"
    if i.name in BRANCH_CONDITIONS:
        return f"if({BRANCH_CONDITIONS[i.name]})JUMP({i.branch_target():#x});"
    if i.name == "s_trap":
        code = " ".join(i.operands)
        return f'w->error="s_trap {code}";w->errorAt={i.pc:#x};return WAVE_FAILED;'
    if i.name == "s_getpc_b64":
        return f"setS64(w,{operands(i)[0].index},BASE+{i.next_pc:#x});"
    if i.name == "s_setpc_b64":
        return f"w->pc=S64({operands(i)[0].index});goto dispatch;"
    if i.name in ("s_swappc_b64", "s_swap_pc_i64"):
        result, source = operands(i)
        return (
            f"w->pc=S64({source.index});"
            f"setS64(w,{result.index},BASE+{i.next_pc:#x});goto dispatch;"
        )
    if i.name == "s_call_b64":
        result = operands(i)[0].index
        return (
            f"setS64(w,{result},BASE+{i.next_pc:#x});JUMP({i.branch_target():#x});"
        )
    return None


def _mode(i):
    """The MODE register and the clock."""
    if i.name in ("s_setreg_b32", "s_setreg_imm32_b32"):
        register, offset, size = HARDWARE_REGISTER.match(i.operands[0]).groups()
        if register not in MODE_REGISTERS:
            return ""
        source = Operand(i.operands[1]).bits("u32")
        mask = ((1 << int(size or 32)) - 1) << int(offset or 0)
        return _set_mode(mask & 0xFFFFFFFF, f"({source})<<{offset or 0}")
    if i.name == "s_denorm_mode":
        return _set_mode(0xF0, f"{int(i.operands[0], 0)}u<<4")
    if i.name == "s_round_mode":
        return _set_mode(0x0F, f"{int(i.operands[0], 0)}u")
    if i.name == "s_getreg_b32":
        register, offset, size = HARDWARE_REGISTER.match(i.operands[1]).groups()
        value = "w->mode" if register in MODE_REGISTERS else "0"
        mask = (1 << int(size or 32)) - 1
        return f"S({_result(i)})=({value})>>{offset or 0}&{mask:#x}u;"
    if i.name == "s_sendmsg_rtn_b32":
        return f"S({_result(i)})=0;"
    if i.name in ("s_memtime", "s_memrealtime", "s_get_time", "s_sendmsg_rtn_b64"):
        return f"setS64(w,{_result(i)},w->instructions);"
    return None


def _result(i):
    """The index of the register that is written."""
    return Operand(i.operands[0]).index


def _set_mode(mask, value):
    return f"w->mode=(w->mode&~{mask:#x}u)|(({value})&{mask:#x}u);applyMode(w);"


def _constant(i):
    """Instructions with a constant of 16 bits in them."""
    if i.name not in (
        "s_movk_i32", "s_addk_i32", "s_addk_co_i32", "s_mulk_i32", "s_cmovk_i32",
    ):  # fmt: skip
        return None
    register = f"S({_result(i)})"
    value = f"(u32)(i32)(i16){int(i.operands[1], 0) & 0xFFFF:#x}"
    if i.name == "s_movk_i32":
        return f"{register}={value};"
    if i.name == "s_mulk_i32":
        return f"{register}*={value};"
    if i.name == "s_cmovk_i32":
        return f"if(w->scc){register}={value};"
    return (
        f"{{u32 a={register},b={value},r=a+b;{register}=r;"
        "w->scc=(~(a^b)&(a^r))>>31;}"
    )


def _compare(i):
    constant = COMPARE_CONSTANT.match(i.name)
    if constant:
        comparison, type = constant.groups()
        extend = "(i16)" if type == "i32" else ""
        value = int(i.operands[1], 0) & 0xFFFF
        return (
            f"{{{type} a=S({_result(i)}),b={extend}{value:#x};"
            f"w->scc={INTEGER_COMPARISONS[comparison]};}}"
        )
    found = COMPARE.match(i.name)
    if found:
        comparison, type = found.groups()
        a, b = operands(i)
        table = FLOAT_COMPARISONS if type[0] == "f" else INTEGER_COMPARISONS
        return (
            f"{{{type} a={a.typed(type)},b={b.typed(type)};"
            f"w->scc={table[comparison]};}}"
        )
    bit = TEST_BIT.match(i.name)
    if bit:
        wanted, size = bit.groups()
        a, b = operands(i)
        position = f"(({b.bits('u32')})&{int(size) - 1})"
        return f"w->scc=(({a.bits('u' + size)})>>{position}&1)=={wanted};"
    return None


def _exec(i):
    found = SAVE_EXEC.match(i.name)
    if not found or found.group(1) not in EXEC_OPERATIONS:
        return None
    operation, form, size = found.groups()
    result, source = operands(i)
    old = f"S64({EXEC})" if size == "64" else f"S({EXEC})"
    set = "setS64(w,{},{});" if size == "64" else "S({})={};"
    return (
        f"{{u{size} a={source.bits('u' + size)},x={old},"
        f"r={EXEC_OPERATIONS[operation]};"
        + set.format(result.index, "x" if form == "saveexec" else "r")
        + set.format(EXEC, "r")
        + "w->scc=r!=0;}"
    )


def _load(i):
    found = LOAD.match(i.name)
    if not found:
        return None
    is_buffer, words, bits, sign, narrow = found.groups()
    count = int(bits) // 32 if bits else int(words or 1)
    result, base, *rest = operands(i)
    offset = "0"
    if rest and rest[0].kind == "constant":
        offset = f"(i64){int(rest[0].value, 0)}ll"
    elif rest:
        offset = f"(u64)({rest[0].bits('u32')})"
    offset += f"+(i64){i.number('offset')}"
    if is_buffer:
        if narrow:
            raise Unsupported(i.name)
        return (
            f"{{u64 o={offset},base=S64({base.index})&0xffffffffffffull;"
            f"u32 t[{count}];for(int k=0;k<{count};k++)"
            f"t[k]=o+4*k+4<=S({base.index + 2})?ld32(base+o+4*k):0;"
            f"memcpy(w->s+{result.index},t,sizeof t);}}"
        )
    address = f"S64({base.index})+{offset}"
    if narrow:
        extend = f"(u32)(i32)(i{narrow})" if sign == "i" else ""
        return f"{{S({result.index})={extend}ld{narrow}({address});}}"
    return (
        f"{{u64 a=({address})&~3ull;u32 t[{count}];memcpy(t,(void*)a,sizeof t);"
        f"memcpy(w->s+{result.index},t,sizeof t);}}"
    )


def _table(i):
    if i.name == "s_movrels_b32":
        result, source = operands(i)
        return f"S({result.index})=S({source.index}+S({M0}));"
    entry = TABLE.get(i.name)
    if not entry:
        return None
    result, *sources = operands(i)
    type = entry.result
    code = "{u32 carry=w->scc;(void)carry;"
    if entry.reads_destination:
        code += f"{type} d={result.bits(type)};"
    for name, source_type, source in zip("abc", entry.sources, sources):
        code += f"{source_type} {name}={source.typed(source_type)};"
    code += f"{type} r={entry.expression};"
    if entry.condition:
        code += f"w->scc=({entry.condition})?1:0;"
    return code + write_scalar(result, type, "r") + "}"
