# SPDX-License-Identifier: BSL-1.0
"""What the programs in torch are made of, beside torch itself."""

import torch
import torch.nn.functional as F


def scan(body, x, *carried):
    outputs = []
    for element in x:
        *carried, output = body(*carried, element)
        outputs.append(output)
    return *carried, torch.stack(outputs)


def along(numbers, like, axis):
    """The numbers along an axis of what they are multiplied with."""
    return numbers.reshape([-1 if i == axis else 1 for i in range(like.dim())])


def network(kind, hidden, layers, both, x, lengths, **own):
    """A whole recurrent network of torch on the weights of a layer; y and the last states."""
    module = getattr(torch.nn, kind)(x.shape[2], hidden, layers, bidirectional=both)
    times = x.shape[0]
    if lengths is not None:
        x = torch.nn.utils.rnn.pack_padded_sequence(x, lengths, enforce_sorted=False)
    y, states = torch.func.functional_call(module, own, (x,))
    if lengths is not None:
        y = torch.nn.utils.rnn.pad_packed_sequence(y, total_length=times)[0]
    return y, *(s.squeeze(0) if len(s) == 1 else s for s in (states if kind == "LSTM" else (states,)))


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


def attention(q, k, v, mask, causal, window, scale):
    """A query that may attend to no key gets 0."""
    behind = torch.arange(q.shape[-2]).unsqueeze(1) - torch.arange(k.shape[-2])
    may = torch.ones(behind.shape, dtype=torch.bool)
    if causal:
        may = may & (behind >= 0)
    if window:
        may = may & (behind.abs() < window)
    scores = q @ k.transpose(-2, -1) * (scale or q.shape[-1] ** -0.5)
    if mask is not None and mask.dtype == torch.bool:
        may = may & mask
    elif mask is not None:
        scores = scores + mask
    scores = scores.masked_fill(~may, -1e300)
    return (torch.softmax(scores, -1) * may) @ v


def rotary(x, base):
    """The two halves of the last axis are turned."""
    half = x.shape[-1] // 2
    angles = torch.arange(x.shape[-2]).double().unsqueeze(1) * base ** (-torch.arange(half) / half)
    a, b = x[..., :half], x[..., half:]
    return torch.cat([a * angles.cos() - b * angles.sin(), b * angles.cos() + a * angles.sin()], -1)


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


WORDS = {"torch": torch, "F": F, "Bent": Bent, "Mixed": Mixed, "attention": attention, "rotary": rotary,
         "group_norm": group_norm, "batch_norm": batch_norm, "scan": scan, "along": along, "network": network,
         "gru": recurrent(gru_cell), "lstm": recurrent(lstm_cell),
         "rnn": recurrent(lambda a, b, h: (torch.tanh(a + b),))}
