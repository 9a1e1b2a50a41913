# SPDX-License-Identifier: BSL-1.0
"""Small networks that are trained number by number, with random images, and what is stored of them."""
import math
import random

import stored


class Number:
    """A number and what it was computed from, each with its derivative."""
    tape = []

    def __init__(self, value, parents=()):
        self.value, self.parents, self.slope = value, parents, 0.0
        Number.tape.append(self)

    @staticmethod
    def dot(xs, ws, start):
        value = math.fsum(x.value * w.value for x, w in zip(xs, ws)) + start.value
        pairs = [(x, w.value) for x, w in zip(xs, ws)] + [(w, x.value) for x, w in zip(xs, ws)]
        return Number(value, pairs + [(start, 1.0)])

    def relu(self):
        assert abs(self.value) > 1e-6, 'rounding could flip a branch'
        return Number(self.value, [(self, 1.0)]) if self.value > 0 else Number(0.0)

    @staticmethod
    def max(xs):
        first, second = sorted((x.value for x in xs), reverse=True)[:2]
        assert first - second > 1e-6 or first == 0, 'rounding could flip a branch'
        best = max(xs, key=lambda x: x.value)
        return Number(best.value, [(best, 1.0)])

    @staticmethod
    def cross_entropy(rows, classes):
        value, parents = 0.0, []
        for row, label in zip(rows, classes):
            total = math.fsum(math.exp(x.value) for x in row)
            value += (math.log(total) - row[label].value) / len(rows)
            parents += [(x, (math.exp(x.value) / total - (j == label)) / len(rows)) for j, x in enumerate(row)]
        return Number(value, parents)

    def backward(self):
        self.slope = 1.0
        for node in reversed(Number.tape):
            for parent, factor in node.parents:
                parent.slope += factor * node.slope


def parameter_shapes(layer):
    if layer['type'] == 'linear':
        return [(layer['out'], layer['in']), (layer['out'],)]
    if layer['type'] == 'conv2d':
        return [(layer['out'], layer['in'], layer['kernel'], layer['kernel']), (layer['out'],)]
    return []


def window(image, top, left, size):
    """What a window sees of one channel; None outside of it."""
    return [image[i][j] if 0 <= i < len(image) and 0 <= j < len(image[0]) else None
            for i in range(top, top + size) for j in range(left, left + size)]


def slide(size, layer):
    padding = layer.get('padding', 0)
    return range(-padding, size + padding - layer['kernel'] + 1, layer['stride'])


def conv2d(channels, layer, weight, bias):
    patch, k, out = layer['in'] * layer['kernel']**2, layer['kernel'], []
    for o in range(layer['out']):
        rows = []
        for i in slide(len(channels[0]), layer):
            row = []
            for j in slide(len(channels[0][0]), layer):
                seen = [x for channel in channels for x in window(channel, i, j, k)]
                pairs = [(x, w) for x, w in zip(seen, weight[o * patch:(o + 1) * patch]) if x is not None]
                row.append(Number.dot([x for x, _ in pairs], [w for _, w in pairs], bias[o]))
            rows.append(row)
        out.append(rows)
    return out


def forward(layers, x, parameters):
    """The logits of one image, which is a list of channels of rows."""
    number = 0
    for layer in layers:
        weight, bias = parameters[number:number + 2] if parameter_shapes(layer) else (None, None)
        number += len(parameter_shapes(layer))
        if layer['type'] == 'flatten':
            x = [pixel for channel in x for row in channel for pixel in row]
        elif layer['type'] == 'linear':
            width = layer['in']
            x = [Number.dot(x, weight[o * width:(o + 1) * width], bias[o]) for o in range(layer['out'])]
        elif layer['type'] == 'conv2d':
            x = conv2d(x, layer, weight, bias)
        elif layer['type'] == 'relu' and isinstance(x[0], Number):
            x = [y.relu() for y in x]
        elif layer['type'] == 'relu':
            x = [[[y.relu() for y in row] for row in channel] for channel in x]
        elif layer['type'] == 'max_pool2d':
            x = [[[Number.max(window(channel, i, j, layer['kernel'])) for j in slide(len(channel[0]), layer)]
                  for i in slide(len(channel), layer)] for channel in x]
    return x


