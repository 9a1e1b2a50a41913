# SPDX-License-Identifier: BSL-1.0
"""Products, windows over images, attention."""

from operations import operation, replaced, require
from values import all_static, broadcast, is_static

PRODUCTS, WINDOWS = [], []


def scaled_product(b, shape, x, y):
    return shape, f"0.5_c * tl::matmul({x}, {y})", f"0.5 * torch.matmul({x}, {y})"


@operation(PRODUCTS)
def matmul(b):
    x = b.value(rank=range(2, 4))
    y = b.value(lambda v: v.shape[-2] == x.shape[-1] and broadcast(v.shape[:-2], x.shape[:-2]) is not None, rank=[2, 3])
    return scaled_product(b, broadcast(x.shape[:-2], y.shape[:-2]) + (x.shape[-2], y.shape[-1]), x, y)


@operation(PRODUCTS)
def matmul_of_a_parameter(b):
    x = b.value(rank=range(1, 4))
    p = b.parameter((x.shape[-1], *b.pick((), (1,), (3,), (5,))))
    return scaled_product(b, x.shape[:-1] + p.shape[1:], x, p)


@operation(PRODUCTS)
def gram_matrix(b):
    x = b.value(rank=range(2, 4))
    return (x.shape[:-1] + (x.shape[-2],), f"0.25_c * tl::matmul({x}, tl::transpose<-2, -1>({x}))",
            f"0.25 * torch.matmul({x}, {x}.transpose(-2, -1))")


@operation(PRODUCTS)
def linear(b):
    x = b.value(rank=range(1, 5))
    n = b.pick(1, 2, 3, 5)
    w, bias = b.parameter((n, x.shape[-1])), b.parameter((n,))
    return x.shape[:-1] + (n,), f"tl::linear({x}, {w}, {bias})", f"F.linear({x}, {w}, {bias})"


@operation(PRODUCTS)
def einsum(b):
    x = b.value(rank=[3])
    p = b.parameter((x.shape[2], 3))
    return ((x.shape[1], x.shape[0], 3), f'tl::einsum<"abc,cd->bad">({x}, {p})',
            f'torch.einsum("abc,cd->bad", {x}, {p})')


@operation(PRODUCTS, once=True)
def attention(b):
    q = b.value(rank=[2, 3])
    k = b.value(lambda v: v.rank == q.rank and v.shape[-1] == q.shape[-1] and v.shape[:-2] == q.shape[:-2])
    v = b.value(lambda v: v.shape[:-1] == k.shape[:-1])
    causal = k.shape == q.shape and b.chance(0.5)
    options = "<tl::attention_options{.causal = true}>" if causal else ""
    return (q.shape[:-1] + v.shape[-1:], f"tl::scaled_dot_product_attention{options}({q}, {k}, {v})",
            f"F.scaled_dot_product_attention({q}, {k}, {v}, is_causal={causal})")


def image(b, axes):
    """A value [batch, channels, ..] whose extents but the first are static, with so many axes behind them."""
    return b.value(lambda v: all_static(v.shape[1:]), rank=[2 + axes])


def windowed(extents, kernel, stride, padding, dilation=1):
    """How many windows there are along each axis."""
    counts = tuple((e + 2 * padding - dilation * (kernel - 1) - 1) // stride + 1 for e in extents)
    require(min(counts) >= 1)
    return counts


@operation(WINDOWS, outermost=True)
def convolution(b):
    axes = b.pick(1, 2)
    x = image(b, axes)
    groups = b.pick(*[g for g in (1, 2, 3) if x.shape[1] % g == 0])
    kernel, stride, padding, dilation = b.pick(1, 2, 3), b.pick(1, 1, 2), b.pick(0, 1, 2), b.pick(1, 1, 2)
    counts = windowed(x.shape[2:], kernel, stride, padding, dilation)
    channels = groups * b.pick(1, 2)
    w, bias = b.parameter((channels, x.shape[1] // groups) + (kernel,) * axes), b.parameter((channels,))
    options = (f"tl::conv{{.stride = {stride}, .padding = {padding}, .dilation = {dilation}, .groups = {groups}}}")
    return ((x.shape[0], channels) + counts, f"tl::conv{axes}d<{options}>({x}, {w}, {bias})",
            f"F.conv{axes}d({x}, {w}, {bias}, {stride}, {padding}, {dilation}, {groups})")


@operation(WINDOWS, outermost=True)
def transposed_convolution(b):
    axes = b.pick(1, 2)
    x = image(b, axes)
    channels, kernel, stride, padding = b.pick(1, 2), b.pick(1, 2, 3), b.pick(1, 2), b.pick(0, 0, 1)
    extents = tuple((e - 1) * stride - 2 * padding + kernel for e in x.shape[2:])
    require(min(extents) >= 1)
    w = b.parameter((x.shape[1], channels) + (kernel,) * axes)
    return ((x.shape[0], channels) + extents,
            f"tl::conv_transpose{axes}d<tl::conv{{.stride = {stride}, .padding = {padding}}}>({x}, {w})",
            f"F.conv_transpose{axes}d({x}, {w}, None, {stride}, {padding})")


@operation(WINDOWS, outermost=True)
def pooling(b):
    axes, name = b.pick(1, 2), b.pick("max_pool", "avg_pool")
    x = image(b, axes)
    kernel, stride = b.pick(2, 3), b.pick(1, 2)
    padding = b.pick(0, 1)
    counts = windowed(x.shape[2:], kernel, stride, padding)
    options = f"tl::pool{{.kernel = {kernel}, .stride = {stride}, .padding = {padding}}}"
    return (x.shape[:2] + counts, f"tl::{name}{axes}d<{options}>({x})",
            f"F.{name}{axes}d({x}, {kernel}, {stride}, {padding})")
