// SPDX-License-Identifier: BSL-1.0
// Loops over elements along an axis, run by run of the innermost one.
#pragma once

#include <cstdint>

#include <tapeless/error.hpp>
#include <tapeless/plan/families/planned_axis_loop.hpp>

namespace tapeless::cpu_kernels {

namespace detail {

// Calls f(offsets of source, index and target) at the start of each run along the last axis.
template <class F>
void for_each_run(const axis_loop_arguments& arguments, F f) {
  std::int64_t source = 0, index = 0, target = 0, position[max_rank] = {};
  for (int d = 0; d < arguments.rank; ++d)
    if (arguments.extents[d] == 0) return;
  while (true) {
    f(source, index, target, position);
    int d = arguments.rank - 2;
    for (; d >= 0; --d) {
      source += arguments.source.strides[d];
      index += arguments.index.strides[d];
      target += arguments.target.strides[d];
      if (++position[d] < arguments.extents[d]) break;
      source -= arguments.extents[d] * arguments.source.strides[d];
      index -= arguments.extents[d] * arguments.index.strides[d];
      target -= arguments.extents[d] * arguments.target.strides[d];
      position[d] = 0;
    }
    if (d < 0) return;
  }
}

// Calls f(offsets of source and target) at the start of so many runs, which are numbered like for_each_run's.
template <class F>
void for_lines(const axis_loop_arguments& arguments, std::int64_t begin, std::int64_t count, F f) {
  for (std::int64_t line = begin; line < begin + count; ++line) {
    std::int64_t source = 0, target = 0, rest = line;
    for (int d = arguments.rank - 2; d >= 0; --d) {
      const std::int64_t position = rest % arguments.extents[d];
      source += position * arguments.source.strides[d];
      target += position * arguments.target.strides[d];
      rest /= arguments.extents[d];
    }
    f(source, target);
  }
}

template <class Index>
std::int64_t checked(Index i, std::int64_t bound) {
  if (i < 0 || i >= bound) throw_error({"an index is ", i, ", but must be from 0 to below ", bound});
  return static_cast<std::int64_t>(i);
}

}  // namespace detail

}  // namespace tapeless::cpu_kernels
