"""Cases of mla_cache_update: all formats and rules, slots that are skipped."""

import struct
from operator import mul

import cache_rows
import case
from float_formats import encode, f32
from tensors import MLIR, Tensor, draw_numbers, floats, integers, pack_floats

LEAST_NORMAL = 2.0**-126
BITS = {"kind": "bits"}
NAN = float("nan")


def round_up_to_power_of_two(number):
    bits = struct.unpack("<I", struct.pack("<f", number))[0]
    exponent = (bits >> 23) + (bits & 0x7FFFFF != 0)
    return struct.unpack("<f", struct.pack("<I", exponent << 23))[0]


def e4m3_codes(numbers):
    clamped = (max(-448.0, min(448.0, number)) for number in numbers)
    return bytes(encode("F8_E4M3", number) for number in clamped)


class Update:
    def __init__(self, random):
        self.random = random
        name = random.choice(["bf16", "fp8", "fp8_ds_mla", "fp8_ds_mla"])
        latent = random.choice([128, 512] if name == "fp8_ds_mla" else [16, 33, 512])
        self.format = cache_rows.Format(name, latent, random.choice([0, 16, 64]))
        self.type = random.choice(["BF16", "F32"]) if name != "bf16" else "BF16"
        self.rope_type = self.type if name == "fp8" else "BF16"
        self.k_scale = f32(random.uniform(0.3, 1.5)) if name == "fp8" else None
        self.floor, self.ue8m0 = LEAST_NORMAL, False
        if name == "fp8_ds_mla":
            self.floor = random.choice([LEAST_NORMAL, f32(1e-4), f32(0.5)])
            self.ue8m0 = random.random() < 0.5
        self.tokens = random.choice([0, 1, 5, 40])
        self.pages, self.page_size = random.choice([(3, 16), (40, 1), (1, 64)])
        self.has_count = random.random() < 0.4
        self.count = self.tokens
        if self.has_count:
            self.count = random.randrange(self.tokens + 1)
        self.draw_contents()

    def draw_contents(self):
        random, capacity = self.random, self.pages * self.page_size

        def draw_row(width):
            """Numbers that saturate and that underflow too."""
            scales = random.choices([2.0**-12, 1.0, 1.0, 2.0**6], k=width)
            return list(map(mul, draw_numbers(random, width), scales))

        def draw_rows(width):
            unread = self.tokens - self.count
            rows = [draw_row(width) for _ in range(self.count)]
            return rows + [[NAN] * width] * unread

        self.latent = draw_rows(self.format.latent)
        self.rope = draw_rows(self.format.rope)
        if self.latent and self.count:
            self.latent[0] = [0.0] * self.format.latent
        slots = random.sample(range(capacity), min(capacity, self.tokens))
        slots += [-1] * (self.tokens - len(slots))
        for i in range(self.tokens):
            if random.random() < 0.2:
                slots[i] = random.choice([-1, capacity, 2**40, -(2**40)])
        self.slots = slots

    def row(self, token):
        latent, rope, format = self.latent[token], self.rope[token], self.format
        if format.name == "bf16":
            return pack_floats("BF16", latent + rope)
        if format.name == "fp8":
            return e4m3_codes(f32(x / self.k_scale) for x in latent + rope)
        codes, scales = b"", b""
        for begin in range(0, format.latent, cache_rows.TILE):
            tile = latent[begin : begin + cache_rows.TILE]
            scale = max(f32(max(map(abs, tile)) / 448), self.floor)
            if self.ue8m0:
                scale = round_up_to_power_of_two(scale)
            codes += e4m3_codes(f32(x / scale) for x in tile)
            scales += struct.pack("<f", scale)
        return codes + scales + pack_floats("BF16", rope)

    def caches(self):
        """The cache before and after."""
        capacity = self.pages * self.page_size
        row = bytes(self.random.randrange(0x40) for _ in range(self.format.bytes))
        before = [row] * capacity
        after = list(before)
        for token in range(self.count):
            if 0 <= self.slots[token] < capacity:
                after[self.slots[token]] = self.row(token)
        shape = [self.pages, self.page_size, self.format.columns]
        dtype = self.format.dtype
        return [Tensor(dtype, shape, b"".join(rows)) for rows in (before, after)]

    def rule(self):
        fields = []
        if self.floor != LEAST_NORMAL:
            fields.append(f"floor = {self.floor} on scale")
        if self.ue8m0:
            fields.append("rounding = ue8m0")
        if not fields:
            return ""
        return f", scale_rule = #mlafuse.scale_rule<{', '.join(fields)}>"


def flat(rows):
    return [x for row in rows for x in row]


def draw(random, name):
    drawn = Update(random)
    format = drawn.format
    before, after = drawn.caches()
    inputs = {
        "kv_c": floats(drawn.type, [drawn.tokens, format.latent], flat(drawn.latent)),
        "k_pe": floats(drawn.rope_type, [drawn.tokens, format.rope], flat(drawn.rope)),
        "slots": integers("I64", [drawn.tokens], drawn.slots),
        "in_cache": before,
    }
    words = []
    if drawn.k_scale is not None:
        words.append(("k_scale", "tensor<1xf32>"))
        inputs["k_scale"] = floats("F32", [1], [drawn.k_scale])
    if drawn.has_count:
        words.append(("num_actual_tokens", "tensor<1xi32>"))
        inputs["num_actual_tokens"] = integers("I32", [1], [drawn.count])
    arguments = [
        ("kv_c", f"tensor<?x{format.latent}x{MLIR[drawn.type]}>"),
        ("k_pe", f"tensor<?x{format.rope}x{MLIR[drawn.rope_type]}>"),
        ("slots", "tensor<?xi64>"),
    ]
    cache = f"tensor<?x?x{format.columns}x{format.element}>"
    text = case.function(
        name,
        arguments + words,
        "mla_cache_update",
        ["kv_c", "k_pe", "slots"],
        words,
        [("cache", cache)],
        f"cache_format = #mlafuse.cache_format<{format.name}>{drawn.rule()}",
    )
    return case.Case(text, [case.Run(name, inputs, {"out_cache": (after, BITS)})])
