# SPDX-License-Identifier: BSL-1.0
"""The models of this folder in PyTorch, and the programs beside them, in turns: for each model our program, then
PyTorch eager, compiled, and both as one CUDA graph of the whole step, then our program again.

Prints one line of JSON for each measurement as soon as it is there. What fails or takes too long prints a line
that says so, and the next one follows.
"""
import argparse
import json
import math
import os
import pathlib
import signal
import subprocess
import sys
import time

import torch
import torch.nn.functional as F
from torch import nn

BLOCKS, WARM_UP_STEPS = 9, 20


# ---- data, as timing.hpp makes them

def hashes(count, seed):
    mask = 0xFFFFFFFF
    x = ((seed << 26) + torch.arange(1, count + 1, dtype=torch.int64)) & mask
    x = ((x ^ (x >> 16)) * 0x85EBCA6B) & mask
    x = ((x ^ (x >> 13)) * 0xC2B2AE35) & mask
    return x ^ (x >> 16)


def numbers(shape, seed):
    return ((hashes(math.prod(shape), seed) >> 8).to(torch.float32) / 8388608 - 1).reshape(shape)


def integers(shape, limit, seed):
    return (hashes(math.prod(shape), seed) % limit).reshape(shape)


# ---- models, with the initial distributions of the library

def glorot(module):
    for m in module.modules():
        if isinstance(m, (nn.Linear, nn.Conv2d)):
            nn.init.xavier_uniform_(m.weight)
            if m.bias is not None:
                nn.init.zeros_(m.bias)
    return module


def classifier():
    return nn.Sequential(nn.Linear(784, 500), nn.ReLU(), nn.Linear(500, 10))


def controller():
    return nn.Sequential(nn.Linear(4, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 2))


def convolutions():
    layers, channels = [], 3
    for out in (32, 64, 128):
        layers += [nn.Conv2d(channels, out, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2)]
        channels = out
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(128, 10))


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.ln1, self.ln2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, h):
        batch, length, width = h.shape
        q, k, v = (x.reshape(batch, length, self.heads, -1).transpose(1, 2)
                   for x in self.qkv(self.ln1(h)).chunk(3, dim=-1))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        a = h + self.out(y.transpose(1, 2).reshape(batch, length, width))
        return a + self.down(F.gelu(self.up(self.ln2(a))))


class Transformer(nn.Module):
    def __init__(self, context, width, heads, layers, letters=256):
        super().__init__()
        self.token = nn.Embedding(letters, width)
        self.position = nn.Parameter(0.02 * torch.randn(context, width))
        self.blocks = nn.Sequential(*(Block(width, heads) for _ in range(layers)))
        self.ln, self.head = nn.LayerNorm(width), nn.Linear(width, letters)

    def forward(self, text):
        return self.head(self.ln(self.blocks(self.token(text) + self.position)))


def classes_loss(logits, labels):
    return F.cross_entropy(logits.float().flatten(0, -2), labels.flatten())


class Case:
    """One model at one size: what it is built of, and what a step is given."""

    def __init__(self, name, size, build, loss, batch, bf16=False, clip=None, weight_decay=1e-2):
        self.name, self.size, self.build, self.loss, self.batch = name, size, build, loss, batch
        self.bf16, self.clip, self.weight_decay = bf16, clip, weight_decay
        self.precision = 'bf16' if bf16 else 'f32'


def mlp(size):
    return Case('mlp', size, classifier, classes_loss,
                lambda i: (numbers((size, 784), 2 * i), integers((size,), 10, 2 * i + 1)))


def small_mlp(size):
    return Case('small_mlp', size, controller, F.mse_loss,
                lambda i: (numbers((size, 4), 2 * i), numbers((size, 2), 2 * i + 1)))


def cnn(size):
    return Case('cnn', size, convolutions, classes_loss,
                lambda i: (numbers((size, 3, 32, 32), 2 * i), integers((size,), 10, 2 * i + 1)))


def gpt(name, size, context, width, heads, layers, **more):
    return Case(name, size, lambda: Transformer(context, width, heads, layers), classes_loss,
                lambda i: (integers((size, context), 256, 2 * i), integers((size, context), 256, 2 * i + 1)),
                clip=1.0, weight_decay=0.0, **more)


def transformer(size):
    return gpt('transformer', size, 64, 128, 4, 4)


def transformer_768(size):
    return gpt('transformer_768', size, 1024, 768, 12, 12, bf16=True)


# ---- steps

