# SPDX-License-Identifier: BSL-1.0
"""The values of inputs: the same for both libraries."""
import torch
import torch.nn.functional as F  # noqa: F401, for the expressions of cases


def values(kind, shape, seed):
    name, *numbers = kind.split(":")
    draw = torch.Generator().manual_seed(seed)
    normal = torch.randn(shape, generator=draw)
    uniform = torch.rand(shape, generator=draw)
    if name == "definite":
        return normal @ normal.mT / shape[-1] + torch.eye(shape[-1])
    if name == "permutation":
        return torch.randperm(shape[0], generator=draw)
    if name == "equal":
        return torch.full(shape, int(numbers[0]))
    if name == "below":
        return torch.randint(0, int(numbers[0]), shape, generator=draw)
    if name == "between":
        return torch.randint(int(numbers[0]), int(numbers[1]), shape, generator=draw)
    return {"normal": normal, "small": 0.1 * normal, "sorted": normal.sort().values, "positive": uniform + 0.5,
            "unit": 0.9 * uniform + 0.05, "signed": 2 * uniform - 1}[name]


def inputs_of(case):
    return {name: values(i.kind, i.shape, seed + 1) for seed, (name, i) in enumerate(case.inputs.items())}


def cotangent(shape):
    return values("normal", tuple(shape), 99) if shape else torch.ones(())


def rotary(x):
    """Rotary positions of halves, which torch has no function for."""
    length, width = x.shape[-2:]
    angle = torch.arange(length).float()[:, None] * 10000.0 ** (-torch.arange(0, width, 2).float() / width)
    a, b = x[..., :width // 2], x[..., width // 2:]
    return torch.cat([a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()], -1)


def function_of(case):
    return eval(f"lambda {', '.join(case.inputs)}: {case.torch}", globals())
