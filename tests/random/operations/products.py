# SPDX-License-Identifier: BSL-1.0
"""Products, attention."""

from operations import operation
from values import all_static, broadcast

PRODUCTS = []


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


@operation(PRODUCTS)
def bilinear(b):
    x = b.value(rank=range(1, 4))
    y = b.value(lambda v: v.shape[:-1] == x.shape[:-1], rank=[x.rank])
    n = b.pick(1, 2, 3)
    w, bias = b.parameter((n, x.shape[-1], y.shape[-1])), b.parameter((n,))
    return (x.shape[:-1] + (n,), f"0.5_c * tl::bilinear({x}, {y}, {w}, {bias})",
            f"0.5 * F.bilinear({x}, {y}, {w}, {bias})")


@operation(PRODUCTS)
def vecdot(b):
    x = b.value(rank=range(1, 5))
    y, axis = b.like(x), b.axis(x)
    return (x.shape[:axis] + x.shape[axis + 1:], f"tl::vecdot<{axis}>({x}, {y})",
            f"torch.linalg.vecdot({x}, {y}, dim={axis})")


@operation(PRODUCTS, once=True)
def attention(b):
    """With a mask of booleans or numbers, a window, or what is behind the query left out."""
    q = b.value(rank=range(2, 5))
    k = b.value(lambda v: v.rank == q.rank and v.shape[-1] == q.shape[-1] and v.shape[:-2] == q.shape[:-2])
    v = b.value(lambda v: v.shape[:-1] == k.shape[:-1])
    scores = q.shape[:-1] + k.shape[-2:-1]
    options, window, scale = [], 0, b.pick(0, 0, 0.75)
    mask, in_torch = "", "None"
    if b.chance(0.3) and all_static(scores[-2:]):
        p = b.parameter(scores[-2:])
        mask, in_torch = b.pick((f"{p}", f"{p}"), (f"tl::square({p}) > 0.0625_c", f"{p} * {p} > 0.0625"))
    elif b.chance(0.3):
        mask, in_torch = (f"tl::matmul({q}, tl::transpose<-2, -1>({k})) > -0.21875_c",
                          f"torch.matmul({q}, {k}.transpose(-2, -1)) > -0.21875")
    causal = k.shape == q.shape and b.chance(0.4)
    if causal:
        options.append(".causal = true")
    if scale:
        options.append(f".scale = {scale}")
    if b.chance(0.25):
        window = b.pick(1, 2, 3)
        options.append(f".window = {window}")
    given = f"<tl::attention_options{{{', '.join(options)}}}>" if options else ""
    operands = ", ".join(map(str, (q, k, v, *([mask] if mask else []))))
    return (q.shape[:-1] + v.shape[-1:], f"tl::scaled_dot_product_attention{given}({operands})",
            f"attention({q}, {k}, {v}, {in_torch}, {causal}, {window}, {scale})")


@operation(PRODUCTS)
def rotary(b):
    x = b.value(lambda v: v.shape[-1] in (2, 4, 6), rank=range(2, 5))
    return x.shape, f"tl::rotary<100.0>({x})", f"rotary({x}, 100.0)"
