# SPDX-License-Identifier: BSL-1.0
"""ops/indexing"""

from spelling import NotExpressible, call, listed, literal, operation


@operation("gather")
def gather(s):
    return call("gather", str(s.given(0, "dim")), s.x, s.given(1, "index"))


@operation("scatter_add")
def scatter_add(s):
    return call("scatter_add", str(s.given(0, "dim")), s.x, s.given(1, "index"), s.given(2, "src"))


@operation("index_select")
def index_select(s):
    return call("index_select", str(s.given(0, "dim")), s.x, s.given(1, "index"))


@operation("nn.functional.embedding")
def embedding(s):
    # the sample's input is the index, its argument the table
    table = s.given(0, "weight")
    if s.kwargs.get("max_norm") is not None:
        raise NotExpressible("max_norm, which changes the table")
    if s.kwargs.get("scale_grad_by_freq"):
        raise NotExpressible("scale_grad_by_freq, which changes the gradient")
    if s.kwargs.get("padding_idx") is not None:
        raise NotExpressible("padding_idx, whose row gets no gradient")
    return call("embedding", "", table, s.x)


@operation("nn.functional.one_hot")
def one_hot(s):
    classes = s.given(0, "num_classes", -1)
    if classes < 0:
        raise NotExpressible("a number of classes that is the largest index")
    return call("one_hot", f"{classes}, std::int64_t", s.x)
