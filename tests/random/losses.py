# SPDX-License-Identifier: BSL-1.0
"""What a loss is made of: terms of one value."""

from values import NotDefined, is_static


def of_one(cpp, torch):
    return lambda b, x: (cpp.format(x=x), torch.format(x=x))


def of_two(cpp, torch):
    """Against another value of the shape, or a plain term where there is none."""
    def term(b, x):
        y = b.random.choice([v for v in b.values if v.shape == x.shape])
        return cpp.format(x=x, y=y), torch.format(x=x, y=y)
    return term


def cross_entropy(b, x):
    try:
        if x.rank != 2 or not is_static(x.shape[1]):
            raise NotDefined
        labels, torch_labels = b.indices(x.shape[:1], x.shape[1])
    except NotDefined:
        return f"tl::mean({x})", f"torch.mean({x})"
    return b.pick(
        (f"tl::cross_entropy({x}, {labels})", f"F.cross_entropy({x}, {torch_labels})"),
        (f"tl::cross_entropy<tl::loss{{.reduce = tl::reduction::sum, .label_smoothing = 0.25}}>({x}, {labels})",
         f"F.cross_entropy({x}, {torch_labels}, reduction='sum', label_smoothing=0.25)"),
        (f"tl::nll_loss(tl::log_softmax({x}), {labels})",
         f"F.nll_loss(torch.log_softmax({x}, 1), {torch_labels})"),
        *[(f"tl::multi_margin_loss({x}, {labels})", f"F.multi_margin_loss({x}, {torch_labels})")] * (not b.twice))


def of_rows(cpp, torch):
    """Of values with a last axis; of others a plain term."""
    def term(b, x):
        if x.rank < 2:
            return f"tl::mean({x})", f"torch.mean({x})"
        y = b.random.choice([v for v in b.values if v.shape == x.shape])
        return cpp.format(x=x, y=y), torch.format(x=x, y=y)
    return term


LOSSES = [
    of_one("tl::mean(tl::square({x}))", "torch.mean({x} * {x})"),
    of_one("tl::mean(tl::sin({x}))", "torch.mean(torch.sin({x}))"),
    of_one("tl::sqrt(0.5_c + tl::mean(tl::square({x})))", "torch.sqrt(0.5 + torch.mean({x} * {x}))"),
    of_one("tl::logsumexp({x})", "torch.logsumexp({x}.flatten(), 0)"),
    of_two("tl::mse_loss({x}, tl::sin({y}))", "F.mse_loss({x}, torch.sin({y}))"),
    of_two("tl::huber_loss({x}, 0.3125_c * {y} + 0.21875_c)", "F.huber_loss({x}, 0.3125 * {y} + 0.21875)"),
    of_two("tl::bce_with_logits_loss({x}, tl::sigmoid({y}))",
           "F.binary_cross_entropy_with_logits({x}, torch.sigmoid({y}))"),
    of_two("tl::l1_loss({x}, 0.3125_c * {y} + 0.21875_c)", "F.l1_loss({x}, 0.3125 * {y} + 0.21875)"),
    of_two("tl::smooth_l1_loss<tl::loss{{.beta = 0.5}}>({x}, 0.3125_c * {y} + 0.21875_c)",
           "F.smooth_l1_loss({x}, 0.3125 * {y} + 0.21875, beta=0.5)"),
    of_two("0.125_c * tl::mse_loss<tl::loss{{.reduce = tl::reduction::sum}}>({x}, tl::cos({y}))",
           "0.125 * F.mse_loss({x}, torch.cos({y}), reduction='sum')"),
    of_two("tl::bce_loss(tl::sigmoid({x}), tl::sigmoid({y}))",
           "F.binary_cross_entropy(torch.sigmoid({x}), torch.sigmoid({y}))"),
    of_two("tl::gaussian_nll_loss({x}, tl::sin({y}), 0.5_c + tl::square({y}))",
           "F.gaussian_nll_loss({x}, torch.sin({y}), 0.5 + {y} * {y})"),
    of_two("tl::poisson_nll_loss(tl::tanh({x}), tl::square({y}))", "F.poisson_nll_loss(torch.tanh({x}), {y} * {y})"),
    of_two("tl::soft_margin_loss({x}, tl::stop_gradient(tl::tanh({y})))",
           "F.soft_margin_loss({x}, torch.tanh({y}).detach())"),
    of_rows("tl::kl_div<tl::loss{{.reduce = tl::reduction::batch_mean}}>(tl::log_softmax({x}), tl::softmax({y}))",
            "F.kl_div(torch.log_softmax({x}, -1), torch.softmax({y}, -1), reduction='batchmean')"),
    of_rows("tl::mean(tl::cosine_similarity({x} + 2_c, tl::sin({y}) + 2_c))",
            "F.cosine_similarity({x} + 2, torch.sin({y}) + 2, -1).mean()"),
    of_rows("tl::triplet_margin_loss({x}, {y} + 0.5_c, tl::sin({x}) * {y})",
            "F.triplet_margin_loss({x}, {y} + 0.5, torch.sin({x}) * {y})"),
    of_rows("tl::multilabel_soft_margin_loss({x}, tl::sigmoid({y}))",
            "F.multilabel_soft_margin_loss({x}, torch.sigmoid({y}))"),
    cross_entropy,
    cross_entropy,
]
