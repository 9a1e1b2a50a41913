# SPDX-License-Identifier: BSL-1.0
"""Update rules, in tapeless and in torch. Numbers of theirs are sums of few powers of two."""

import dataclasses

# PyTorch's words, where they are others; those of a tuple by its name and place.
WORDS = {"learning_rate": "lr", "beta1": ("betas", 0), "beta2": ("betas", 1), "epsilon": "eps", "decay": "alpha",
         "learning_rate_decay": "lr_decay", "initial_accumulator": "initial_accumulator_value", "lambda": "lambd",
         "shrink": ("etas", 0), "grow": ("etas", 1), "min_step": ("step_sizes", 0), "max_step": ("step_sizes", 1)}


@dataclasses.dataclass(frozen=True)
class Rule:
    cpp: str
    kind: str  # of torch.optim
    options: dict  # in PyTorch's words
    largest_rank: int = 9  # of a parameter
    clips_norm: float = None  # of all gradients
    clips_value: float = None
    every: int = 1  # so many steps' mean gradient makes a step
    matrices_only: bool = False
    freezes: range = range(0)  # the steps in which the first parameter is held fast

    def optimizer(self, optim, parameters):
        chosen = [p for p in parameters if p.dim() >= 2 or not self.matrices_only]
        return getattr(optim, self.kind)(chosen, **self.options)


def in_cpp(number):
    return str(number).lower() if isinstance(number, bool) else repr(number)


def rule(name, kind, largest_rank=9, torch=None, **options):
    """Options in the order and the words of tapeless; `torch` are PyTorch's own."""
    words = dict(torch or {})
    for word, number in options.items():
        if name == "adafactor" and word not in ("learning_rate", "weight_decay"):
            continue  # those are PyTorch's own
        there = WORDS.get(word, word)
        if isinstance(there, tuple):
            words[there[0]] = (*words.get(there[0], ()), number)
        else:
            words[there] = number
    listed = ", ".join(f".{word} = {in_cpp(number)}" for word, number in options.items())
    return Rule(f"tl::{name}({{{listed}}})", kind, words, largest_rank)


RULES = [
    rule("sgd", "SGD", learning_rate=0.0625),
    rule("sgd", "SGD", learning_rate=0.0625, weight_decay=0.125),
    rule("sgd", "SGD", learning_rate=0.0625, momentum=0.5, nesterov=True),
    rule("sgd", "SGD", learning_rate=0.0625, momentum=0.75, dampening=0.25, weight_decay=0.125),
    rule("adam", "Adam", learning_rate=0.03125, beta1=0.5, beta2=0.75, epsilon=0.0078125),
    rule("adam", "Adam", learning_rate=0.03125, beta1=0.5, beta2=0.75, epsilon=0.0078125, weight_decay=0.125),
    rule("adam", "Adam", learning_rate=0.03125, beta1=0.5, beta2=0.75, epsilon=0.0078125, amsgrad=True),
    rule("adamw", "AdamW", learning_rate=0.03125, beta1=0.5, beta2=0.75, epsilon=0.0078125, weight_decay=0.125),
    rule("adamw", "AdamW", learning_rate=0.03125, beta1=0.5, beta2=0.75, epsilon=0.0078125, weight_decay=0.125,
         amsgrad=True),
    rule("adamax", "Adamax", learning_rate=0.03125, beta1=0.5, beta2=0.75, epsilon=0.0078125, weight_decay=0.125),
    rule("adadelta", "Adadelta", learning_rate=0.5, rho=0.75, epsilon=0.0078125, weight_decay=0.125),
    rule("adagrad", "Adagrad", learning_rate=0.0625, learning_rate_decay=0.25, weight_decay=0.125,
         initial_accumulator=0.125, epsilon=0.0078125),
    rule("nadam", "NAdam", learning_rate=0.03125, beta1=0.5, beta2=0.75, epsilon=0.0078125, weight_decay=0.125,
         momentum_decay=0.25),
    rule("nadamw", "NAdam", torch={"decoupled_weight_decay": True}, learning_rate=0.03125, beta1=0.5, beta2=0.75,
         epsilon=0.0078125, weight_decay=0.125, momentum_decay=0.25),
    rule("radam", "RAdam", learning_rate=0.03125, beta1=0.5, beta2=0.9375, epsilon=0.0078125, weight_decay=0.125),
    rule("rprop", "Rprop", learning_rate=0.03125, shrink=0.5, grow=1.25, min_step=0.015625, max_step=0.0625),
    rule("rmsprop", "RMSprop", learning_rate=0.03125, decay=0.75, epsilon=0.0078125, weight_decay=0.125),
    rule("rmsprop", "RMSprop", learning_rate=0.03125, decay=0.75, epsilon=0.0078125, momentum=0.5),
    rule("rmsprop", "RMSprop", learning_rate=0.03125, decay=0.75, epsilon=0.0625, momentum=0.5, centered=True),
    rule("asgd", "ASGD", learning_rate=0.0625, **{"lambda": 0.125}, alpha=0.75, weight_decay=0.125),
    # factors of what has more axes are of others than torch's
    rule("adafactor", "Adafactor", 2, {"beta2_decay": -0.75, "eps": (1e-15, 0.125), "d": 1.5},
         learning_rate=0.0625, decay=0.75, epsilon=1e-30, min_scale=0.125, clip=1.5, weight_decay=0.125),
]


def plain(r, random):
    return r


def clipped_by_norm(r, random):
    return dataclasses.replace(r, cpp=f"tl::chain(tl::clip_by_global_norm(0.5), {r.cpp})", clips_norm=0.5)


def clipped_by_value(r, random):
    return dataclasses.replace(r, cpp=f"tl::chain(tl::clip_by_value(0.0625), {r.cpp})", clips_value=0.0625)


def accumulated(r, random):
    n = random.choice([2, 3])
    return dataclasses.replace(r, cpp=f"tl::accumulate({n}, {r.cpp})", every=n)


def of_matrices(r, random):
    """The other parameters stay as they are."""
    return dataclasses.replace(r, cpp=f"tl::partition(tl::for_parameters(tl::matrices, {r.cpp}))", matrices_only=True)


def frozen(r, random):
    begin = random.choice([0, 1, 2])
    return dataclasses.replace(r, cpp=f"tl::freezable({r.cpp})", freezes=range(begin, begin + random.choice([1, 2])))


WRAPPERS = [plain, plain, plain, clipped_by_norm, clipped_by_value, accumulated, of_matrices, frozen]


def random_rule(random, parameters):
    """A rule, maybe wrapped, that fits parameters of such shapes."""
    largest_rank = max(p.rank for p in parameters)
    wrappers = [w for w in WRAPPERS if w is not of_matrices or largest_rank >= 2]
    return random.choice(wrappers)(random.choice([r for r in RULES if r.largest_rank >= largest_rank]), random)
