"""Cases of mla_prefill: sequences of any length, empty ones too, keys that no query
may see full of NaN, and both forms of the keys."""

import case
from reference import attend, transposed
from tensors import TOLERANCES, MLIR, draw_numbers, f32, floats, integers, rounded

SCALE = f32(0.0722)
# (D, R, V): columns of a key, how many of them all heads share, and of a value.
WIDTHS = [(192, 64, 128), (96, 32, 64), (17, 16, 33), (40, 1, 7), (24, 8, 24)]
LENGTHS = [0, 0, 1, 2, 7, 31, 33, 70]
MOST_WORK = 1_500_000
NAN = float("nan")


class Prefill:
    def __init__(self, random):
        self.random = random
        self.width, self.rope, self.value = random.choice(WIDTHS)
        self.heads = random.choice([1, 2, 3])
        self.type = random.choice(["BF16", "BF16", "F16", "F32"])
        self.output = random.choice([self.type, "F32"])
        self.causal = random.random() < 0.7
        self.has_count = random.random() < 0.3
        self.draw_sequences()
        self.draw_contents()

    def draw_sequences(self):
        random = self.random
        count = random.choice([1, 2, 3, 5])
        self.n_q = [random.choice(LENGTHS) for _ in range(count)]
        self.n_k = [
            random.choice([n, n, random.choice(LENGTHS), n + 5, n // 2])
            for n in self.n_q
        ]
        per_pair = self.heads * (self.width + self.value)
        while sum(map(int.__mul__, self.n_q, self.n_k)) * per_pair > MOST_WORK:
            self.n_q = [n // 2 for n in self.n_q]
        # Rows ahead of the first sequence and behind the last one.
        gaps = [random.choice([0, 0, 2]) for _ in range(4)]
        self.cu_q, self.rows = cumulative(gaps[0], self.n_q, gaps[1])
        self.cu_k, self.keys = cumulative(gaps[2], self.n_k, gaps[3])
        self.count = self.rows
        if self.has_count:
            self.count = random.randrange(self.rows + 1)

    def draw_contents(self):
        random = self.random

        def draw_rows(count, width):
            return [
                [NAN] * width if self.is_unused(i) else draw_numbers(random, width)
                for i in range(count)
            ]

        heads = range(self.heads)
        own = self.width - self.rope
        self.k = [draw_rows(self.keys, own) for _ in heads]
        self.v = [draw_rows(self.keys, self.value) for _ in heads]
        self.k_pe = draw_rows(self.keys, self.rope)
        self.q = [
            [draw_numbers(random, self.width) for _ in range(self.rows)] for _ in heads
        ]
        self.spoil_last_keys()

    def is_unused(self, key):
        return not self.cu_k[0] <= key < self.cu_k[-1]

    def spoil_last_keys(self):
        """NaN in the last key and value of a sequence: with a causal mask only the
        last query may come to know."""
        for begin, end in zip(self.cu_k, self.cu_k[1:]):
            if not self.causal or begin == end or self.random.random() < 0.5:
                continue
            for head in range(self.heads):
                self.k[head][end - 1] = [NAN] * (self.width - self.rope)
                self.v[head][end - 1] = [NAN] * self.value

    def expect(self):
        o = [[0.5] * (self.heads * self.value) for _ in range(self.rows)]
        lse = [[0.5] * self.heads for _ in range(self.rows)]
        for i, (first, end) in enumerate(zip(self.cu_q, self.cu_q[1:])):
            for row in range(first, min(end, self.count)):
                seen = self.n_k[i]
                if self.causal:
                    seen = max(seen - (end - 1 - row), 0)
                for head in range(self.heads):
                    begin = self.cu_k[i]
                    part, part_lse = self.attend(head, row, begin, begin + seen)
                    at = head * self.value
                    o[row][at : at + self.value] = part
                    lse[row][head] = part_lse
        output = [rounded(self.output, x) for row in o for x in row]
        shape = [self.rows, self.heads * self.value]
        return {
            "out_o": (floats(self.output, shape, output), TOLERANCES[self.output]),
            "out_lse": (
                floats("F32", [self.rows, self.heads], map_f32(lse)),
                TOLERANCES["F32"],
            ),
        }

    def attend(self, head, row, begin, end):
        keys = [self.k[head][j] + self.k_pe[j] for j in range(begin, end)]
        columns = transposed(self.v[head][begin:end], self.value)
        return attend(self.q[head][row], keys, columns, SCALE)

    def inputs(self, concatenated):
        def per_head(heads, rows, width):
            values = [x for i in range(rows) for head in heads for x in head[i]]
            return floats(self.type, [rows, self.heads, width], values)

        q = [
            head[: self.count] + [[NAN] * self.width] * (self.rows - self.count)
            for head in self.q
        ]
        o_shape = [self.rows, self.heads * self.value]
        inputs = {
            "q": per_head(q, self.rows, self.width),
            "v": per_head(self.v, self.keys, self.value),
            "cu_q": integers("I32", [len(self.cu_q)], self.cu_q),
            "cu_k": integers("I32", [len(self.cu_k)], self.cu_k),
            "in_o": floats(self.output, o_shape, [0.5] * (o_shape[0] * o_shape[1])),
            "in_lse": floats(
                "F32", [self.rows, self.heads], [0.5] * (self.rows * self.heads)
            ),
        }
        if concatenated:
            whole = [
                [row + pe for row, pe in zip(head, self.k_pe)] for head in self.k
            ]
            inputs["k"] = per_head(whole, self.keys, self.width)
        else:
            inputs["k"] = per_head(self.k, self.keys, self.width - self.rope)
            pe = [x for row in self.k_pe for x in row]
            inputs["k_pe"] = floats(self.type, [self.keys, self.rope], pe)
        if self.has_count:
            inputs["num_actual_tokens"] = integers("I32", [1], [self.count])
        return inputs

    def text(self, name, concatenated):
        element = MLIR[self.type]
        own = self.width - (0 if concatenated else self.rope)
        cumulative_type = "tensor<?xi32>"
        arguments = [
            ("q", f"tensor<?x{self.heads}x{self.width}x{element}>"),
            ("k", f"tensor<?x{self.heads}x{own}x{element}>"),
            ("v", f"tensor<?x{self.heads}x{self.value}x{element}>"),
            ("cu_q", cumulative_type),
            ("cu_k", cumulative_type),
        ]
        words = []
        if not concatenated:
            words.append(("k_pe", f"tensor<?x{self.rope}x{element}>"))
        if self.has_count:
            words.append(("num_actual_tokens", "tensor<1xi32>"))
        outs = [
            ("o", f"tensor<?x{self.heads * self.value}x{MLIR[self.output]}>"),
            ("lse", f"tensor<?x{self.heads}xf32>"),
        ]
        attributes = f"softmax_scale = {SCALE} : f32"
        if self.causal:
            attributes += ", causal"
        ins = ["q", "k", "v", "cu_q", "cu_k"]
        return case.function(
            name, arguments + words, "mla_prefill", ins, words, outs, attributes
        )


def cumulative(before, lengths, behind):
    """Where each begins, and the number of rows."""
    bounds = [before]
    for length in lengths:
        bounds.append(bounds[-1] + length)
    return bounds, bounds[-1] + behind


def map_f32(rows):
    return [f32(x) for row in rows for x in row]


def draw(random, name):
    drawn = Prefill(random)
    names = f"{name}_pe", f"{name}_whole"
    text = "\n".join(drawn.text(n, n.endswith("whole")) for n in names)
    wanted = drawn.expect()
    runs = [
        case.Run(names[0], drawn.inputs(concatenated=False), wanted),
        case.Run(names[1], drawn.inputs(concatenated=True), wanted, same_as=0),
    ]
    return case.Case(text, runs)
