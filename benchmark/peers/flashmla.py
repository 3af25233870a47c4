"""FlashMLA's dense decode, from the extension of a vLLM wheel (_flashmla_C.abi3.so)."""

import json

import torch


class Unavailable(RuntimeError):
    """The extension cannot be loaded or called; the text says why."""


class FlashMLA:
    """The kernels of one extension, for PyTorch's current stream."""

    def __init__(self, path):
        try:
            torch.ops.load_library(str(path))
            self.decode = torch.ops._flashmla_C.dense_decode_fwd
        except (OSError, AttributeError, RuntimeError) as error:
            raise Unavailable(f"{path}: {error}") from error

    def plan(self, q, cache, lengths, table, scale):
        """What it computes once for all calls with these lengths."""
        _, _, *plan = self.call(q, cache, lengths, table, scale, (None, None))
        torch.cuda.synchronize()
        return plan

    def call(self, q, cache, lengths, table, scale, plan, out=None):
        """q [B, S, H, 576]; cache [pages, 64, 576]; returns out [B, S, H, 512], lse
        [B, H, S] and the plan."""
        causal = q.shape[1] > 1
        return self.decode(
            q, cache.unsqueeze(2), 512, lengths, table, scale, causal, *plan, out
        )


class Measured:
    """Times that were measured elsewhere: a JSON list of objects with batch, queries,
    heads, keys and us."""

    def __init__(self, path):
        rows = json.loads(path.read_text())
        self.times = {
            (row["batch"], row["queries"], row["heads"], row["keys"]): row["us"]
            for row in rows
        }

    def time(self, shape):
        return self.times.get((shape.batch, shape.queries, shape.heads, shape.keys))
