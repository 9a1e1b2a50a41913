# SPDX-License-Identifier: BSL-1.0
"""ops/spatial"""

from spelling import NotExpressible, Spelled, call, listed, literal, members, operation


def pair(x, otherwise=None):
    """An extent_2d, or nothing where it is the default."""
    if x is None or x == () or x == []:
        return None
    values = [x] if isinstance(x, int) else list(x)
    if otherwise is not None and all(v == otherwise for v in values):
        return None
    return str(values[0]) if len(values) == 1 else "{" + listed(values) + "}"


def convolution(name, spatial):
    @operation(f"nn.functional.{name}")
    def spell(s):
        padding = s.given(3, "padding", 0)
        if isinstance(padding, str):
            raise NotExpressible(f"padding {padding!r}")
        transposed = "transpose" in name
        names = ["stride", "padding", "output_padding", "groups", "dilation"] if transposed else \
            ["stride", "padding", "dilation", "groups"]
        given = {n: s.given(2 + i, n) for i, n in enumerate(names)}
        options = members("conv", stride=pair(given["stride"], 1), padding=pair(given["padding"], 0),
                          dilation=pair(given["dilation"], 1),
                          groups=given["groups"] if given["groups"] not in (None, 1) else None,
                          output_padding=pair(given.get("output_padding"), 0))
        bias = s.given(1, "bias")
        return call(name, options, s.x, s.given(0, "weight"), *([] if bias is None else [bias]))


for dimension in (1, 2):
    convolution(f"conv{dimension}d", dimension)
convolution("conv_transpose2d", 2)


def pooling(kind, dimension):
    @operation(f"nn.functional.{kind}_pool{dimension}d")
    def spell(s):
        average = kind == "avg"
        names = ["kernel_size", "stride", "padding"] + (["ceil_mode", "count_include_pad", "divisor_override"] if average
                                                        else ["dilation", "ceil_mode", "return_indices"])
        given = {n: s.given(i, n) for i, n in enumerate(names)}
        if given["ceil_mode"]:
            raise NotExpressible("ceil_mode")
        if given.get("divisor_override"):
            raise NotExpressible("divisor_override")
        if given.get("return_indices"):
            raise NotExpressible("indices of the largest")
        if pair(given.get("dilation"), 1) is not None:
            raise NotExpressible("dilation")
        options = members("pool", kernel=pair(given["kernel_size"]), stride=pair(given["stride"]),
                          padding=pair(given["padding"], 0),
                          count_include_pad="false" if given.get("count_include_pad") is False else None)
        x, shape = s.x, s.x.shape
        y = call(f"{kind}_pool{dimension}d", options, x)
        return y


for dimension in (1, 2):
    pooling("avg", dimension)
    pooling("max", dimension)


def adaptive(kind):
    @operation(f"nn.functional.adaptive_{kind}_pool2d")
    def spell(s):
        size = s.given(0, "output_size")
        if s.given(1, "return_indices"):
            raise NotExpressible("indices of the largest")
        size = [size, size] if isinstance(size, int) else list(size)
        size = [s.x.shape[i - 2] if e is None else e for i, e in enumerate(size)]
        return call(f"adaptive_{kind}_pool2d", listed(size), s.x)


adaptive("avg")
adaptive("max")
