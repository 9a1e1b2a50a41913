// SPDX-License-Identifier: BSL-1.0
// Where the items of loops along an axis are in their operands.
#pragma once

#include <tapeless/error.hpp>
#include <tapeless/plan/families/planned_axis_loop.hpp>
#include <tapeless/run/common/element_types.hpp>
#include <tapeless/run/common/launch_arguments.hpp>
#include <tapeless/run/gpu/kernels/index_space.hpp>

namespace tapeless::thrust_kernels {

/// Loops along an axis by value, or some of them.
struct axis_loop_space {
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

  constexpr void add_axis(const axis_loop_arguments& arguments, int d) {
    source[space.rank] = arguments.source.strides[d];
    index[space.rank] = arguments.index.strides[d];
    target[space.rank] = arguments.target.strides[d];
    space.add_axis(arguments.extents[d]);
  }
};

namespace detail {

// Throws an error where there are more elements than a launch takes.
inline void require_one_launch(std::int64_t count) {
  if (count > most_items)
    throw_error(
        {"indices and sums along an axis take at most ", most_items, " elements, but here are ", count});
}

// All axes but `left_out`.
inline axis_loop_space space_of(const axis_loop_arguments& arguments, int left_out) {
  require_one_launch(iterations_of(arguments));
  axis_loop_space s;
  for (int d = 0; d < arguments.rank; ++d)
    if (d != left_out) s.add_axis(arguments, d);
  return s;
}

template <class T>
T* elements(const strided_operand& o) {
  return reinterpret_cast<T*>(o.data);
}

}  // namespace detail

}  // namespace tapeless::thrust_kernels
