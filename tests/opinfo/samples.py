# SPDX-License-Identifier: BSL-1.0
"""PyTorch's samples, and what PyTorch makes of them: values, gradients by fixed cotangents, second derivatives."""

import itertools
import warnings

import torch

from spelling import NotExpressible, Sample, Tensor

CPP_TYPES = {
    "float64": "double", "float32": "float", "int64": "std::int64_t", "int32": "std::int32_t", "uint8": "std::uint8_t",
    "bool": "bool", "int8": "std::int8_t", "int16": "std::int16_t", "uint32": "std::uint32_t",
}


def weights(like, number):
    """Fixed numbers in a tensor's shape; compare.cpp has the same."""
    place = torch.arange(like.numel(), dtype=torch.int64)
    return (((place * 37 + number * 19 + 11) % 64).to(torch.float64) - 31.5).div(32).reshape(like.shape).to(like.dtype)


class Taken:
    """One sample with its tensors as leaves, named in the order in which they occur."""

    def __init__(self, op, sample, of_complex=False):
        self.op = op
        self.of_complex = of_complex
        self.tensors = []
        self.arguments = self._leaves((sample.input, sample.args, sample.kwargs))
        self.sample = Sample(*self._map(self.arguments, self._named), self.add)

    def add(self, data):
        """One more input, of what the sample has as a list of numbers."""
        self.tensors.append(torch.as_tensor(data))
        return self._named(self.tensors[-1])

    def _leaf(self, t):
        if t.layout != torch.strided:
            raise NotExpressible("sparse tensors")
        if t.is_complex() and not self.of_complex:
            raise NotExpressible("complex numbers")
        leaf = torch.view_as_real(t.detach().resolve_conj()) if t.is_complex() else t.detach()
        leaf = leaf.clone().requires_grad_(t.requires_grad and leaf.is_floating_point())
        self.tensors.append(leaf)
        if t.is_complex():
            leaf.seen = torch.view_as_complex(leaf)
        return leaf

    def _named(self, t):
        place = next(i for i, own in enumerate(self.tensors) if own is t)
        return Tensor(f"x{place}", getattr(t, "seen", t).detach())

    def _leaves(self, x):
        return self._map(x, self._leaf)

    def _map(self, x, f):
        if isinstance(x, torch.Tensor):
            return f(x)
        if type(x) in (list, tuple, torch.Size):
            return type(x)(self._map(one, f) for one in x) if type(x) is not torch.Size else x
        if isinstance(x, dict):
            return {name: self._map(one, f) for name, one in x.items()}
        return x

    def declarations(self):
        """The tensors as inputs of a model."""
        text = []
        for i, t in enumerate(self.tensors):
            name = str(t.dtype).removeprefix("torch.")
            if name not in CPP_TYPES:
                raise NotExpressible(f"tensors of the element type {name}")
            if t.dim() > 8:
                raise NotExpressible("tensors of more than 8 axes")
            shape = "".join(f", {e}" for e in t.shape)
            text.append(f'auto x{i} = tl::input<"x{i}", {CPP_TYPES[name]}{shape}>;')
        return text

    def expected(self, spelled):
        """What PyTorch gives, by role: x0.. what is given, y0.. values, g0.. gradients, h0.. second derivatives."""
        x, args, kwargs = self._map(self.arguments, lambda t: getattr(t, "seen", t))
        roles = {f"x{i}": t.detach() for i, t in enumerate(self.tensors)}
        torch.manual_seed(0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = self.op(x, *args, **kwargs)
            if spelled.of is not None:
                result = spelled.of(result)
            values = list(flat(result))
            if self.of_complex:
                values = [torch.view_as_real(v.resolve_conj()) if v.is_complex() else v for v in values]
            if any(v.is_complex() for v in values):
                raise NotExpressible("complex results")
            if len(values) < len(spelled.expressions):
                raise AssertionError(f"{len(values)} results, {len(spelled.expressions)} expressions")
            values = values[: len(spelled.expressions)]
            for k, v in enumerate(values):
                roles[f"y{k}"] = v.detach()
            self._differentiate(values, roles)
        for part, letter in (("values", "y"), ("gradients", "g"), ("second", "h")):
            if part in spelled.apart:
                roles = {role: t for role, t in roles.items() if role[0] != letter}
        return roles

    def _differentiate(self, values, roles):
        sources = [(i, t) for i, t in enumerate(self.tensors) if t.requires_grad]
        totals = [(v * weights(v, k)).sum() for k, v in enumerate(values) if v.requires_grad]
        if not sources or not totals:
            return
        leaves = [t for _, t in sources]
        try:
            gradients = derivatives(sum(totals), leaves)
        except (NotImplementedError, RuntimeError):  # PyTorch has none
            return
        for (i, _), g in zip(sources, gradients):
            roles[f"g{i}"] = g.detach()
        along = [(g * weights(g, 7 + i)).sum() for (i, _), g in zip(sources, gradients) if g.requires_grad]
        try:
            second = derivatives(sum(along), leaves) if along else [torch.zeros_like(t) for t in leaves]
        except (NotImplementedError, RuntimeError):
            return
        for (i, _), h in zip(sources, second):
            roles[f"h{i}"] = h.detach()


def derivatives(y, leaves):
    found = torch.autograd.grad(y, leaves, create_graph=True, allow_unused=True)
    return [torch.zeros_like(t) if g is None else g for g, t in zip(found, leaves)]


def flat(x):
    if isinstance(x, torch.Tensor):
        yield x
    elif isinstance(x, (list, tuple)):
        for one in x:
            yield from flat(one)
    elif isinstance(x, (bool, int, float)):
        yield torch.tensor(x, dtype=torch.float64 if isinstance(x, float) else None)


def samples_of(op, of_complex=False):
    """All samples of an operation, in double where it takes that; and those of complex numbers, if of_complex."""
    torch.manual_seed(0)
    dtypes = [torch.float64 if torch.float64 in op.dtypes else torch.int64, *([torch.complex128] if of_complex else [])]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for dtype in dtypes:
            if dtype in op.dtypes:
                differentiates = dtype is not torch.int64 and op.supports_autograd
                yield from op.sample_inputs("cpu", dtype, requires_grad=differentiates)


def full_name(op):
    return op.name + (f"|{op.variant_test_name}" if op.variant_test_name else "")


def operations():
    from torch.testing._internal.common_methods_invocations import op_db

    return sorted(op_db, key=full_name)
