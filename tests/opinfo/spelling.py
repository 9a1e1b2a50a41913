# SPDX-License-Identifier: BSL-1.0
"""How samples of PyTorch's operations are written with this library: what the tables in operations/ are made of.

A table has a function for each operation, by PyTorch's name (with "|variant" where variants differ):

    @operation("softmax", "nn.functional.softmin|with_dtype")
    def softmax(s):
        return f"tl::softmax<{s.given(0, 'dim')}>({s.x})"

It returns the C++ expression, or a list of them where the operation has several results; or a Spelled, which says more;
or it refuses: `raise NotExpressible("why")`. What the library refuses itself, by a sentence of the compiler, needs no
line here: the sentence is the reason.
"""

import dataclasses
import math

TABLE = {}
COMPLEX = set()  # operations whose samples of complex numbers are taken, too: pairs along a last axis of 2


class NotExpressible(Exception):
    """The library has no form for this sample; the text says why."""


class NoCounterpart(Exception):
    """The sample asks for what is no matter of the operation: memory formats, dtype=..., out=..."""


class Tensor(str):
    """A tensor of a sample as it is named in C++, x0 and so on."""

    def __new__(cls, name, data):
        self = super().__new__(cls, name)
        self.data = data
        self.shape = tuple(data.shape)
        self.rank = len(self.shape)
        self.dtype = str(data.dtype).removeprefix("torch.")
        self.is_complex = data.is_complex()  # then it has one axis more in C++, of pairs
        return self


@dataclasses.dataclass
class Spelled:
    expressions: list
    # What is compared of PyTorch's results, which `of` is given; all tensors in order where it is None.
    of: object = None
    # A documented convention in which the two differ, and what is not compared for it: "values", "gradients", "second".
    convention: str = ""
    apart: tuple = ()
    tolerance: float = 1e-9


def operation(*names, of_complex=False):
    def note(spell):
        for name in names:
            assert name not in TABLE, name
            TABLE[name] = spell
        if of_complex:
            COMPLEX.update(names)
        return spell

    return note


class Sample:
    """A sample's input and arguments, with Tensors in place of tensors."""

    def __init__(self, x, args, kwargs, add):
        self.x = x
        self.tensor = add  # a Tensor of numbers in a list
        self.args = list(args)
        self.kwargs = dict(kwargs)

    def has(self, place, name):
        return len(self.args) > place or name in self.kwargs

    def given(self, place, name, otherwise=None):
        """An argument by its place behind the input, or by its name."""
        if len(self.args) > place:
            return self.args[place]
        return self.kwargs.get(name, otherwise)

    def only(self, *known):
        """Refuses arguments by other names."""
        for name, value in self.kwargs.items():
            if name not in known and value is not None:
                raise NotExpressible(f"the argument {name}")


def literal(x):
    """A number as C++ has it."""
    if isinstance(x, bool):
        return "true" if x else "false"
    if isinstance(x, int):
        return str(x) if abs(x) < 2**31 else f"{x}LL"
    if math.isnan(x):
        return "std::numeric_limits<double>::quiet_NaN()"
    if math.isinf(x):
        return "-tl::infinity" if x < 0 else "tl::infinity"
    return repr(float(x))


def operand(x):
    """A tensor's name, or a number as a constant."""
    if isinstance(x, Tensor) or isinstance(x, str):
        return x
    if isinstance(x, complex):
        raise NotExpressible("complex numbers")
    return f"tl::constant<{literal(x)}>"


def listed(numbers):
    return ", ".join(literal(n) for n in numbers)


def axes(dim):
    """Template arguments of a reduction over dim: all axes where it is None or empty."""
    if dim is None:
        return ""
    dims = [dim] if isinstance(dim, int) else list(dim)
    return f"<{listed(dims)}>" if dims else ""


def call(name, arguments, *operands, options=()):
    """tl::NAME<arguments>(operands, options)"""
    template = f"<{arguments}>" if arguments else ""
    return f"tl::{name}{template}({', '.join([*map(operand, operands), *options])})"


def members(aggregate, **given):
    """aggregate{.a = 1, .b = 2}, without those that are None; empty where none is left."""
    text = ", ".join(f".{name} = {value}" for name, value in given.items() if value is not None)
    return f"tl::{aggregate}{{{text}}}" if text else ""


def keep_dims(keep):
    return ["tl::keep_dims"] if keep else []
