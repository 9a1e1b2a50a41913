// SPDX-License-Identifier: BSL-1.0
// Elements that an index brings to places. Each place is made of the same parts in the same order in every
// run: along a short axis one thread goes, along a long one the elements are sorted by where they are
// brought.
#pragma once

#include <cstddef>
#include <utility>

#include <tapeless/graph/core/aligned.hpp>
#include <tapeless/plan/families/planned_scatter.hpp>
#include <tapeless/run/common/scatter_step.hpp>
#include <tapeless/run/gpu/kernels/indexed_elements.hpp>
#include <tapeless/run/gpu/kernels/stable_sort.hpp>

namespace tapeless::thrust_kernels {

template <scatter_kind Kind, class T>
struct start_item {
  T* target;
  constexpr void operator()(std::uint32_t item) const { target[item] = scatter_step<Kind, T>::start; }
};

/// What is replaced, where it is elsewhere; then each element by itself: no two are brought to one place.
template <class T>
struct copied_item {
  const T* before;
  T* target;
  constexpr void operator()(std::uint32_t item) const { target[item] = before[item]; }
};
template <class T, class Index>
struct replacing_item {
  indexed_elements<T, Index> of;

  constexpr void operator()(std::uint32_t item) const {
    const axis_loop_space::place p = of.loops.place_of(item);
    if (of.index[p.index] < 0) return;
    const std::int64_t at = of.picked(p);
    if (at >= 0) of.target[p.target + at] = of.source[p.source];
  }
};

/// All elements along the axis, by one thread.
template <scatter_kind Kind, class T, class Index>
struct scatter_line {
  indexed_elements<T, Index> of;  // of all axes but that one
  std::int64_t count, source_step, index_step;

  constexpr void operator()(std::uint32_t item) const {
    axis_loop_space::place p = of.loops.place_of(item);
    for (std::int64_t i = 0; i < count; ++i, p.source += source_step, p.index += index_step) {
      const std::int64_t at = of.picked(p);
      if (at < 0) continue;
      T& to = of.target[p.target + at];
      to = scatter_step<Kind, T>::next(to, of.source[p.source]);
    }
  }
};

/// The axes of a scatter whose places differ in their index, by which they are sorted, and the rest, all of
/// which goes where the index says. The sorted elements are cut into pieces.
struct scatter_plan {
  axis_loop_space sorted, rest;
  std::int64_t piece = 32, pieces = 0;

  explicit scatter_plan(const axis_loop_arguments& arguments) {
    for (int d = 0; d < arguments.rank; ++d) {
      (d == arguments.axis || arguments.index.strides[d] != 0 ? sorted : rest).add_axis(arguments, d);
      if (d == arguments.axis) sorted.target[sorted.space.rank - 1] = 0;  // there the index says
    }
    while (piece * piece < sorted.space.count) piece *= 2;
    pieces = (sorted.space.count + piece - 1) / piece;
  }

  /// What sorting takes, and the parts of pieces that do not belong to one result alone.
  std::int64_t key_bytes() const { return aligned(sorted.space.count * 4); }
  std::int64_t part_bytes(std::int64_t size) const { return aligned(pieces * rest.space.count * size); }
  std::int64_t bytes(std::int64_t size) const { return 4 * key_bytes() + 2 * part_bytes(size); }

 private:
  static std::int64_t aligned(std::int64_t bytes) { return tapeless::detail::aligned(bytes, 256); }
};

/// The key of an element is where it is brought, as far as the sorted axes go.
template <class T, class Index>
struct scatter_sort_key {
  indexed_elements<T, Index> of;
  std::uint32_t* target;
  std::uint32_t* items;
  std::uint32_t none;  // more than all keys

  constexpr void operator()(std::uint32_t item) const {
    const axis_loop_space::place p = of.loops.place_of(item);
    const std::int64_t at = of.picked(p);
    target[item] = at < 0 ? none : static_cast<std::uint32_t>(p.target + at);
    items[item] = item;
  }
};

/// Makes one of each run of equal keys. A run within one piece is a result; of others, each piece has a part.
template <scatter_kind Kind, class T>
struct sorted_runs {
  using step = scatter_step<Kind, T>;

  axis_loop_space sorted, rest;
  divisor rests;
  const std::uint32_t* keys;
  const std::uint32_t* items;
  std::uint32_t count, piece, none;
  const T* source;
  T* target;
  T* heads;  // by piece and rest: the part of a run that has begun in a piece before
  T* tails;  // that of a run that begins in this piece, and goes on in the next one

  /// Item i is element i % rests of piece i / rests.
  constexpr void operator()(std::uint32_t item) const {
    const std::uint32_t at = rests.quotient(item), begin = at * piece, end = end_of(at);
    const axis_loop_space::place r = rest.place_of(item - at * rests.value());
    for (std::uint32_t i = begin; i < end;) {
      const std::uint32_t key = keys[i];
      const bool has_begun = i == begin && begin > 0 && keys[begin - 1] == key;
      T part = step::start;
      for (; i < end && keys[i] == key; ++i)
        part = step::next(part, source[r.source + sorted.place_of(items[i]).source]);
      if (has_begun)
        heads[item] = part;
      else if (i == end && end < count && keys[end] == key)
        tails[item] = part;
      else if (key != none)
        target[r.target + key] = part;
    }
  }
  constexpr std::uint32_t end_of(std::uint32_t at) const {
    return count - at * piece < piece ? count : (at + 1) * piece;
  }
};

/// Puts the parts of a run together, where it begins.
template <scatter_kind Kind, class T>
struct join_runs {
  sorted_runs<Kind, T> of;

