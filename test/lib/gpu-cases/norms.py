"""Cases of norms, alone and with quantization."""

import itertools

import keys
from case import Case, make_quantization, quantized_outs, scale_clauses

EPSILON = "epsilon = 1.0e-6 : f32"
RESULT = "rounding = #mlafuse.rounding<result>"


def rms_norm(
    width,
    element="bf16",
    weight="bf16",
    output="",
    residual=False,
    result=False,
    offset=False,
    count=False,
    strided=False,
    rank=2,
):
    op = "add_rms_norm" if residual else "rms_norm"
    name = keys.join(
        "norm",
        op,
        element,
        f"w_{weight}" if weight else "no_weight",
        f"to_{output}" if output else "",
        "result" if result else "",
        "offset" if offset else "",
        "count" if count else "",
        "strided" if strided else "",
        f"rank{rank}" if rank != 2 else "",
        f"n{width}",
    )
    function = Case(name, rank)
    ins = [function.named_rows("x", width, element, strided)]
    if weight:
        ins.append(function.vector("weight", width, weight))
    clauses = []
    if residual:
        clauses.append(("residual", *function.named_rows("residual", width, element)))
    if count:
        clauses.append(function.count())
    outs = [function.named_rows("y", width, output or element)]
    if residual:
        outs.append(function.named_rows("h", width, element))
    attributes = [EPSILON] + [RESULT] * result + ["weight_offset"] * offset
    function.emit(op, ins, clauses, outs, ", ".join(attributes))
    return function


def norm_quantize(
    key,
    width,
    layout="",
    short="",
    rule="",
    element="bf16",
    weight="bf16",
    residual=False,
    unquantized="",
    result=False,
    contracted=False,
    offset=False,
    count=False,
    bound=False,
    strided=False,
    rank=2,
):
    name = keys.join(
        "norm_quantize",
        key.name,
        keys.SHORT[layout],
        short,
        element,
        "" if weight == "bf16" else f"w_{weight}" if weight else "no_weight",
        "residual" if residual else "",
        f"keeps_{unquantized}" if unquantized else "",
        "result" if result else "",
        "contracted" if contracted else "",
        "offset" if offset else "",
        "count" if count else "",
        "bound" if bound else "",
        "strided" if strided else "",
        f"rank{rank}" if rank != 2 else "",
        f"n{width}",
    )
    function = Case(name, rank)
    drawn = make_quantization(key, width, layout, rule)
    ins = [function.named_rows("x", width, element, strided)]
    if weight:
        ins.append(function.vector("weight", width, weight))
    clauses = []
    if residual:
        clauses.append(("residual", *function.named_rows("residual", width, element)))
    clauses += scale_clauses(function, drawn, bound)
    if count:
        clauses.append(function.count())
    outs = quantized_outs(function, drawn, strided=strided)
    if residual:
        outs.append(function.named_rows("h", width, element))
    if unquantized:
        outs.append(function.named_rows("y", width, unquantized))
    attributes = [EPSILON, drawn.attributes()]
    attributes += [RESULT] * (result or contracted) + ["weight_offset"] * offset
    attributes += ["numerics = #mlafuse.numerics<contracted>"] * contracted
    function.emit("rms_norm_quantize", ins, clauses, outs, ", ".join(attributes))
    return function


def projection_slice(function, projection, begin, width, element):
    """Columns of the projection, read in place."""
    value, type = projection
    rows = function.size(projection, 0)
    part, part_type = function.value(), function.rows(width, element)
    function.body.append(
        f"{part} = tensor.extract_slice {value}[0, {begin}] [{rows}, {width}]"
        f" [1, 1] : {type} to {part_type}"
    )
    return part, part_type


def dual(
    q_width,
    kv_width,
    q=None,
    kv=None,
    element="bf16",
    weight="bf16",
    keeps=False,
    contracted=False,
    count=False,
    strided=False,
    suffix="",
):
    """A dual norm; `q` and `kv`: (key, layout, rule) of a side, or None."""
    described = [
        keys.join(side, key.name, keys.SHORT[layout])
        for side, quantized in (("q", q), ("kv", kv))
        if quantized
        for key, layout, _ in [quantized]
    ]
    function = Case(
        keys.join("norm_dual", *described, suffix, element, f"n{q_width}_{kv_width}")
    )
    rest = 64
    projection = function.named_rows("x", q_width + kv_width + rest, element, strided)
    ins, clauses, outs = [], [], []
    attributes = ["q_epsilon = 1.0e-6 : f32", "kv_epsilon = 1.0e-5 : f32"]
    begin = 0
    for side, width, quantized in (("q_", q_width, q), ("kv_", kv_width, kv)):
        ins.append(projection_slice(function, projection, begin, width, element))
        ins.append(function.vector(f"{side}weight", width, weight))
        begin += width
        if not quantized:
            outs.append(function.named_rows(f"{side}y", width, element))
            continue
        drawn = make_quantization(quantized[0], width, *quantized[1:])
        clauses.append((side, scale_clauses(function, drawn, side=side)))
        outs += quantized_outs(function, drawn, side)
        attributes.append(drawn.attributes(side))
        if keeps:
            outs.append(function.named_rows(f"{side}y", width, element))
    if contracted:
        attributes += [RESULT, "numerics = #mlafuse.numerics<contracted>"]
    # The op's order: each kind of scale of both sides.
    order = ["scale", "scale_ub", "global_scale"]
    flat = [
        (order.index(word.removeprefix(side)), word, value, type)
        for side, given in clauses
        for word, value, type in given
    ]
    flat = [tuple(rest) for _, *rest in sorted(flat, key=lambda clause: clause[0])]
    if count:
        flat.append(function.count())
    op = "dual_rms_norm_quantize" if q or kv else "dual_rms_norm"
    function.emit(op, ins, flat, outs, ", ".join(attributes))
    return function


