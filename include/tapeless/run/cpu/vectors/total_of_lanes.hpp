// SPDX-License-Identifier: BSL-1.0
// What a vector's numbers add up to, by halves: 0 with W/2, 1 with W/2 + 1, ..., then 0 with W/4, ..., at
// last 0 with 1. Eigen's order is not the same on all targets.
#pragma once

#include <bit>

#include <tapeless/ops/reduction/sum.hpp>
#include <tapeless/run/bare/bare_sums.hpp>
#include <tapeless/run/cpu/vectors/vector_arithmetic.hpp>

namespace tapeless::cpu_kernels {

/// All numbers of a vector, combined as a reduction does.
template <class Reduction, class T>
[[gnu::always_inline]] inline T total_of_lanes(wide<T> x) {
  constexpr int width = packet_size<T>;
#if defined(__GNUC__) && !defined(__CUDACC__)
  if constexpr (width > 1) {
    using lanes = bare_kernels::vector_lanes<T, width>;
    return bare_kernels::detail::total_of<Reduction, false>(
        bare_kernels::bare_wide<lanes>{std::bit_cast<typename lanes::held>(x.p)});
  }
#endif
  T all[width];
  store(all, x);
  return bare_kernels::detail::total_of<Reduction>(all, width);
}
template <class T>
[[gnu::always_inline]] inline T sum_of_lanes(wide<T> x) {
  return total_of_lanes<sum_operation>(x);
}

}  // namespace tapeless::cpu_kernels
