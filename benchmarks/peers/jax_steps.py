#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""JAX's steps, compiled by jax.jit with Optax's rules, of the rows that benchmarks/compare.py measures.

  jax_steps.py FOLDER ROW SECONDS THREADS

FOLDER is what the library's program has written with --write. XLA takes its number of threads from how many cores
the process may use."""

import functools
import sys

import jax
import jax.numpy as jnp
import optax
from jax import lax

import steps

folder, row, seconds, threads = sys.argv[1:5]
network, batch = row.split("/")
given = {name: jnp.asarray(values) for name, values in steps.read(folder, row, "inputs").items()}
start = {name: jnp.asarray(values) for name, values in steps.read(folder, row, "parameters").items()}


def linear(p, x, name):
    return x @ p[name + ".weight"].T + p[name + ".bias"]


def cross_entropy(logits, labels):
    return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), labels[:, None], 1))


def classifier(p, x, labels):
    return cross_entropy(linear(p, jax.nn.relu(linear(p, x.reshape(-1, 784), "fc1")), "fc2"), labels)


def mlp(p, x, y):
    h = jnp.tanh(linear(p, x.reshape(-1, 2), "a"))
    return jnp.mean((linear(p, h, "b") - y.reshape(-1, 1)) ** 2)


def controller(p, x, y):
    h = jnp.tanh(linear(p, jnp.tanh(linear(p, x.reshape(-1, 4), "a")), "b"))
    return jnp.mean((linear(p, h, "c") - y.reshape(-1, 2)) ** 2)


def regression(p, x, y):
    return jnp.mean((linear(p, x.reshape(-1, 8), "a") - y.reshape(-1, 1)) ** 2)


def lookups(p, indices, y):
    """Optax changes all rows: its Adam has no lazy form."""
    rows = p["table.weight"][indices.reshape(-1, 4)]
    return jnp.mean((linear(p, jax.nn.relu(linear(p, rows.sum(1), "a")), "b") - y.reshape(-1, 1)) ** 2)


def lstm(p, x, y):
    y = y.reshape(-1, 1)
    inputs = x.reshape(20, -1, 8) @ p["l.weight_ih_l0"].T + (p["l.bias_ih_l0"] + p["l.bias_hh_l0"])

    def cell(state, z):
        h, c = state
        i, f, g, o = jnp.split(z + h @ p["l.weight_hh_l0"].T, 4, -1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        return (jax.nn.sigmoid(o) * jnp.tanh(c), c), None
    zeros = jnp.zeros((y.shape[0], 32))
    (h, _), _ = lax.scan(cell, (zeros, zeros), inputs)
    return jnp.mean((linear(p, h, "o") - y) ** 2)


def convolve(x, weight):
    return lax.conv_general_dilated(x, weight, (1, 1), "SAME", dimension_numbers=("NHWC", "OIHW", "NHWC"))


def conv_net(p, x, labels):
    """With channels last, which XLA prefers on processors."""
    def layer(h, name):
        h = jax.nn.relu(convolve(h, p[name + ".weight"]) + p[name + ".bias"])
        return lax.reduce_window(h, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    h = layer(layer(x.reshape(-1, 28, 28, 1), "c1"), "c2").transpose(0, 3, 1, 2)
    return cross_entropy(linear(p, h.reshape(h.shape[0], -1), "fc"), labels)


def convolution(p, t):
    """x and t are stored with channels last."""
    return jnp.mean(convolve(p["x"], p["c.weight"]) * t)


def transformer(heads, window, p, text, labels):
    layers = 1 + max(int(name[5:name.index(".")]) for name in p if name.startswith("block"))
    text = text.reshape(-1, window)
    samples, width = text.shape[0], p["position"].shape[1]
    mask = jnp.tril(jnp.ones((window, window), bool))

    def norm(h, name):
        mean, var = h.mean(-1, keepdims=True), h.var(-1, keepdims=True)
        return (h - mean) * lax.rsqrt(var + 1e-5) * p[name + ".weight"] + p[name + ".bias"]

    def attention(h, name):
        qkv = h @ p[name + ".in_proj_weight"].T + p[name + ".in_proj_bias"]
        q, k, v = qkv.reshape(samples, window, 3, heads, width // heads).transpose(2, 0, 3, 1, 4)
        scores = jnp.where(mask, q @ k.swapaxes(-1, -2) * (width // heads) ** -0.5, -jnp.inf)
        a = (jax.nn.softmax(scores) @ v).transpose(0, 2, 1, 3)
        return linear(p, a.reshape(samples, window, width), name + ".out_proj")

    h = p["token.weight"][text] + p["position"]
    for i in range(layers):
        h = h + attention(norm(h, f"block{i}.ln1"), f"block{i}.attn")
        h = h + linear(p, jax.nn.gelu(linear(p, norm(h, f"block{i}.ln2"), f"block{i}.up")), f"block{i}.down")
    return cross_entropy(linear(p, norm(h, "ln"), "head").reshape(samples * window, -1), labels)


def stepping(loss, rule, *inputs):
    @functools.partial(jax.jit, donate_argnums=(0, 1))
    def update(p, states):
        value, gradients = jax.value_and_grad(loss)(p, *inputs)
        updates, states = rule.update(gradients, states, p)
        return optax.apply_updates(p, updates), states, value

    box = [start, rule.init(start)]

    def step():
        box[0], box[1], value = update(*box)
        return value.block_until_ready()
    return step


def updating():
    """The update alone: the gradient is there."""
    rule, gradients = optax.adamw(1e-3, weight_decay=1e-2), {"p": given["x"]}

    @functools.partial(jax.jit, donate_argnums=(0, 1))
    def update(p, states):
        updates, states = rule.update(gradients, states, p)
        return optax.apply_updates(p, updates), states

    box = list((start, rule.init(start)))

    def step():
        box[0], box[1] = update(*box)
        jax.block_until_ready(box[0])
    return step


ADAMW, ADAM, SGD = optax.adamw(1e-3, weight_decay=1e-2), optax.adam(1e-3), optax.sgd
ROWS = {
    "784-500-10": (classifier, ADAMW, ("x", "labels")), "2-16-1": (mlp, SGD(1e-2), ("x", "y")),
    "4-64-64-2": (controller, ADAM, ("x", "y")), "8-1": (regression, SGD(1e-2), ("x", "y")),
    "lookups-200k": (lookups, ADAM, ("indices", "y")), "lstm": (lstm, ADAM, ("x", "y")), "conv-net": (conv_net, ADAM, ("x", "labels")),
    "conv-64-64": (convolution, SGD(1e-3), ("x",)),
    "transformer-128": (functools.partial(transformer, 4, 64), ADAMW, ("indices", "labels")),
    "transformer-384": (functools.partial(transformer, 6, 256), ADAMW, ("indices", "labels"))}

if network == "adamw":
    step = updating()
else:
    loss, rule, names = ROWS[network]
    if network == "conv-64-64":
        start["x"] = start["x"].transpose(0, 2, 3, 1)
        given["x"] = given["x"].reshape(32, 64, 32, 32).transpose(0, 2, 3, 1)
    step = stepping(loss, rule, *(given[name] for name in names))
steps.measure(row, "jax", step, float(seconds))