  constexpr void operator()(std::uint32_t item) const {
    const std::uint32_t rests = of.rests.value(), at = of.rests.quotient(item), end = of.end_of(at);
    if (end == of.count || of.keys[end] != of.keys[end - 1]) return;  // none goes on in the next piece
    const std::uint32_t key = of.keys[end], begin = at * of.piece;
    if (key == of.none || (begin > 0 && of.keys[begin - 1] == key))
      return;  // it is the run of a piece before
    T all = of.tails[item];
    for (std::uint32_t next = at + 1; next * of.piece < of.count && of.keys[next * of.piece] == key; ++next)
      all = scatter_step<Kind, T>::next(all, of.heads[item + (next - at) * rests]);
    of.target[of.rest.place_of(item - at * rests).target + key] = all;
  }
};

namespace detail {

inline constexpr std::int64_t longest_brought_by_thread = 64;

inline bool is_sorted_first(const scatter_arguments& arguments) {
  return arguments.extents[arguments.axis] > longest_brought_by_thread;
}

}  // namespace detail

/// What a scatter takes of the memory that the executor lends.
inline std::int64_t workspace_bytes_of(const planned_scatter& planned, const scatter_arguments& arguments) {
  if (planned.computes == scatter_kind::replace || !detail::is_sorted_first(arguments)) return 0;
  return scatter_plan(arguments).bytes(static_cast<std::int64_t>(size_of(planned.type)));
}

namespace detail {

/// What the index brings, in place of what is there.
template <class T, class Index, class Executor>
void replace(const scatter_arguments& arguments, Executor& executor) {
  auto* const target = elements<T>(arguments.target);
  const auto* const before = reinterpret_cast<const T*>(arguments.before);
  if (before != target) executor.for_each(arguments.target_count, copied_item<T>{before, target});
  axis_loop_arguments loops = arguments;
  loops.target.strides[arguments.axis] = 0;  // there the index says
  const indexed_elements<T, Index> of(arguments, space_of(loops, -1),
                                      arguments.target.strides[arguments.axis], arguments.bound,
                                      executor.faults());
  executor.for_each(of.loops.space.count, replacing_item<T, Index>{of});
}

/// The reduction of all that the index brings to each place.
template <scatter_kind Kind, class T, class Index, class Executor>
void reduce_by_place(const scatter_arguments& arguments, Executor& executor) {
  auto* const target = elements<T>(arguments.target);
  const std::int64_t along = arguments.target.strides[arguments.axis];
  executor.for_each(arguments.target_count, start_item<Kind, T>{target});
  if (!is_sorted_first(arguments)) {
    const indexed_elements<T, Index> lines(arguments, space_of(arguments, arguments.axis), along,
                                           arguments.bound, executor.faults());
    return executor.for_each(lines.loops.space.count,
                             scatter_line<Kind, T, Index>{lines, arguments.extents[arguments.axis],
                                                          arguments.source.strides[arguments.axis],
                                                          arguments.index.strides[arguments.axis]});
  }

  const scatter_plan plan(arguments);
  const auto count = static_cast<std::uint32_t>(plan.sorted.space.count);
  if (count == 0 || plan.rest.space.count == 0) return;
  std::byte* memory = executor.lent_memory();
  const auto next = [&memory](std::int64_t bytes) { return std::exchange(memory, memory + bytes); };
  const auto numbers = [&] { return reinterpret_cast<std::uint32_t*>(next(plan.key_bytes())); };
  const auto parts = [&] { return reinterpret_cast<T*>(next(plan.part_bytes(sizeof(T)))); };
  const keyed_items unsorted{numbers(), numbers()}, other{numbers(), numbers()};
  const auto none = static_cast<std::uint32_t>(arguments.target_count);
  const indexed_elements<T, Index> keys(arguments, plan.sorted, along, arguments.bound, executor.faults());
  executor.for_each(count, scatter_sort_key<T, Index>{keys, unsorted.keys, unsorted.items, none});
  const keyed_items all = stable_sort(count, unsorted, other, executor);
  const sorted_runs<Kind, T> kernel{plan.sorted,
                                    plan.rest,
                                    divisor(plan.rest.space.count),
                                    all.keys,
                                    all.items,
                                    count,
                                    static_cast<std::uint32_t>(plan.piece),
                                    none,
                                    keys.source,
                                    target,
                                    parts(),
                                    parts()};
  executor.for_each(plan.pieces * plan.rest.space.count, kernel);
  if (plan.pieces > 1) executor.for_each(plan.pieces * plan.rest.space.count, join_runs<Kind, T>{kernel});
}

}  // namespace detail

/// An index out of range is reported to the executor.
template <scatter_kind Kind, class T, class Index, class Executor>
void scatter(const scatter_arguments& arguments, Executor& executor) {
  detail::require_one_launch(iterations_of(arguments));
  detail::require_one_launch(arguments.target_count);
  if constexpr (Kind == scatter_kind::replace) {
    detail::replace<T, Index>(arguments, executor);
  } else {
    detail::reduce_by_place<Kind, T, Index>(arguments, executor);
  }
}

template <scatter_key Key, class Executor>
constexpr auto kernel_for() {
  return &scatter<Key.computes, storage_of<Key.type>, storage_of<Key.index_type>, Executor>;
}

}  // namespace tapeless::thrust_kernels
