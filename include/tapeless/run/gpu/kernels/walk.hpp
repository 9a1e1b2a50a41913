// SPDX-License-Identifier: BSL-1.0
// The kernel family of walks: elements that an index picks or adds to, axes turned around, sums along an
// axis. Instances differ in element types only.
#pragma once

#include <tapeless/run/gpu/kernels/prefix_scan_kernel.hpp>
#include <tapeless/run/gpu/kernels/scatter_add.hpp>

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
void gather(const walk_arguments& arguments, Executor& executor) {
  walk_arguments by_index = arguments;
  by_index.source.strides[arguments.axis] = 0;
  const indexed_walk<T, Index> walk(by_index, detail::space_of(by_index, -1),
                                    arguments.source.strides[arguments.axis], executor.faults());
  executor.for_each(walk.walk.space.count, gather_item<T, Index>{walk});
}

template <class T, class Executor>
void flip(const walk_arguments& arguments, Executor& executor) {
  walk_arguments turned = arguments;
  std::int64_t& step = turned.source.strides[arguments.axis];
  const T* source =
      detail::elements<const T>(arguments.source) + (arguments.extents[arguments.axis] - 1) * step;
  step = -step;
  const walk_space walk = detail::space_of(turned, -1);
  executor.for_each(walk.space.count, copy_item<T>{walk, source, detail::elements<T>(arguments.target)});
}

/// The memory that a walk needs beside its operands.
inline std::int64_t walk_bytes(const walk_arguments& arguments, const planned_walk& w) {
  if (w.kind != walk::scatter_add) return 0;
  return scatter_add_bytes(arguments, static_cast<std::int64_t>(size_of(w.type)));
}

}  // namespace tapeless::thrust_kernels
