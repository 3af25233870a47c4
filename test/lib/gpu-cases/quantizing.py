"""Cases of quantize and dequantize."""

import itertools

import keys
from case import SCALAR, Case, make_quantization, quantized_outs, scale_clauses


def quantize(
    key,
    width,
    layout="",
    short="",
    rule="",
    element="bf16",
    rank=2,
    count=False,
    bound=False,
    strided=False,
    suffix="",
):
    name = keys.join("quantize", key.name, keys.SHORT[layout], short, suffix)
    function = Case(keys.join(name, element, f"n{width}"), rank)
    drawn = make_quantization(key, width, layout, rule)
    x = function.named_rows("x", width, element, strided)
    clauses = scale_clauses(function, drawn, bound)
    if count:
        clauses.append(function.count())
    outs = quantized_outs(function, drawn, strided=strided)
    function.emit("quantize", [x], clauses, outs, drawn.attributes())
    return function


def quantize_at_offset(key, width, layout="", rule=""):
    """Two inputs, quantized into one buffer, one behind the other."""
    name = keys.join("quantize_offset", key.name, keys.SHORT[layout])
    function = Case(keys.join(name, f"n{width}"))
    drawn = make_quantization(key, width, layout, rule)
    first = function.named_rows("x", width, "bf16")
    type = function.rows(width, "bf16")
    second = function.named("y", type, ["P", ""]), type
    scales = scale_clauses(function, drawn)
    packed = "_e2m1x2" if drawn.codes == "i8" else ""
    codes = function.rows(drawn.codes_width, drawn.codes)
    outs = [(function.named(f"codes{packed}", codes, ["all", ""]), codes)]
    if drawn.scale:
        packed = "_e8m0x4" if layout == "packed_ue8m0" else ""
        outs.append((function.named(f"scales{packed}", drawn.scale), drawn.scale))
    offset = function.value()
    function.body.append(f"{offset} = arith.constant 1 : index")
    for source in first, second:
        clauses = scales + [("row_offset", offset, "index")]
        values = function.operation(
            "quantize", [source], clauses, outs, drawn.attributes()
        )
        outs = [(value, type) for value, (_, type) in zip(values, outs)]
        offset = function.size(source, 0)
    for value, type in outs:
        function.keep(value, type)
    return function


def dequantize(key, width, layout="", element="bf16", rank=2):
    name = keys.join("dequantize", key.name, keys.SHORT[layout], element)
    function = Case(keys.join(name, f"n{width}"), rank)
    rule = "rounding = ue8m0" if layout == "packed_ue8m0" else ""
    drawn = make_quantization(key, width, layout, rule)
    packed = "_e2m1x2" if drawn.codes == "i8" else ""
    codes = function.named_rows(f"codes{packed}", drawn.codes_width, drawn.codes)
    packed = "_e8m0x4" if layout == "packed_ue8m0" else ""
    scale = drawn.scale or SCALAR
    clauses = [("scale", function.named(f"scale{packed}", scale), scale)]
    if "global_scale" in drawn.operands:
        clauses.append(
            ("global_scale", function.named("global_scale", SCALAR), SCALAR)
        )
    outs = [function.named_rows("y", width, element)]
    drawn.rule = ""
    function.emit("dequantize", [codes], clauses, outs, drawn.attributes())
    return function


def dequantize_weight(name, group, rows, columns, scale):
    """`group`: rows and columns of the codes that share a scale."""
    function = Case(keys.join("dequantize_weight", name, f"{rows}x{columns}"))
    codes = f"tensor<{rows}x{columns}xf8E4M3FN>"
    y = f"tensor<{rows}x{columns}xbf16>"
    function.emit(
        "dequantize",
        [(function.named("codes", codes), codes)],
        [("scale", function.named("scale", scale), scale)],
        [(function.named("y", y), y)],
        f"key = #mlafuse.quant_key<{keys.FP8}, scale = f32, static, group = {group}, sym>",
    )
    return function


