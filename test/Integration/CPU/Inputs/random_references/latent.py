"""Cases of latent_attention: all formats of the cache, causal among the queries,
pages in any order, requests of any length, padded requests full of garbage."""

import cache_rows
import case
from reference import attend, transposed
from tensors import TOLERANCES, MLIR, draw_numbers, f32, floats, integers, rounded

SCALE = f32(0.1352)
LENGTHS = [0, 0, 1, 2, 15, 33, 64, 101, 230]
# Multiplications of the reference.
MOST_WORK = 1_500_000
NAN = float("nan")


class Latent:
    def __init__(self, random):
        self.random = random
        name = random.choice(["bf16", "fp8", "fp8_ds_mla"])
        latent = random.choice([128, 256] if name == "fp8_ds_mla" else [16, 33, 64])
        self.format = cache_rows.Format(name, latent, random.choice([0, 16, 64]))
        # The position part of a query may be an operand of its own.
        self.has_q_pe = self.format.rope > 0 and random.random() < 0.5
        self.heads = random.choice([1, 3, 20, 33])
        self.queries = random.choice([1, 1, 2, 3])
        self.type = random.choice(["BF16", "BF16", "F16", "F32"])
        self.output = random.choice(["BF16", "F32", "F32", "F16"])
        self.k_scale = f32(random.uniform(0.3, 1.5)) if name == "fp8" else None
        self.requests = random.choice([1, 2, 4])
        self.lengths = [random.choice(LENGTHS) for _ in range(self.requests)]
        width = 2 * latent + self.format.rope
        per_key = self.heads * self.queries * width
        while sum(self.lengths) * per_key > MOST_WORK:
            self.lengths = [length // 2 for length in self.lengths]
        # Rows of queries; the requests past them are padding.
        self.rows = self.requests * self.queries
        self.padding = random.choice([0, 0, 1, 3])
        self.has_count = self.padding > 0 or random.random() < 0.2
        if self.has_count and random.random() < 0.5:
            self.rows -= random.randrange(self.queries)
        self.draw_contents()

    def draw_contents(self):
        random, format = self.random, self.format
        self.keys = []
        for length in self.lengths:
            rows = [format.draw_row(random, self.k_scale) for _ in range(length)]
            # Some come twice.
            for i in range(1, length):
                if random.random() < 0.05:
                    rows[i] = rows[random.randrange(i)]
            self.keys.append(rows)
        width = format.latent + format.rope
        self.q = [
            [draw_numbers(random, width) for _ in range(self.heads)]
            for _ in range(self.rows)
        ]

    def batch(self):
        return self.requests + self.padding

    def visible(self, row):
        """How many keys this row of queries sees."""
        request, query = divmod(row, self.queries)
        return max(self.lengths[request] - self.queries + 1 + query, 0)

    def visible_keys(self, row):
        keys = self.keys[row // self.queries][: self.visible(row)]
        return [numbers for _, numbers in keys]

    def padded(self, rows, filler):
        """The rows of all requests, what no one may read being `filler`."""
        missing = self.batch() * self.queries - len(rows)
        return [x for row in rows for x in row] + [filler] * (missing * len(rows[0]))

    def expect(self, key_lists):
        """The outputs, of the keys that each row of queries looks at."""
        latent = self.format.latent
        o, lse = [], []
        for heads, keys in zip(self.q, key_lists):
            columns = transposed(keys, latent)
            parts = [attend(query, keys, columns, SCALE) for query in heads]
            o.append([rounded(self.output, x) for part in parts for x in part[0]])
            lse.append([f32(part[1]) for part in parts])
        shape = [self.batch(), self.queries, self.heads]
        o = floats(self.output, shape + [latent], self.padded(o, 0.5))
        lse = floats("F32", shape, self.padded(lse, 0.5))
        return {
            "out_o": (o, TOLERANCES[self.output]),
            "out_lse": (lse, TOLERANCES["F32"]),
        }

    def inputs(self, cache):
        shape = [self.batch(), self.queries, self.heads]
        elements = self.batch() * self.queries * self.heads
        latent = self.format.latent
        inputs = {
            "cache": cache,
            # Without a count nothing of a destination may be read.
            "in_o": self.destination(self.output, shape + [latent], elements * latent),
            "in_lse": self.destination("F32", shape, elements),
        }
        for name, begin, end in self.query_parts():
            rows = [[x for head in heads for x in head[begin:end]] for heads in self.q]
            part = self.padded(rows, NAN)
            inputs[name] = floats(self.type, shape + [end - begin], part)
        if self.k_scale is not None:
            inputs["k_scale"] = floats("F32", [1], [self.k_scale])
        if self.has_count:
            inputs["num_actual_tokens"] = integers("I32", [1], [self.rows])
        return inputs

    def query_parts(self):
        """The operands that hold a query, and which of its columns."""
        latent, width = self.format.latent, self.format.latent + self.format.rope
        if self.has_q_pe:
            return [("q", 0, latent), ("q_pe", latent, width)]
        return [("q", 0, width)]

    def destination(self, dtype, shape, elements):
        return floats(dtype, shape, [0.5 if self.has_count else NAN] * elements)

    def garbage(self):
        return self.random.choice([-1, -1, 0, 2**31 - 1, -(2**31)])

    def dense(self, page_size):
        """Inputs with pages of this size, and the pages of each request."""
        rows = [[row for row, _ in keys] for keys in self.keys]
        cache, pages, table = cache_rows.lay_out(
            self.random, self.format, rows, page_size, self.garbage
        )
        width = len(table[0])
        table += [[self.garbage() for _ in range(width)] for _ in range(self.padding)]
        lengths = self.lengths + [self.garbage() for _ in range(self.padding)]
        inputs = self.inputs(cache)
        inputs["block_table"] = integers("I32", [self.batch(), width], sum(table, []))
        inputs["seq_lens"] = integers("I32", [self.batch()], lengths)
        return inputs, pages

    def sparse(self, cache, pages, page_size, shuffled):
        """Inputs with indices of the same keys, and the keys that these name."""
        random, slots, chosen = self.random, [], []
        for row in range(self.rows):
            request = row // self.queries
            order = list(range(self.visible(row)))
            if shuffled and order:
                order = random.choices(order, k=random.randrange(len(order) + 3))
            chosen.append([self.keys[request][i][1] for i in order])
            own = pages[request]
            slots.append(
                [own[i // page_size] * page_size + i % page_size for i in order]
            )
        if shuffled:
            for row in slots:
                for _ in range(random.randrange(4)):
                    row.insert(random.randrange(len(row) + 1), -1)
        topk = max(map(len, slots)) if slots else 0
        slots = [row + [-1] * (topk - len(row)) for row in slots]
        missing = self.batch() * self.queries - len(slots)
        slots += [[self.garbage() for _ in range(topk)] for _ in range(missing)]
        inputs = self.inputs(cache)
        shape = [self.batch(), self.queries, topk]
        inputs["indices"] = integers("I32", shape, sum(slots, []))
        return inputs, chosen

    def text(self, name, is_sparse, page):
        format, batch = self.format, f"?x?x{self.heads}"
        words = [("indices", "tensor<?x?x?xi32>")]
        if not is_sparse:
            words = [("block_table", "tensor<?x?xi32>"), ("seq_lens", "tensor<?xi32>")]
        if self.k_scale is not None:
            words.append(("k_scale", "tensor<1xf32>"))
        if self.has_count:
            words.append(("num_actual_tokens", "tensor<1xi32>"))
        arguments = [
            (part, f"tensor<{batch}x{end - begin}x{MLIR[self.type]}>")
            for part, begin, end in self.query_parts()
        ]
        # What is not in ins(...) is a clause.
        words = arguments[1:] + words
        cache = ("cache", f"tensor<?x{page}x{format.columns}x{format.element}>")
        arguments = [arguments[0], cache]
        outs = [
            ("o", f"tensor<{batch}x{format.latent}x{MLIR[self.output]}>"),
            ("lse", f"tensor<{batch}xf32>"),
        ]
        attributes = (
            f"softmax_scale = {SCALE} : f32,"
            f" cache_format = #mlafuse.cache_format<{format.name}>"
        )
        ins = ["q", "cache"]
        return case.function(
            name, arguments + words, "latent_attention", ins, words, outs, attributes
        )


def draw(random, name):
    drawn = Latent(random)
    names = f"{name}_dense", f"{name}_page", f"{name}_sparse"
    fixed, other = random.choice([1, 16, 64]), random.choice([1, 3, 16, 64])
    text = "\n".join(
        [
            drawn.text(names[0], is_sparse=False, page="?"),
            drawn.text(names[1], is_sparse=False, page=fixed),
            drawn.text(names[2], is_sparse=True, page="?"),
        ]
    )
    wanted = drawn.expect([drawn.visible_keys(row) for row in range(drawn.rows)])
    inputs, pages = drawn.dense(other)
    runs = [case.Run(names[0], inputs, wanted)]
    runs.append(case.Run(names[1], drawn.dense(fixed)[0], wanted, same_as=0))
    ordered, _ = drawn.sparse(inputs["cache"], pages, other, shuffled=False)
    runs.append(case.Run(names[2], ordered, wanted, same_as=0))
    shuffled, chosen = drawn.sparse(inputs["cache"], pages, other, shuffled=True)
    runs.append(case.Run(names[2], shuffled, drawn.expect(chosen)))
    return case.Case(text, runs)
