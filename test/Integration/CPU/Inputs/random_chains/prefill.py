"""Draws the operands of mla_prefill and of merge_attn_states."""

from function import integers
from producer import Producer, dims

SEQUENCES = "tensor<?xi32>"


def cut(random, total, parts):
    """Where `parts` sequences of `total` rows begin and end; some are empty."""
    return [0] + sorted(random.randrange(total + 1) for _ in range(parts - 1)) + [total]


def draw_sequences(tag):
    def draw_run(random, rows):
        keys = random.choice([rows, rows, rows // 2, rows + 40])
        parts = random.choice([1, 2, 4])
        inputs = {
            f"cu_q{tag}": integers(cut(random, rows, parts)),
            f"cu_k{tag}": integers(cut(random, keys, parts)),
        }
        return [f"--dim=Tq{tag}={rows}", f"--dim=Tk{tag}={keys}"], inputs, rows

    return draw_run


def draw(function, tag, heads, value, element=None):
    """mla_prefill; `tag` tells its sizes from those of other ops."""
    random = function.random
    element = element or random.choice(["bf16", "bf16", "f16", "f32"])
    own, rope = random.choice([(128, 64), (16, 16), (33, 1), (64, 0)])
    is_own = rope > 0 and random.random() < 0.5
    k_width = own if is_own else own + rope
    types = [
        (f"tensor<?x{heads}x{own + rope}x{element}>", dims(f"Tq{tag}", "", "")),
        (f"tensor<?x{heads}x{k_width}x{element}>", dims(f"Tk{tag}", "", "")),
        (f"tensor<?x{heads}x{value}x{element}>", dims(f"Tk{tag}", "", "")),
        (SEQUENCES, f' {{mlafuse.name = "cu_q{tag}"}}'),
        (SEQUENCES, f' {{mlafuse.name = "cu_k{tag}"}}'),
    ]
    ins = [(function.argument(*type), type[0]) for type in types]
    clauses = []
    if is_own:
        k_pe = f"tensor<?x{rope}x{element}>"
        clauses.append(("k_pe", function.argument(k_pe, dims(f"Tk{tag}", "")), k_pe))
    return Producer(
        op="mla_prefill",
        ins=ins,
        clauses=clauses,
        attributes="softmax_scale = 0.1352 : f32" + random.choice(["", ", causal"]),
        width=heads * value,
        element=element,
        lse=f"tensor<?x{heads}xf32>",
        row_dims=1,
        draw_run=draw_sequences(tag),
    )


def draw_merge(function, tag, heads, value):
    element = function.random.choice(["bf16", "bf16", "f16", "f32"])
    o, lse = f"tensor<?x{heads}x{value}x{element}>", f"tensor<?x{heads}xf32>"
    ins = []
    for _ in range(2):
        ins.append((function.argument(o, dims(f"T{tag}", "", "")), o))
        ins.append((function.argument(lse, dims(f"T{tag}", "")), lse))
    return Producer(
        op="merge_attn_states",
        ins=ins,
        clauses=[],
        attributes="",
        width=heads * value,
        element=element,
        lse=lse,
        row_dims=1,
        draw_run=lambda random, rows: ([f"--dim=T{tag}={rows}"], {}, rows),
    )
