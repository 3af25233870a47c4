"""Cases of latent_attention, head_projection and mla_decode.

An op with a key comes as a family of functions, by which mlafuse-device-check holds its
codes to the bits of an unfused chain: `f` has the key, `f__unkeyed` is the same op and
writes what is quantized, `f__quantize` quantizes that, and `f__dequantize` gives the
numbers of codes and scales. An op that writes bf16, or quantizes it, comes with `f__f32`, the same op
without a key and with an output of f32: where the CPU's is before it is rounded.
"""

import keys
import mla_grid
from case import SCALAR, Case, make_quantization, quantized_outs, scale_clauses

SOFTMAX_SCALE = "softmax_scale = 0.1352 : f32"
# Rows of the whole buffer ahead of those that an op writes there.
OFFSET = 2


class Family:
    """Functions that are compiled and checked together."""

    def __init__(self, functions):
        self.functions = functions
        self.name = functions[0].name

    def text(self):
        return "\n".join(function.text() for function in self.functions)


def cache_operand(function, point):
    width = point["latent"] + point["rope"]
    row, element = width, "bf16"
    if point["cache"] == "fp8":
        element = "f8E4M3FN"
    elif point["cache"] == "fp8_ds_mla":
        row = point["latent"] + point["latent"] // 32 + 2 * point["rope"]
        element = "i8"
    type = f"tensor<?x{point['page']}x{row}x{element}>"
    return function.named("cache", type, ["pages", "", ""]), type


def paging_clauses(function, point):
    """Which keys each query looks at, and their scale."""
    clauses = []
    if point["paging"] == "sparse":
        type = f"tensor<?x{point['queries']}x?xi32>"
        dims = ["B", "", "topk"]
        clauses.append(("indices", function.named("indices", type, dims), type))
    else:
        type = "tensor<?x?xi32>"
        table = function.named("block_table", type, ["B", "table"])
        clauses.append(("block_table", table, type))
        type = "tensor<?xi32>"
        clauses.append(("seq_lens", function.named("seq_lens", type, ["B"]), type))
    if point["cache"] == "fp8":
        clauses.append(("k_scale", function.named("k_scale", SCALAR), SCALAR))
    return clauses


def batch(function, point, name, width, element="", strided=False):
    """A tensor of all queries and heads."""
    element = element or point["element"]
    type = f"tensor<?x{point['queries']}x{point['heads']}x{width}x{element}>"
    return function.named(name, type, ["B", "", "", ""], strided), type


def queries(function, point, name, width):
    return batch(function, point, name, width, strided=point["strided"])


def lse_operand(function, point):
    type = f"tensor<?x{point['queries']}x{point['heads']}xf32>"
    return function.named("lse", type, ["B", "", ""]), type


def paged_name(point):
    return keys.join(
        point["element"],
        f"h{point['heads']}",
        f"s{point['queries']}",
        "" if point["latent"] == 512 else f"l{point['latent']}",
        f"r{point['rope']}",
        f"p{point['page']}",
        f"cache_{point['cache']}",
        "sparse" if point["paging"] == "sparse" else "",
        "lse" if point["lse"] else "",
        "count" if point["count"] else "",
        "strided" if point["strided"] else "",
    )


def attention(point, serial):
    name = attention_name(point, serial)
    functions = [attention_alone(point, name, point["output"])]
    if point["output"] == "bf16":
        functions.append(attention_alone(point, f"{name}__f32", "f32"))
    return Family(functions)


def attention_name(point, serial):
    return keys.join(
        "attention",
        paged_name(point),
        f"o_{point['output']}",
        "split" if is_split(point) else "",
        f"n{serial}",
    )


def is_split(point):
    """Whether the rotated columns of queries are an operand of their own."""
    return point["split_q"] and point["rope"] > 0


def attention_alone(point, name, output):
    split = is_split(point)
    function = Case(name)
    width = point["latent"] + (0 if split else point["rope"])
    ins = [queries(function, point, "q", width), cache_operand(function, point)]
    clauses = []
    if split:
        clauses.append(("q_pe", *queries(function, point, "q_pe", point["rope"])))
    clauses += paging_clauses(function, point)
    if point["count"]:
        clauses.append(function.count())
    outs = [batch(function, point, "o", point["latent"], output)]
    if point["lse"]:
        outs.append(lse_operand(function, point))
    attributes = f"{SOFTMAX_SCALE}, cache_format = #mlafuse.cache_format<{point['cache']}>"
    function.emit("latent_attention", ins, clauses, outs, attributes)
    return function


def decode_operands(function, point):
    heads, latent = point["heads"], point["latent"]
    w_uk = f"tensor<{heads}x{point['nope']}x{latent}x{point['element']}>"
    w_uv = f"tensor<{heads}x{latent}x{point['value']}x{point['element']}>"
    ins = [
        queries(function, point, "q_nope", point["nope"]),
        queries(function, point, "q_pe", point["rope"]),
        (function.named("w_uk", w_uk), w_uk),
        (function.named("w_uv", w_uv), w_uv),
        cache_operand(function, point),
    ]
    return ins, paging_clauses(function, point)


def projection_operands(function, point):
    depth, width = point["widths"]
    w = f"tensor<{point['heads']}x{depth}x{width}x{point['element']}>"
    return [queries(function, point, "x", depth), (function.named("w", w), w)], []


def column_count(point):
    width = point["value"] if "value" in point else point["widths"][1]
    return point["heads"] * width


def quantization_of(point):
    key, layout, _, rule, _ = point["output"]
    return make_quantization(key, column_count(point), layout, rule)


def rows_type(width, element):
    return f"tensor<?x{width}x{element}>"