OPTIONS = [
    {"count": True, "suffix": "count"},
    {"strided": True, "suffix": "strided"},
    {"rank": 3, "suffix": "rank3"},
]


def quantize_cases(width_of, crossed):
    """`crossed`: every option with every layout, not each layout with one."""
    turn = itertools.cycle(OPTIONS)
    for key in keys.ALL:
        every = key in (keys.TOKEN, keys.G128, keys.STATIC)
        every = every or key.codes == "f8E4M3FNUZ"
        for layout, short, rule in keys.layout_rules(key, every):
            yield quantize(key, width_of(key), layout, short, rule)
    for element in "f16", "f32":
        for key in keys.COMMON:
            layout = keys.layouts_of(key)[0]
            yield quantize(key, width_of(key), layout, element=element)
    for key in keys.COMMON:
        for layout in keys.layouts_of(key):
            rule = "rounding = ue8m0" if layout == "packed_ue8m0" else ""
            draw = dict(key=key, width=width_of(key), layout=layout, rule=rule)
            for options in OPTIONS if crossed else [next(turn)]:
                yield quantize(**draw, **options)
    for layout in keys.layouts_of(keys.G1):
        rule = "rounding = ue8m0" if layout == "packed_ue8m0" else ""
        yield quantize(keys.G1, 33, layout, rule=rule)
    for key in keys.TOKEN, keys.TENSOR:
        yield quantize(key, width_of(key), bound=True, suffix="bound")
    for key in keys.STATIC, keys.TOKEN, keys.G128, keys.NVFP4, keys.MXFP4:
        for layout in keys.layouts_of(key):
            rule = "rounding = ue8m0" if layout == "packed_ue8m0" else ""
            yield quantize_at_offset(key, width_of(key), layout, rule)


def width_cases(widths):
    """Every common key at every width that it fits, in its first layout."""
    for width in widths:
        for key in keys.COMMON:
            if key.fits(width):
                layout = keys.layouts_of(key)[-1 if key.is_block else 0]
                yield quantize(key, width, layout, suffix="width")


def code_cases():
    """Every type of codes, from and to every type of values."""
    types = [keys.STATIC, keys.TOKEN, keys.G128, keys.NVFP4, keys.MXFP8, keys.MXFP4]
    types += keys.OTHER_TYPES
    for element, key in itertools.product(["bf16", "f16", "f32"], types):
        layout = keys.layouts_of(key)[0]
        yield quantize(key, 512, layout, element=element)
        yield dequantize(key, 512, layout, element)


def dequantize_cases(width_of):
    for key in keys.ALL:
        for layout in keys.layouts_of(key):
            yield dequantize(key, width_of(key), layout)
    for element in "f16", "f32":
        for key in keys.STATIC, keys.TOKEN, keys.G128, keys.NVFP4, keys.MXFP8:
            yield dequantize(key, width_of(key), keys.layouts_of(key)[0], element)
    yield dequantize(keys.TOKEN, 192, rank=3)
    for layout in keys.layouts_of(keys.G1):
        yield dequantize(keys.G1, 33, layout)
    # Rows of one column, whose one scale is still the row's or the tensor's.
    for key in keys.STATIC, keys.TOKEN, keys.G1:
        yield dequantize(key, 1, keys.layouts_of(key)[0])
    yield dequantize_weight("channel", [-1, 1], 5, 200, "tensor<1x200xf32>")
    yield dequantize_weight("channel", [-1, 1], 5, 1, "tensor<1x1xf32>")
    yield dequantize_weight("128_block", [128, 128], 130, 200, "tensor<2x2xf32>")
    yield dequantize_weight("columns_of_128", [128, 1], 130, 33, "tensor<2x33xf32>")
    yield dequantize_weight("elements", [1, 1], 5, 33, "tensor<5x33xf32>")
