#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Writes reference files of other sizes, hyperparameters and orders, so that the tests are seen to take these from
the files.

  tests/reference/sets/another_set.py FOLDER

Everything is computed here, by the formulas in Python's own floating-point numbers: rules in rules.py, schedules in
schedules.py, networks in networks.py, norms and clipping below.
"""
import json
import math
import pathlib
import random
import sys

import networks
import rules
import schedules
import stored


class File:
    """Collects the cases of one file."""

    def __init__(self, kind):
        about = {'format': 1, 'kind': kind, 'made_with': 'another_set.py'}
        self.metadata, self.tensors = {'_about': json.dumps(about)}, {}

    def case(self, name, metadata, **tensors):
        self.metadata[name] = json.dumps(metadata)
        for role, tensor in tensors.items():
            self.tensors[f'{name}.{role}'] = tensor

    def write(self, path):
        stored.write(path, self.metadata, self.tensors)


def numbers(draw, count):
    return [draw.gauss(0, 1) for _ in range(count)]


def trajectories(folder, steps=9, shapes=((5, 7), (3,))):
    """More elements than the tests follow at a time, and another number of steps."""
    for file, cases in rules.CASES.items():
        draw, out = random.Random(file), File('optim')
        for name, (op, hyper) in cases.items():
            tensors = {}
            for parameter, shape in zip('ab', shapes):
                size = math.prod(shape)
                start, gradients = numbers(draw, size), [numbers(draw, size) for _ in range(steps)]
                for g in gradients:
                    g[-1] = 0.0  # one element never gets a gradient
                tracks = [rules.follow(op, hyper, start[i], [g[i] for g in gradients]) for i in range(size)]
                tensors['init_' + parameter] = ('F64', shape, start)
                tensors['grads_' + parameter] = ('F64', (steps, *shape), sum(gradients, []))
                tensors['params_' + parameter] = ('F64', (steps, *shape),
                                                  [track[t] for t in range(steps) for track in tracks])
            out.case(name, {'op': op, 'hyper': hyper}, **tensors)
        out.write(folder / f'{file}.safetensors')


def norm(values, order):
    if order == 'inf':
        return max(abs(x) for x in values)
    return math.fsum(abs(x)**order for x in values)**(1 / order)


def clipping(folder, a=(2, 3, 2), b=(4,)):
    draw, out = random.Random('clip'), File('optim')
    for order in (1, 2.0, 2.5, 4.0, 1.25, 'inf'):
        for limit in (0.75, 50.0):
            g, h = numbers(draw, math.prod(a)), numbers(draw, math.prod(b))
            factor = min(1, limit / (norm(g + h, order) + 1e-6))
            out.case(f'norm_{order}_{limit}'.replace('.', '_'),
                     {'op': 'clip_grad_norm', 'hyper': {'max_norm': limit, 'norm_type': order}},
                     grad_a=('F64', a, g), grad_b=('F64', b, h), total_norm=('F64', (), [norm(g + h, order)]),
                     clipped_a=('F64', a, [x * factor for x in g]), clipped_b=('F64', b, [x * factor for x in h]))
    g, h = numbers(draw, math.prod(a)), numbers(draw, math.prod(b))
    out.case('value', {'op': 'clip_grad_value', 'hyper': {'clip_value': 0.3}},
             grad_a=('F64', a, g), grad_b=('F64', b, h),
             clipped_a=('F64', a, [max(-0.3, min(0.3, x)) for x in g]),
             clipped_b=('F64', b, [max(-0.3, min(0.3, x)) for x in h]))
    out.write(folder / 'optim-clip.safetensors')


def rates(folder):
    out = File('optim')
    for name, (op, hyper, steps) in schedules.CASES.items():
        tensors = {role: ('F64', (steps,), values) for role, values in schedules.values(op, hyper, steps).items()}
        out.case(name, {'op': op, 'hyper': hyper}, **tensors)
    out.write(folder / 'optim-schedules.safetensors')


def norms(folder, rows=4, columns=6):
    """Norms of the columns, whose gradient is sign(x) (|x| / norm)^(order - 1)."""
    draw, out = random.Random('norms'), File('ops')
    for order in (1.0, 1.5, 2, 2.5, 3.0, 4.25, 'inf'):
        x, g = numbers(draw, rows * columns), numbers(draw, columns)
        lengths = [norm(x[j::columns], order) for j in range(columns)]
        slopes = []
        for i, element in enumerate(x):
            ratio = abs(element) / lengths[i % columns]
            slope = float(ratio == 1) if order == 'inf' else ratio**(order - 1)
            slopes.append(math.copysign(slope, element) * g[i % columns])
        out.case(f'norm_{order}'.replace('.', '_'),
                 {'op': 'norm', 'attrs': {'axes': [0], 'keepdim': True, 'ord': order}, 'inputs': 1, 'outputs': 1,
                  'grads': [0]},
                 in0=('F64', (rows, columns), x), out=('F64', (1, columns), lengths),
                 gout=('F64', (1, columns), g), grad_in0=('F64', (rows, columns), slopes))
    out.write(folder / 'ops-reductions.safetensors')


def training(folder):
    out = File('train')
    for name, case in networks.CASES.items():
        out.case(name, case, **networks.train(name, case))
    out.write(folder / 'train-mlp.safetensors')


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for write in (trajectories, clipping, rates, norms, training):
        write(folder)


if __name__ == '__main__':
    main()
