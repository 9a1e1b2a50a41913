// SPDX-License-Identifier: BSL-1.0
// Where the items of a walk are in its operands.
#pragma once

#include <tapeless/error.hpp>
#include <tapeless/run/common/element_types.hpp>
#include <tapeless/run/common/launch_arguments.hpp>
#include <tapeless/run/gpu/kernels/index_space.hpp>

namespace tapeless::thrust_kernels {

/// A walk's arguments by value, or some of its axes.
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

  constexpr void add_axis(const walk_arguments& arguments, int d) {
    source[space.rank] = arguments.source.strides[d];
    index[space.rank] = arguments.index.strides[d];
    target[space.rank] = arguments.target.strides[d];
    space.add_axis(arguments.extents[d]);
  }
};

namespace detail {

// Throws an error where a walk has more elements than a launch takes.
inline void require_one_launch(const walk_arguments& arguments) {
  std::int64_t count = arguments.target_count;
  for (int d = 0; d < arguments.rank; ++d)
    count = d == 0 ? arguments.extents[d] : count * arguments.extents[d];
  if (count > most_items || arguments.target_count > most_items)
    throw error({"indices and sums along an axis take at most ", most_items, " elements, but here are ",
                 count > arguments.target_count ? count : arguments.target_count});
}

// All axes but `left_out`.
inline walk_space space_of(const walk_arguments& arguments, int left_out) {
  require_one_launch(arguments);
  walk_space w;
  for (int d = 0; d < arguments.rank; ++d)
    if (d != left_out) w.add_axis(arguments, d);
  return w;
}

template <class T>
T* elements(const walk_operand& o) {
  return reinterpret_cast<T*>(o.data);
}

}  // namespace detail

}  // namespace tapeless::thrust_kernels
