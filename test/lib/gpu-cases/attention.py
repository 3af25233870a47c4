"""Cases of rope, mla_cache_update and merge_attn_states."""

import keys
from case import SCALAR, Case, make_quantization, quantized_outs, scale_clauses


def rope(
    style, heads, width=64, element="bf16", table="bf16", count=False, inplace=False
):
    name = keys.join(
        "rope",
        style,
        f"h{heads}",
        element,
        f"table_{table}",
        "count" if count else "",
        "inplace" if inplace else "",
        f"r{width}",
    )
    function = Case(name)
    x = f"tensor<?x{heads}x{width}x{element}>"
    source = function.named("x", x, ["T", "", ""]), x
    positions = "tensor<?xi64>"
    cos_sin = f"tensor<?x{width}x{table}>"
    ins = [
        source,
        (function.named("positions", positions, ["T"]), positions),
        (function.named("cos_sin", cos_sin, ["P", ""]), cos_sin),
    ]
    clauses = [function.count()] if count else []
    outs = [source if inplace else (function.named("y", x, ["T", "", ""]), x)]
    function.emit("rope", ins, clauses, outs, f"style = #mlafuse.rope_style<{style}>")
    return function


def cache_update(format, page, latent=512, width=64, rule="", short="", count=False):
    row, element = latent + width, "bf16"
    if format == "fp8":
        element = "f8E4M3FN"
    elif format == "fp8_ds_mla":
        row, element = latent + 4 * (latent // 128) + 2 * width, "i8"
    name = keys.join(
        "cache_update", format, short, "count" if count else "", f"p{page}_{latent}"
    )
    function = Case(name)
    slots = "tensor<?xi64>"
    cache = f"tensor<?x{page}x{row}x{element}>"
    ins = [
        function.named_rows("kv_c", latent, "bf16"),
        function.named_rows("k_pe", width, "bf16"),
        (function.named("slot_mapping", slots, ["T"]), slots),
    ]
    clauses = []
    if format == "fp8":
        clauses.append(("k_scale", function.named("k_scale", SCALAR), SCALAR))
    if count:
        clauses.append(function.count())
    outs = [(function.named("cache", cache, ["pages", "", ""]), cache)]
    attributes = f"cache_format = #mlafuse.cache_format<{format}>"
    if rule:
        attributes += f", scale_rule = #mlafuse.scale_rule<{rule}>"
    function.emit("mla_cache_update", ins, clauses, outs, attributes)
    return function


def merge(
    heads,
    width,
    key=None,
    layout="",
    rule="",
    element="bf16",
    output="",
    lse=False,
    contracted=False,
    count=False,
):
    name = keys.join(
        "merge",
        key.name if key else "",
        keys.SHORT[layout],
        element,
        f"to_{output}" if output else "",
        "lse" if lse else "",
        "contracted" if contracted else "",
        "count" if count else "",
        f"h{heads}_v{width}",
    )
    function = Case(name)
    part, log = f"tensor<?x{heads}x{width}x{element}>", f"tensor<?x{heads}xf32>"
    ins = []
    for side in "a", "b":
        ins.append((function.named(f"o_{side}", part, ["T", "", ""]), part))
        ins.append((function.named(f"lse_{side}", log, ["T", ""]), log))
    clauses, attributes = [], []
    if key:
        drawn = make_quantization(key, heads * width, layout, rule)
        clauses = scale_clauses(function, drawn)
        attributes.append(drawn.attributes())
        outs = quantized_outs(function, drawn)
    else:
        outs = [function.named_rows("o", heads * width, output or element)]
    if count:
        clauses.append(function.count())
    if lse:
        outs.append((function.named("lse", log, ["T", ""]), log))
    if contracted:
        attributes.append("numerics = #mlafuse.numerics<contracted>")
    function.emit("merge_attn_states", ins, clauses, outs, ", ".join(attributes))
    return function


def rope_cases():
    for style in "interleaved", "neox":
        for heads in 1, 3, 8, 128:
            yield rope(style, heads)
        yield rope(style, 4, table="f32")
        yield rope(style, 4, table="f16")
        yield rope(style, 2, element="f16")
        yield rope(style, 2, element="f32", table="f32")
        yield rope(style, 5, width=2)
        yield rope(style, 5, width=34)
        yield rope(style, 3, width=96, count=True)
        yield rope(style, 3, count=True)
        yield rope(style, 7, inplace=True)


def cache_cases():
    for format in "bf16", "fp8", "fp8_ds_mla":
        yield cache_update(format, 16)
        yield cache_update(format, 64, count=True)
        yield cache_update(format, 64, latent=256, width=32)
    yield cache_update("bf16", 16, latent=33, width=6)
    yield cache_update("fp8", 16, latent=33, width=6)
    yield cache_update("fp8_ds_mla", 16, rule="rounding = ue8m0", short="ue8m0")
    yield cache_update(
        "fp8_ds_mla", 16, rule="floor = 1.0e-4 on scale", short="floor_scale"
    )


def merge_cases():
    for element in "bf16", "f16", "f32":
        yield merge(4, 128, element=element, lse=True)
    yield merge(16, 128)
    yield merge(3, 17, lse=True)
    yield merge(1, 1, lse=True)
    yield merge(4, 128, output="f32", lse=True)
    yield merge(4, 128, count=True, lse=True)
    for key in (k for k in keys.ALL if k.group < 512 and k is not keys.TENSOR):
        heads, width = (6, 56) if key.group == 7 else (6, 128)
        for layout, _, rule in keys.layout_rules(key, every_rule=False):
            if rule in ("", "rounding = ue8m0") and (not rule or "packed" in layout):
                yield merge(heads, width, key, layout, rule)
    for key in keys.STATIC, keys.TOKEN, keys.G128, keys.NVFP4:
        layout = keys.layouts_of(key)[-1 if key.is_block else 0]
        yield merge(4, 128, key, layout, lse=True)
        yield merge(4, 128, key, layout, contracted=True)
        yield merge(4, 128, key, layout, count=True, lse=True)
