# SPDX-License-Identifier: BSL-1.0
"""Norms, with running statistics and without."""

from operations import operation, require
from values import is_static

NORMS = []


def scales(b, shape):
    """A weight and a bias, or none."""
    if b.chance(0.3):
        return (), "None, None"
    w, bias = b.parameter(shape), b.parameter(shape)
    return (w, bias), f"{w}, {bias}"


def operands(x, scaled):
    return ", ".join(map(str, (x, *scaled)))


@operation(NORMS)
def layer_norm(b):
    x = b.value(rank=range(2, 5))
    scaled, in_torch = scales(b, x.shape[-1:])
    return (x.shape, f"tl::layer_norm<1, 0.125>({operands(x, scaled)})",
            f"F.layer_norm({x}, {x}.shape[-1:], {in_torch}, 0.125)")


@operation(NORMS)
def rms_norm(b):
    x = b.value(rank=range(1, 5))
    w = b.parameter(x.shape[-1:])
    return x.shape, f"tl::rms_norm<0.125>({x}, {w})", f"F.rms_norm({x}, {x}.shape[-1:], {w}, 0.125)"


@operation(NORMS)
def group_norm(b):
    x = b.value(lambda v: is_static(v.shape[1]), rank=range(2, 5))
    groups = b.pick(*[g for g in (1, 2, 3, 5) if x.shape[1] % g == 0])
    scaled, in_torch = scales(b, x.shape[1:2])
    return (x.shape, f"tl::group_norm<{groups}, 0.125>({operands(x, scaled)})",
            f"group_norm({x}, {groups}, {in_torch}, 0.125)")


@operation(NORMS)
def instance_norm(b):
    x = b.value(lambda v: is_static(v.shape[1]), rank=range(3, 5))
    scaled, in_torch = scales(b, x.shape[1:2])
    return (x.shape, f"tl::instance_norm<0.125>({operands(x, scaled)})",
            f"group_norm({x}, {x.shape[1]}, {in_torch}, 0.125)")


@operation(NORMS)
def local_response_norm(b):
    x = b.value(lambda v: is_static(v.shape[1]), rank=range(3, 5))
    n = b.pick(1, 2, 3)
    return (x.shape, f"tl::local_response_norm<{n}, tl::response{{.alpha = 0.5, .beta = 0.75, .k = 1.5}}>({x})",
            f"F.local_response_norm({x}, {n}, 0.5, 0.75, 1.5)")


@operation(NORMS, outermost=True)
def batch_norm(b):
    """By its own statistics in training, whose running ones a function has."""
    x = b.value(lambda v: is_static(v.shape[1]), rank=range(2, 5))
    require(x.shape[1] > 1 or x.rank > 2)
    row, affine = x.shape[1:2], b.chance(0.7)
    shapes = {"running_mean": row, "running_var": row} | ({"weight": row, "bias": row} if affine else {})
    name, own = b.layer(shapes, ["running_mean", "running_var"])
    more = "" if affine else ", .affine = false"
    torch_operands = ", ".join([str(x), *map(str, own.values())])
    return (x.shape, f'tl::batch_norm<"{name}", tl::batch_norm_options{{.eps = 0.125, .momentum = 0.25{more}}}>({x})',
            f"batch_norm(training, {torch_operands})")
