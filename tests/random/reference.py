# SPDX-License-Identifier: BSL-1.0
"""Runs a random program in torch, in float64: {(call, name): values}.

Once more, or several times, each statement's results are changed by about what rounding does. By how much all values
then change is how much others may differ: a program that hangs on the last bit, as at a tie, asks for little."""

import torch

from values import Numbers, size_of
from words import WORDS

torch.set_default_dtype(torch.float64)  # rules keep numbers of their own in it

NOISE = {"double": 2.0**-50, "float": 2.0**-21, "tl::f16": 2.0**-10, "tl::bf16": 2.0**-8}
STORED = {"double": torch.float64, "float": torch.float32, "tl::f16": torch.float16, "tl::bf16": torch.bfloat16}


def leaf(model, v, batch, call, low=-1.5, high=1.5):
    numbers, shape = Numbers(v.label, call), size_of(v.shape, batch)
    if v.below:
        return torch.tensor(numbers.indices(shape, v.below), dtype=torch.long).reshape(shape)
    values = torch.tensor(numbers.floats(shape, low, high))
    if model.element != "double":
        values = values.float()  # all but double are made of floats
    return values.to(STORED[model.element]).double().reshape(shape)


def nearby(x, change, element):
    """Changed by a share of itself; with 16 bits of 1 at least, as a small difference of large numbers is."""
    x = x + change * x if "16" not in element else x + torch.where(x == 0, 0, change * x.abs().clamp(min=1).detach())
    return x.to(STORED[element]).double()


def forward(model, leaves, noise, training=False):
    """All values by name. `noise` is a generator of random numbers, or None."""
    values = {**WORDS, **leaves, "training": training}
    for statement in model.statements:
        exec(statement.torch, values)
        if noise and (statement.torch or "16" in model.element and not statement.results[0].below):
            for v in statement.results:
                size = values[v.name].shape
                change = torch.rand(size, generator=noise, dtype=torch.float64) * 2 - 1
                values[v.name] = nearby(values[v.name], change * NOISE[model.element], model.element)
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


def expected(program, run, rounding=0):
    """What the run should print; with other rounding than torch's where `rounding` is not 0."""
    torch.manual_seed(0)
    noise = torch.Generator().manual_seed(program.model.seed + rounding) if rounding else None
    found = (training_values if run.trains else function_values)(program, run, noise)
    return {key: values.detach().flatten() for key, values in found.items()}
