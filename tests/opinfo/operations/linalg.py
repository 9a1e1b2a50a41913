# SPDX-License-Identifier: BSL-1.0
"""ops/linalg"""

from spelling import NotExpressible, call, listed, operand, operation


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