class Training:
    """A model's training step, one operation after the other or compiled; and the same as one CUDA graph."""

    def __init__(self, case, device, compiled):
        torch.manual_seed(0)
        self.case, self.device, self.graph = case, torch.device(device), None
        self.model = glorot(case.build()).to(self.device)
        self.forward = torch.compile(self.model, dynamic=False) if compiled else self.model
        on_gpu = self.device.type == 'cuda'
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=1e-3, weight_decay=case.weight_decay,
                                           fused=True, **({'capturable': True} if on_gpu else {}))
        batches = [case.batch(i) for i in range(4)]
        self.kept = {'host': [tuple(t.pin_memory() if on_gpu else t for t in b) for b in batches],
                     'device': [tuple(t.to(self.device) for t in b) for b in batches]}
        self.take_data_from('host')

    def take_data_from(self, place):
        self.batches = self.kept[place]

    def work(self, x, y):
        # a cache of casts would outlive the step within a graph
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.case.bf16, cache_enabled=False):
            out = self.forward(x)
        loss = self.case.loss(out, y)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        if self.case.clip is not None:
            nn.utils.clip_grad_norm_(self.model.parameters(), self.case.clip, foreach=True)
        self.optimizer.step()
        return loss.detach()

    def capture(self):
        self.slot = tuple(t.clone() for t in self.kept['device'][0])

        def work():
            self.loss = self.work(*self.slot)

        self.graph = captured(work)

    def step(self, i):
        batch = self.batches[i % len(self.batches)]
        if self.graph is not None:
            for to, given in zip(self.slot, batch):
                to.copy_(given, non_blocking=True)
            self.graph.replay()
        else:
            self.loss = self.work(*(t.to(self.device, non_blocking=True) for t in batch))

    def finish(self):
        return self.loss.item()


class Arrays:
    """Work on arrays that are on the device already; a step moves so many bytes for each element at the least."""

    def __init__(self, count, device, compiled):
        self.device, self.graph = torch.device(device), None
        self.work = self.prepared(count, device, compiled)

    def capture(self):
        self.graph = captured(self.work)

    def step(self, i):
        self.graph.replay() if self.graph is not None else self.work()

    def finish(self):
        if self.device.type == 'cuda':
            torch.cuda.synchronize()
        return 0.0


class Copy(Arrays):
    bytes_each = 2 * 4

    def prepared(self, count, device, compiled):
        a, b = torch.randn(count, device=device), torch.empty(count, device=device)
        return lambda: b.copy_(a)


class Update(Arrays):
    """AdamW's update alone: four arrays are read and three written."""
    bytes_each = 7 * 4

    def prepared(self, count, device, compiled):
        p = nn.Parameter(0.02 * torch.randn(count, device=device))
        p.grad = p.detach().clone()
        optimizer = torch.optim.AdamW([p], lr=1e-3, weight_decay=1e-2, fused=not compiled,
                                      capturable=torch.device(device).type == 'cuda')
        return torch.compile(optimizer.step) if compiled else optimizer.step


class Pointwise(Arrays):
    bytes_each = 3 * 4

    def prepared(self, count, device, compiled):
        def f(a, b):
            return torch.tanh(a) * torch.sigmoid(b) + torch.square(a - b) * 0.5 - torch.relu(b)

        a, b = torch.randn(count, device=device), torch.randn(count, device=device)
        g = torch.compile(f, dynamic=False) if compiled else f
        return lambda: g(a, b)


def captured(work):
    """work() as a CUDA graph, after a few calls on the side, as PyTorch's manual asks for."""
    aside = torch.cuda.Stream()
    aside.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(aside):
        for _ in range(3):
            work()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        work()
    return graph


# ---- measuring, as timing.hpp does

