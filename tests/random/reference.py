# SPDX-License-Identifier: BSL-1.0
"""Runs a random program in torch, in float64: {(call, name): values}.

A second time each statement's results are changed by about what rounding does. By how much all values then change is
how much others may differ: a program that hangs on the last bit, as at a tie, asks for little."""

import torch
import torch.nn.functional as F

from values import Numbers, size_of

torch.set_default_dtype(torch.float64)  # rules keep numbers of their own in it

NOISE = {"double": 2.0**-50, "float": 2.0**-21}


def scan(body, x, *carried):
    outputs = []
    for element in x:
        *carried, output = body(*carried, element)
        outputs.append(output)
    return *carried, torch.stack(outputs)


def along(numbers, like, axis):
    """The numbers along an axis of what they are multiplied with."""
    return numbers.reshape([-1 if i == axis else 1 for i in range(like.dim())])


class Bent(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x * torch.tanh(x)
        ctx.save_for_backward(x, y)
        return y

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        return g * (0.5 * x + y)


class Mixed(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        y = a * torch.sin(b)
        ctx.save_for_backward(a, b, y)
        return y

    @staticmethod
    def backward(ctx, g):
        a, b, y = ctx.saved_tensors
        return g * torch.cos(b), (g * (a + y)).sum_to_size(b.shape)


def recurrent(cell):
    """Of a cell (x w, h, u, ..states) -> states, of which the first is put out."""
    def layer(x, w, u, *states):
        outputs = []
        for element in x:
            states = cell(element @ w.T, states[0] @ u.T, *states)
            outputs.append(states[0])
        return torch.stack(outputs), *states
    return layer


def gru_cell(a, b, h):
    (ar, az, an), (br, bz, bn) = a.chunk(3, -1), b.chunk(3, -1)
    z = torch.sigmoid(az + bz)
    return ((1 - z) * torch.tanh(an + torch.sigmoid(ar + br) * bn) + z * h,)


def lstm_cell(a, b, h, c):
    i, f, g, o = (a + b).chunk(4, -1)
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(c), c


def group_norm(x, groups, weight, bias, eps):
    """Of one element, too, which torch refuses."""
    y = x.reshape(x.shape[0], groups, -1)
    y = (y - y.mean(-1, True)) / torch.sqrt(y.var(-1, correction=0, keepdim=True) + eps)
    y = y.reshape(x.shape)
    return y if weight is None else y * along(weight, x, 1) + along(bias, x, 1)


def batch_norm(training, x, running_mean, running_var, weight=None, bias=None, eps=0.125, momentum=0.25):
    """Of one value of a channel, too, which torch refuses: its variance is 0, and the running one stays."""
    mean, var = running_mean, running_var
    if training:
        others = [i for i in range(x.dim()) if i != 1]
        mean, var, n = x.mean(others), x.var(others, correction=0), x.numel() // x.shape[1]
        with torch.no_grad():
            running_mean.lerp_(mean, momentum)
            if n > 1:
                running_var.lerp_(var * n / (n - 1), momentum)
    y = (x - along(mean, x, 1)) / torch.sqrt(along(var, x, 1) + eps)
    return y if weight is None else y * along(weight, x, 1) + along(bias, x, 1)


WORDS = {"Bent": Bent, "Mixed": Mixed, "group_norm": group_norm, "batch_norm": batch_norm, "torch": torch, "F": F, "scan": scan, "along": along, "gru": recurrent(gru_cell), "lstm": recurrent(lstm_cell),
         "rnn": recurrent(lambda a, b, h: (torch.tanh(a + b),))}


def leaf(model, v, batch, call, low=-1.5, high=1.5):
    numbers, shape = Numbers(v.label, call), size_of(v.shape, batch)
    if v.below:
        return torch.tensor(numbers.indices(shape, v.below), dtype=torch.long).reshape(shape)
    values = torch.tensor(numbers.floats(shape, low, high))
    return (values.float().double() if model.element == "float" else values).reshape(shape)


def forward(model, leaves, noise, training=False):
    """All values by name. `noise` is a generator of random numbers, or None."""
    values = {**WORDS, **leaves, "training": training}
    for statement in model.statements:
        exec(statement.torch, values)
        if noise and statement.torch:
            for v in statement.results:
                size = values[v.name].shape
                change = torch.rand(size, generator=noise, dtype=torch.float64) * 2 - 1
                values[v.name] = values[v.name] * (1 + NOISE[model.element] * change)
    return values


def parameters_of(model):
    return {p.name: leaf(model, p, 0, 0, p.low, p.high) for p in model.parameters + model.owned}


def function_values(program, run, noise):
    model, found = program.model, {}
    for call, batch in enumerate(run.batches):
        leaves = {x.name: leaf(model, x, batch, call) for x in model.inputs} | parameters_of(model)
        wanted = [leaves[v.name].requires_grad_() for v in model.leaves]
        values = forward(model, leaves, noise)
        gradients = torch.autograd.grad(values["loss"], wanted, create_graph=model.twice)
        found[call, "loss"] = values["loss"]
        found |= {(call, f"{v}.out"): values[v.name] for v in model.outputs}
        found |= {(call, f"grad.{v}"): g for v, g in zip(model.leaves, gradients)}
        if model.twice:
            chosen = model.leaves.index(model.leaf_of_second)
            square = torch.sum(gradients[chosen] * gradients[chosen])
            found[call, "second"] = torch.autograd.grad(0.5 * square, wanted[chosen])[0]
            found[call, "slope"] = square
    return found


def training_values(program, run, noise):
    model, found = program.model, {}
    states = {v.name for v in model.owned if v.is_state}
    parameters = {name: p.requires_grad_(name not in states) for name, p in parameters_of(model).items()}
    trained = [p for p in parameters.values() if p.requires_grad]
    rule, first = program.rule, model.parameters[0].name
    optimizer = rule.optimizer(torch.optim, trained)
    for call, batch in enumerate(run.batches):
        values = forward(model, {x.name: leaf(model, x, batch, call) for x in model.inputs} | parameters, noise,
                         training=True)
        if call % rule.every == 0:
            optimizer.zero_grad()
        (values["loss"] / rule.every).backward()
        found[call, "loss"] = values["loss"]
        found |= {(call, f"{v}.out"): values[v.name] for v in model.outputs}
        if call in rule.freezes:
            parameters[first].grad = None
        if rule.clips_norm:
            torch.nn.utils.clip_grad_norm_(trained, rule.clips_norm)
        if rule.clips_value:
            torch.nn.utils.clip_grad_value_(trained, rule.clips_value)
        if (call + 1) % rule.every == 0:
            optimizer.step()
    return found | {(len(run.batches), name): p for name, p in parameters.items()}


def expected(program, run, rounded):
    """What the run should print; `rounded`: with other rounding."""
    torch.manual_seed(0)
    noise = torch.Generator().manual_seed(program.model.seed + 1) if rounded else None
    found = (training_values if run.trains else function_values)(program, run, noise)
    return {key: values.detach().flatten() for key, values in found.items()}
