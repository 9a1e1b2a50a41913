// SPDX-License-Identifier: BSL-1.0
// Walks whose places along an axis are picked by an index.
#pragma once

#include <tapeless/run/gpu/kernels/fault.hpp>
#include <tapeless/run/gpu/kernels/walk_space.hpp>

namespace tapeless::thrust_kernels {

template <class T, class Index>
struct indexed_walk {
  walk_space walk;
  const T* source;
  const Index* index;
  T* target;
  std::int64_t along, bound;
  fault* faults;

  indexed_walk(const walk_arguments& arguments, const walk_space& space, std::int64_t step, fault* note)
      : walk(space),
        source(detail::elements<const T>(arguments.source)),
        index(detail::elements<const Index>(arguments.index)),
        target(detail::elements<T>(arguments.target)),
        along(step),
        bound(arguments.bound),
        faults(note) {}

  /// How far the picked element is along the axis; -1 where the index is out of range, which is reported.
  constexpr std::int64_t picked(const walk_space::place& p) const {
    const auto i = static_cast<std::int64_t>(index[p.index]);
    if (i >= 0 && i < bound) return along * i;
    faults->report(i, bound);
    return -1;
  }
};

}  // namespace tapeless::thrust_kernels
