"""Draws mla_decode with a quantization of its output."""

import chains
import quantization
from function import Function

CACHES = {
    "bf16": ("bf16", lambda latent, rope: latent + rope),
    "fp8": ("f8E4M3FN", lambda latent, rope: latent + rope),
    # Bytes: codes, an f32 scale for each 128 of them, bf16 positions.
    "fp8_ds_mla": ("i8", lambda latent, rope: latent + latent // 32 + 2 * rope),
}
# Small, so that a run takes no time.
PAGES, TABLE = 5, 3


class Decode(Function):
    def __init__(self, random, name):
        super().__init__(random, name, rank=2)
        self.queries = random.choice([1, 1, 2])

    def rows(self, width, element):
        """All but a function of one query has B * queries rows."""
        return f"tensor<?x{width}x{element}>"

    def sizes(self, rows):
        sizes = {"B": rows // 4 if rows > 3 else rows, "pages": PAGES, "table": TABLE}
        return [f"--dim={k}={v}" for k, v in sizes.items()], sizes["B"] * self.queries


def draw_inputs(function, heads, latent, value):
    """Operands of mla_decode, (value, type) each, and its clauses."""
    random = function.random
    nope, rope = random.choice([8, 16, 33, 128]), random.choice([2, 16, 64])
    cache = random.choice(["bf16", "bf16", "fp8"] + ["fp8_ds_mla"] * (latent % 128 == 0))
    element, row = CACHES[cache]
    batch = f"tensor<?x{function.queries}x{heads}x"
    page = random.choice([1, 16, 64])
    types = [
        f"{batch}{nope}xbf16>",
        f"{batch}{rope}xbf16>",
        f"tensor<{heads}x{nope}x{latent}xbf16>",
        f"tensor<{heads}x{latent}x{value}xbf16>",
        f"tensor<?x{page}x{row(latent, rope)}x{element}>",
    ]
    ins = [(function.argument(type), type) for type in types]
    clauses = [
        ("block_table", function.argument("tensor<?x?xi32>"), "tensor<?x?xi32>"),
        ("seq_lens", function.argument("tensor<?xi32>"), "tensor<?xi32>"),
    ]
    if cache == "fp8":
        clauses.append(("k_scale", function.argument("tensor<1xf32>"), "tensor<1xf32>"))
    return ins, clauses, cache


def draw(random, name):
    """A decode and its quantization; groups may span heads."""
    function = Decode(random, name)
    heads, value = random.choice([1, 2, 3, 8]), random.choice([32, 64, 96, 128])
    latent = random.choice([16, 17, 64, 128])
    width = heads * value
    ins, clauses, cache = draw_inputs(function, heads, latent, value)
    output = function.rows(width, random.choice(["bf16", "bf16", "f32"]))
    outs = [(function.argument(output), output)]
    has_lse = random.random() < 0.5
    if has_lse:
        lse = f"tensor<?x{function.queries}x{heads}xf32>"
        outs.append((function.argument(lse), lse))
    attributes = "softmax_scale = 0.1352 : f32"
    attributes += f", cache_format = #mlafuse.cache_format<{cache}>"
    values = function.operation("mla_decode", ins, clauses, outs, attributes)
    drawn = quantization.draw(random, width, fuses=True)
    chains.add_quantize(function, (values[0], output), drawn, [])
    if has_lse:
        function.keep(values[1], outs[1][1])
    return function
