# SPDX-License-Identifier: BSL-1.0
"""ops/linalg"""

from spelling import NotExpressible, Spelled, call, listed, operand, operation


@operation("matmul", "mm", "bmm", "mv")
def matmul(s):
    return call("matmul", "", s.x, s.args[0])


@operation("__rmatmul__")
def rmatmul(s):
    return call("matmul", "", s.args[0], s.x)


@operation("dot", "vdot")
def dot(s):
    return call("dot", "", s.x, s.args[0])


@operation("outer")
def outer(s):
    return call("outer", "", s.x, s.args[0])


@operation("inner")
def inner(s):
    other = s.args[0]
    if s.x.rank == 0 or other.rank == 0:
        return f"{s.x} * {other}"
    return call("linear", "", s.x, other) if other.rank == 2 else call("matmul", "", s.x, other)


def of_variables(name, s, *options):
    y = call(name, "", s.x, options=options)
    if s.x.rank == 2 and s.x.shape[0] == 1:
        return Spelled([y], of=lambda result: result.reshape(1, 1),
                       convention="of one row PyTorch's result has no axes; ours is [1, 1]")
    return y


@operation("cov")
def cov(s):
    s.only("correction")
    correction = s.given(0, "correction", 1)
    return of_variables("cov", s, *([] if correction == 1 else [f"tl::correction<{correction}>"]))


@operation("corrcoef")
def corrcoef(s):
    return of_variables("corrcoef", s)


def scaled(number, x):
    return x if number in (None, 1, 1.0) else f"{operand(number)} * {x}"


def sum_of_products(product):
    def spell(s):
        beta, alpha = s.kwargs.get("beta"), s.kwargs.get("alpha")
        y = scaled(alpha, product(*s.args[:2]))
        return y if beta == 0 else f"{scaled(beta, s.x)} + {y}"

    return spell


operation("addmm", "addmv", "baddbmm")(sum_of_products(lambda a, b: call("matmul", "", a, b)))
operation("addbmm")(sum_of_products(lambda a, b: call("sum", "0", call("matmul", "", a, b))))
operation("addr")(sum_of_products(lambda a, b: call("outer", "", a, b)))


@operation("einsum")
def einsum(s):
    equation = s.args[0]
    return call("einsum", f'"{equation}"', *s.x)


@operation("nn.functional.linear")
def linear(s):
    return call("linear", "", s.x, *[a for a in (s.given(0, "weight"), s.given(1, "bias")) if a is not None])


@operation("nn.functional.bilinear")
def bilinear(s):
    bias = s.given(2, "bias")
    return call("bilinear", "", s.x, *s.args[:2], *([] if bias is None else [bias]))


@operation("linalg.vecdot")
def vecdot(s):
    return call("sum", str(s.given(1, "dim", -1)), f"{s.x} * {s.args[0]}")


@operation("linalg.multi_dot")
def multi_dot(s):
    y = s.x[0]
    for x in s.x[1:]:
        y = call("matmul", "", y, x)
    return y


@operation("diag_embed")
def diag_embed(s):
    if s.has(1, "dim1") or s.has(2, "dim2"):
        raise NotExpressible("other axes than the last two, which permute gives")
    offset = s.given(0, "offset", 0)
    return call("diag_embed", str(offset) if offset else "", s.x)


@operation("trace")
def trace(s):
    return call("trace", "", s.x)


@operation("kron")
def kron(s):
    return call("kron", "", s.x, s.args[0])


@operation("linalg.cross", "cross")
def cross(s):
    axis = s.given(1, "dim")
    return call("cross", "" if axis in (None, -1) else str(axis), s.x, s.args[0])


@operation("tensordot")
def tensordot(s):
    dims = s.given(1, "dims", 2)
    if isinstance(dims, int):
        return call("tensordot", str(dims), s.x, s.args[0])
    a, b = dims
    return call("tensordot", f"tl::axes<{listed(a)}>, tl::axes<{listed(b)}>", s.x, s.args[0])


