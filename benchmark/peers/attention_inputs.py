"""Shapes of attention.py and their tensors: random numbers, pages in random order."""

import dataclasses

import torch

DEVICE = "cuda"
PAGE, LATENT, ROPE, NOPE, VALUE = 64, 512, 64, 128, 128
# As in attention.mlir.
SOFTMAX_SCALE = 0.1352
ROW_BYTES = {"bf16": 1152, "fp8": 576, "fp8_ds_mla": 656}


@dataclasses.dataclass(frozen=True)
class Shape:
    batch: int
    queries: int
    heads: int
    keys: int

    @property
    def name(self):
        return f"{self.batch} | {self.queries} | {self.heads} | {self.keys}"

    @property
    def function(self):
        return f"h{self.heads}_s{self.queries}"

    def cache_bytes(self, cache="bf16"):
        return self.batch * self.keys * ROW_BYTES[cache]

    def attention_flops(self):
        rows = self.batch * self.queries * self.heads
        return 2 * rows * self.keys * (2 * LATENT + ROPE)

    def projection_flops(self):
        rows = self.batch * self.queries * self.heads
        return 2 * rows * LATENT * (NOPE + VALUE)

    def weight_bytes(self):
        return 2 * self.heads * LATENT * (NOPE + VALUE)


SHAPES = [
    Shape(128, 1, 128, 4096),
    Shape(128, 1, 128, 8192),
    Shape(128, 2, 128, 4096),
    Shape(128, 1, 16, 4096),
    Shape(64, 1, 16, 16384),
    Shape(256, 1, 64, 4096),
    Shape(32, 1, 128, 4096),
    Shape(8, 1, 128, 4096),
    Shape(8, 1, 16, 8192),
    Shape(1, 1, 128, 32768),
    Shape(1, 1, 16, 32768),
]
QUICK = [SHAPES[0], SHAPES[3], SHAPES[7], SHAPES[9]]


def normal(*shape):
    return torch.randn(*shape, device=DEVICE, dtype=torch.bfloat16)


def empty(*shape, dtype=torch.bfloat16):
    return torch.empty(*shape, device=DEVICE, dtype=dtype)


def make_cache(pages, cache):
    if cache == "bf16":
        return normal(pages, PAGE, LATENT + ROPE)
    if cache == "fp8":
        return normal(pages, PAGE, LATENT + ROPE).to(torch.float8_e4m3fn)
    rows = empty(pages, PAGE, ROW_BYTES[cache], dtype=torch.uint8)
    codes = normal(pages, PAGE, LATENT).to(torch.float8_e4m3fn)
    scales = torch.rand(pages, PAGE, LATENT // 128, device=DEVICE) + 0.5
    rows[..., :LATENT] = codes.view(torch.uint8)
    rows[..., LATENT : LATENT + 16] = scales.view(torch.uint8)
    rows[..., LATENT + 16 :] = normal(pages, PAGE, ROPE).view(torch.uint8)
    return rows


@dataclasses.dataclass
class Paged:
    """A cache and the requests over it, all of one length."""

    cache: torch.Tensor
    table: torch.Tensor
    lengths: torch.Tensor

    @classmethod
    def make(cls, shape, cache="bf16"):
        width = shape.keys // PAGE
        pages = torch.randperm(shape.batch * width, device=DEVICE, dtype=torch.int32)
        return cls(
            make_cache(shape.batch * width, cache),
            pages.view(shape.batch, width),
            torch.full((shape.batch,), shape.keys, device=DEVICE, dtype=torch.int32),
        )

    def tensors(self):
        """In the order of attention.mlir."""
        return [self.cache, self.table, self.lengths]

    def rows(self, request):
        """The keys of one request, f32, of a bf16 cache."""
        pages = self.table[request].long()
        return self.cache[pages].flatten(0, 1)[: self.lengths[request]].float()


def expected_rows(q, paged, request):
    """The attention of one request's queries, in f32: [S, H, 512]."""
    keys = paged.rows(request)
    scores = torch.einsum("shd,kd->shk", q[request].float(), keys) * SOFTMAX_SCALE
    queries, count = scores.shape[0], keys.shape[0]
    last = torch.arange(queries, device=DEVICE) + count - queries
    hidden = torch.arange(count, device=DEVICE) > last[:, None]
    scores.masked_fill_(hidden[:, None, :], -torch.inf)
    return torch.softmax(scores, -1) @ keys[:, :LATENT]


def row_error(actual, wanted):
    """Largest ||a - e|| / ||e|| of a row."""
    difference = (actual.float() - wanted.float()).norm(dim=-1)
    return (difference / wanted.float().norm(dim=-1)).max().item()
