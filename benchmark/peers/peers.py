"""What mlafuse is compared with: PyTorch op by op and compiled, and Triton kernels."""

import functools

import references
import torch
import triton
import triton.language as tl

FP8 = torch.float8_e4m3fn
Q, KV, PE = 1536, 512, 64


@functools.cache
def compiled(function):
    """By torch.compile, which takes seconds to import: for who calls it alone."""
    return torch.compile(function, dynamic=False)


def dual_eager(projected, q_weight, kv_weight):
    q_c, rest = projected.split([Q, KV + PE], -1)
    kv_c, k_pe = rest.split([KV, PE], -1)
    q = q_c.float()
    q = (q * torch.rsqrt(q.pow(2).mean(-1, keepdim=True) + 1e-6)).bfloat16() * q_weight
    largest = q.abs().amax(-1, keepdim=True).float()
    scale = (largest / 448.0).clamp_min(1 / (448.0 * 512.0))
    codes = (q.float() / scale).clamp(-448, 448).to(FP8)
    kv = kv_c.float()
    kv = (kv * torch.rsqrt(kv.pow(2).mean(-1, keepdim=True) + 1e-5)).bfloat16()
    return codes, scale, kv * kv_weight, k_pe


def dual_compiled(*tensors):
    return compiled(dual_eager)(*tensors)


@triton.jit
def dual_kernel(
    projected, q_weight, kv_weight, codes, scales, kv_out, stride,
    Q: tl.constexpr, Q_BLOCK: tl.constexpr, KV: tl.constexpr,
):  # fmt: skip
    row = tl.program_id(0).to(tl.int64)
    if tl.program_id(1) == 0:
        i = tl.arange(0, Q_BLOCK)
        mask = i < Q
        x = tl.load(projected + row * stride + i, mask=mask, other=0.0).to(tl.float32)
        r = tl.math.rsqrt(tl.sum(x * x, 0) / Q + 1e-6)
        w = tl.load(q_weight + i, mask=mask, other=0.0)
        y = ((x * r).to(tl.bfloat16) * w).to(tl.float32)
        scale = tl.maximum(tl.max(tl.abs(y), 0) / 448.0, 1 / (448.0 * 512.0))
        q = tl.clamp(y / scale, -448.0, 448.0).to(tl.float8e4nv)
        tl.store(codes + row * Q + i, q, mask=mask)
        tl.store(scales + row, scale)
    else:
        # Triton wants other names in the other branch.
        j = tl.arange(0, KV)
        kv_x = tl.load(projected + row * stride + Q + j).to(tl.float32)
        kv_r = tl.math.rsqrt(tl.sum(kv_x * kv_x, 0) / KV + 1e-5)
        kv_y = (kv_x * kv_r).to(tl.bfloat16) * tl.load(kv_weight + j)
        tl.store(kv_out + row * KV + j, kv_y)


def dual_triton(projected, q_weight, kv_weight):
    rows, device = projected.shape[0], projected.device
    codes = torch.empty(rows, Q, dtype=FP8, device=device)
    scales = torch.empty(rows, 1, device=device)
    kv = torch.empty(rows, KV, dtype=torch.bfloat16, device=device)
    dual_kernel[(rows, 2)](
        projected, q_weight, kv_weight, codes, scales, kv, projected.stride(0),
        Q, 2048, KV, num_warps=4,
    )  # fmt: skip
    return codes, scales, kv


def group_eager(x):
    return references.quantize_group(x, 128)


def group_compiled(x):
    return compiled(group_eager)(x)


@triton.jit
def group_kernel(x, codes, scales, GROUP: tl.constexpr, COUNT: tl.constexpr):
    block = tl.program_id(0).to(tl.int64)
    i = tl.arange(0, COUNT)[:, None] * GROUP + tl.arange(0, GROUP)[None, :]
    base = block * COUNT * GROUP
    y = tl.load(x + base + i).to(tl.float32)
    scale = tl.maximum(tl.max(tl.abs(y), 1), 1e-10) / 448.0
    q = tl.clamp(y / scale[:, None], -448.0, 448.0).to(tl.float8e4nv)
    tl.store(codes + base + i, q)
    tl.store(scales + block * COUNT + tl.arange(0, COUNT), scale)


def group_triton(x, group=128):
    rows, width = x.shape
    codes = torch.empty(rows, width, dtype=FP8, device=x.device)
    scales = torch.empty(rows, width // group, device=x.device)
    count = 16 * 128 // group
    group_kernel[(rows * width // group // count,)](
        x, codes, scales, group, count, num_warps=4
    )
    return codes, scales


@triton.jit
def copy_kernel(source, destination, BLOCK: tl.constexpr):
    # 8 elements of two bytes to a thread: 16 bytes at a time.
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    tl.store(destination + i, tl.load(source + i))


def copy_triton(source, destination):
    """Both of bf16, of a multiple of 2048 elements."""
    copy_kernel[(source.numel() // 2048,)](source, destination, 2048, num_warps=8)


@triton.jit
def read_kernel(source, sums, COUNT: tl.constexpr, BLOCK: tl.constexpr):
    first = tl.program_id(0).to(tl.int64) * COUNT * BLOCK
    total = tl.zeros([BLOCK], tl.int32)
    for part in range(COUNT):
        total ^= tl.load(source + first + part * BLOCK + tl.arange(0, BLOCK))
    tl.store(sums + tl.program_id(0), tl.xor_sum(total, 0))


def read_triton(source, sums):
    """`source`: i32, 16 * 4096 to a sum."""
    read_kernel[(sums.numel(),)](source, sums, 16, 4096, num_warps=8)


def project(x, weight):
    """x [T, H, K] times weight [H, K, N], into rows [T, H * N]."""
    tokens, heads, _ = x.shape
    output = torch.empty(
        tokens, heads, weight.shape[-1], dtype=x.dtype, device=x.device
    )
    torch.bmm(x.transpose(0, 1), weight, out=output.transpose(0, 1))
    return output.flatten(1)
