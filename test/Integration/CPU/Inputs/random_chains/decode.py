"""Draws the operands of mla_decode and of head_projection."""

from producer import Producer, dims

CACHES = {
    "bf16": ("bf16", lambda latent, rope: latent + rope),
    "fp8": ("f8E4M3FN", lambda latent, rope: latent + rope),
    # Bytes: codes, an f32 scale for each 128 of them, bf16 positions.
    "fp8_ds_mla": ("i8", lambda latent, rope: latent + latent // 32 + 2 * rope),
}
# Small, so that a run takes no time.
CACHE, TABLE, INDICES = {"pages": 5}, {"table": 3}, {"topk": 37}


def draw_batch(tag, queries, sizes):
    """A draw_run for B requests of so many queries, with other sizes fixed."""

    def draw_run(random, rows):
        requests = rows // 4 if rows > 3 else rows
        named = {"B": requests, **sizes}
        options = [f"--dim={name}{tag}={size}" for name, size in named.items()]
        return options, {}, requests * queries

    return draw_run


def draw_paging(function, tag, queries):
    """Which keys each query looks at, as clauses, and their sizes."""
    if function.random.random() < 0.25:
        type = f"tensor<?x{queries}x?xi32>"
        names = dims(f"B{tag}", "", f"topk{tag}")
        return [("indices", function.argument(type, names), type)], INDICES
    table, lengths = "tensor<?x?xi32>", "tensor<?xi32>"
    names = dims(f"B{tag}", f"table{tag}")
    clauses = [
        ("block_table", function.argument(table, names), table),
        ("seq_lens", function.argument(lengths, dims(f"B{tag}")), lengths),
    ]
    return clauses, TABLE


def draw(function, tag, heads, value):
    """mla_decode; `tag` tells its sizes from those of other ops."""
    random = function.random
    queries = random.choice([1, 1, 2])
    latent = random.choice([16, 17, 64, 128])
    nope, rope = random.choice([8, 16, 33, 128]), random.choice([2, 16, 64])
    tiled = ["fp8_ds_mla"] * (latent % 128 == 0)
    cache = random.choice(["bf16", "bf16", "fp8"] + tiled)
    element, row = CACHES[cache]
    batch = f"tensor<?x{queries}x{heads}x"
    page = random.choice([1, 16, 64])
    batch_dims, page_dims = dims(f"B{tag}", "", "", ""), dims(f"pages{tag}", "", "")
    types = [
        (f"{batch}{nope}xbf16>", batch_dims),
        (f"{batch}{rope}xbf16>", batch_dims),
        (f"tensor<{heads}x{nope}x{latent}xbf16>", ""),
        (f"tensor<{heads}x{latent}x{value}xbf16>", ""),
        (f"tensor<?x{page}x{row(latent, rope)}x{element}>", page_dims),
    ]
    ins = [(function.argument(*type), type[0]) for type in types]
    clauses, sizes = draw_paging(function, tag, queries)
    if cache == "fp8":
        clauses.append(("k_scale", function.argument("tensor<1xf32>"), "tensor<1xf32>"))
    return Producer(
        op="mla_decode",
        ins=ins,
        clauses=clauses,
        attributes="softmax_scale = 0.1352 : f32,"
        f" cache_format = #mlafuse.cache_format<{cache}>",
        width=heads * value,
        element="bf16",
        lse=f"tensor<?x{queries}x{heads}xf32>",
        row_dims=2,
        draw_run=draw_batch(tag, queries, {**CACHE, **sizes}),
    )


def draw_projection(function, tag, heads, value):
    random = function.random
    queries, depth = random.choice([1, 2]), random.choice([1, 16, 33, 64])
    element = random.choice(["bf16", "bf16", "f16", "f32"])
    x = f"tensor<?x{queries}x{heads}x{depth}x{element}>"
    w = f"tensor<{heads}x{depth}x{value}x{random.choice([element, 'bf16'])}>"
    names = dims(f"B{tag}", "", "", "")
    return Producer(
        op="head_projection",
        ins=[(function.argument(x, names), x), (function.argument(w), w)],
        clauses=[],
        attributes="",
        width=heads * value,
        element=element,
        lse="",
        row_dims=2,
        draw_run=draw_batch(tag, queries, {}),
    )
