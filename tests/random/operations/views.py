# SPDX-License-Identifier: BSL-1.0
"""What moves elements without computing with them."""

import math

from operations import operation, replaced, require
from values import RunTime, all_static, is_static, written

VIEWS = []


@operation(VIEWS)
def permute(b):
    x = b.value(rank=range(2, 5))
    order = b.random.sample(range(x.rank), x.rank)
    return tuple(x.shape[i] for i in order), f"tl::permute<{', '.join(map(str, order))}>({x})", f"{x}.permute({order})"


@operation(VIEWS)
def roll(b):
    x = b.value(rank=range(1, 5))
    axis, by = b.axis(x), b.pick(1, -1)
    return x.shape, f"tl::roll<{axis}, {by}>({x})", f"torch.roll({x}, {by}, {axis})"


@operation(VIEWS)
def slice_(b):
    x = b.value(rank=range(1, 5))
    axis = b.axis(x, lambda e: is_static(e) and e > 1)
    n = x.shape[axis]
    begin = b.random.randint(0, n - 1)
    end = b.random.randint(begin + 1, n)
    step = b.pick(1, 1, 2, 3)
    return (replaced(x.shape, axis, (end - begin + step - 1) // step),
            f"tl::slice<{axis}, {b.pick(begin, begin - n)}, {end}, {step}>({x})",
            f"{x}.narrow({axis}, {begin}, {end - begin})[{':, ' * axis}::{step}]")


@operation(VIEWS)
def pad(b):
    x = b.value(rank=range(1, 5))
    axis = b.axis(x)
    before, after = b.pick(-1, 0, 1, 2), b.pick(-1, 0, 1, 2)
    return (replaced(x.shape, axis, x.shape[axis] + before + after), f"tl::pad<{axis}, {before}, {after}>({x})",
            f"F.pad({x}, {[0, 0] * (x.rank - 1 - axis) + [before, after]})")


@operation(VIEWS)
def concat(b):
    x = b.value(rank=range(1, 5))
    axis = b.axis(x)
    y = b.value(lambda v: v.rank == x.rank and replaced(v.shape, axis, 1) == replaced(x.shape, axis, 1))
    return (replaced(x.shape, axis, x.shape[axis] + y.shape[axis]), f"tl::concat<{axis}>({x}, {y})",
            f"torch.cat([{x}, {y}], {axis})")


@operation(VIEWS)
def stack(b):
    x = b.value(rank=range(4))
    y, axis = b.like(x), b.random.randint(0, x.rank)
    return (x.shape[:axis] + (2,) + x.shape[axis:], f"tl::stack<{axis}>({x}, {y})", f"torch.stack([{x}, {y}], {axis})")


@operation(VIEWS)
def split(b):
    x = b.value(rank=range(1, 5))
    axis = b.axis(x, lambda e: is_static(e) and e > 1)
    first = b.random.randint(1, x.shape[axis] - 1)
    rest = x.shape[axis] - first
    return ([replaced(x.shape, axis, first), replaced(x.shape, axis, rest)],
            f"tl::split<{axis}, {first}, {rest}>({x})", f"torch.split({x}, [{first}, {rest}], {axis})")


@operation(VIEWS)
def tile(b):
    x = b.value(rank=range(1, 4))
    times = [b.pick(1, 2) for _ in x.shape]
    return (tuple(e * n for e, n in zip(x.shape, times)), f"tl::tile<{', '.join(map(str, times))}>({x})",
            f"{x}.repeat({times})")


@operation(VIEWS)
def repeat_interleave(b):
    x = b.value(rank=range(1, 5))
    axis, times = b.axis(x), b.pick(2, 3)
    return (replaced(x.shape, axis, x.shape[axis] * times), f"tl::repeat_interleave<{axis}, {times}>({x})",
            f"{x}.repeat_interleave({times}, {axis})")


@operation(VIEWS)
def unsqueeze(b):
    x = b.value(rank=range(4))
    axis = b.random.randint(0, x.rank)
    return x.shape[:axis] + (1,) + x.shape[axis:], f"tl::unsqueeze<{axis}>({x})", f"{x}.unsqueeze({axis})"


@operation(VIEWS)
def expand(b):
    x = b.value(rank=range(1, 5))
    axis, extent = b.axis(x, lambda e: e == 1), b.pick(2, 3)
    extents = ", ".join(str(extent) if i == axis else "-1" for i in range(x.rank))
    return replaced(x.shape, axis, extent), f"tl::expand<{extents}>({x})", f"{x}.expand({extents})"


@operation(VIEWS)
def reshape(b):
    """The run-time extent, of which there may be one, goes anywhere; the others are divided anew."""
    x = b.value(rank=range(1, 5))
    at_run_time = [e for e in x.shape if not is_static(e)]
    require(len(at_run_time) <= 1)
    left, shape = math.prod(e for e in x.shape if is_static(e)), []
    while left > 1 and len(shape) < 3:
        shape.append(b.pick(*[d for d in range(2, left + 1) if left % d == 0]))
        left //= shape[-1]
    shape.append(left)
    for e in at_run_time:
        shape.insert(b.random.randint(0, len(shape)), e)
    extents = ", ".join(written(e) for e in shape)
    return (tuple(shape), f"tl::reshape<{extents}>({x})",
            f"{x}.reshape({', '.join(str(e) if is_static(e) else '-1' for e in shape)})")


@operation(VIEWS)
def flatten(b):
    x = b.value(rank=range(2, 5))
    first = b.random.randint(0, x.rank - 2)
    last = b.random.randint(first + 1, x.rank - 1)
    extent = 1
    for e in x.shape[first:last + 1]:
        require(is_static(extent) or is_static(e))
        extent = e * extent if isinstance(e, RunTime) else extent * e
    return (x.shape[:first] + (extent,) + x.shape[last + 1:], f"tl::flatten<{first}, {last}>({x})",
            f"{x}.flatten({first}, {last})")


@operation(VIEWS)
def at(b):
    x = b.value(rank=range(1, 5))
    index = b.pick(0, -1)
    return x.shape[1:], f"tl::at<{index}>({x})", f"{x}[{index}]"


@operation(VIEWS)
def triangle(b):
    x = b.value(rank=range(2, 5))
    name, diagonal = b.pick("tril", "triu"), b.pick(-1, 0, 1)
    return x.shape, f"tl::{name}<{diagonal}>({x})", f"torch.{name}({x}, {diagonal})"


@operation(VIEWS)
def diagonal(b):
    x = b.value(lambda v: all_static(v.shape[-2:]), rank=range(2, 5))
    return x.shape[:-2] + (min(x.shape[-2:]),), f"tl::diagonal({x})", f"torch.diagonal({x}, 0, -2, -1)"
