// SPDX-License-Identifier: BSL-1.0
// The kernel family of walks: elements that an index picks or adds to, axes turned around, sums along an
// axis. Instances differ in element types only.
#pragma once

#include <tapeless/run/calls.hpp>
#include <tapeless/run/element_types.hpp>
#include <tapeless/run/thrust/atomics.hpp>
#include <tapeless/run/thrust/fault.hpp>
#include <tapeless/run/thrust/index_space.hpp>

namespace tapeless::thrust_kernels {

/// A walk's call by value.
struct walk_space {
  index_space space;
  std::int64_t source[max_rank] = {}, index[max_rank] = {}, target[max_rank] = {};

  /// How far an item is from each operand's start.
  struct place {
    std::int64_t source = 0, index = 0, target = 0;
  };
  constexpr place place_of(std::uint32_t item) const {
    place p;
    for (int d = space.rank - 1; d >= 0; --d) {
      const std::uint32_t rest = d == 0 ? 0 : space.extents[d].quotient(item);
      const std::int64_t at = item - rest * space.extents[d].value();
      p.source += at * source[d];
      p.index += at * index[d];
      p.target += at * target[d];
      item = rest;
    }
    return p;
  }
};

/// A walk whose places along an axis are picked by an index.
template <class T, class Index>
struct indexed_walk {
  walk_space walk;
  const T* source;
  const Index* index;
  T* target;
  std::int64_t along, bound;
  fault* faults;

  /// How far the picked element is along the axis; -1 where the index is out of range, which is reported.
  constexpr std::int64_t picked(const walk_space::place& p) const {
    const auto i = static_cast<std::int64_t>(index[p.index]);
    if (i >= 0 && i < bound) return along * i;
    faults->report(i, bound);
    return -1;
  }
};

/// target(.., i, ..) = source(.., index(.., i, ..), ..).
template <class T, class Index>
struct gather_item {
  indexed_walk<T, Index> of;
  constexpr void operator()(std::uint32_t item) const {
    const walk_space::place p = of.walk.place_of(item);
    if (const std::int64_t at = of.picked(p); at >= 0) of.target[p.target] = of.source[p.source + at];
  }
};

/// target(.., index(.., i, ..), ..) += source(.., i, ..), in no order.
template <class T, class Index>
struct scatter_add_item {
  indexed_walk<T, Index> of;
  constexpr void operator()(std::uint32_t item) const {
    const walk_space::place p = of.walk.place_of(item);
    if (const std::int64_t at = of.picked(p); at >= 0)
      atomic_add(of.target + p.target + at, of.source[p.source]);
  }
};

template <class T>
struct zero_item {
  T* target;
  constexpr void operator()(std::uint32_t item) const { target[item] = T(0); }
};

template <class T>
struct copy_item {
  walk_space walk;
  const T* source;
  T* target;
  constexpr void operator()(std::uint32_t item) const {
    const walk_space::place p = walk.place_of(item);
    target[p.target] = source[p.source];
  }
};

/// Sums along one line: target(i) = source(0) + ... + source(i).
template <class T>
struct cumsum_line {
  walk_space walk;
  const T* source;
  T* target;
  std::int64_t count, source_step, target_step;
  constexpr void operator()(std::uint32_t item) const {
    const walk_space::place p = walk.place_of(item);
    computed_as<element_of<T>> sum = 0;
    for (std::int64_t i = 0; i < count; ++i) {
      sum = static_cast<computed_as<element_of<T>>>(sum + source[p.source + i * source_step]);
      target[p.target + i * target_step] = static_cast<T>(sum);
    }
  }
};

namespace detail {

// All axes but `left_out`. Throws an error where they have more elements than a launch takes.
inline walk_space space_of(const walk_call& call, int left_out) {
  std::int64_t count = call.target_count;
  for (int d = 0; d < call.rank; ++d) count = d == 0 ? call.extents[d] : count * call.extents[d];
  if (count > most_items || call.target_count > most_items)
    throw error({"indices and sums along an axis take at most ", most_items, " elements, but here are ",
                 count > call.target_count ? count : call.target_count});
  walk_space w;
  for (int d = 0; d < call.rank; ++d) {
    if (d == left_out) continue;
    w.source[w.space.rank] = call.source.strides[d];
    w.index[w.space.rank] = call.index.strides[d];
    w.target[w.space.rank] = call.target.strides[d];
    w.space.add_axis(call.extents[d]);
  }
  return w;
}
template <class T>
T* elements(const walk_operand& o) {
  return reinterpret_cast<T*>(o.data);
}

}  // namespace detail

namespace detail {

template <class T, class Index>
indexed_walk<T, Index> indexed(const walk_call& by_index, std::int64_t along, fault* faults) {
  return {space_of(by_index, -1),
          elements<const T>(by_index.source),
          elements<const Index>(by_index.index),
          elements<T>(by_index.target),
          along,
          by_index.bound,
          faults};
}

}  // namespace detail

/// An index out of range is reported to the executor.
template <class T, class Index, class Executor>
void gather(const walk_call& call, Executor& executor) {
  walk_call by_index = call;
  by_index.source.strides[call.axis] = 0;
  const auto walk = detail::indexed<T, Index>(by_index, call.source.strides[call.axis], executor.faults());
  executor.for_each(walk.walk.space.count, gather_item<T, Index>{walk});
}

/// The same.
template <class T, class Index, class Executor>
void scatter_add(const walk_call& call, Executor& executor) {
  walk_call by_index = call;
  by_index.target.strides[call.axis] = 0;
  const auto walk = detail::indexed<T, Index>(by_index, call.target.strides[call.axis], executor.faults());
  executor.for_each(call.target_count, zero_item<T>{walk.target});
  executor.for_each(walk.walk.space.count, scatter_add_item<T, Index>{walk});
}

template <class T, class Executor>
void flip(const walk_call& call, Executor& executor) {
  walk_call turned = call;
  std::int64_t& step = turned.source.strides[call.axis];
  const T* source = detail::elements<const T>(call.source) + (call.extents[call.axis] - 1) * step;
  step = -step;
  const walk_space walk = detail::space_of(turned, -1);
  executor.for_each(walk.space.count, copy_item<T>{walk, source, detail::elements<T>(call.target)});
}

template <class T, class Executor>
void cumsum(const walk_call& call, Executor& executor) {
  const T* source = detail::elements<const T>(call.source);
  T* target = detail::elements<T>(call.target);
  std::int64_t from = call.source.strides[call.axis], to = call.target.strides[call.axis];
  const std::int64_t count = call.extents[call.axis];
  if (call.from_the_end) {
    source += (count - 1) * from;
    target += (count - 1) * to;
    from = -from;
    to = -to;
  }
  const walk_space lines = detail::space_of(call, call.axis);
  if (count > 0) executor.for_each(lines.space.count, cumsum_line<T>{lines, source, target, count, from, to});
}

}  // namespace tapeless::thrust_kernels