def measure(training, seconds):
    number = 0

    def seconds_of(steps):
        nonlocal number
        start = time.perf_counter()
        for _ in range(steps):
            training.step(number)
            number += 1
        training.finish()
        return time.perf_counter() - start

    seconds_of(WARM_UP_STEPS if seconds > 0 else 1)
    shown, steps = training.finish(), 1
    while (once := min(seconds_of(steps), seconds_of(steps))) < seconds / (2 * BLOCKS):
        steps *= 8 if once < seconds / (20 * BLOCKS) else 2
    times = sorted(seconds_of(steps) / steps for _ in range(BLOCKS if seconds > 0 else 1))
    return {'seconds': times[len(times) // 2], 'fastest': times[0], 'slowest': times[-1], 'blocks': len(times),
            'steps_per_block': steps, 'after_warm_up': shown}


def show(line):
    print(json.dumps(line), flush=True)


class TooLong(Exception):
    pass


def too_long(signum, frame):
    raise TooLong('took too long')


def guarded(line, limit, work):
    """Prints line with what work() returns, or with what went wrong."""
    signal.signal(signal.SIGALRM, too_long)
    signal.alarm(limit)
    try:
        line |= work()
    except Exception as e:  # the next measurement shall run
        line['error'] = f'{type(e).__name__}: {e}'.split('\n')[0][:300]
    finally:
        signal.alarm(0)
    show(line)
    if torch.cuda.is_available() and not is_broken():
        torch.cuda.empty_cache()


def our_program(arguments, name, size, turn):
    if arguments.programs is None:
        return
    try:
        done = subprocess.run([os.path.abspath(f'{arguments.programs}/{name}'), str(size), str(arguments.seconds)],
                              capture_output=True, text=True, timeout=arguments.limit)
        lines = [json.loads(text) for text in done.stdout.splitlines()]
        if done.returncode != 0:
            said = done.stderr.strip().split('\n')[-1][:300]
            lines.append({'error': f'exit status {done.returncode}: {said}'})
    except Exception as e:
        lines = [{'error': f'{type(e).__name__}: {e}'.split('\n')[0][:300]}]
    for line in lines:
        show({'benchmark': name, 'size': size, 'variant': 'tapeless'} | line | {'turn': turn})


def measure_variants(arguments, line, build, places):
    """Eager and compiled, each as it is and, on a GPU, as one CUDA graph; with data in each of the places."""
    for compiled in (False, True) if arguments.compile else (False,):
        built = []

        def measured(graphed, place):
            if not built:
                built.append(build(compiled))
            training = built[0]
            if graphed and training.graph is None:
                training.capture()
            if hasattr(training, 'take_data_from'):
                training.take_data_from(place)
            return measure(training, arguments.seconds)

        for graphed in (False, True) if arguments.device == 'cuda' else (False,):
            variant = ('compile_graph' if compiled else 'graph') if graphed else 'compile' if compiled else 'eager'
            for place in places:
                guarded(line | {'variant': variant, 'data': place, 'device': arguments.device}, arguments.limit,
                        lambda: measured(graphed, place))
        torch.compiler.reset()


def compare(arguments, case):
    our_program(arguments, case.name, case.size, 1)
    measure_variants(arguments, {'benchmark': case.name, 'size': case.size, 'precision': case.precision},
                     lambda compiled: Training(case, arguments.device, compiled), ['host', 'device'])
    our_program(arguments, case.name, case.size, 2)


def compare_arrays(arguments, name, kind, count):
    our_program(arguments, name, count, 1)
    line = {'benchmark': name, 'size': count, 'precision': 'f32', 'bytes': kind.bytes_each * count}
    measure_variants(arguments, line, lambda compiled: kind(count, arguments.device, compiled), ['device'])
    our_program(arguments, name, count, 2)


def measure_copy(arguments, count):
    line = {'benchmark': 'copy', 'size': count, 'precision': 'f32', 'variant': 'eager', 'data': 'device',
            'device': arguments.device, 'bytes': Copy.bytes_each * count}
    guarded(line, arguments.limit, lambda: measure(Copy(count, arguments.device, False), arguments.seconds))


def versions():
    line = {'torch': torch.__version__, 'cuda': torch.version.cuda, 'python': sys.version.split()[0]}
    try:
        import triton
        line['triton'] = triton.__version__
    except ImportError:
        line['triton'] = None
    if torch.cuda.is_available():
        line |= {'gpu': torch.cuda.get_device_name(), 'cudnn': torch.backends.cudnn.version()}
    return line


def is_broken():
    try:
        if torch.cuda.is_available():
            torch.cuda.synchronize()
        return False
    except Exception:
        return True


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--device', default='cuda')
    parser.add_argument('--programs', type=pathlib.Path, help='folder of our programs; none: PyTorch alone')
    parser.add_argument('--seconds', type=float, default=0.4, help='for each measurement; 0: one step')
    parser.add_argument('--limit', type=int, default=45, help='seconds that a measurement may take in all')
    parser.add_argument('--tiny', action='store_true', help='sizes for a trial on a CPU')
    parser.add_argument('--no-compile', dest='compile', action='store_false', help='without torch.compile')
    parser.add_argument('--after', default='', help='a command that is run after each benchmark')
    parser.add_argument('--only', default='', help='benchmarks by name, with commas')
    arguments = parser.parse_args()
    torch.backends.cudnn.allow_tf32 = False  # as in matrix products by default, and in our programs
    torch.backends.cudnn.benchmark = True

    show({'versions': versions()})
    count = 1000 if arguments.tiny else 100_000_000
    work = {
        'small_mlp': lambda: compare(arguments, small_mlp(32)),
        'mlp': lambda: [compare(arguments, mlp(n)) for n in ([32] if arguments.tiny else [32, 500, 8192])],
        'copy': lambda: measure_copy(arguments, count if arguments.tiny else 250_000_000),
        'update': lambda: compare_arrays(arguments, 'update', Update, count),
        'pointwise': lambda: compare_arrays(arguments, 'pointwise', Pointwise, count),
        'transformer': lambda: compare(arguments, transformer(2 if arguments.tiny else 16)),
        'cnn': lambda: compare(arguments, cnn(4 if arguments.tiny else 256)),
        'transformer_768': lambda: compare(arguments, transformer_768(1 if arguments.tiny else 8)),
    }
    names = [name for name in work if not arguments.only or name in arguments.only.split(',')]
    for i, name in enumerate(names):
        work[name]()
        if arguments.after:
            subprocess.run(arguments.after.split(), check=False)
        if names[i + 1:] and is_broken():  # only a new process gets over some errors
            os.execv(sys.executable, [sys.executable, '-u', *sys.argv, '--only', ','.join(names[i + 1:])])


if __name__ == '__main__':
    main()
