# SPDX-License-Identifier: BSL-1.0
"""The table of operations, in groups.

An entry says how an operation is written in tapeless and how in torch, and where it is defined. Most are one line: an
`elementwise` one of texts in which {x}, {y} stand for operands, {axis} for one of its axes. The others are functions
that draw operands from a builder and return the shape of what they make (or a list of shapes), and the two texts; where
the text for torch needs more than an expression, {results} stands for the names. Numbers stay of the order of 1, and
what has steps or kinks has them at odd places: a program whose values hang on rounding is not compared."""

import dataclasses
import typing

from values import NotDefined


@dataclasses.dataclass(frozen=True)
class Operation:
    draw: typing.Callable
    once: bool = False  # has no second derivative, or one that torch lacks
    outermost: bool = False  # not in the body of a loop
    wide: bool = False  # not with 16 bits, where what rounding does inside of it decides

    def __call__(self, builder):
        return self.draw(builder)


def operation(group, **flags):
    """Lists the function in the group."""
    def listed(draw):
        group.append(Operation(draw, **flags))
        return draw
    return listed


def elementwise(cpp, torch, **flags):
    """Keeps the shape of {x}, to which {y} broadcasts."""
    def draw(b):
        x = b.value(rank=range(1, 5)) if "{axis}" in cpp or "{y}" in cpp else b.value()
        operands = {"x": x, "axis": b.axis(x) if "{axis}" in cpp else 0, "y": b.broadcast_to(x) if "{y}" in cpp else "",
                    "element": b.element}
        return x.shape, cpp.format(**operands), torch.format(**operands)
    return Operation(draw, **flags)


def reduction(cpp, torch):
    """Over some axes, {axes}, which may stay as extents of one: {keep}, and {kept} in torch."""
    def draw(b):
        x = b.value(rank=range(1, 5))
        axes, kept = [b.axis(x)] if "{axis}" in cpp else b.axes(x), b.chance(0.4)
        shape = tuple(1 if i in axes else e for i, e in enumerate(x.shape) if kept or i not in axes)
        words = {"x": x, "axis": axes[0], "axes": ", ".join(str(a - x.rank if b.chance(0.3) else a) for a in axes),
                 "keep": ", tl::keep_dims" if kept else "", "kept": kept}
        return shape, cpp.format(**words), torch.format(**words)
    return Operation(draw)


def replaced(shape, axis, extent):
    return shape[:axis] + (extent,) + shape[axis + 1:]


def require(condition):
    if not condition:
        raise NotDefined
