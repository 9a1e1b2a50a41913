# SPDX-License-Identifier: BSL-1.0
"""Update rules, in tapeless and in torch. Numbers of theirs are sums of few powers of two."""

import dataclasses
import typing


@dataclasses.dataclass(frozen=True)
class Rule:
    cpp: str
    optimizer: typing.Callable  # of torch.optim and the parameters
    clip: float = None  # the global norm of gradients


RULES = [
    Rule("tl::sgd({.learning_rate = 0.0625f})", lambda optim, p: optim.SGD(p, lr=0.0625)),
    Rule("tl::sgd({.learning_rate = 0.0625f, .momentum = 0.5f, .nesterov = true})",
         lambda optim, p: optim.SGD(p, lr=0.0625, momentum=0.5, nesterov=True)),
    Rule("tl::adam({.learning_rate = 0.03125f, .beta1 = 0.5f, .beta2 = 0.75f, .epsilon = 0.0078125f})",
         lambda optim, p: optim.Adam(p, lr=0.03125, betas=(0.5, 0.75), eps=0.0078125)),
    Rule("tl::adamw({.learning_rate = 0.03125f, .beta1 = 0.5f, .beta2 = 0.75f, .epsilon = 0.0078125f, "
         ".weight_decay = 0.125f})",
         lambda optim, p: optim.AdamW(p, lr=0.03125, betas=(0.5, 0.75), eps=0.0078125, weight_decay=0.125)),
    Rule("tl::rmsprop({.learning_rate = 0.03125f, .decay = 0.75f, .epsilon = 0.0078125f})",
         lambda optim, p: optim.RMSprop(p, lr=0.03125, alpha=0.75, eps=0.0078125)),
    Rule("tl::chain(tl::clip_by_global_norm(0.5f), tl::sgd({.learning_rate = 0.25f, .momentum = 0.5f}))",
         lambda optim, p: optim.SGD(p, lr=0.25, momentum=0.5), clip=0.5),
]
