"""The arithmetic of the kernels in PyTorch, step by step as the dialect's ops say."""

import torch

FP8 = torch.float8_e4m3fn
FP8_MAX = 448.0


def rms_norm(x, weight, epsilon):
    wide = x.float()
    mean = wide.pow(2).mean(-1, keepdim=True)
    scaled = (wide * (1 / torch.sqrt(mean + epsilon))).to(x.dtype)
    return (scaled.float() * weight.float()).to(x.dtype)


def divided(x, number):
    """A true division: PyTorch multiplies by the reciprocal of a plain number."""
    return x / torch.full_like(x, number)


def to_fp8(x):
    return x.clamp(-FP8_MAX, FP8_MAX).to(FP8)


def quantize_token(y):
    largest = y.float().abs().amax(-1, keepdim=True)
    scale = divided(largest, FP8_MAX).clamp_min(1 / (FP8_MAX * 512))
    return to_fp8(y.float() / scale), scale


def quantize_static(y, scale):
    return to_fp8(y.float() * (1 / scale))


def power_of_two_above(scale):
    """Rounded up to a power of two, from the bits."""
    return ((scale.view(torch.int32) + 0x7FFFFF) >> 23 << 23).view(torch.float32)


def quantize_group(y, group, ue8m0=False):
    """Codes, and scales [T, G]."""
    parts = y.float().view(y.shape[0], -1, group)
    scale = divided(parts.abs().amax(-1).clamp_min(1e-10), FP8_MAX)
    if ue8m0:
        scale = power_of_two_above(scale)
    return to_fp8(parts / scale.unsqueeze(-1)).view(y.shape), scale


def floor_log2(x):
    """Of positive normal numbers, from the bits."""
    return (x.view(torch.int32) >> 23) - 127


def mx_parts(y, largest_exponent):
    parts = y.float().view(y.shape[0], -1, 32)
    largest = parts.abs().amax(-1)
    exponent = (floor_log2(largest) - largest_exponent).clamp(-127, 127)
    factor = (127 - exponent << 23).view(torch.float32)
    scaled = (parts * factor.unsqueeze(-1)).view(y.shape)
    return scaled, (exponent + 127).to(torch.uint8)


def to_e2m1(x):
    """Codes of four bits, to nearest, ties to even, packed two to a byte."""
    a = x.abs()
    steps = [a > 0.25, a >= 0.75, a > 1.25, a >= 1.75, a > 2.5, a >= 3.5, a > 5.0]
    code = sum(step.to(torch.uint8) for step in steps)
    code = code | torch.signbit(x).to(torch.uint8) << 3
    return code[..., 0::2] | code[..., 1::2] << 4


def quantize_mxfp8(y):
    scaled, scales = mx_parts(y, 8)
    return to_fp8(scaled), scales


def quantize_mxfp4(y):
    scaled, scales = mx_parts(y, 2)
    return to_e2m1(scaled), scales


def quantize_nvfp4(y, global_scale):
    """Codes, and scales [T, G] of FP8."""
    parts = y.float().view(y.shape[0], -1, 16)
    sixth = torch.tensor(1.0 / 6.0, device=y.device)
    scales = to_fp8(global_scale * (parts.abs().amax(-1) * sixth))
    wide = scales.float() * (1 / global_scale)
    factor = torch.where(wide == 0, torch.zeros_like(wide), 1 / wide)
    return to_e2m1((parts * factor.unsqueeze(-1)).view(y.shape)), scales


def store_scales(scales, layout):
    """Scales [T, G] as a layout stores them, padding zero."""
    rows, groups = scales.shape
    if layout == "row":
        return scales
    if layout == "col":
        return scales.t().contiguous()
    aligned = -(-rows // 4) * 4
    if layout == "tma":
        stored = scales.new_zeros(groups, aligned)
        stored[:, :rows] = scales.t()
        return stored
    if layout == "packed":
        exponents = scales.view(torch.int32) >> 23
        stored = exponents.new_zeros(-(-groups // 4) * 4, aligned)
        stored[:groups, :rows] = exponents.t()
        four = stored.view(-1, 4, aligned)
        return four[:, 0] | four[:, 1] << 8 | four[:, 2] << 16 | four[:, 3] << 24
    tall, wide = -(-rows // 128) * 128, -(-groups // 4) * 4
    padded = torch.zeros(tall, wide, dtype=torch.uint8, device=scales.device)
    padded[:rows, :groups] = scales.view(torch.uint8)
    tiles = padded.view(tall // 128, 4, 32, wide // 4, 4)
    return tiles.permute(0, 3, 2, 1, 4).reshape(tall, wide)
