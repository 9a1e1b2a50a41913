# SPDX-License-Identifier: BSL-1.0
"""ops/reduction"""

from spelling import NotExpressible, Spelled, axes, call, keep_dims, literal, operation


def reduced(name, s, x=None, options=(), dim_place=0):
    s.only("dim", "keepdim", "correction", "unbiased", "dtype")
    if s.kwargs.get("dtype") is not None and "float64" not in str(s.kwargs["dtype"]):
        x = f"tl::cast<{ {'torch.float32': 'float'}.get(str(s.kwargs['dtype']), 'double') }>({x or s.x})"
    dim, keep = s.given(dim_place, "dim"), s.given(dim_place + 1, "keepdim", False)
    template = axes(dim)
    return f"tl::{name}{template}({', '.join([x or s.x, *options, *keep_dims(keep)])})"


for torch_name, name in {"sum": "sum", "mean": "mean", "nansum": "nansum", "nanmean": "nanmean", "amax": "max",
                         "amin": "min", "prod": "prod", "logsumexp": "logsumexp", "argmax": "argmax",
                         "argmin": "argmin"}.items():
    operation(torch_name)(lambda s, name=name: reduced(name, s))


@operation("all")
def all_of(s):
    return reduced("all", s, f"({s.x} != tl::constant<0>)")


@operation("any")
def any_of(s):
    return reduced("any", s, f"({s.x} != tl::constant<0>)")


@operation("count_nonzero")
def count_nonzero(s):
    return reduced("sum", s, f"tl::cast<std::int64_t>({s.x} != tl::constant<0>)")


@operation("max|reduction_no_dim")
def max_all(s):
    return f"tl::max({s.x})"


@operation("min|reduction_no_dim")
def min_all(s):
    return f"tl::min({s.x})"


@operation("max|reduction_with_dim")
def max_along(s):
    return [reduced("max", s), reduced("argmax", s)]


@operation("min|reduction_with_dim")
def min_along(s):
    return [reduced("min", s), reduced("argmin", s)]


@operation("aminmax")
def aminmax(s):
    return [reduced("min", s), reduced("max", s)]


def variance(name, s):
    dim = s.given(0, "dim")
    options = []
    if isinstance(dim, bool):  # var(x, unbiased)
        correction = 1 if dim else 0
        return f"tl::{name}({s.x}, tl::correction<{correction}>)"
    keep = s.kwargs.get("keepdim", s.args[2] if len(s.args) > 2 else False)
    unbiased = s.kwargs.get("unbiased", s.args[1] if len(s.args) > 1 else None)
    correction = s.kwargs.get("correction")
    if unbiased is not None:
        correction = 1 if unbiased else 0
    if correction is not None and correction != 1:
        options.append(f"tl::correction<{literal(correction)}>")
    return f"tl::{name}{axes(dim)}({', '.join([s.x, *options, *keep_dims(keep)])})"


for name in ("var", "std"):
    operation(name)(lambda s, name=name: variance(name, s))
    operation(f"{name}_mean")(lambda s, name=name: [
        variance(name, s),
        "tl::mean" + axes(None if isinstance(s.given(0, "dim"), bool) else s.given(0, "dim"))
        + f"({', '.join([s.x, *keep_dims(s.kwargs.get('keepdim', s.args[2] if len(s.args) > 2 else False))])})"])


@operation("cumsum")
def cumsum(s):
    return call("cumsum", str(s.given(0, "dim")), s.x)


@operation("logcumsumexp")
def logcumsumexp(s):
    return call("logcumsumexp", str(s.given(0, "dim")), s.x)


@operation("cumprod")
def cumprod(s):
    return call("cumprod", str(s.given(0, "dim")), s.x)


def normed(s, order, dim, keep):
    options = [] if order in (2, 2.0) else [f"tl::order<{literal(order)}>"]
    return f"tl::norm{axes(dim)}({', '.join([s.x, *options, *keep_dims(keep)])})"


@operation("linalg.vector_norm")
def vector_norm(s):
    return normed(s, s.given(0, "ord", 2), s.given(1, "dim"), s.given(2, "keepdim", False))


@operation("norm|fro", "norm|inf", "norm|nuc", "norm")
def norm(s):
    order = s.given(0, "p", "fro")
    if order == "nuc":
        return matrix_normed(s, order, s.given(1, "dim") or (-2, -1), s.given(2, "keepdim", False))
    return normed(s, 2 if order in ("fro", None) else order, s.given(1, "dim"), s.given(2, "keepdim", False))


@operation("dist")
def dist(s):
    order = s.given(1, "p", 2)
    options = [] if order == 2 else [f"tl::order<{literal(order)}>"]
    return f"tl::norm({', '.join([f'{s.x} - {s.args[0]}', *options])})"


@operation("trapezoid", "trapz")
def trapezoid(s):
    axis = s.kwargs.get("dim", -1)
    if s.kwargs.get("dx", 1) != 1:
        return f"{literal_constant(s.kwargs['dx'])} * " + call("trapezoid", str(axis), s.x)
    x = s.given(0, "x")
    return call("trapezoid", str(axis), s.x, *([] if x is None else [x]))


def literal_constant(x):
    return f"tl::constant<{literal(x)}>"


@operation("linalg.matrix_norm")
def matrix_norm(s):
    return matrix_normed(s, s.given(0, "ord", "fro"), s.given(1, "dim", (-2, -1)), s.given(2, "keepdim", False))


@operation("linalg.norm|subgradients_at_zero")
def norm_of_zeros(s):
    import torch

    x = s.x.data.detach().requires_grad_()
    slope, = torch.autograd.grad(torch.linalg.norm(x, *s.args, **s.kwargs).sum(), x, create_graph=True,
                                 materialize_grads=True)
    curvature = torch.autograd.grad(slope.sum(), x, materialize_grads=True)[0] if slope.requires_grad else slope
    y = linalg_norm(s)
    if not curvature.isnan().any():
        return y
    return Spelled([y], convention="PyTorch's second derivatives at 0 are NaN; ours are 0", apart=("second",))


@operation("linalg.norm")
def linalg_norm(s):
    order, dims, keep = s.given(0, "ord"), s.given(1, "dim"), s.given(2, "keepdim", False)
    if order is None:
        return normed(s, 2, dims, keep)
    if isinstance(dims, (tuple, list)) and len(dims) == 1:
        dims = dims[0]
    if isinstance(dims, int) or (dims is None and s.x.rank < 2):
        return normed(s, order, dims, keep)
    return matrix_normed(s, order, dims or (-2, -1), keep)


NORMS = {"fro": [], "nuc": ["tl::nuclear"]}


@operation("linalg.cond")
def cond(s):
    order = s.given(0, "p", 2)
    options = ["tl::frobenius"] if order == "fro" else norm_options(order)
    return f"tl::cond({', '.join([s.x, *([] if order in (2, None) else options)])})"


def norm_options(order):
    return NORMS[order] if order in NORMS else [f"tl::order<{literal(order)}>"]


def matrix_normed(s, order, dims, keep):
    rank = s.x.rank
    rows, columns = (d % rank for d in dims)
    x = s.x
    if (rows, columns) != (rank - 2, rank - 1):
        rest = [d for d in range(rank) if d not in (rows, columns)]
        x = f"tl::permute<{', '.join(map(str, [*rest, rows, columns]))}>({x})"
    y = f"tl::matrix_norm({', '.join([x, *norm_options(order)])})"
    if not keep:
        return y
    shape = [1 if d in (rows, columns) else e for d, e in enumerate(s.x.shape)]
    return f"tl::reshape<{', '.join(map(str, shape))}>({y})"
