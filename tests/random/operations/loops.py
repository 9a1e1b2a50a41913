# SPDX-License-Identifier: BSL-1.0
"""Loops along the first axis, whose bodies are random programs themselves; recurrent layers; derivatives inside."""

from operations import operation
from values import Value, broadcast, is_static

LOOPS, DERIVATIVES = [], []


@operation(LOOPS, outermost=True)
def scan(b):
    """A loop that carries one or two values, and puts out another. Its body is a function in torch as well."""
    from table import OPERATIONS  # of which this is one

    x = b.value(rank=range(1, 4))
    carried = [b.value(rank=range(4)) for _ in range(b.pick(1, 1, 2))]
    body = b.body()
    element = Value(body.name("e"), x.shape[1:])
    carries = [Value(body.name("c"), c.shape) for c in carried]
    body.values += [element, *carries]
    body.grow(OPERATIONS, b.pick(1, 2, 3))
    kept = body.value()
    nexts = []
    for c in carries:
        u = body.value()
        fits = broadcast(u.shape, c.shape) == c.shape
        nexts.append((f"tl::tanh({c} * 0.75_c + {u if fits else f'tl::mean({u})'} * 0.5_c)",
                      f"torch.tanh({c} * 0.75 + {u if fits else f'{u}.mean()'} * 0.5)"))

    names = ", ".join(f"auto {v}" for v in [*carries, element])
    begin = ", ".join(map(str, carried))
    cpp = "".join(f"\n      {s.in_cpp()}" for s in body.statements)
    cpp += f"\n      return std::tuple{{{', '.join(c for c, _ in nexts)}, {kept}}};\n    "
    cpp = f"tl::scan([]({names}) {{{cpp}}}, {begin if len(carried) == 1 else f'std::tuple{{{begin}}}'}, {x})"
    function = body.name("body")
    torch = f"def {function}({', '.join(map(str, [*carries, element]))}):\n"
    torch += "".join(f"    {line}\n" for s in body.statements for line in s.torch.splitlines())
    torch += f"    return {', '.join(t for _, t in nexts)}, {kept}\n{{results}} = scan({function}, {x}, {begin})"
    return [*[c.shape for c in carried], (x.shape[0],) + kept.shape], cpp, torch


def recurrent(name, gates):
    def draw(b):
        x = b.value(rank=[3])
        n = b.pick(1, 2, 3)
        start, w, u = (b.parameter(s) for s in ((x.shape[2], n), (gates * n, x.shape[2]), (gates * n, n)))
        h = (f"tl::matmul(tl::at<0>({x}), {start})", f"torch.matmul({x}[0], {start})")
        c = (f", tl::sin({h[0]})", f", torch.sin({h[1]})") if name == "lstm" else ("", "")
        last = (x.shape[1], n)
        return ([(x.shape[0],) + last, last] + ([last] if name == "lstm" else []),
                f"tl::{name}({x}, {h[0]}{c[0]}, {w}, {u})", f"{name}({x}, {w}, {u}, {h[1]}{c[1]})")
    return draw


operation(LOOPS, outermost=True)(recurrent("rnn", 1))
operation(LOOPS, outermost=True)(recurrent("gru", 3))
operation(LOOPS, outermost=True)(recurrent("lstm", 4))


@operation(LOOPS, outermost=True)
def recurrent_network(b):
    """Several layers and both directions, with parameters of its own; sequences of several lengths."""
    kind, gates = b.pick(("RNN", 1), ("GRU", 3), ("LSTM", 4))
    x = b.value(lambda v: is_static(v.shape[0]) and is_static(v.shape[2]), rank=[3])
    n, layers, both = b.pick(1, 2, 3), b.pick(1, 1, 2), b.chance(0.4)
    shapes, width = {}, x.shape[2]
    for i in range(layers):
        for end in ("", "_reverse")[:1 + both]:
            shapes |= {f"weight_ih_l{i}{end}": (gates * n, width), f"weight_hh_l{i}{end}": (gates * n, n),
                       f"bias_ih_l{i}{end}": (gates * n,), f"bias_hh_l{i}{end}": (gates * n,)}
        width = n * (1 + both)
    lengths, in_torch = "", "None"
    if x.shape[0] > 1 and b.chance(0.4):
        i = b.input(x.shape[1:2], x.shape[0])
        lengths, in_torch = f", {i} + 1_c", f"{i} + 1"
    name, own = b.layer(shapes)
    parts = layers * (1 + both)
    last = ((parts,) if parts > 1 else ()) + (x.shape[1], n)
    y = (x.shape[0], x.shape[1], width)
    options = f"tl::recurrent{{.layers = {layers}, .bidirectional = {str(both).lower()}}}"
    weights = ", ".join(f"{word}={v}" for word, v in own.items())
    torch = f"network('{kind}', {n}, {layers}, {both}, {x}, {in_torch}, {weights})"
    return ([y, last] + [last] * (kind == "LSTM"), f'tl::{kind.lower()}<"{name}", {n}, {options}>({x}{lengths})', torch)


@operation(DERIVATIVES, outermost=True)
def inner_gradient(b):
    x = b.value()
    return (x.shape, f"tl::grad(tl::sum(tl::sin({x} * {x})), {x})", f"2 * {x} * torch.cos({x} * {x})")


@operation(DERIVATIVES, outermost=True)
def inner_directional_derivative(b):
    x = b.value()
    return (x.shape, f"tl::jvp(tl::sin({x}) * {x}, {x}, tl::tanh({x}))",
            f"(torch.cos({x}) * {x} + torch.sin({x})) * torch.tanh({x})")


@operation(DERIVATIVES, outermost=True)
def inner_jacobian(b):
    x = b.value(lambda v: is_static(v.shape[0]), rank=[1])
    return (x.shape * 2, f"tl::jacobian(tl::sin({x} * tl::mean({x})), {x})",
            f"torch.cos({x} * {x}.mean()).unsqueeze(1) * "
            f"({x}.mean() * torch.eye({x.shape[0]}).double() + {x}.unsqueeze(1) / {x.shape[0]})")
