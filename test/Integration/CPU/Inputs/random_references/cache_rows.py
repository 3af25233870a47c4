"""Rows of the paged latent cache: made, laid out in pages, and read."""

import math
import struct

from float_formats import bf16, f32
from tensors import E4M3, SMALL_E4M3, Tensor, draw_numbers, pack_floats

TILE = 128


class Format:
    """A cache format with its widths."""

    def __init__(self, name, latent, rope):
        self.name, self.latent, self.rope = name, latent, rope
        self.element, self.dtype = {
            "bf16": ("bf16", "BF16"),
            "fp8": ("f8E4M3FN", "F8_E4M3"),
            "fp8_ds_mla": ("i8", "U8"),
        }[name]
        width = latent + rope
        if name == "fp8_ds_mla":
            width = latent + 4 * (latent // TILE) + 2 * rope
        self.columns = width
        self.bytes = 2 * width if name == "bf16" else width

    def empty_row(self):
        """What no one may read: every number in it is NaN."""
        return (b"\xc0\x7f" if self.name == "bf16" else b"\xff") * self.columns

    def draw_row(self, random, k_scale):
        """(bytes, the f32 numbers that they mean)."""
        if self.name == "bf16":
            numbers = draw_numbers(random, self.latent + self.rope)
            return pack_floats("BF16", numbers), numbers
        if self.name == "fp8":
            codes = bytes(random.choices(SMALL_E4M3, k=self.latent + self.rope))
            return codes, [f32(E4M3[code] * k_scale) for code in codes]
        codes = bytes(
            random.choice([random.randrange(0x7F), random.randrange(0x80, 0xFF)])
            for _ in range(self.latent)
        )
        # Any f32, no power of two.
        scales = [f32(random.uniform(0.001, 0.008)) for _ in range(self.latent // TILE)]
        rope = draw_numbers(random, self.rope)
        numbers = [bf16(f32(E4M3[c] * scales[i // TILE])) for i, c in enumerate(codes)]
        packed = struct.pack(f"<{len(scales)}f", *scales)
        return codes + packed + pack_floats("BF16", rope), numbers + rope


def lay_out(random, format, requests, page_size, garbage):
    """Puts the rows of each request (lists of bytes) into pages of their own, in
    any order, among others that are empty. Returns the cache, the pages of each
    request, and the table, whose unused entries `garbage` draws."""
    counts = [math.ceil(len(rows) / page_size) for rows in requests]
    total = sum(counts) + random.randrange(3)
    places = random.sample(range(total), sum(counts))
    pages = [[format.empty_row()] * page_size for _ in range(total)]
    table_rows, position = [], 0
    for rows, count in zip(requests, counts):
        own = places[position : position + count]
        position += count
        for i, row in enumerate(rows):
            page = pages[own[i // page_size]]
            page[i % page_size] = row
        table_rows.append(own)
    width = max(counts, default=0)
    table = [own + [garbage() for _ in range(width - len(own))] for own in table_rows]
    data = b"".join(row for page in pages for row in page)
    shape = [total, page_size, format.columns]
    return Tensor(format.dtype, shape, data), table_rows, table