def update(h, t, p, slope, m, v):
    """Adam's step of one element: it and its two averages."""
    (b1, b2), g = h['betas'], slope + h['weight_decay'] * p
    m, v = b1 * m + (1 - b1) * g, b2 * v + (1 - b2) * g * g
    return p - h['lr'] * m / (1 - b1**t) / (math.sqrt(v / (1 - b2**t)) + h['eps']), m, v


def train(name, case):
    """What is stored of a training run, by role."""
    draw, side, batch, steps = random.Random(name), case['side'], case['batch'], case['steps']
    shapes = [shape for layer in case['layers'] for shape in parameter_shapes(layer)]
    values, tensors, losses = [], {}, []
    for k, shape in enumerate(shapes):
        bound = 1 / math.sqrt(math.prod(shapes[k - k % 2][1:]))
        values.append([stored.as_float(draw.uniform(-bound, bound)) for _ in range(math.prod(shape))])
        tensors[f'param{k}'] = ('F32', shape, list(values[-1]))
    means, squares = ([[0.0] * len(v) for v in values] for _ in range(2))
    pixels = [draw.randrange(256) for _ in range(steps * batch * side * side)]
    classes = [draw.randrange(case['layers'][-1]['out']) for _ in range(steps * batch)]
    for step in range(steps):
        Number.tape.clear()
        parameters = [[Number(x) for x in v] for v in values]
        rows = []
        for image in range(step * batch, (step + 1) * batch):
            x = iter([Number(stored.as_float(u / 255)) for u in pixels[image * side**2:(image + 1) * side**2]])
            rows.append(forward(case['layers'], [[[next(x) for _ in range(side)] for _ in range(side)]], parameters))
        loss = Number.cross_entropy(rows, classes[step * batch:(step + 1) * batch])
        loss.backward()
        losses.append(loss.value)
        for k, nodes in enumerate(parameters):
            for i, node in enumerate(nodes):
                values[k][i], means[k][i], squares[k][i] = update(case['hyper'], step + 1, values[k][i], node.slope,
                                                                  means[k][i], squares[k][i])
            tensors[f'after{step + 1}_param{k}'] = ('F32', shapes[k], list(values[k]))
            if name == 'cnn':
                tensors[f'step{step + 1}_grad{k}'] = ('F32', shapes[k], [node.slope for node in nodes])
    return {**tensors, 'x': ('U8', (steps, batch, 1, side, side), pixels),
            'target': ('I64', (steps, batch), classes), 'losses': ('F32', (steps,), losses),
            'losses_f64': ('F64', (steps,), losses)}


def _case(side, batch, steps, layers, **hyper):
    return {'op': 'train', 'input': 'x/255', 'loss': 'cross_entropy_mean', 'optimizer': 'adam', 'side': side,
            'batch': batch, 'steps': steps, 'layers': layers, 'hyper': hyper}


def _linear(before, after):
    return {'type': 'linear', 'in': before, 'out': after}


CASES = {
    'mlp': _case(9, 6, 4, [{'type': 'flatten'}, _linear(81, 14), {'type': 'relu'}, _linear(14, 11), {'type': 'relu'},
                           _linear(11, 7)],
                 lr=0.004, betas=[0.8, 0.95], eps=1e-6, weight_decay=0.01),
    'cnn': _case(11, 5, 3, [{'type': 'conv2d', 'in': 1, 'out': 3, 'kernel': 3, 'padding': 1, 'stride': 1},
                            {'type': 'relu'}, {'type': 'max_pool2d', 'kernel': 3, 'stride': 2},
                            {'type': 'conv2d', 'in': 3, 'out': 5, 'kernel': 2, 'padding': 0, 'stride': 1},
                            {'type': 'relu'}, {'type': 'max_pool2d', 'kernel': 2, 'stride': 2}, {'type': 'flatten'},
                            _linear(20, 9), {'type': 'relu'}, _linear(9, 6)],
                 lr=0.003, betas=[0.85, 0.99], eps=1e-7, weight_decay=0.0)}
