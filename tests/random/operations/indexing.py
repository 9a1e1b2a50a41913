# SPDX-License-Identifier: BSL-1.0
"""What reads or writes elements by indices, which are inputs, patterns or computed."""

from operations import operation, replaced
from values import is_static

INDEXING = []


def indexed(b):
    """A value and one of its axes whose extent is static."""
    x = b.value(rank=range(1, 5))
    axis = b.axis(x, lambda e: is_static(e) and e > 1)
    return x, axis, x.shape[axis]


def source(b, x, axis):
    """A value of the shape but for the axis."""
    return b.value(lambda v: v.rank == x.rank and replaced(v.shape, axis, 1) == replaced(x.shape, axis, 1))


@operation(INDEXING)
def gather(b):
    x, axis, n = indexed(b)
    shape = replaced(x.shape, axis, b.pick(1, 2, n))
    index, torch_index = b.indices(shape, n)
    return shape, f"tl::gather<{axis}>({x}, {index})", f"torch.gather({x}, {axis}, {torch_index})"


@operation(INDEXING)
def index_select(b):
    x, axis, n = indexed(b)
    count = b.pick(1, 3, n)
    index, torch_index = b.indices((count,), n)
    return (replaced(x.shape, axis, count), f"tl::index_select<{axis}>({x}, {index})",
            f"torch.index_select({x}, {axis}, {torch_index})")


@operation(INDEXING)
def embedding(b):
    table = b.value(lambda v: is_static(v.shape[0]), rank=[2])
    like = b.value(rank=range(1, 4))
    shape = like.shape[:b.random.randint(1, min(2, like.rank))]
    index, torch_index = b.indices(shape, table.shape[0])
    return shape + table.shape[1:], f"tl::embedding({table}, {index})", f"{table}[{torch_index}]"


@operation(INDEXING)
def scatter_add(b):
    x, axis, n = indexed(b)
    y = source(b, x, axis)
    index, torch_index = b.indices(y.shape, n)
    return (x.shape, f"tl::scatter_add<{axis}>({x}, {index}, {y})",
            f"torch.scatter_add({x}, {axis}, {torch_index}, {y})")


@operation(INDEXING)
def index_add(b):
    x, axis, n = indexed(b)
    y = source(b, x, axis)
    index, torch_index = b.indices((y.shape[axis],), n)
    return x.shape, f"tl::index_add<{axis}>({x}, {index}, {y})", f"torch.index_add({x}, {axis}, {torch_index}, {y})"


@operation(INDEXING)
def scatter(b):
    """To distinct places, in the order of another value."""
    x, axis, _ = indexed(b)
    y = b.like(x)
    return (x.shape, f"tl::scatter<{axis}>({x}, tl::argsort<{axis}>({y}), {y} * {x})",
            f"torch.scatter({x}, {axis}, torch.argsort({y}, dim={axis}, stable=True), {y} * {x})")


@operation(INDEXING)
def topk(b):
    x, axis, n = indexed(b)
    count = b.random.randint(1, n)
    return (replaced(x.shape, axis, count), f"tl::topk<{count}, {axis}>({x}).values",
            f"torch.topk({x}, {count}, {axis}).values")


@operation(INDEXING)
def argmax(b):
    """Another value where this one is largest."""
    x, axis, _ = indexed(b)
    y = b.like(x)
    return (replaced(x.shape, axis, 1), f"tl::gather<{axis}>({y}, tl::argmax<{axis}>({x}, tl::keep_dims))",
            f"torch.gather({y}, {axis}, torch.argmax({x}, {axis}, True))")


@operation(INDEXING)
def one_hot(b):
    like = b.value(rank=range(1, 4))
    index, torch_index = b.indices(like.shape[:1], 3)
    p = b.parameter((3, b.pick(2, 5)))
    return ((like.shape[0], p.shape[1]), f"tl::matmul(tl::one_hot<3, {b.element}>({index}), {p})",
            f"torch.matmul(F.one_hot({torch_index}, 3).double(), {p})")
