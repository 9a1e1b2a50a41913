# SPDX-License-Identifier: BSL-1.0
"""ops/shape: the same elements, seen otherwise."""

import itertools
import math

from spelling import NoCounterpart, NotExpressible, Spelled, Tensor, call, listed, operand, operation


def sizes(s, place=0, name="size"):
    """A shape that is given as one list or as several numbers."""
    given = s.given(place, name)
    if isinstance(given, int):
        given = s.args[place:]
    return [int(e) for e in given]


def reshaped(x, shape):
    if -1 in shape:
        rest = math.prod(e for e in shape if e != -1)
        shape = [math.prod(x.shape) // rest if e == -1 else e for e in shape]
    return call("reshape", listed(shape), x)


@operation("reshape", "view", "view_copy")
def reshape(s):
    return reshaped(s.x, sizes(s, 0, "shape"))


@operation("reshape_as", "view_as")
def reshape_as(s):
    return call("reshape", listed(s.given(0, "other").shape), s.x)


@operation("expand", "broadcast_to", "expand_copy")
def expand(s):
    shape = sizes(s, 0, "size")
    shape = [s.x.shape[i - len(shape) + s.x.rank] if e == -1 else e for i, e in enumerate(shape)]
    return call("expand", listed(shape), s.x)


@operation("expand_as")
def expand_as(s):
    return call("expand", listed(s.given(0, "other").shape), s.x)


@operation("flatten")
def flatten(s):
    return call("flatten", listed([s.given(0, "start_dim", 0), s.given(1, "end_dim", -1)]), s.x)


@operation("ravel")
def ravel(s):
    return call("flatten", "0", s.x)


@operation("unflatten")
def unflatten(s):
    axis = s.given(0, "dim") % s.x.rank
    new = list(s.given(1, "sizes"))
    if -1 in new:
        new[new.index(-1)] = s.x.shape[axis] // -math.prod(new)
    return call("reshape", listed([*s.x.shape[:axis], *new, *s.x.shape[axis + 1 :]]), s.x)


@operation("squeeze", "squeeze_copy")
def squeeze(s):
    dim = s.given(0, "dim")
    rank = max(1, s.x.rank)
    dims = range(rank) if dim is None else [d % rank for d in ([dim] if isinstance(dim, int) else dim)]
    ones = [i for i, e in enumerate(s.x.shape) if i in dims and e == 1]  # PyTorch leaves the others alone
    return call("squeeze", listed(ones), s.x) if ones else call("reshape", listed(s.x.shape), s.x)


@operation("unsqueeze", "unsqueeze_copy")
def unsqueeze(s):
    return call("unsqueeze", str(s.given(0, "dim")), s.x)


@operation("permute", "permute_copy")
def permute(s):
    return call("permute", listed(sizes(s, 0, "dims")), s.x)


@operation("movedim")
def movedim(s):
    if all(isinstance(d, int) for d in s.args):
        return call("movedim", listed(s.args), s.x)
    source, target = ([d] if isinstance(d, int) else list(d) for d in s.args)
    source, target = [[d % s.x.rank for d in ds] for ds in (source, target)]
    rest = iter(d for d in range(s.x.rank) if d not in source)
    return call("permute", listed(source[target.index(i)] if i in target else next(rest) for i in range(s.x.rank)), s.x)


@operation("transpose", "transpose_copy")
def transpose(s):
    return call("transpose", listed([s.given(0, "dim0"), s.given(1, "dim1")]), s.x)


@operation("t", "T", "H", "t_copy")
def t(s):
    return s.x if s.x.rank < 2 else call("transpose", "0, 1", s.x)


@operation("mT", "mH")
def m_t(s):
    return call("transpose", "", s.x)


def sliced(x, axis, begin, end, step=1):
    return call("slice", listed([axis, begin, end]) + (f", {step}" if step != 1 else ""), x)


@operation("narrow", "narrow_copy")
def narrow(s):
    axis, begin, length = s.args
    if isinstance(begin, Tensor):
        begin = int(begin.data)
    begin = begin + s.x.shape[axis] if begin < 0 else begin
    return sliced(s.x, axis, begin, begin + length)


@operation("slice")
def slice_of(s):
    axis, begin, end, step = (s.given(i, n) for i, n in enumerate(("dim", "start", "end", "step")))
    axis = axis or 0
    return sliced(s.x, axis, begin or 0, s.x.shape[axis] if end is None else min(end, s.x.shape[axis]), step or 1)


@operation("select")
def select(s):
    axis, index = s.given(0, "dim"), s.given(1, "index")
    axis %= s.x.rank
    index %= s.x.shape[axis]
    piece = sliced(s.x, axis, index, index + 1)
    return call("reshape", listed([e for i, e in enumerate(s.x.shape) if i != axis]), piece)


@operation("__getitem__")
def getitem(s):
    index = s.args[0]
    x, shape, axis = s.x, [], 0
    for part in index if isinstance(index, tuple) else (index,):
        if part is Ellipsis:
            raise NotExpressible("an ellipsis")
        if isinstance(part, slice):
            begin, end, step = part.indices(s.x.shape[axis])
            if step != 1 or (begin, end) != (0, s.x.shape[axis]):
                x = sliced(x, axis, begin, end, step)
            shape.append(len(range(begin, end, step)))
        elif isinstance(part, int) and not isinstance(part, bool):
            place = part % s.x.shape[axis]
            x = sliced(x, axis, place, place + 1)
        else:
            raise NotExpressible("an index that is a tensor, a list or None")
        axis += 1
    return call("reshape", listed([*shape, *s.x.shape[axis:]]), x)


def parts_of(x, lengths, axis):
    ends = list(itertools.accumulate(lengths))
    return [sliced(x, axis, end - n, end) for n, end in zip(lengths, ends)]


def equal_parts(extent, size):
    return [min(size, extent - begin) for begin in range(0, extent, size)] or [0]


@operation("split", "split|list_args", "unsafe_split", "split_with_sizes", "split_with_sizes_copy")
def split(s):
    axis = s.given(1, "dim", 0)
    size = s.args[0]
    return parts_of(s.x, equal_parts(s.x.shape[axis], size) if isinstance(size, int) else size, axis)


@operation("chunk", "unsafe_chunk")
def chunk(s):
    count, axis = s.given(0, "chunks"), s.given(1, "dim", 0)
    lengths = equal_parts(s.x.shape[axis], -(-s.x.shape[axis] // count))
    if len(lengths) == count and len(set(lengths)) == 1:
        return Spelled([f"std::get<{i}>(tl::split<{axis}, {count}>({s.x}))" for i in range(count)])
    return parts_of(s.x, lengths, axis)


@operation("tensor_split")
def tensor_split(s):
    how, axis = s.args[0], s.given(1, "dim", 0)
    extent = s.x.shape[axis]
    if isinstance(how, Tensor):
        how = how.data.tolist()
    if isinstance(how, int):
        small, more = divmod(extent, how)
        return parts_of(s.x, [small + (i < more) for i in range(how)], axis)
    bounds = [0, *(min(max(b if b >= 0 else b + extent, 0), extent) for b in how), extent]
    return [sliced(s.x, axis, a, max(a, b)) for a, b in zip(bounds, bounds[1:])]


def split_along(axis):
    def spell(s):
        how = s.args[0]
        extent = s.x.shape[axis]
        if isinstance(how, int):
            return parts_of(s.x, [extent // how] * how, axis)
        bounds = [0, *(min(b, extent) for b in how), extent]
        return [sliced(s.x, axis, a, max(a, b)) for a, b in zip(bounds, bounds[1:])]

    return spell


operation("hsplit")(lambda s: split_along(0 if s.x.rank == 1 else 1)(s))
operation("vsplit")(split_along(0))
operation("dsplit")(split_along(2))


@operation("unbind", "unbind_copy")
def unbind(s):
    axis = s.given(0, "dim", 0) % s.x.rank
    shape = listed([e for i, e in enumerate(s.x.shape) if i != axis])
    return [call("reshape", shape, sliced(s.x, axis, i, i + 1)) for i in range(s.x.shape[axis])]


@operation("cat")
def cat(s):
    s.only("dim")
    return call("concat", str(s.given(0, "dim", 0)), *s.x)


@operation("stack")
def stack(s):
    return call("stack", str(s.given(0, "dim", 0)), *s.x)


@operation("hstack")
def hstack(s):
    return call("concat", "0" if s.x[0].rank == 1 else "1", *s.x)


@operation("vstack")
def vstack(s):
    return call("concat", "0", *[call("reshape", listed([1, *x.shape]), x) if x.rank == 1 else x for x in s.x])


@operation("column_stack")
def column_stack(s):
    return call("concat", "1", *[call("reshape", listed([x.shape[0], 1]), x) if x.rank == 1 else x for x in s.x])


@operation("flip")
def flip(s):
    dims = s.given(0, "dims")
    return call("flip", listed(dims), s.x) if len(dims) else s.x


@operation("fliplr")
def fliplr(s):
    return call("flip", "1", s.x)


@operation("flipud")
def flipud(s):
    return call("flip", "0", s.x)


@operation("roll")
def roll(s):
    shifts, dims = s.given(0, "shifts"), s.given(1, "dims")
    if dims is None or dims == ():
        count = math.prod(s.x.shape)
        shift = shifts if isinstance(shifts, int) else shifts[0]
        return call("reshape", listed(s.x.shape), call("roll", f"0, {shift}", call("reshape", str(count), s.x)))
    x = s.x
    for shift, dim in zip([shifts] if isinstance(shifts, int) else shifts, [dims] if isinstance(dims, int) else dims):
        x = call("roll", f"{dim}, {shift}", x)
    return x


def padded(x, pads, value=0):
    for i in range(len(pads) // 2):
        before, after = pads[2 * i], pads[2 * i + 1]
        if before or after:
            x = call("pad", f"{-1 - i}, {before}, {after}", x, *([] if not value else [value]))
    return x


@operation("constant_pad_nd")
def constant_pad(s):
    return padded(s.x, s.given(0, "pad"), s.given(1, "value", 0))


@operation("nn.functional.pad|constant")
def pad(s):
    return padded(s.x, s.given(0, "pad"), s.given(2, "value", 0))


@operation("atleast_1d")
def atleast_1d(s):
    xs = s.x if isinstance(s.x, (list, tuple)) else [s.x, *s.args]
    return [call("reshape", listed(x.shape or [1]), x) for x in xs if isinstance(x, Tensor)]


@operation("broadcast_tensors")
def broadcast_tensors(s):
    import torch

    xs = [s.x, *s.args]
    shape = torch.broadcast_shapes(*[x.shape for x in xs])
    return [call("expand", listed(shape), x) for x in xs]


@operation("tril")
def tril(s):
    return call("tril", str(s.given(0, "diagonal", 0)), s.x)


@operation("triu")
def triu(s):
    return call("triu", str(s.given(0, "diagonal", 0)), s.x)


@operation("diagonal", "linalg.diagonal", "diagonal_copy")
def diagonal(s):
    offset = s.given(0, "offset", 0)
    torch_default = (-2, -1) if False else (0, 1)
    dims = (s.given(1, "dim1", torch_default[0]), s.given(2, "dim2", torch_default[1]))
    rank = s.x.rank
    first, second = (d % rank for d in dims)
    x = s.x
    if (first, second) != (rank - 2, rank - 1):
        rest = [d for d in range(rank) if d not in (first, second)]
        x = call("permute", listed([*rest, first, second]), x)
    return call("diagonal", str(offset) if offset else "", x)


@operation("rot90")
def rot90(s):
    a, b = s.given(1, "dims", (0, 1))
    return call("rot90", f"{s.given(0, 'k', 1)}, {a}, {b}", s.x)


@operation("tile", "repeat")
def tile(s):
    times = sizes(s, 0, "repeats") if s.args else list(s.kwargs.get("dims", s.kwargs.get("repeats")))
    if 0 in times:
        raise NotExpressible("no repetitions, of which nothing is left")
    return call("tile", listed(times), s.x)


@operation("repeat_interleave")
def repeat_interleave(s):
    times, axis = s.given(0, "repeats"), s.given(1, "dim")
    if isinstance(times, Tensor):
        raise NotExpressible("a number of repetitions for each element, which only the program knows")
    x = s.x if axis is not None else call("flatten", "0", s.x)
    return call("repeat_interleave", f"{axis or 0}, {times}", x)


@operation("diff")
def diff(s):
    times, axis, before, after = (s.given(i, n, o) for i, (n, o) in enumerate(
        (("n", 1), ("dim", -1), ("prepend", None), ("append", None))))
    parts = [x for x in (before, s.x, after) if x is not None]
    if times == 0:  # PyTorch gives its operand back, without what is put before and behind it
        parts = [s.x]
    return call("diff", f"{axis}, {times}", call("concat", str(axis), *parts) if len(parts) > 1 else s.x)


@operation("meshgrid|variadic_tensors", "meshgrid|list_of_tensors")
def meshgrid(s):
    xs = s.x if isinstance(s.x, (list, tuple)) else [s.x, *s.args]
    grids = [f"std::get<{i}>({call('meshgrid', '', *xs)})" for i in range(len(xs))]
    if s.kwargs.get("indexing") == "xy" and len(xs) > 1:  # the first two axes exchanged
        grids = [call("transpose", "0, 1", grid) for grid in grids]
    return grids
