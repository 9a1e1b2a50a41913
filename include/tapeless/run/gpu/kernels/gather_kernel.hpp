// SPDX-License-Identifier: BSL-1.0
// The kernel family of elements that are picked along an axis. Instantiations differ in element types only.
#pragma once

#include <tapeless/plan/families/planned_gather.hpp>
#include <tapeless/run/gpu/kernels/indexed_elements.hpp>

namespace tapeless::thrust_kernels {

/// target(.., i, ..) = source(.., index(.., i, ..), ..).
template <class T, class Index>
struct gather_item {
  indexed_elements<T, Index> of;
  constexpr void operator()(std::uint32_t item) const {
    const axis_loop_space::place p = of.loops.place_of(item);
    if (const std::int64_t at = of.picked(p); at >= 0) of.target[p.target] = of.source[p.source + at];
  }
};

template <class T>
struct copy_item {
  axis_loop_space loops;
  const T* source;
  T* target;
  constexpr void operator()(std::uint32_t item) const {
    const axis_loop_space::place p = loops.place_of(item);
    target[p.target] = source[p.source];
  }
};

/// An index out of range is reported to the executor.
template <class T, class Index, class Executor>
void gather(const gather_arguments& arguments, Executor& executor) {
  axis_loop_arguments by_index = arguments;
  by_index.source.strides[arguments.axis] = 0;
  const indexed_elements<T, Index> elements(by_index, detail::space_of(by_index, -1),
                                            arguments.source.strides[arguments.axis], arguments.bound,
                                            executor.faults());
  executor.for_each(elements.loops.space.count, gather_item<T, Index>{elements});
}

template <class T, class Executor>
void flip(const gather_arguments& arguments, Executor& executor) {
  if (arguments.is_empty()) return;
  axis_loop_arguments reversed = arguments;
  arguments.reverse<T>(reversed.source);
  const axis_loop_space loops = detail::space_of(reversed, -1);
  executor.for_each(loops.space.count, copy_item<T>{loops, detail::elements<const T>(reversed.source),
                                                    detail::elements<T>(reversed.target)});
}

template <gather_key Key, class Executor>
constexpr auto kernel_for() {
  using value = storage_of<Key.type>;
  if constexpr (Key.computes == gather_kind::flip) {
    return &flip<value, Executor>;
  } else {
    static_assert(Key.computes == gather_kind::by_index);
    return &gather<value, storage_of<Key.index_type>, Executor>;
  }
}

}  // namespace tapeless::thrust_kernels
