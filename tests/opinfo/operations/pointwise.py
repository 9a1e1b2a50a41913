# SPDX-License-Identifier: BSL-1.0
"""ops/pointwise: element by element."""

from spelling import NotExpressible, Spelled, Tensor, call, operand, operation


def unary(names, spelled):
    operation(*names)(lambda s: f"tl::{spelled}({s.x})")


for same in ("abs acos asin atan ceil cos cosh erf erfinv exp exp2 expm1 floor log log1p log2 rsqrt sign sin sinh sqrt "
             "square tan tanh trunc").split():
    unary([same], same)
unary(["reciprocal"], "recip")


@operation("round")
def rounded(s):
    if s.kwargs.get("decimals"):
        raise NotExpressible("decimals, which is round(x * 1000) / 1000")
    return call("round", "", s.x)



@operation("sigmoid")
def sigmoid(s):
    return f"tl::sigmoid({s.x})"


@operation("neg")
def neg(s):
    return f"-{s.x}"


@operation("positive", "clone", "contiguous", "alias_copy", "resolve_conj", "resolve_neg")
def same_elements(s):
    return f"tl::reshape<{', '.join(map(str, s.x.shape))}>({s.x})"


@operation("sgn")
def sgn(s):
    return f"tl::sign({s.x})"


def binary(symbol):
    def spell(s):
        other = operand(s.given(0, "other"))
        alpha = s.kwargs.get("alpha")
        if alpha is not None:
            other = f"{operand(alpha)} * {other}"
        return f"{s.x} {symbol} {other}"

    return spell


operation("add")(binary("+"))
operation("__radd__")(binary("+"))
operation("sub")(binary("-"))
operation("mul", "__rmul__")(binary("*"))
operation("true_divide")(binary("/"))
operation("lt")(binary("<"))
operation("le")(binary("<="))
operation("gt")(binary(">"))
operation("ge")(binary(">="))
operation("eq")(binary("=="))
operation("ne")(binary("!="))


@operation("div")
def div(s):
    quotient = f"{s.x} / {operand(s.given(0, 'other'))}"
    mode = s.kwargs.get("rounding_mode")
    return f"tl::{mode}({quotient})" if mode else quotient


@operation("rsub", "__rsub__")
def rsub(s):
    x = f"{operand(s.kwargs['alpha'])} * {s.x}" if "alpha" in s.kwargs else s.x
    return f"{operand(s.given(0, 'other'))} - {x}"


@operation("__rdiv__")
def rdiv(s):
    return f"{operand(s.given(0, 'other'))} / {s.x}"


def function(name, *torch_names, swapped=False):
    def spell(s):
        operands = [s.x, s.given(0, "other")]
        return call(name, "", *(reversed(operands) if swapped else operands))

    operation(*torch_names)(spell)


function("max", "maximum", "max|binary")
function("min", "minimum", "min|binary")
function("pow", "pow", "float_power")
function("pow", "__rpow__", swapped=True)
function("atan2", "atan2")
function("fmod", "fmod")
function("mod", "remainder")
function("mod", "__rmod__", swapped=True)


@operation("clamp")
def clamp(s):
    low, high = s.given(0, "min"), s.given(1, "max")
    if low is None or high is None:
        return call("max", "", s.x, low) if high is None else call("min", "", s.x, high)
    return call("clamp", "", s.x, low, high)


@operation("clamp_min")
def clamp_min(s):
    return call("max", "", s.x, s.given(0, "min"))


@operation("clamp_max")
def clamp_max(s):
    return call("min", "", s.x, s.given(0, "max"))


@operation("logical_not")
def logical_not(s):
    return f"!{s.x}"


def logical(symbol):
    return lambda s: f"{s.x} {symbol} {operand(s.given(0, 'other'))}"


operation("logical_and")(logical("&&"))
operation("logical_or")(logical("||"))
function("logical_xor", "logical_xor")


@operation("where")
def where(s):
    # PyTorch's samples give where(self=x, condition, other)
    return call("where", "", s.given(0, "condition"), s.x, s.given(1, "other"))


for same in ("acosh asinh atanh deg2rad digamma erfc frac isfinite isinf isnan lgamma log10 rad2deg signbit sinc").split():
    unary([same], same)
unary(["special.erfcx"], "erfcx")
unary(["i0"], "i0")
for same in "i0e i1 i1e".split():
    unary([f"special.{same}"], same)
unary(["special.modified_bessel_i0"], "i0")
unary(["special.modified_bessel_i1"], "i1")
for same in "copysign floor_divide hypot logaddexp logaddexp2 xlogy".split():
    function(same, same)
function("xlog1py", "special.xlog1py")
function("heaviside", "heaviside")


def bessel(name):
    # PyTorch's values are off by 4e-7 from mpmath's beyond |x| = 5
    return lambda s: Spelled([f"tl::{name}({s.x})"], tolerance=1e-5)


operation("special.bessel_j0")(bessel("bessel_j0"))
operation("special.bessel_j1")(bessel("bessel_j1"))


@operation("lerp")
def lerp(s):
    return call("lerp", "", s.x, s.given(0, "end"), s.given(1, "weight"))


def with_factor(name):
    def spell(s):
        factor = s.kwargs.get("value")
        return call(name, "", s.x, *s.args[:2], *([] if factor is None else [factor]))

    return spell


operation("addcmul")(with_factor("addcmul"))
operation("addcdiv")(with_factor("addcdiv"))


@operation("logit")
def logit(s):
    eps = s.given(0, "eps")
    if eps is not None and eps > 0.5:
        raise NotExpressible("eps above 1/2, by which the lower bound is above the upper one")
    return call("logit", "", s.x, *([] if eps is None else [eps]))


@operation("nan_to_num")
def nan_to_num(s):
    given = [s.given(i, n) for i, n in enumerate(("nan", "posinf", "neginf"))]
    return call("nan_to_num", "", s.x, *[g for g in given if g is not None])


@operation("polygamma", "special.polygamma")
def polygamma(s):
    # the sample's argument is the order; torch.polygamma(n, x) takes it first
    return call("polygamma", str(s.args[0]), s.x)
