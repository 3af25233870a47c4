"""C for vector instructions between lanes, and moves of whole registers."""

from c_code import lanes, operands, snapshots


def generate(i, target):
    function = FUNCTIONS.get(i.name)
    return function(i, target) if function else None


def _read_first_lane(i, target):
    result, source = operands(i)
    if not source.is_vector:
        return f"S({result.index})={source.bits()};"
    return f"S({result.index})=w->v[{source.index}][first_lane(EXEC(w))];"


def _read_lane(i, target):
    result, source, lane = operands(i)
    lane = f"({lane.bits()})&{target.wave_size - 1}"
    return f"S({result.index})=w->v[{source.index}][{lane}];"


def _write_lane(i, target):
    result, source, lane = operands(i)
    lane = f"({lane.bits()})&{target.wave_size - 1}"
    return f"w->v[{result.index}][{lane}]={source.bits()};"


def _move(i, target):
    result, source = operands(i)
    return lanes(f"V({result.index})={source.bits('b32')};")


def _swap(i, target):
    a, b = operands(i)
    return lanes(f"u32 t=V({a.index});V({a.index})=V({b.index});V({b.index})=t;")


def _swap_rows(i, target):
    """The upper half of each row pair (or of the wave) of a with the lower of b."""
    distance = 32 if "32_swap" in i.name else 16
    a, b = (operand.index for operand in operands(i))
    other = f"w->v[{b}][l-{distance}]"
    return (
        f"for(int l=0;l<WAVE_SIZE;l++)if(l&{distance})"
        f"{{u32 t=V({a});V({a})={other};{other}=t;}}"
    )


def _permute_rows(i, target):
    """v_permlane16: within a row of 16 lanes; v_permlanex16: from the other row. Two
    scalars hold 16 selectors of four bits; op_sel: [reads inactive lanes, those read
    0]."""
    result, source, low, high = operands(i)
    other = 16 if "x16" in i.name else 0
    op_sel = i.numbers("op_sel", [0, 0])
    reads_inactive, reads_zero = op_sel[0], op_sel[1] if len(op_sel) > 1 else 0
    register = f"V({result.index})"
    body = (
        f"int source=(l&~15^{other})|(selectors>>4*(l&15)&15);"
        f"if((exec>>source&1)||{reads_inactive}){register}=snapshot[0].lane[source];"
        f"else if({reads_zero}){register}=0;"
    )
    selectors = f"u64 selectors={low.bits('u32')}|(u64)({high.bits('u32')})<<32;"
    return lanes(body, selectors + snapshots(source.index))


def _permute_rows_by_vector(i, target):
    """gfx12: the selectors are each lane's."""
    result, source, selector = operands(i)
    other = 16 if "x16" in i.name else 0
    op_sel = i.numbers("op_sel", [0, 0])
    reads_inactive, reads_zero = op_sel[0], op_sel[1] if len(op_sel) > 1 else 0
    register = f"V({result.index})"
    body = (
        f"int source=(l&~15^{other})|(({selector.bits('u32')})&15);"
        f"if((exec>>source&1)||{reads_inactive}){register}=snapshot[0].lane[source];"
        f"else if({reads_zero}){register}=0;"
    )
    return lanes(body, snapshots(source.index))


def _permute_halves(i, target):
    result, source = operands(i)
    if target.wave_size == 32:
        return lanes(f"V({result.index})={source.bits()};")
    body = f"V({result.index})=snapshot[0].lane[l^32];"
    return lanes(body, snapshots(source.index))


FUNCTIONS = {
    "v_readfirstlane_b32": _read_first_lane,
    "v_readlane_b32": _read_lane,
    "v_writelane_b32": _write_lane,
    "v_accvgpr_read_b32": _move,
    "v_accvgpr_write_b32": _move,
    "v_accvgpr_mov_b32": _move,
    "v_swap_b32": _swap,
    "v_permlane32_swap_b32": _swap_rows,
    "v_permlane16_swap_b32": _swap_rows,
    "v_permlane16_b32": _permute_rows,
    "v_permlanex16_b32": _permute_rows,
    "v_permlane16_var_b32": _permute_rows_by_vector,
    "v_permlanex16_var_b32": _permute_rows_by_vector,
    "v_permlane64_b32": _permute_halves,
}
