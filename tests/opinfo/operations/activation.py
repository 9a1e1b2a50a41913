# SPDX-License-Identifier: BSL-1.0
"""ops/activation"""

from spelling import NotExpressible, call, operation

for torch_name, name in {"relu": "relu", "silu": "silu", "mish": "mish", "hardswish": "hard_swish",
                         "hardsigmoid": "hard_sigmoid", "selu": "selu"}.items():
    operation(f"nn.functional.{torch_name}")(lambda s, name=name: f"tl::{name}({s.x})")


@operation("nn.functional.relu6")
def relu6(s):
    return f"tl::clamp({s.x}, tl::constant<0>, tl::constant<6>)"


@operation("nn.functional.gelu")
def gelu(s):
    by = "tl::approximation::tanh" if s.given(0, "approximate") == "tanh" else ""
    return call("gelu", by, s.x)


@operation("nn.functional.elu")
def elu(s):
    return call("elu", "", s.x, s.given(0, "alpha", 1.0))


@operation("nn.functional.celu")
def celu(s):
    return call("celu", "", s.x, s.given(0, "alpha", 1.0))


@operation("nn.functional.leaky_relu")
def leaky_relu(s):
    return call("leaky_relu", "", s.x, s.given(0, "negative_slope", 0.01))


@operation("nn.functional.softplus")
def softplus(s):
    if s.given(1, "threshold", 20) != 20:
        raise NotExpressible("a threshold, which PyTorch has against overflow")
    return call("softplus", "", s.x, s.given(0, "beta", 1.0))


@operation("softmax", "torch.ops.aten._safe_softmax.default")
def softmax(s):
    return call("softmax", str(s.given(0, "dim")), s.x)


@operation("log_softmax")
def log_softmax(s):
    return call("log_softmax", str(s.given(0, "dim")), s.x)


@operation("nn.functional.softmin")
def softmin(s):
    return call("softmax", str(s.given(0, "dim")), f"-{s.x}")


for torch_name, name in {"logsigmoid": "log_sigmoid", "softsign": "softsign", "tanhshrink": "tanhshrink"}.items():
    operation(f"nn.functional.{torch_name}")(lambda s, name=name: f"tl::{name}({s.x})")


def with_lambda(name):
    def spell(s):
        limit = s.given(0, "lambd")
        return call(name, "", s.x, *([] if limit is None else [limit]))

    return spell


operation("nn.functional.hardshrink")(with_lambda("hardshrink"))
operation("nn.functional.softshrink")(with_lambda("softshrink"))


@operation("nn.functional.hardtanh")
def hardtanh(s):
    low, high = s.given(0, "min_val"), s.given(1, "max_val")
    return call("hardtanh", "", s.x, *([] if low is None else [low, high]))


@operation("nn.functional.threshold")
def threshold(s):
    return call("threshold", "", s.x, s.given(0, "threshold"), s.given(1, "value"))


@operation("nn.functional.glu")
def glu(s):
    return call("glu", str(s.given(0, "dim", -1)), s.x)


@operation("nn.functional.prelu")
def prelu(s):
    return call("prelu", "", s.x, s.given(0, "weight"))