def codes_outs(function, drawn, group, rows):
    """Destinations of a quantization, with the columns of a group in the name of the
    codes; `rows` names their number where it follows from nothing else."""
    packed = "_e2m1x2" if drawn.codes == "i8" else ""
    type = rows_type(drawn.codes_width, drawn.codes)
    name = f"codes_g{group}{packed}" if group > 0 else "codes"
    outs = [(function.named(name, type, [rows, ""] if rows else []), type)]
    if drawn.scale:
        packed = "_e8m0x4" if drawn.layout == "packed_ue8m0" else ""
        outs.append((function.named(f"scales{packed}", drawn.scale), drawn.scale))
    return outs


def offset_clause(function):
    offset = function.value()
    function.body.append(f"{offset} = arith.constant {OFFSET} : index")
    return ("row_offset", offset, "index")


def quantizable(op, name, point, operands, common):
    """The family of an op whose output may have a key. `operands(function, point)`
    gives what it reads, as ins and clauses; `common` are its other attributes."""
    key, _, _, _, element = point["output"]
    has_lse = point.get("lse", False)

    def emit(function, drawn, outs, has_offset, attributes):
        ins, clauses = operands(function, point)
        if drawn:
            clauses += scale_clauses(function, drawn)
        if point["count"]:
            clauses.append(function.count())
        if has_offset:
            clauses.append(offset_clause(function))
        outs = outs(function)
        if has_lse:
            outs.append(lse_operand(function, point))
        function.emit(op, ins, clauses, outs, ", ".join(attributes))
        return function

    def plain_output(element, rows):
        type = rows_type(column_count(point), element)
        dims = [rows, ""] if rows else []
        return lambda function: [(function.named("o", type, dims), type)]

    def unkeyed_alone(suffix, element, rows="", has_offset=False):
        outs = plain_output(element, rows)
        return emit(Case(name + suffix), None, outs, has_offset, common)

    def unrounded(written, *where):
        return [unkeyed_alone("__f32", "f32", *where)] if written == "bf16" else []

    rows = "rows" if point["offset"] else ""
    if not key:
        written = element or point["element"]
        where = rows, point["offset"]
        return Family([unkeyed_alone("", written, *where), *unrounded(written, *where)])
    drawn = quantization_of(point)
    attributes = [*common, drawn.attributes()]
    if point["contracted"]:
        attributes.append("numerics = #mlafuse.numerics<contracted>")
    keyed = emit(
        Case(name),
        drawn,
        lambda function: codes_outs(function, drawn, key.group, rows),
        point["offset"],
        attributes,
    )
    between = "f32" if point["contracted"] else point["element"]
    return Family(
        [
            keyed,
            unkeyed_alone("__unkeyed", between),
            quantize_alone(name, point, key, drawn, between),
            dequantize_alone(name, point, key, drawn),
            *unrounded(between),
        ]
    )


def quantize_alone(name, point, key, drawn, between):
    """The quantization of what an op without a key writes."""
    function = Case(f"{name}__quantize")
    type = rows_type(column_count(point), between)
    x = function.named("o", type, ["T", ""]), type
    clauses = scale_clauses(function, drawn)
    if point["count"]:
        clauses.append(function.count())
    if point["offset"]:
        clauses.append(offset_clause(function))
    outs = codes_outs(function, drawn, key.group, "rows" if point["offset"] else "")
    function.emit("quantize", [x], clauses, outs, drawn.attributes())
    return function


def dequantize_alone(name, point, key, drawn):
    """The numbers that codes and scales stand for."""
    function = Case(f"{name}__dequantize")
    codes, *scales = codes_outs(function, drawn, key.group, "rows")
    if not scales:
        scales = [(function.named("scale", SCALAR), SCALAR)]
    clauses = [("scale", *scales[0])]
    if "global_scale" in drawn.operands:
        scale = function.named("global_scale", SCALAR)
        clauses.append(("global_scale", scale, SCALAR))
    type = rows_type(column_count(point), "f32")
    y = function.named("y", type), type
    attributes = f"key = #mlafuse.quant_key<{drawn.key}>"
    if drawn.layout:
        attributes += f", scale_layout = #mlafuse.scale_layout<{drawn.layout}>"
    function.emit("dequantize", [codes], clauses, [y], attributes)
    return function


def output_name(point):
    key, layout, short, _, element = point["output"]
    return keys.join(
        key.name if key else f"o_{element or point['element']}",
        keys.SHORT[layout],
        short,
        "contracted" if key and point["contracted"] else "",
        "offset" if point["offset"] else "",
    )


def decode(point, serial):
    name = keys.join(
        "decode",
        paged_name(point),
        f"n{point['nope']}_v{point['value']}",
        output_name(point),
        f"n{serial}",
    )
    format = f"cache_format = #mlafuse.cache_format<{point['cache']}>"
    return quantizable(
        "mla_decode", name, point, decode_operands, [SOFTMAX_SCALE, format]
    )


def projection(point, serial):
    depth, width = point["widths"]
    name = keys.join(
        "projection",
        point["element"],
        f"h{point['heads']}_s{point['queries']}_k{depth}_n{width}",
        "count" if point["count"] else "",
        "strided" if point["strided"] else "",
        output_name(point),
        f"n{serial}",
    )
    return quantizable("head_projection", name, point, projection_operands, [])


BUILDERS = {"attention": attention, "decode": decode, "projection": projection}


def families(random, counts, every_rule):
    """So many random cases of each op, by the prefix of their names."""
    for prefix, axes in mla_grid.grids(every_rule).items():
        for serial, point in enumerate(mla_grid.draw(random, axes, counts[prefix])):
            yield BUILDERS[prefix](point, serial)
