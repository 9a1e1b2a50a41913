# SPDX-License-Identifier: BSL-1.0
"""Windows over images, and what makes images of other sizes."""

from operations import operation, replaced, require
from values import all_static

WINDOWS = []


def image(b, axes):
    """A value [batch, channels, ..] whose extents but the first are static, with so many axes behind them."""
    return b.value(lambda v: all_static(v.shape[1:]), rank=[2 + axes])


def each(b, axes, *choices):
    """A number for each axis, mostly the same."""
    return (b.pick(*choices),) * axes if b.chance(0.6) else tuple(b.pick(*choices) for _ in range(axes))


def braced(numbers):
    return f"{{{', '.join(map(str, numbers))}}}" if len(numbers) > 1 else str(numbers[0])


def windowed(extents, kernel, stride, padding, dilation, up=False):
    """How many windows there are along each axis; in pooling up to one more, which begins in x or before it."""
    counts = ()
    for e, k, s, p, d in zip(extents, kernel, stride, padding, dilation):
        n = (e + 2 * p - d * (k - 1) - 1 + (s - 1 if up else 0)) // s + 1
        counts += (n - (up and (n - 1) * s >= e + p),)
    require(min(counts) >= 1)
    return counts


@operation(WINDOWS, outermost=True)
def convolution(b):
    axes = b.pick(1, 2, 2, 3)
    x = image(b, axes)
    groups = b.pick(*[g for g in (1, 2, 3) if x.shape[1] % g == 0])
    kernel, stride = each(b, axes, 1, 2, 3), each(b, axes, 1, 1, 2, 3)
    padding, dilation = each(b, axes, 0, 1, 2), each(b, axes, 1, 1, 2)
    counts = windowed(x.shape[2:], kernel, stride, padding, dilation)
    channels = groups * b.pick(1, 2)
    w, bias = b.parameter((channels, x.shape[1] // groups) + kernel), b.parameter((channels,))
    options = (f"tl::conv{{.stride = {braced(stride)}, .padding = {braced(padding)}, .dilation = {braced(dilation)}, "
               f".groups = {groups}}}")
    return ((x.shape[0], channels) + counts, f"tl::conv{axes}d<{options}>({x}, {w}, {bias})",
            f"F.conv{axes}d({x}, {w}, {bias}, {stride}, {padding}, {dilation}, {groups})")


@operation(WINDOWS, outermost=True)
def transposed_convolution(b):
    axes = b.pick(1, 2, 2, 3)
    x = image(b, axes)
    groups = b.pick(*[g for g in (1, 2, 3) if x.shape[1] % g == 0])
    kernel, stride = each(b, axes, 1, 2, 3), each(b, axes, 1, 2, 3)
    padding, dilation = each(b, axes, 0, 0, 1), each(b, axes, 1, 1, 2)
    more = tuple(b.pick(*range(max(s, d))) for s, d in zip(stride, dilation))
    extents = tuple((e - 1) * s - 2 * p + d * (k - 1) + m + 1
                    for e, k, s, p, d, m in zip(x.shape[2:], kernel, stride, padding, dilation, more))
    require(min(extents) >= 1)
    channels = b.pick(1, 2)
    w = b.parameter((x.shape[1], channels) + kernel)
    options = (f"tl::conv{{.stride = {braced(stride)}, .padding = {braced(padding)}, .dilation = {braced(dilation)}, "
               f".groups = {groups}, .output_padding = {braced(more)}}}")
    return ((x.shape[0], channels * groups) + extents, f"tl::conv_transpose{axes}d<{options}>({x}, {w})",
            f"F.conv_transpose{axes}d({x}, {w}, None, {stride}, {padding}, {more}, {groups}, {dilation})")


@operation(WINDOWS, outermost=True)
def pooling(b):
    axes, name, up = b.pick(1, 2, 2, 3), b.pick("max_pool", "avg_pool"), b.chance(0.3)
    x = image(b, axes)
    kernel, stride = each(b, axes, 2, 3), each(b, axes, 1, 2, 3)
    padding, dilation = each(b, axes, 0, 1), each(b, axes, 1, 1, 2) if name == "max_pool" else (1,) * axes
    require(axes < 3 or all(k <= e for k, e in zip(kernel, x.shape[2:])))  # others torch refuses
    counts = windowed(x.shape[2:], kernel, stride, padding, dilation, up)
    options = f".kernel = {braced(kernel)}, .stride = {braced(stride)}, .padding = {braced(padding)}"
    more = f", .dilation = {braced(dilation)}" if name == "max_pool" else ""
    in_torch = f", {dilation}, {up}" if name == "max_pool" else f", {up}"
    if up:
        more += ", .ceil_mode = true"
    if name == "avg_pool" and b.chance(0.4):
        more, in_torch = more + ", .count_include_pad = false", in_torch + ", False"
    return (x.shape[:2] + counts, f"tl::{name}{axes}d<tl::pool{{{options}{more}}}>({x})",
            f"F.{name}{axes}d({x}, {kernel}, {stride}, {padding}{in_torch})")


@operation(WINDOWS, outermost=True)
def adaptive_pooling(b):
    axes, name = b.pick(1, 2), b.pick("adaptive_avg_pool", "adaptive_max_pool")
    x = image(b, axes)
    extents = each(b, axes, 1, 2, 3)
    return (x.shape[:2] + extents, f"tl::{name}{axes}d<{', '.join(map(str, extents))}>({x})",
            f"F.{name}{axes}d({x}, {extents})")


@operation(WINDOWS, outermost=True)
def interpolation(b):
    axes = b.pick(1, 2)
    x = image(b, axes)
    extents = each(b, axes, 1, 2, 3, 4, 7)
    mode = b.pick("nearest", "linear" if axes == 1 else "bilinear")
    corners = mode != "nearest" and b.chance(0.5)
    options = f".size = {braced(extents)}, .mode = tl::interpolation::{mode}, .align_corners = {str(corners).lower()}"
    return (x.shape[:2] + extents, f"tl::interpolate<tl::resize{{{options}}}>({x})",
            f"F.interpolate({x}, {extents}, None, '{mode}', {corners if mode != 'nearest' else None})")


@operation(WINDOWS, outermost=True)
def unfold(b):
    x = image(b, 2)
    kernel, stride = each(b, 2, 1, 2, 3), each(b, 2, 1, 2)
    padding, dilation = each(b, 2, 0, 1), each(b, 2, 1, 2)
    counts = windowed(x.shape[2:], kernel, stride, padding, dilation)
    options = (f".kernel = {braced(kernel)}, .stride = {braced(stride)}, .padding = {braced(padding)}, "
               f".dilation = {braced(dilation)}")
    return ((x.shape[0], x.shape[1] * kernel[0] * kernel[1], counts[0] * counts[1]),
            f"tl::unfold<tl::conv{{{options}}}>({x})", f"F.unfold({x}, {kernel}, {dilation}, {padding}, {stride})")


@operation(WINDOWS)
def padding(b):
    """By its own elements, along the last axis."""
    x = b.value(lambda v: all_static(v.shape[1:]), rank=[3, 4])
    n, mode = x.shape[-1], b.pick("reflect", "replicate", "circular")
    before, after = b.pick(0, 1, 2), b.pick(0, 1, 2)
    require(max(before, after) < n)
    around = [before, after] + [0, 0] * (x.rank - 3)
    return (replaced(x.shape, x.rank - 1, n + before + after),
            f"tl::pad<-1, {before}, {after}, tl::padding_mode::{mode}>({x})", f"F.pad({x}, {around}, '{mode}')")
