// SPDX-License-Identifier: BSL-1.0
// Loops over elements along an axis, run by run of the innermost one.
#pragma once

#include <cstdint>

#include <tapeless/error.hpp>
#include <tapeless/plan/families/axis_loop.hpp>

namespace tapeless::cpu_kernels {

namespace detail {

// Calls f(offsets of source, index and target) at the start of each run along the last axis.
template <class F>
void for_each_run(const axis_loop_arguments& call, F f) {
  std::int64_t source = 0, index = 0, target = 0, position[max_rank] = {};
  for (int d = 0; d < call.rank; ++d)
    if (call.extents[d] == 0) return;
  while (true) {
    f(source, index, target, position);
    int d = call.rank - 2;
    for (; d >= 0; --d) {
      source += call.source.strides[d];
      index += call.index.strides[d];
      target += call.target.strides[d];
      if (++position[d] < call.extents[d]) break;
      source -= call.extents[d] * call.source.strides[d];
      index -= call.extents[d] * call.index.strides[d];
      target -= call.extents[d] * call.target.strides[d];
      position[d] = 0;
    }
    if (d < 0) return;
  }
}

template <class Index>
std::int64_t checked(Index i, std::int64_t bound) {
  if (i < 0 || i >= bound) throw error({"an index is ", i, ", but must be from 0 to below ", bound});
  return static_cast<std::int64_t>(i);
}

}  // namespace detail

}  // namespace tapeless::cpu_kernels
