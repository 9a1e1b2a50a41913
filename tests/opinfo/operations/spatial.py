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


def size_in_words(padding):
    return f"tl::padding_size::{padding}" if isinstance(padding, str) else None


def convolution(name, spatial):
    @operation(f"nn.functional.{name}")
    def spell(s):
        transposed = "transpose" in name
        names = ["stride", "padding", "output_padding", "groups", "dilation"] if transposed else \
            ["stride", "padding", "dilation", "groups"]
        given = {n: s.given(2 + i, n) for i, n in enumerate(names)}
        options = members("conv", stride=pair(given["stride"], 1), padding=size_in_words(given["padding"]) or pair(given["padding"], 0),
                          dilation=pair(given["dilation"], 1),
                          groups=given["groups"] if given["groups"] not in (None, 1) else None,
                          output_padding=pair(given.get("output_padding"), 0))
        bias = s.given(1, "bias")
        return call(name, options, s.x, s.given(0, "weight"), *([] if bias is None else [bias]))


for dimension in (1, 2):
    convolution(f"conv{dimension}d", dimension)
convolution("conv_transpose2d", 2)


def size_of(x, axes):
    return [x] * axes if isinstance(x, int) else list(x)


def pooling(kind, axes):
    @operation(f"nn.functional.{kind}_pool{axes}d")
    def spell(s):
        names = ["kernel_size", "stride", "padding"]
        names += (["ceil_mode", "count_include_pad", "divisor_override"] if kind == "avg"
                  else ["dilation", "ceil_mode", "return_indices"])
        given = {n: s.given(i, n) for i, n in enumerate(names)}
        options = members("pool", kernel=pair(given["kernel_size"]), stride=pair(given["stride"]),
                          padding=pair(given["padding"], 0), dilation=pair(given.get("dilation"), 1),
                          ceil_mode="true" if given["ceil_mode"] else None,
                          count_include_pad="false" if given.get("count_include_pad") is False else None,
                          divisor_override=given.get("divisor_override") or None)
        if given.get("return_indices"):
            both = call(f"max_pool{axes}d_with_indices", options, s.x)
            return [f"std::get<0>({both})", f"std::get<1>({both})"]
        return call(f"{kind}_pool{axes}d", options, s.x)


def adaptive(kind, axes):
    @operation(f"nn.functional.adaptive_{kind}_pool{axes}d")
    def spell(s):
        if s.given(1, "return_indices"):
            raise NotExpressible("indices of the largest")
        size = size_of(s.given(0, "output_size"), axes)
        size = [s.x.shape[i - axes] if e is None else e for i, e in enumerate(size)]
        return call(f"adaptive_{kind}_pool{axes}d", listed(size), s.x)


for count in (1, 2, 3):
    for kind in ("avg", "max"):
        pooling(kind, count)
        adaptive(kind, count)


def padding(mode):
    def spell(s):
        pads, x = s.given(0, "pad"), s.x
        for i in range(len(pads) // 2):
            before, after = pads[2 * i], pads[2 * i + 1]
            if before or after:
                x = call("pad", f"{-1 - i}, {before}, {after}, tl::padding_mode::{mode}", x)
        return x

    return spell


operation("nn.functional.pad|reflect")(padding("reflect"))
operation("nn.functional.pad|replicate", "nn.functional.pad|replicate_negative")(padding("replicate"))
operation("nn.functional.pad|circular")(padding("circular"))


convolution("conv3d", 3)
convolution("conv_transpose1d", 1)
convolution("conv_transpose3d", 3)


@operation("nn.functional.pixel_shuffle")
def pixel_shuffle(s):
    return call("pixel_shuffle", str(s.given(0, "upscale_factor")), s.x)


@operation("nn.functional.pixel_unshuffle")
def pixel_unshuffle(s):
    return call("pixel_unshuffle", str(s.given(0, "downscale_factor")), s.x)


@operation("nn.functional.channel_shuffle")
def channel_shuffle(s):
    return call("channel_shuffle", str(s.args[0]), s.x)


def extents(x):
    """Of one number for each axis, braces; of one for all, the number."""
    if x is None:
        return None
    values = [x] if isinstance(x, (int, float)) else list(x)
    return literal(values[0]) if len(values) == 1 else "{" + listed(values) + "}"


def resized(s, mode, align_corners=None):
    options = members("resize", size=extents(s.given(0, "size")), scale_factor=extents(s.given(1, "scale_factor")),
                      mode=None if mode == "nearest" else f"tl::interpolation::{mode}",
                      align_corners="true" if align_corners else None,
                      recompute_scale_factor="true" if s.kwargs.get("recompute_scale_factor") else None,
                      antialias="true" if s.kwargs.get("antialias") else None)
    return call("interpolate", options, s.x)


@operation("nn.functional.interpolate")
def interpolate(s):
    return resized(s, s.kwargs.get("mode", "nearest").replace("-", "_"), s.kwargs.get("align_corners"))


@operation("nn.functional.upsample_nearest")
def upsample_nearest(s):
    return resized(s, "nearest")


@operation("nn.functional.upsample_bilinear")
def upsample_bilinear(s):
    return resized(s, "bilinear", True)


@operation("nn.functional.unfold")
def unfold(s):
    names = ("kernel_size", "dilation", "padding", "stride")
    kernel, dilation, padding, stride = (s.given(i, n) for i, n in enumerate(names))
    options = members("conv", kernel=pair(kernel), stride=pair(stride, 1), padding=pair(padding, 0),
                      dilation=pair(dilation, 1))
    return call("unfold", options, s.x)


def unpooling(axes):
    def spell(s):
        names = ("kernel_size", "stride", "padding", "output_size")
        kernel, stride, padding, size = (s.given(1 + i, n) for i, n in enumerate(names))
        options = members("pool", kernel=pair(kernel), stride=pair(stride), padding=pair(padding, 0))
        text = call(f"max_unpool{axes}d", options + ("" if size is None else ", " + listed(size[-axes:])), s.x, s.args[0])
        index = s.args[0].data.flatten(-axes).flatten(0, -2) if s.args[0].data.dim() > axes else s.args[0].data.flatten()[None]
        if all(len(line.unique()) == len(line) for line in index):
            return text
        return Spelled(text, convention="of elements with one index PyTorch keeps any, and gives each the whole gradient; "
                       "ours takes their mean", apart=("gradients", "second"))

    operation(f"nn.functional.max_unpool{axes}d")(spell)


for count in (1, 2, 3):
    unpooling(count)


@operation("nn.functional.grid_sample")
def grid_sample(s):
    mode, around = s.kwargs.get("mode", "bilinear"), s.kwargs.get("padding_mode", "zeros")
    options = members("sampling", mode=None if mode == "bilinear" else f"tl::interpolation::{mode}",
                      padding_mode=None if around == "zeros" else f"tl::grid_padding::{around}",
                      align_corners="true" if s.kwargs.get("align_corners") else None)
    return call("grid_sample", options, s.x, s.args[0])


def grid_sampler(modes):
    def spell(s):
        mode, around, align_corners = s.args[1:4]
        options = members("sampling", mode=f"tl::interpolation::{modes[mode]}",
                          padding_mode=f"tl::grid_padding::{('zeros', 'border', 'reflection')[around]}",
                          align_corners="true" if align_corners else None)
        return call("grid_sample", options, s.x, s.args[0])

    return spell


operation("grid_sampler_2d", "grid_sampler_3d")(grid_sampler(("bilinear", "nearest", "bicubic")))
