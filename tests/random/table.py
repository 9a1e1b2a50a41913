# SPDX-License-Identifier: BSL-1.0
"""All operations, in groups, and what a loss is made of."""

from operations.indexing import INDEXING
from operations.loops import DERIVATIVES, LOOPS
from operations.norms import NORMS
from operations.pointwise import ALONG, BINARY, REDUCTIONS, UNARY
from operations.products import PRODUCTS, WINDOWS
from operations.views import VIEWS
from values import NotDefined

OPERATIONS = [UNARY, ALONG, BINARY, REDUCTIONS, VIEWS, INDEXING, PRODUCTS, NORMS, WINDOWS, LOOPS, DERIVATIVES,
              UNARY, BINARY, VIEWS, WINDOWS]  # what stands twice is twice as likely


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
        if x.rank != 2 or not isinstance(x.shape[1], int):
            raise NotDefined
        labels, torch_labels = b.indices(x.shape[:1], x.shape[1])
    except NotDefined:
        return f"tl::mean({x})", f"torch.mean({x})"
    return f"tl::cross_entropy({x}, {labels})", f"F.cross_entropy({x}, {torch_labels})"


LOSSES = [
    of_one("tl::mean(tl::square({x}))", "torch.mean({x} * {x})"),
    of_one("tl::mean(tl::sin({x}))", "torch.mean(torch.sin({x}))"),
    of_one("tl::sqrt(0.5_c + tl::mean(tl::square({x})))", "torch.sqrt(0.5 + torch.mean({x} * {x}))"),
    of_one("tl::logsumexp({x})", "torch.logsumexp({x}.flatten(), 0)"),
    of_two("tl::mse_loss({x}, tl::sin({y}))", "F.mse_loss({x}, torch.sin({y}))"),
    of_two("tl::huber_loss({x}, 0.3125_c * {y} + 0.21875_c)", "F.huber_loss({x}, 0.3125 * {y} + 0.21875)"),
    of_two("tl::bce_with_logits_loss({x}, tl::sigmoid({y}))",
           "F.binary_cross_entropy_with_logits({x}, torch.sigmoid({y}))"),
    cross_entropy,
]