def norm_cases(width_of):
    for residual in False, True:
        for element, weight in itertools.product(
            ["bf16", "f16", "f32"], ["bf16", "f16", "f32", ""]
        ):
            yield rms_norm(width_of(), element, weight, residual=residual)
        for options in (
            {"output": "f32"},
            {"result": True},
            {"offset": True},
            {"count": True},
            {"strided": True},
            {"rank": 3},
            {"result": True, "offset": True, "weight": "f32"},
        ):
            yield rms_norm(width_of(), residual=residual, **options)


OPTIONS = [
    {"residual": True},
    {"residual": True, "unquantized": "bf16"},
    {"unquantized": "bf16"},
    {"weight": "f32"},
    {"weight": ""},
    {"result": True},
    {"contracted": True},
    {"contracted": True, "residual": True, "unquantized": "bf16"},
    {"offset": True},
    {"count": True},
    {"count": True, "residual": True, "unquantized": "bf16"},
    {"strided": True},
    {"rank": 3},
]


def norm_quantize_cases(width_of, crossed):
    """`crossed`: every option with every kind of key, not each with two."""
    for key in keys.ALL:
        for layout, short, rule in keys.layout_rules(key, every_rule=False):
            yield norm_quantize(key, width_of(key), layout, short, rule)
    for key in keys.TOKEN, keys.G128:
        layout = keys.layouts_of(key)[0]
        for short, rule in keys.rules_of(key).items():
            yield norm_quantize(key, width_of(key), layout, short, rule)
    option_keys = [keys.STATIC, keys.G128, keys.NVFP4, keys.MXFP8, keys.MXFP4]
    turn = itertools.cycle(option_keys)
    for options in OPTIONS:
        for key in [keys.TOKEN] + (option_keys if crossed else [next(turn)]):
            layout = keys.layouts_of(key)[-1 if key.is_block else 0]
            yield norm_quantize(key, width_of(key), layout, **options)
    for element in "f16", "f32":
        for key in keys.COMMON:
            yield norm_quantize(
                key, width_of(key), keys.layouts_of(key)[0], element=element
            )
    for options in {"weight": "f16"}, {"element": "f16", "weight": "f16"}:
        yield norm_quantize(keys.TOKEN, width_of(keys.TOKEN), **options)
    yield norm_quantize(keys.TOKEN, width_of(keys.TOKEN), bound=True)
    yield norm_quantize(keys.G128, width_of(keys.G128), "tma_aligned", count=True)
    yield norm_quantize(
        keys.G128,
        width_of(keys.G128),
        "packed_ue8m0",
        rule="rounding = ue8m0",
        count=True,
    )


def default_side(key):
    """A side with the key's last layout: the one that is hardest to store."""
    layout = keys.layouts_of(key)[-1]
    return key, layout, "rounding = ue8m0" if layout == "packed_ue8m0" else ""


def dual_cases(widths):
    """`widths`: pairs of widths, taken in turn."""
    widths = itertools.cycle(widths)
    yield dual(*next(widths))
    yield dual(*next(widths), count=True, suffix="count")
    yield dual(*next(widths), strided=True, suffix="strided")
    for key in (k for k in keys.COMMON if k is not keys.TENSOR):
        for layout in keys.layouts_of(key):
            rule = "rounding = ue8m0" if layout == "packed_ue8m0" else ""
            yield dual(*next(widths), q=(key, layout, rule))
        yield dual(*next(widths), kv=default_side(key))
        yield dual(*next(widths), q=default_side(key), kv=default_side(keys.TOKEN))
    for key in keys.TOKEN, keys.G128, keys.NVFP4:
        side = default_side(key)
        for options in (
            {"keeps": True, "suffix": "keeps"},
            {"contracted": True, "suffix": "contracted"},
            {"count": True, "suffix": "count"},
            {"strided": True, "suffix": "strided"},
            {"weight": "f32", "suffix": "w_f32"},
        ):
            yield dual(*next(widths), q=side, **options)
    for element in "f16", "f32":
        yield dual(*next(widths), q=default_side(keys.TOKEN), element=element)


def width_cases(widths):
    for width in widths:
        yield rms_norm(width)
        yield rms_norm(width, residual=True)
        for key in keys.COMMON:
            if key.fits(width) and key is not keys.TENSOR:
                layout = keys.layouts_of(key)[-1 if key.is_block else 0]
                yield norm_quantize(key, width, layout)
