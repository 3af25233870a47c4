"""The compiled kernels of quantize.mlir, norm.mlir and dual.mlir: how to make their
tensors, how many bytes they move, and what they should give."""

import dataclasses

import references
import torch

FP8 = torch.float8_e4m3fn
DEVICE = "cuda"
# The rounding of a normalized value may move with the order of the sum.
LEAST_EQUAL = 0.999


def random(rows, width):
    return torch.randn(rows, width, device=DEVICE, dtype=torch.bfloat16)


def weight(width):
    return torch.rand(width, device=DEVICE, dtype=torch.bfloat16) + 0.5


def empty(shape, dtype):
    return torch.empty(shape, device=DEVICE, dtype=dtype)


def scale_tensor(rows, width, key, layout):
    if key == "token":
        return empty((rows, 1), torch.float32)
    if key in ("mxfp8", "mxfp4"):
        return empty((rows, width // 32), torch.uint8)
    if key == "nvfp4":
        return empty((-(-rows // 128) * 128, -(-(width // 16) // 4) * 4), torch.uint8)
    groups, aligned = width // int(key[1:]), -(-rows // 4) * 4
    if layout == "packed":
        return empty((-(-groups // 4), aligned), torch.int32)
    shape = {"row": (rows, groups), "col": (groups, rows), "tma": (groups, aligned)}
    return empty(shape[layout], torch.float32)


@dataclasses.dataclass
class Kernel:
    """A function of a library, its name in the tables, and its parts."""

    library: str
    function: str
    key: str = ""
    layout: str = "row"
    ue8m0: bool = False
    width: int = 16384
    has_norm: bool = False
    has_residual: bool = False

    def make(self, rows):
        """All its tensors, in the function's order, and those that it writes."""
        if self.library == "dual":
            x = random(rows, 2112)
            outs = [
                empty((rows, 1536), FP8),
                empty((rows, 1), torch.float32),
                empty((rows, 512), torch.bfloat16),
            ]
            return [x, weight(1536), outs[0], outs[1], weight(512), outs[2]], outs
        ins = [random(rows, self.width)]
        if self.has_norm:
            ins.append(weight(self.width))
        if self.has_residual:
            ins.append(random(rows, self.width))
        if self.key in ("static", "nvfp4"):
            value = 0.01 if self.key == "static" else 300.0
            ins.append(torch.full((1,), value, device=DEVICE))
        packs = self.key in ("nvfp4", "mxfp4")
        outs = [
            empty((rows, self.width // 2), torch.uint8)
            if packs
            else empty((rows, self.width), FP8)
        ]
        if self.key != "static":
            outs.append(scale_tensor(rows, self.width, self.key, self.layout))
        if self.has_residual:
            outs.append(empty((rows, self.width), torch.bfloat16))
        return ins + outs, outs

    def bytes(self, rows):
        """Read and written by one call."""
        if self.library == "dual":
            # k_pe, the last 64 columns, is not read.
            return rows * (2048 * 2 + 1536 + 4 + 512 * 2)
        fixed = self.width * 2 if self.has_norm else 0
        row = self.width * 2 * (3 if self.has_residual else 1)
        row += self.width // (2 if self.key in ("nvfp4", "mxfp4") else 1)
        per_scale = {"token": self.width, "nvfp4": 16, "mxfp8": 32, "mxfp4": 32}
        if self.key != "static":
            is_float = self.key[0] in "gt" and self.layout != "packed"
            size = 4 if is_float else 1
            group = per_scale.get(self.key) or int(self.key[1:])
            row += self.width // group * size
        return rows * row + fixed

    def expected(self, tensors):
        """What it should write, in its order."""
        x = tensors[0]
        if self.library == "dual":
            q = references.rms_norm(x[:, :1536], tensors[1], 1e-6)
            kv = references.rms_norm(x[:, 1536:2048], tensors[4], 1e-5)
            return [*references.quantize_token(q), kv]
        y, rest = x, []
        if self.has_residual:
            wide = x.float() + tensors[2].float()
            rest = [wide.to(x.dtype)]
            mean = wide.pow(2).mean(-1, keepdim=True)
            y = (wide * (1 / torch.sqrt(mean + 1e-6))).to(x.dtype)
            y = (y.float() * tensors[1].float()).to(x.dtype)
        elif self.has_norm:
            y = references.rms_norm(x, tensors[1], 1e-6)
        return self.quantized(y, tensors) + rest

    def quantized(self, y, tensors):
        if self.key == "static":
            return [references.quantize_static(y, tensors[1])]
        if self.key == "token":
            return list(references.quantize_token(y))
        if self.key == "mxfp8":
            return list(references.quantize_mxfp8(y))
        if self.key == "mxfp4":
            return list(references.quantize_mxfp4(y))
        if self.key == "nvfp4":
            codes, scales = references.quantize_nvfp4(y, tensors[1])
            return [codes, references.store_scales(scales, "swizzled")]
        codes, scales = references.quantize_group(y, int(self.key[1:]), self.ue8m0)
        return [codes, references.store_scales(scales, self.layout)]

    def check(self, library, rows):
        """Fails if a launch gives something else than the reference."""
        tensors, outs = self.make(rows)
        library.bind(self.function, tensors, make_workspace)(0)
        torch.cuda.synchronize()
        for index, (actual, wanted) in enumerate(zip(outs, self.expected(tensors))):
            if actual.dtype == torch.float32:
                equal = torch.isclose(actual, wanted, rtol=1e-5, atol=0)
            else:
                as_bytes = [t.contiguous().view(torch.uint8) for t in (actual, wanted)]
                equal = torch.eq(*as_bytes)
            share = equal.float().mean().item()
            if share < LEAST_EQUAL or not (self.has_norm or share == 1):
                raise SystemExit(
                    f"{self.function}: only {share:.6f} of result {index} is as"
                    " PyTorch computes it"
                )


def make_workspace(size):
    return torch.empty(size, dtype=torch.uint8, device=DEVICE)


DUAL = Kernel("dual", "dual", has_norm=True)
GROUPS = [
    Kernel("quantize", f"quantize_{key}_{layout}{suffix}", key, layout, bool(ue8m0))
    for key in ("g128", "g64")
    for layout, suffix, ue8m0 in (
        ("row", "", False),
        ("col", "", False),
        ("tma", "", False),
        ("row", "_ue8m0", True),
        ("col", "_ue8m0", True),
        ("tma", "_ue8m0", True),
        ("packed", "", True),
    )
]
OTHERS = [
    Kernel("quantize", f"quantize_{key}", key)
    for key in ("token", "static", "mxfp8", "nvfp4", "mxfp4")
]
NORMS = [
    Kernel(
        "norm",
        f"{prefix}_{key}",
        key,
        width=7168,
        has_norm=True,
        has_residual=prefix == "add_norm",
    )
    for prefix in ("norm", "add_norm")
    for key in ("token", "g128")
]
