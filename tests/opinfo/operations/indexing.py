# SPDX-License-Identifier: BSL-1.0
"""ops/indexing"""

from spelling import NotExpressible, Spelled, call, keep_dims, listed, literal, operand, operation


def not_negative(index):
    if index.data.numel() and int(index.data.min()) < 0:
        raise NotExpressible("indices that count from the end, which are out of range here")


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
    # the sample's input is the table, its argument the index
    index = s.args[0]
    if s.kwargs.get("max_norm") is not None:
        raise NotExpressible("max_norm, which changes the table")
    if s.kwargs.get("scale_grad_by_freq"):
        raise NotExpressible("scale_grad_by_freq, which changes the gradient")
    if s.kwargs.get("padding_idx") is not None:
        raise NotExpressible("padding_idx, whose row gets no gradient")
    return call("embedding", "", s.x, index)


@operation("nn.functional.one_hot")
def one_hot(s):
    classes = s.given(0, "num_classes", -1)
    if classes < 0:
        raise NotExpressible("a number of classes that is the largest index")
    return call("one_hot", f"{classes}, std::int64_t", s.x)


@operation("scatter")
def scatter(s):
    axis, index, source = s.args[:3]
    by = s.kwargs.get("reduce")
    if not isinstance(source, str):
        source = call("expand", listed(index.shape), call("cast", "double", source))
    if by is None:
        return call("scatter", str(axis), s.x, index, source)
    return call("scatter_reduce", f"{axis}, tl::reduce::{'sum' if by == 'add' else 'prod'}", s.x, index, source)


@operation("scatter_reduce")
def scatter_reduce(s):
    axis, index, source, by = s.args
    alone = [] if s.kwargs.get("include_self", True) else ["tl::exclude_self"]
    return call("scatter_reduce", f"{axis}, tl::reduce::{by}", s.x, index, source, options=alone)


@operation("index_add")
def index_add(s):
    axis, index, source = s.args
    alpha = s.kwargs.get("alpha")
    return call("index_add", str(axis), s.x, index, source if alpha is None else f"{operand(alpha)} * {source}")


@operation("index_copy")
def index_copy(s):
    axis, index, source = s.args
    return call("index_copy", str(axis), s.x, index, source)


@operation("index_fill")
def index_fill(s):
    axis, index, filling = s.args
    return call("index_fill", str(axis), s.x, index, filling)


@operation("masked_fill")
def masked_fill(s):
    return call("masked_fill", "", s.x, *s.args)


@operation("take_along_dim")
def take_along_dim(s):
    not_negative(s.args[0])
    axis = s.given(1, "dim")
    if axis is None:
        return call("take_along", "0", call("flatten", "0", s.x), call("flatten", "0", s.args[0]))
    return call("take_along", str(axis), s.x, s.args[0])


@operation("put")
def put(s):
    not_negative(s.args[0])
    return call("put", "", s.x, *s.args[:2], options=["tl::adding"] if s.given(2, "accumulate") else [])


def downward(given):
    return ["tl::descending"] if given else []


@operation("sort")
def sort(s):
    axis, down = s.given(0, "dim", -1), s.given(1, "descending", False)
    sorted_x = call("sort", str(axis), s.x, options=downward(down))
    return [f"{sorted_x}.values", f"{sorted_x}.indices"]


@operation("argsort")
def argsort(s):
    return call("argsort", str(s.given(0, "dim", -1)), s.x, options=downward(s.given(1, "descending", False)))


@operation("msort")
def msort(s):
    return call("sort", "0", s.x) + ".values"


@operation("topk")
def topk(s):
    count, axis, largest = s.args[0], s.given(1, "dim", -1), s.given(2, "largest", True)
    y = call("topk", f"{count}, {axis}", s.x, options=[] if largest else ["tl::smallest"])
    return [f"{y}.values", f"{y}.indices"]


@operation("cummax")
def cummax(s):
    y = call("cummax", str(s.given(0, "dim")), s.x)
    return [f"{y}.values", f"{y}.indices"]


@operation("cummin")
def cummin(s):
    y = call("cummin", str(s.given(0, "dim")), s.x)
    return [f"{y}.values", f"{y}.indices"]


@operation("median")
def median(s):
    dim, keep = s.given(0, "dim"), s.given(1, "keepdim", False)
    y = call("median", "" if dim is None else str(dim), s.x, options=keep_dims(keep))
    return Spelled([y], of=None if dim is None else lambda r: r[0])


@operation("quantile")
def quantile(s):
    share, dim, keep = s.given(0, "q"), s.given(1, "dim"), s.given(2, "keepdim", False)
    if s.kwargs.get("interpolation", "linear") != "linear":
        raise NotExpressible("an interpolation other than linear")
    if not isinstance(share, float) and share.data.dim() > 0:
        raise NotExpressible("several shares at a time")
    share = share if isinstance(share, float) else float(share.data)
    return call("quantile", literal(share) if dim is None else f"{literal(share)}, {dim}", s.x, options=keep_dims(keep))


@operation("searchsorted")
def searchsorted(s):
    s.only("right", "side", "out_int32", "sorter")
    right = s.kwargs.get("right") or s.kwargs.get("side") == "right"
    sorter = s.kwargs.get("sorter")
    sequence = s.x if sorter is None else call("take_along", "-1", s.x, sorter)
    places = call("searchsorted", "", sequence, s.args[0], options=["tl::right_side"] if right else [])
    return call("cast", "std::int32_t", places) if s.kwargs.get("out_int32") else places


@operation("bincount")
def bincount(s):
    weights = s.given(0, "weights")
    if weights is not None and weights.dtype != "float64":  # PyTorch's counts by whole numbers are double
        weights = call("cast", "double", weights)
    size = max(int(s.x.data.max()) + 1 if s.x.data.numel() else 0, s.given(1, "minlength", 0))
    return call("bincount", str(size), s.x, *([] if weights is None else [weights]))


@operation("index_put")
def index_put(s):
    places, source = s.args[:2]
    if len(places) != 1 or isinstance(places[0], (list, tuple)) or places[0].dtype == "bool" or places[0].rank != 1:
        raise NotExpressible("an index for each of several axes, or a mask")
    not_negative(places[0])
    by = "index_add" if s.given(2, "accumulate", False) else "index_copy"
    return call(by, "0", s.x, places[0], source)
