# SPDX-License-Identifier: BSL-1.0
"""Extents, shapes and values of a random program, and the numbers that both sides give to its inputs."""

import dataclasses
import math


class NotDefined(Exception):
    """An operation has no operands that fit among the values there are."""


@dataclasses.dataclass(frozen=True)
class RunTime:
    """An extent that is known at run time only: times * batch + plus."""
    times: int
    plus: int

    def __add__(self, other):
        if isinstance(other, RunTime):
            return RunTime(self.times + other.times, self.plus + other.plus)
        return RunTime(self.times, self.plus + other)

    __radd__ = __add__

    def __sub__(self, other):
        return self + -other

    def __mul__(self, factor):
        return RunTime(self.times * factor, self.plus * factor)


BATCH = RunTime(1, 0)


def is_static(extent):
    return isinstance(extent, int)


def all_static(shape):
    return all(is_static(extent) for extent in shape)


def size_of(shape, batch):
    return [e if is_static(e) else e.times * batch + e.plus for e in shape]


def smallest(extent):
    """What the extent is at least: no batch is empty."""
    return size_of([extent], 1)[0]


def written(extent):
    """The extent as a template argument; what is neither a number nor the batch follows from the rest."""
    return str(extent) if is_static(extent) else "batch" if extent == BATCH else "-1"


def broadcast(a, b):
    """The shape of both together; None where they do not fit."""
    rank = max(len(a), len(b))
    a, b = (1,) * (rank - len(a)) + a, (1,) * (rank - len(b)) + b
    if any(x != y and 1 not in (x, y) for x, y in zip(a, b)):
        return None
    return tuple(y if x == 1 else x for x, y in zip(a, b))


@dataclasses.dataclass(frozen=True)
class Value:
    """What has a name in both programs. Indices, of which only inputs are, are less than `below`. A parameter starts
    between `low` and `high`; one of a layer has a name of two parts, which a dot joins in `label`."""
    name: str
    shape: tuple
    below: int = 0
    low: float = -0.75
    high: float = 0.75
    is_state: bool = False  # which no rule changes

    def __str__(self):
        return self.name

    @property
    def label(self):
        return self.name.replace("_", ".", 1)

    @property
    def rank(self):
        return len(self.shape)


class Numbers:
    """The sequence of test::numbers in tests/program.hpp, begun as in random_program.hpp: by name and call."""

    def __init__(self, label, call):
        self.state = 2166136261
        for character in label.encode():
            self.state = (self.state ^ character) * 16777619 % 2**32
        self.state = (self.state + 7919 * call) % 2**32

    def draw(self, low, high):
        self.state = (self.state * 1664525 + 1013904223) % 2**32
        return low + (high - low) * ((self.state >> 8) + 0.5) / 16777216.0

    def floats(self, shape, low, high):
        return [self.draw(low, high) for _ in range(math.prod(shape))]

    def indices(self, shape, below):
        return [int(self.draw(0, below)) for _ in range(math.prod(shape))]
