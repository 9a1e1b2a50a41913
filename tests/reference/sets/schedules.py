# SPDX-License-Identifier: BSL-1.0
"""Learning rates of each step, by PyTorch's formulas, and the cases of another set."""
import math


def cosine(a, b, x):
    """From a to b."""
    return b + (a - b) * (1 + math.cos(math.pi * x)) / 2


def restarts(h, t):
    period = h['T_0']
    while t >= period:
        t, period = t - period, period * h['T_mult']
    return cosine(h['lr'], h['eta_min'], t / period)


def warmup_cosine(h, t):
    if t < h['warmup']:
        return h['lr'] * (t + 1) / h['warmup']
    return h['lr'] * cosine(1, h['min_factor'], (t - h['warmup']) / (h['total'] - h['warmup']))


def one_cycle(h, t):
    """The rate, and the momentum."""
    first, peak = h['max_lr'] / h['div_factor'], h['max_lr']
    last, low, high = first / h['final_div_factor'], h['base_momentum'], h['max_momentum']
    rising, end = h['pct_start'] * h['total_steps'] - 1, h['total_steps'] - 1
    phases = [(rising, first, peak, high, low)]
    if h['three_phase']:
        phases += [(2 * h['pct_start'] * h['total_steps'] - 2, peak, first, low, high), (end, first, last, high, high)]
    else:
        phases += [(end, peak, last, low, high)]
    begin = 0
    for stop, *ends in phases:
        if t <= stop or stop == end:
            x = (t - begin) / (stop - begin)
            shape = cosine if h['anneal_strategy'] == 'cos' else lambda a, b, x: a + (b - a) * x
            return shape(ends[0], ends[1], x), shape(ends[2], ends[3], x)
        begin = stop


RATES = {
    'step': lambda h, t: h['lr'] * h['gamma']**(t // h['step_size']),
    'multistep': lambda h, t: h['lr'] * h['gamma']**sum(m <= t for m in h['milestones']),
    'exponential': lambda h, t: h['lr'] * h['gamma']**t,
    'cosine': lambda h, t: cosine(h['lr'], h['eta_min'], t / h['T_max']),
    'cosine_restarts': restarts,
    'polynomial': lambda h, t: h['lr'] * (1 - min(t, h['total_iters']) / h['total_iters'])**h['power'],
    'linear': lambda h, t: h['lr'] * (h['start_factor'] + (h['end_factor'] - h['start_factor']) *
                                      min(t, h['total_iters']) / h['total_iters']),
    'warmup_cosine': warmup_cosine}


def values(op, hyper, steps):
    """What is stored of a case, by role."""
    if op == 'one_cycle':
        both = [one_cycle(hyper, t) for t in range(steps)]
        return {'lr': [rate for rate, _ in both], 'momentum': [momentum for _, momentum in both]}
    return {'lr': [RATES[op](hyper, t) for t in range(steps)]}


def _one_cycle(strategy, three_phase):
    return 'one_cycle', {'max_lr': 0.3, 'total_steps': 45, 'pct_start': 0.35, 'div_factor': 10.0,
                         'final_div_factor': 500.0, 'three_phase': three_phase, 'anneal_strategy': strategy,
                         'base_momentum': 0.8, 'max_momentum': 0.9, 'cycle_momentum': True}, 45


# operation, hyperparameters, number of steps
CASES = {
    'step': ('step', {'lr': 0.2, 'gamma': 0.7, 'step_size': 7}, 40),
    'multistep': ('multistep', {'lr': 0.3, 'gamma': 0.4, 'milestones': [3, 4, 21, 30]}, 33),
    'exponential': ('exponential', {'lr': 0.05, 'gamma': 0.9}, 25),
    'cosine': ('cosine', {'lr': 0.5, 'eta_min': 0.02, 'T_max': 17}, 60),
    'restarts': ('cosine_restarts', {'lr': 0.4, 'eta_min': 0.01, 'T_0': 4, 'T_mult': 3}, 60),
    'polynomial': ('polynomial', {'lr': 0.2, 'power': 1.5, 'total_iters': 30}, 40),
    'linear': ('linear', {'lr': 0.2, 'start_factor': 0.25, 'end_factor': 0.75, 'total_iters': 12}, 20),
    'warmup_cosine': ('warmup_cosine', {'lr': 0.02, 'warmup': 6, 'total': 50, 'min_factor': 0.2}, 50),
    'one_cycle': _one_cycle('cos', False), 'one_cycle_linear': _one_cycle('linear', True)}
