"""Cases of mla_cache_update: all formats and rules, slots that are skipped."""

import struct

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
        self.count = random.randrange(self.tokens + 1) if self.has_count else self.tokens
        self.draw_contents()

    def draw_contents(self):
        random, capacity = self.random, self.pages * self.page_size
        # Numbers that saturate and that underflow too.
        def rows(width, dtype):
            return [
                [x * 2.0 ** random.choice([-12, 0, 0, 6]) for x in draw_numbers(random, width)]
                if i < self.count
                else [NAN] * width
                for i in range(self.tokens)
            ]

        self.latent = rows(self.format.latent, self.type)
        self.rope = rows(self.format.rope, self.rope_type)
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
        before = [bytes(self.random.randrange(0x40) for _ in range(self.format.bytes))] * capacity
        after = list(before)
        for token in range(self.count):
            if 0 <= self.slots[token] < capacity:
                after[self.slots[token]] = self.row(token)
        shape = [self.pages, self.page_size, self.format.columns]
        return [Tensor(self.format.dtype, shape, b"".join(rows)) for rows in (before, after)]

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
    self = Update(random)
    format = self.format
    before, after = self.caches()
    inputs = {
        "kv_c": floats(self.type, [self.tokens, format.latent], flat(self.latent)),
        "k_pe": floats(self.rope_type, [self.tokens, format.rope], flat(self.rope)),
        "slots": integers("I64", [self.tokens], self.slots),
        "in_cache": before,
    }
    words = []
    if self.k_scale is not None:
        words.append(("k_scale", "tensor<1xf32>"))
        inputs["k_scale"] = floats("F32", [1], [self.k_scale])
    if self.has_count:
        words.append(("num_actual_tokens", "tensor<1xi32>"))
        inputs["num_actual_tokens"] = integers("I32", [1], [self.count])
    arguments = [
        ("kv_c", f"tensor<?x{format.latent}x{MLIR[self.type]}>"),
        ("k_pe", f"tensor<?x{format.rope}x{MLIR[self.rope_type]}>"),
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
        f"cache_format = #mlafuse.cache_format<{format.name}>{self.rule()}",
    )
    return case.Case(text, [case.Run(name, inputs, {"out_cache": (after, BITS)})])
