// SPDX-License-Identifier: BSL-1.0
// The kernel family of walks: elements that an index picks or adds to, axes turned around, sums along an
// axis. Instances differ in element types only.
#pragma once

#include <tapeless/run/thrust/cumsum.hpp>
#include <tapeless/run/thrust/scatter_add.hpp>

namespace tapeless::thrust_kernels {

/// target(.., i, ..) = source(.., index(.., i, ..), ..).
template <class T, class Index>
struct gather_item {
  indexed_walk<T, Index> of;
  constexpr void operator()(std::uint32_t item) const {
    const walk_space::place p = of.walk.place_of(item);
    if (const std::int64_t at = of.picked(p); at >= 0) of.target[p.target] = of.source[p.source + at];
  }
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

/// An index out of range is reported to the executor.
template <class T, class Index, class Executor>
void gather(const walk_call& call, Executor& executor) {
  walk_call by_index = call;
  by_index.source.strides[call.axis] = 0;
  const indexed_walk<T, Index> walk(by_index, detail::space_of(by_index, -1), call.source.strides[call.axis],
                                    executor.faults());
  executor.for_each(walk.walk.space.count, gather_item<T, Index>{walk});
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

/// The memory that a walk needs beside its operands.
inline std::int64_t walk_bytes(const walk_call& call, const planned_walk& w) {
  if (w.kind != walk::scatter_add) return 0;
  return scatter_add_bytes(call, static_cast<std::int64_t>(size_of(w.type)));
}

}  // namespace tapeless::thrust_kernels
