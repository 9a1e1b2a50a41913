# SPDX-License-Identifier: BSL-1.0
"""Update rules of one element, by PyTorch's formulas, and the cases of another set."""
import math


def sgd(h, p, gradients):
    buffer = 0.0
    for t, g in enumerate(gradients, 1):
        g += h['weight_decay'] * p
        if h['momentum']:
            buffer = g if t == 1 else h['momentum'] * buffer + (1 - h['dampening']) * g
            g = g + h['momentum'] * buffer if h['nesterov'] else buffer
        p -= h['lr'] * g
        yield p


def adam(h, p, gradients, decoupled=False):
    (b1, b2), m, v, largest = h['betas'], 0.0, 0.0, 0.0
    for t, g in enumerate(gradients, 1):
        if decoupled:
            p *= 1 - h['lr'] * h['weight_decay']
        else:
            g += h['weight_decay'] * p
        m, v = b1 * m + (1 - b1) * g, b2 * v + (1 - b2) * g * g
        largest = max(largest, v)
        root = math.sqrt(largest if h['amsgrad'] else v) / math.sqrt(1 - b2**t)
        p -= h['lr'] * m / (1 - b1**t) / (root + h['eps'])
        yield p


def adamw(h, p, gradients):
    return adam(h, p, gradients, decoupled=True)


def adamax(h, p, gradients):
    (b1, b2), m, u = h['betas'], 0.0, 0.0
    for t, g in enumerate(gradients, 1):
        g += h['weight_decay'] * p
        m, u = b1 * m + (1 - b1) * g, max(b2 * u, abs(g) + h['eps'])
        p -= h['lr'] / (1 - b1**t) * m / u
        yield p


def nadam(h, p, gradients):
    (b1, b2), m, v, product = h['betas'], 0.0, 0.0, 1.0
    for t, g in enumerate(gradients, 1):
        g += h['weight_decay'] * p
        m, v = b1 * m + (1 - b1) * g, b2 * v + (1 - b2) * g * g
        now, then = (b1 * (1 - 0.5 * 0.96**(s * h['momentum_decay'])) for s in (t, t + 1))
        product *= now
        mean = (1 - now) / (1 - product) * g + then / (1 - product * then) * m
        p -= h['lr'] * mean / (math.sqrt(v / (1 - b2**t)) + h['eps'])
        yield p


def radam(h, p, gradients):
    (b1, b2), m, v = h['betas'], 0.0, 0.0
    limit = 2 / (1 - b2) - 1
    for t, g in enumerate(gradients, 1):
        g += h['weight_decay'] * p
        m, v = b1 * m + (1 - b1) * g, b2 * v + (1 - b2) * g * g
        r, q = limit - 2 * t * b2**t / (1 - b2**t), 1.0
        if r > 5:
            q = math.sqrt((r - 4) * (r - 2) * limit / ((limit - 4) * (limit - 2) * r))
            q *= math.sqrt(1 - b2**t) / (math.sqrt(v) + h['eps'])
        p -= h['lr'] * m / (1 - b1**t) * q
        yield p


def rmsprop(h, p, gradients):
    v, m, buffer = 0.0, 0.0, 0.0
    for g in gradients:
        g += h['weight_decay'] * p
        v, m = h['alpha'] * v + (1 - h['alpha']) * g * g, h['alpha'] * m + (1 - h['alpha']) * g
        root = math.sqrt(v - m * m if h['centered'] else v) + h['eps']
        buffer = h['momentum'] * buffer + g / root
        p -= h['lr'] * buffer
        yield p


def adagrad(h, p, gradients):
    s = h['initial_accumulator_value']
    for t, g in enumerate(gradients, 1):
        g += h['weight_decay'] * p
        s += g * g
        p -= h['lr'] / (1 + (t - 1) * h['lr_decay']) * g / (math.sqrt(s) + h['eps'])
        yield p


def adadelta(h, p, gradients):
    v, moved, rho = 0.0, 0.0, h['rho']
    for g in gradients:
        g += h['weight_decay'] * p
        v = rho * v + (1 - rho) * g * g
        d = math.sqrt(moved + h['eps']) / math.sqrt(v + h['eps']) * g
        moved = rho * moved + (1 - rho) * d * d
        p -= h['lr'] * d
        yield p


def asgd(h, p, gradients):
    eta = h['lr']
    for t, g in enumerate(gradients, 1):
        g += h['weight_decay'] * p
        p = p * (1 - h['lambd'] * eta) - eta * g
        eta = h['lr'] / (1 + h['lambd'] * h['lr'] * t)**h['alpha']
        yield p


def rprop(h, p, gradients):
    size, previous = h['lr'], 0.0
    for g in gradients:
        sign = g * previous
        size *= h['etas'][1] if sign > 0 else h['etas'][0] if sign < 0 else 1
        size = max(h['step_sizes'][0], min(h['step_sizes'][1], size))
        if sign < 0:
            g = 0.0
        p -= size * ((g > 0) - (g < 0))
        previous = g
        yield p


def follow(op, hyper, start, gradients):
    """The element after each step."""
    return list(globals()[op](hyper, start, gradients))


def _sgd(momentum=0.0, dampening=0.0, nesterov=False, weight_decay=0.0):
    return 'sgd', {'lr': 0.07, 'momentum': momentum, 'dampening': dampening, 'nesterov': nesterov,
                   'weight_decay': weight_decay}


def _adam(op, **more):
    return op, {'lr': 0.03, 'betas': [0.7, 0.9], 'eps': 1e-5, 'weight_decay': 0.02, **more}


def _rmsprop(momentum, centered):
    return 'rmsprop', {'lr': 0.02, 'alpha': 0.8, 'eps': 1e-4, 'momentum': momentum, 'centered': centered,
                       'weight_decay': 0.03}


# the cases of each file: operation and hyperparameters
CASES = {
    'optim-sgd': {
        'plain': _sgd(), 'decayed': _sgd(weight_decay=0.2), 'momentum': _sgd(0.75, 0.25, weight_decay=0.04),
        'nesterov': _sgd(0.55, nesterov=True)},
    'optim-adam': {
        'adam': _adam('adam', amsgrad=False), 'adam_amsgrad': _adam('adam', amsgrad=True),
        'adamw': _adam('adamw', amsgrad=False), 'adamw_amsgrad': _adam('adamw', amsgrad=True),
        'adamax': _adam('adamax'), 'radam': _adam('radam'), 'nadam': _adam('nadam', momentum_decay=0.01)},
    'optim-adaptive': {
        'rmsprop': _rmsprop(0.0, False), 'rmsprop_momentum': _rmsprop(0.6, False),
        'rmsprop_centered': _rmsprop(0.0, True), 'rmsprop_both': _rmsprop(0.6, True),
        'adagrad': ('adagrad', {'lr': 0.2, 'lr_decay': 0.05, 'weight_decay': 0.02, 'initial_accumulator_value': 0.1,
                                'eps': 1e-7}),
        'adadelta': ('adadelta', {'lr': 0.8, 'rho': 0.85, 'eps': 1e-4, 'weight_decay': 0.05}),
        'asgd': ('asgd', {'lr': 0.04, 'lambd': 0.02, 'alpha': 0.6, 't0': 3.0, 'weight_decay': 0.05}),
        'rprop': ('rprop', {'lr': 0.02, 'etas': [0.3, 1.7], 'step_sizes': [0.005, 0.2]})}}
