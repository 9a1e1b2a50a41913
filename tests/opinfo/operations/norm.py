# SPDX-License-Identifier: BSL-1.0
"""ops/norm"""

import math

from spelling import NotExpressible, call, listed, literal, members, operation


def given_operands(*operands):
    present = [x for x in operands if x is not None]
    if len(present) == 1 and operands[0] is None:
        raise NotExpressible("a bias without a weight")
    return present


@operation("nn.functional.layer_norm")
def layer_norm(s):
    shape, weight, bias, eps = (s.given(i, n) for i, n in enumerate(("normalized_shape", "weight", "bias", "eps")))
    return call("layer_norm", f"{len(shape)}, {literal(1e-5 if eps is None else eps)}", s.x, *given_operands(weight, bias))


@operation("native_layer_norm")
def native_layer_norm(s):
    shape, weight, bias, eps = s.args
    return call("layer_norm", f"{len(shape)}, {literal(eps)}", s.x, *given_operands(weight, bias))


@operation("nn.functional.rms_norm")
def rms_norm(s):
    shape, weight, eps = (s.given(i, n) for i, n in enumerate(("normalized_shape", "weight", "eps")))
    eps = 2.220446049250313e-16 if eps is None else eps
    if len(shape) == 1:
        return call("rms_norm", literal(eps), s.x, *([] if weight is None else [weight]))
    count = math.prod(shape)  # several axes are one
    x = call("reshape", listed([*s.x.shape[: -len(shape)], count]), s.x)
    y = call("rms_norm", literal(eps), x, *([] if weight is None else [call("reshape", str(count), weight)]))
    return call("reshape", listed(s.x.shape), y)


@operation("nn.functional.group_norm")
def group_norm(s):
    groups, weight, bias, eps = (s.given(i, n) for i, n in enumerate(("num_groups", "weight", "bias", "eps")))
    return call("group_norm", f"{groups}, {literal(1e-5 if eps is None else eps)}", s.x, *given_operands(weight, bias))


@operation("nn.functional.instance_norm")
def instance_norm(s):
    weight, bias = s.kwargs.get("weight"), s.kwargs.get("bias")
    eps = s.kwargs.get("eps", 1e-5)
    return call("instance_norm", literal(eps), s.x, *given_operands(weight, bias))


@operation("nn.functional.normalize")
def normalize(s):
    order, axis, eps = s.given(0, "p", 2.0), s.given(1, "dim", 1), s.given(2, "eps", 1e-12)
    options = [] if order == 2 else [f"tl::order<{literal(order)}>"]
    return call("normalize", f"{axis}, {literal(eps)}", s.x, options=options)


@operation("nn.functional.local_response_norm")
def local_response_norm(s):
    options = members("response", **{n: literal(s.kwargs[n]) for n in ("alpha", "beta", "k") if n in s.kwargs})
    return call("local_response_norm", f"{s.args[0]}" + (f", {options}" if options else ""), s.x)
