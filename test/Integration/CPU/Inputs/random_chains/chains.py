"""Draws unfused chains of norms and quantizations."""

import itertools

import quantization
from function import Function

WIDTHS = [1, 15, 16, 17, 64, 576, 768, 1152, 3584, 7168]
EPSILONS = ["0.0", "1.0e-6", "1.0e-5", "1.0e-2"]


def add_norm(function, source, width, element, quantized, options):
    """A norm of `source` and, if `quantized`, its quantization."""
    random = function.random
    x = (source, function.rows(width, element))
    ins = [x]
    attributes = f"epsilon = {random.choice(EPSILONS)} : f32"
    if options["weight"]:
        weight = f"tensor<{width}x{options['weight']}>"
        ins.append((function.argument(weight), weight))
    if options["offset"]:
        attributes += ", weight_offset"
    if options["result"]:
        attributes += ", rounding = #mlafuse.rounding<result>"
    contracted = quantized and options["contracted"]
    y_type = function.rows(width, "f32" if contracted else element)
    keeps = not quantized or random.random() < 0.3
    outs = [(function.destination(y_type, x, keeps), y_type)]
    counts = options["counts"]
    op, clauses = "rms_norm", []
    if options["residual"]:
        op = "add_rms_norm"
        clauses.append(("residual", function.argument(x[1]), x[1]))
        outs.append((function.argument(x[1]), x[1]))
    values = function.operation(op, ins, clauses + counts, outs, attributes)
    if keeps:
        function.keep(values[0], y_type)
    for value in values[1:]:
        function.keep(value, x[1])
    if quantized:
        drawn = quantization.draw(random, width, options["dual"])
        add_quantize(function, (values[0], y_type), drawn, counts)


def add_scales(function, drawn):
    """Arguments for the scales that a quantization takes, as clauses."""
    return [
        (word, function.argument("tensor<1xf32>"), "tensor<1xf32>")
        for word in drawn.operands
    ]


def quantize(function, source, drawn, clauses, outs):
    """A quantization of `source`; returns its results, (value, type) each."""
    values = function.operation("quantize", [source], clauses, outs, drawn.attributes())
    return [(value, type) for value, (_, type) in zip(values, outs)]


def add_quantize(function, source, drawn, clauses):
    """A quantization into arguments, which the function returns."""
    scales = add_scales(function, drawn)
    outs = [(function.argument(type), type) for type in drawn.types(function)]
    for result in quantize(function, source, drawn, scales + clauses, outs):
        function.keep(*result)


def draw_options(random, element, dual):
    """What the norms of one function have in common."""
    weight = random.choice(["bf16", "f32", element, element])
    contracted = element != "f32" and random.random() < 0.2
    return {
        "dual": dual,
        "weight": weight if dual else random.choice([weight, weight, weight, ""]),
        "offset": False,
        "contracted": contracted,
        "result": contracted or random.random() < 0.4,
        "residual": not dual and random.random() < 0.4,
        "counts": [],
    }


def draw_single(random, name):
    """A norm and its quantization."""
    function = Function(random, name, random.choice([2, 3]))
    element = random.choice(["bf16", "bf16", "f16", "f32"])
    width = random.choice(WIDTHS)
    options = draw_options(random, element, dual=False)
    options["offset"] = bool(options["weight"]) and random.random() < 0.2
    source = function.input_rows(width, element, random.random() < 0.3)
    if random.random() < 0.3:
        options["counts"] = [
            ("num_actual_tokens", function.add_count(), "tensor<1xi32>")
        ]
    add_norm(function, source, width, element, True, options)
    return function


def draw_dual(random, name):
    """Two norms of column ranges of one projection, in either order, one of them
    or both quantized."""
    function = Function(random, name, 2)
    element = random.choice(["bf16", "bf16", "f16"])
    widths = [random.choice(WIDTHS) for _ in range(2)]
    gap, rest = random.choice([0, 0, 5]), random.choice([0, 64])
    total = sum(widths) + gap + rest
    options = draw_options(random, element, dual=True)
    projection = function.input_rows(total, element, random.random() < 0.3)
    type = function.rows(total, element)
    function.body += [
        "%c0 = arith.constant 0 : index",
        f"%t = tensor.dim {projection}, %c0 : {type}",
    ]
    if random.random() < 0.3:
        options["counts"] = [
            ("num_actual_tokens", function.add_count(), "tensor<1xi32>")
        ]
    quantized = random.choice(list(itertools.product([True, False], repeat=2)))
    sides = [(0, widths[0], quantized[0]), (widths[0] + gap, widths[1], quantized[1])]
    random.shuffle(sides)
    for offset, width, has_key in sides:
        side = function.value()
        function.body.append(
            f"{side} = tensor.extract_slice {projection}[0, {offset}] [%t, {width}]"
            f" [1, 1] : {type} to {function.rows(width, element)}"
        )
        add_norm(function, side, width, element, has_key, options)
    return function
