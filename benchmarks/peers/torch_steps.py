#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""PyTorch's steps of the rows that benchmarks/compare.py measures.

  torch_steps.py eager|compile FOLDER ROW SECONDS THREADS

FOLDER is what the library's program has written with --write."""

import sys

import torch
from torch.nn import functional

import steps

mode, folder, row, seconds, threads = sys.argv[1:6]
torch.set_num_threads(int(threads))
network, batch = row.split("/")
given = {name: torch.from_numpy(values) for name, values in steps.read(folder, row, "inputs").items()}
P = {name: torch.from_numpy(values).requires_grad_()
     for name, values in steps.read(folder, row, "parameters").items()}


def linear(x, name):
    return functional.linear(x, P[name + ".weight"], P[name + ".bias"])


def classifier():
    x, y = given["x"].view(-1, 784), given["labels"].long()
    return lambda: functional.cross_entropy(linear(functional.relu(linear(x, "fc1")), "fc2"), y)


def mlp():
    x, y = given["x"].view(-1, 2), given["y"].view(-1, 1)
    return lambda: functional.mse_loss(linear(torch.tanh(linear(x, "a")), "b"), y)


def controller():
    x, y = given["x"].view(-1, 4), given["y"].view(-1, 2)
    return lambda: functional.mse_loss(linear(torch.tanh(linear(torch.tanh(linear(x, "a")), "b")), "c"), y)


def regression():
    x, y = given["x"].view(-1, 8), given["y"].view(-1, 1)
    return lambda: functional.mse_loss(linear(x, "a"), y)


def lookups():
    indices, y = given["indices"].long().view(-1, 4), given["y"].view(-1, 1)

    def loss():
        rows = functional.embedding(indices, P["table.weight"], sparse=True)
        return functional.mse_loss(linear(functional.relu(linear(rows.sum(1), "a")), "b"), y)
    return loss


def lstm():
    x, y = given["x"].view(20, -1, 8), given["y"].view(-1, 1)
    start = torch.zeros(1, y.shape[0], 32)
    weights = [P["l." + name] for name in ("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0")]

    def loss():
        _, h, _ = torch.lstm(x, (start, start), weights, True, 1, 0.0, True, False, False)
        return functional.mse_loss(linear(h[0], "o"), y)
    return loss


def conv_net():
    x, y = given["x"].view(-1, 1, 28, 28), given["labels"].long()

    def layer(h, name):
        h = functional.conv2d(h, P[name + ".weight"], P[name + ".bias"], padding=1)
        return functional.max_pool2d(functional.relu(h), 2)
    return lambda: functional.cross_entropy(linear(layer(layer(x, "c1"), "c2").flatten(1), "fc"), y)


def convolution():
    """Its tensors lie with channels last, which is PyTorch's fastest form."""
    last = torch.channels_last
    t = given["x"].view(32, 64, 32, 32).to(memory_format=last)
    for name in ("x", "c.weight"):
        P[name] = P[name].detach().to(memory_format=last).requires_grad_()
    return lambda: (functional.conv2d(P["x"], P["c.weight"], padding=1) * t).mean()


def transformer(heads, window):
    layers = 1 + max(int(name[5:name.index(".")]) for name in P if name.startswith("block"))
    text, labels = given["indices"].long().view(-1, window), given["labels"].long()
    samples, width = text.shape[0], P["position"].shape[1]

    def norm(h, name):
        return functional.layer_norm(h, (width,), P[name + ".weight"], P[name + ".bias"])

    def attention(h, name):
        qkv = functional.linear(h, P[name + ".in_proj_weight"], P[name + ".in_proj_bias"])
        q, k, v = qkv.view(samples, window, 3, heads, width // heads).permute(2, 0, 3, 1, 4)
        a = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        return linear(a.transpose(1, 2).reshape(samples, window, width), name + ".out_proj")

    def loss():
        h = functional.embedding(text, P["token.weight"]) + P["position"]
        for i in range(layers):
            h = h + attention(norm(h, f"block{i}.ln1"), f"block{i}.attn")
            wide = functional.gelu(linear(norm(h, f"block{i}.ln2"), f"block{i}.up"), approximate="tanh")
            h = h + linear(wide, f"block{i}.down")
        return functional.cross_entropy(linear(norm(h, "ln"), "head").flatten(0, 1), labels)
    return loss


def stepping(loss, optimizer):
    """A step of the optimizer, compiled or not."""
    update = optimizer.step
    if mode == "compile":
        loss, update = torch.compile(loss, dynamic=False), torch.compile(optimizer.step)

    def step():
        value = loss()
        value.backward()
        update()
        optimizer.zero_grad(set_to_none=True)
        return value.detach()
    return step


class LookupsAdam:
    """Of the table the rows that were looked up, of all else everything."""

    def __init__(self):
        others = [p for name, p in P.items() if name != "table.weight"]
        self.parts = [torch.optim.SparseAdam([P["table.weight"]], 1e-3), torch.optim.Adam(others, 1e-3, fused=True)]

    def step(self):
        for part in self.parts:
            part.step()

    def zero_grad(self, set_to_none):
        for part in self.parts:
            part.zero_grad(set_to_none)


def updating():
    """The update alone: the gradient is there."""
    P["p"].grad = given["x"]
    optimizer = torch.optim.AdamW([P["p"]], 1e-3, weight_decay=1e-2, fused=mode == "eager")
    update = torch.compile(optimizer.step) if mode == "compile" else optimizer.step
    return lambda: update()


ADAM, ADAMW, SGD = torch.optim.Adam, torch.optim.AdamW, torch.optim.SGD
ROWS = {
    "784-500-10": (classifier, ADAMW, 1e-3), "2-16-1": (mlp, SGD, 1e-2), "4-64-64-2": (controller, ADAM, 1e-3),
    "8-1": (regression, SGD, 1e-2), "lstm": (lstm, ADAM, 1e-3), "conv-net": (conv_net, ADAM, 1e-3),
    "conv-64-64": (convolution, SGD, 1e-3), "transformer-128": (lambda: transformer(4, 64), ADAMW, 1e-3),
    "transformer-384": (lambda: transformer(6, 256), ADAMW, 1e-3)}

if network == "adamw":
    step = updating()
elif network == "lookups-200k":
    if mode == "compile":
        sys.exit("torch.compile takes no sparse gradients")
    step = stepping(lookups(), LookupsAdam())
else:
    make, optimizer, rate = ROWS[network]
    loss = make()
    step = stepping(loss, optimizer(list(P.values()), rate, fused=mode == "eager"))
steps.measure(row, "torch " + mode, step, float(seconds))