for torch_name, name in {"linalg.det": "det", "linalg.inv": "inverse", "logdet": "logdet",
                         "linalg.svdvals": "svdvals", "matrix_exp": "matrix_exp"}.items():
    operation(torch_name)(lambda s, name=name: call(name, "", s.x))


@operation("linalg.cholesky")
def cholesky(s):
    y = call("cholesky", "", s.x)
    return call("transpose", "", y) if s.kwargs.get("upper") else y


@operation("linalg.slogdet")
def slogdet(s):
    return [f"std::get<{i}>({call('slogdet', '', s.x)})" for i in range(2)]


@operation("linalg.eigvalsh")
def eigvalsh(s):
    x = s.x if s.kwargs.get("UPLO", "L") == "L" else call("transpose", "", s.x)
    return call("eigvalsh", "", x)


@operation("linalg.eigh")
def eigh(s):
    from spelling import Spelled

    x = s.x if s.kwargs.get("UPLO", "L") == "L" else call("transpose", "", s.x)
    y = f"std::get<1>({call('eigh', '', x)})"
    return Spelled([f"std::get<0>({call('eigh', '', x)})", f"tl::abs({y})"], of=lambda r: [r[0], r[1].abs()])


@operation("linalg.qr")
def qr(s):
    mode = s.given(0, "mode", "reduced")
    if mode != "reduced" and not (mode == "complete" and s.x.shape[-2] <= s.x.shape[-1]):
        raise NotExpressible(f"the mode {mode!r}")
    return [f"std::get<{i}>({call('qr', '', s.x)})" for i in range(2)]


@operation("linalg.lu")
def lu(s):
    if not s.kwargs.get("pivot", True):
        raise NotExpressible("pivot=False")
    return [f"std::get<{i}>({call('lu', '', s.x)})" for i in range(3)]


@operation("linalg.svd")
def svd(s):
    from spelling import Spelled

    if s.kwargs.get("full_matrices", True) and s.x.shape[-1] != s.x.shape[-2]:
        raise NotExpressible("full_matrices=True")
    u, sigma, v = (f"std::get<{i}>({call('svd', '', s.x)})" for i in range(3))
    return Spelled([f"tl::abs({u})", sigma, f"tl::abs({v})"], of=lambda r: [r[0].abs(), r[1], r[2].abs()])


@operation("linalg.solve")
def solve(s):
    a, b = s.x, s.args[0]
    if s.kwargs.get("left", True):
        return call("solve", "", a, b)
    return call("transpose", "", call("solve", "", call("transpose", "", a), call("transpose", "", b)))


@operation("linalg.solve_triangular")
def solve_triangular(s):
    from spelling import members

    options = members("triangular", upper="true" if s.kwargs.get("upper") else None,
                      unitriangular="true" if s.kwargs.get("unitriangular") else None,
                      left="false" if s.kwargs.get("left") is False else None)
    return call("solve_triangular", options, s.x, s.args[0])


@operation("linalg.matrix_power")
def matrix_power(s):
    return call("matrix_power", str(s.args[0]), s.x)


@operation("linalg.pinv|singular")
def pinv_of_product(s):
    return call("pinv", "", call("matmul", "", s.x, call("transpose", "", s.args[0])))


@operation("linalg.pinv", "pinverse")
def pinv(s):
    from spelling import Tensor, literal

    rtol = s.kwargs.get("rtol")
    if isinstance(rtol, Tensor):
        if rtol.rank:
            raise NotExpressible("a tolerance for each matrix")
        rtol = float(rtol.data)
    if s.kwargs.get("hermitian"):
        raise NotExpressible("hermitian=True")
    return call("pinv", "" if rtol is None else literal(float(rtol)), s.x)


@operation("linalg.lstsq", "linalg.lstsq|grad_oriented")
def lstsq(s):
    from spelling import Spelled

    return Spelled([call("lstsq", "", s.x, s.args[0])], of=lambda r: r[0])
