"""Ops with a quantizable output, four heads of 128 columns each."""

DECODE = ["tensor<?x1x4x128xbf16>", "tensor<?x1x4x64xbf16>", "tensor<4x128x512xbf16>",
          "tensor<4x512x128xbf16>", "tensor<?x64x576xbf16>"]
PREFILL = ["tensor<?x4x192xbf16>", "tensor<?x4x192xbf16>", "tensor<?x4x128xbf16>",
           "tensor<?xi32>", "tensor<?xi32>"]
TABLE = [("block_table", "tensor<?x?xi32>"), ("seq_lens", "tensor<?xi32>")]
CACHE = "softmax_scale = 0.125 : f32, cache_format = #mlafuse.cache_format<bf16>"


class Producer:
    def __init__(self, name, types, clauses=(), attributes="", lse=None):
        self.name, self.types, self.clauses = name, types, list(clauses)
        self.attributes, self.lse = attributes, lse


PRODUCERS = [
    Producer("mlafuse.mla_decode", DECODE, TABLE, CACHE, "tensor<?x1x4xf32>"),
    Producer("mlafuse.mla_prefill", PREFILL, (), "softmax_scale = 0.125 : f32, causal",
             "tensor<?x4xf32>"),
    Producer("mlafuse.merge_attn_states",
             ["tensor<?x4x128xbf16>", "tensor<?x4xf32>"] * 2, (), "", "tensor<?x4xf32>"),
    Producer("mlafuse.head_projection",
             ["tensor<?x1x4x512xbf16>", "tensor<4x512x128xbf16>"]),
    Producer("mlafuse.mla_attention", DECODE + PREFILL, [("decode_rows", "index")] + TABLE,
             CACHE + ", causal"),
]
