"""Counts the candidates of --mlafuse-fuse in the text of a function.

It knows the definition in python-free-docs/Fusions.md and nothing of the pass:

- a quantization whose source, through reshapes, slices and casts, is the value of
  a norm or the output of an op that could quantize it, or that is fused with one;
- two norms, quantized or not, of two column ranges of the same rows of one value.
"""

import re

THROUGH = {"tensor.cast", "tensor.collapse_shape", "tensor.expand_shape",
           "tensor.extract_slice", "arith.truncf", "arith.extf"}
OUTPUTS = {"mlafuse.head_projection", "mlafuse.mla_decode", "mlafuse.mla_prefill",
           "mlafuse.merge_attn_states", "mlafuse.mla_attention"}
STATIC = re.compile(r"(^|[ _])static")


class Op:
    def __init__(self, results, name, text):
        self.results, self.name, self.text = results, name, text
        self.operands = re.findall(r"%\w+", text)

    def ins(self):
        return re.findall(r"%\w+", re.search(r"ins\((.*?) :", self.text).group(1))

    def keys(self):
        """Role of a key ("", "q_" or "kv_") to its name."""
        return {role or "": key for role, key in re.findall(
            r"\b(q_|kv_)?key = #mlafuse\.quant_key<([^>]*)>", self.text)}


class Function:
    def __init__(self, lines):
        self.ops, self.made_by = [], {}
        for line in lines:
            match = re.match(r"\s*(?:((?:%\w+(?:, )?)+) = )?([\w.]+)(.*)", line)
            if not match:
                continue
            op = Op(re.findall(r"%\w+", match.group(1) or ""), match.group(2),
                    match.group(3))
            self.ops.append(op)
            for index, result in enumerate(op.results):
                self.made_by[result] = (op, index)

    def count(self):
        return self.count_quantizations() + self.count_siblings()

    def count_quantizations(self):
        total = 0
        for op in self.ops:
            if op.name == "mlafuse.quantize":
                total += self.is_candidate(op.ins()[0])
            elif op.name.startswith("mlafuse."):
                total += len(op.keys())
        return total

    def is_candidate(self, value):
        while value in self.made_by and self.made_by[value][0].name in THROUGH:
            value = self.made_by[value][0].operands[0]
        if value not in self.made_by:
            return False
        op, index = self.made_by[value]
        if op.name in OUTPUTS:
            return index == 0 and not op.keys()
        return value in self.normalized(op)

    @staticmethod
    def normalized(op):
        """The results that are a norm's value."""
        keys = op.keys()
        if op.name in ("mlafuse.rms_norm", "mlafuse.add_rms_norm"):
            return op.results[:1]
        if op.name == "mlafuse.dual_rms_norm":
            return op.results
        if op.name == "mlafuse.rms_norm_quantize":
            used = 1 if STATIC.search(keys[""]) else 2
            return op.results[used + ("residual(" in op.text):]
        return []

    def count_siblings(self):
        ranges = [r for op in self.ops for r in self.column_ranges(op)]
        total = 0
        for i, (rows, begin, end) in enumerate(ranges):
            for other_rows, other_begin, other_end in ranges[:i]:
                total += (rows == other_rows and
                          (end <= other_begin or other_end <= begin))
        return total

    def column_ranges(self, op):
        """(source and rows, first column, column past the last) of its norms."""
        if not re.fullmatch(r"mlafuse\.(add_|dual_)?rms_norm(_quantize)?", op.name):
            return
        for x in op.ins()[:3:2] if "dual" in op.name else op.ins()[:1]:
            made = self.made_by.get(x)
            if not made or made[0].name != "tensor.extract_slice":
                continue
            source = made[0].operands[0]
            offsets, sizes, _ = [
                part.split(", ") for part in re.findall(r"\[(.*?)\]", made[0].text)]
            rows = [self.identity(size) for size in offsets[:-1] + sizes[:-1]]
            yield (source, *rows), int(offsets[-1]), int(offsets[-1]) + int(sizes[-1])

    def identity(self, size):
        """A size is asked for once per slice: the same question, the same size."""
        op = self.made_by[size][0] if size in self.made_by else None
        return op.text if op and op.name == "tensor.dim" else size
