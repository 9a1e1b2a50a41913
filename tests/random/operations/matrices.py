# SPDX-License-Identifier: BSL-1.0
"""Factors and functions of matrices, which are made regular first."""

from operations import operation, require
from values import is_static

MATRICES = []


def square(b):
    """A value of square matrices, and how a regular matrix is made of it."""
    x = b.value(lambda v: is_static(v.shape[-1]) and v.shape[-1] == v.shape[-2], rank=range(2, 5))
    n = x.shape[-1]
    return (x, n, f"(0.5_c * tl::tanh({x}) + 2_c * tl::eye<{b.element}, {n}>())",
            f"(0.5 * torch.tanh({x}) + 2 * torch.eye({n}))")


def positive(b):
    """A value whose rows' products with one another make positive matrices."""
    x = b.value(lambda v: is_static(v.shape[-2]) and v.shape[-2] <= 5, rank=range(2, 4))
    n = x.shape[-2]
    return (x.shape[:-1] + (n,), n, f"(tl::matmul({x}, tl::transpose<-2, -1>({x})) + tl::eye<{b.element}, {n}>())",
            f"({x} @ {x}.transpose(-2, -1) + torch.eye({n}))")


@operation(MATRICES)
def of_regular(b):
    x, n, m, t = square(b)
    return b.pick((x.shape, f"tl::inverse{m}", f"torch.linalg.inv{t}"),
                  (x.shape[:-2], f"0.125_c * tl::det{m}", f"0.125 * torch.linalg.det{t}"),
                  (x.shape[:-2], f"tl::logdet{m}", f"torch.logdet{t}"),
                  (x.shape[:-2], f"tl::trace({m})", f"{t}.diagonal(0, -2, -1).sum(-1)"),
                  (x.shape, f"0.125_c * tl::matrix_power<3>({m})", f"0.125 * torch.linalg.matrix_power({t}, 3)"),
                  (x.shape, f"tl::matrix_power<-2>({m})", f"torch.linalg.matrix_power({t}, -2)"),
                  (x.shape, f"0.125_c * tl::matrix_exp({m})", f"0.125 * torch.linalg.matrix_exp({t})"))


@operation(MATRICES)
def solve(b):
    x, n, m, t = square(b)
    p = b.parameter((n, b.pick(1, 2, 3)))
    shape = x.shape[:-1] + p.shape[1:]
    lower, in_torch = f"tl::tril({m})", f"torch.tril({t})"
    return b.pick((shape, f"tl::solve({m}, {p})", f"torch.linalg.solve({t}, {p})"),
                  (shape, f"tl::solve_triangular({lower}, {p})",
                   f"torch.linalg.solve_triangular({in_torch}, {p}, upper=False)"))


@operation(MATRICES)
def of_positive(b):
    shape, n, m, t = positive(b)
    return b.pick((shape, f"tl::cholesky{m}", f"torch.linalg.cholesky{t}"),
                  (shape[:-1], f"tl::eigvalsh{m}", f"torch.linalg.eigvalsh{t}"))


@operation(MATRICES, once=True)
def of_long(b):
    x = b.value(lambda v: is_static(v.shape[-2]) and is_static(v.shape[-1]) and 1 < v.shape[-2] <= 5, rank=range(2, 4))
    k = min(x.shape[-2:])
    require(x.shape[-2] >= x.shape[-1])
    return b.pick((x.shape[:-2] + (k,), f"tl::svdvals({x})", f"torch.linalg.svdvals({x})"),
                  ([x.shape[:-1] + (k,), x.shape[:-2] + (k, x.shape[-1])], f"tl::qr({x})", f"torch.linalg.qr({x})"))


@operation(MATRICES)
def kron(b):
    x, y = b.value(rank=[2]), b.value(rank=[2])
    require(all(is_static(e) for e in (*x.shape, *y.shape)))
    return (tuple(e * f for e, f in zip(x.shape, y.shape)), f"tl::kron({x}, {y})", f"torch.kron({x}, {y})")


@operation(MATRICES)
def cross(b):
    x = b.value(lambda v: 3 in v.shape, rank=range(1, 5))
    y, axis = b.like(x), x.shape.index(3)
    return x.shape, f"tl::cross<{axis}>({x}, {y})", f"torch.linalg.cross({x}, {y}, dim={axis})"


@operation(MATRICES)
def diag_embed(b):
    x = b.value(lambda v: is_static(v.shape[-1]), rank=range(1, 4))
    offset = b.pick(-1, 0, 1)
    n = x.shape[-1] + abs(offset)
    return x.shape[:-1] + (n, n), f"tl::diag_embed<{offset}>({x})", f"torch.diag_embed({x}, {offset})"
