// SPDX-License-Identifier: BSL-1.0
// What a machine can do at most, measured: what kernels are compared with.
#pragma once

#include <algorithm>
#include <cstring>

#include <tapeless/clock.hpp>
#include <tapeless/error.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/run/cpu/product/product_kernel.hpp>
#include <tapeless/run/cpu/work_split.hpp>

namespace tapeless {

/// What a machine can do at most in a second; 0 where that is not known.
struct machine_peak {
  /// Bytes that are read and written in copies of these sizes: in the first levels of caches, and in none.
  static constexpr std::int64_t sizes[] = {1 << 15, 1 << 18, 1 << 21, 1 << 24, 1 << 26};

  double flops = 0;       ///< operations on elements, as matrix products of float do them
  double bandwidth = 0;   ///< bytes that are read or written, of memory that is in no cache
  double cached[4] = {};  ///< the same of few bytes, of the first sizes

  /// The bandwidth of so many bytes.
  constexpr double bandwidth_of(double bytes) const {
    for (int i = 0; i < 4; ++i)
      if (bytes <= static_cast<double>(sizes[i]) && cached[i] > 0) return cached[i];
    return bandwidth;
  }
};

namespace detail {

/// The shortest of some calls, in seconds; the first is not counted.
template <class F>
double shortest_of(int calls, const F& f) {
  f();
  double shortest = 1e300;
  for (int i = 0; i < calls; ++i) {
    const double begin = steady_seconds();
    f();
    shortest = std::min(shortest, steady_seconds() - begin);
  }
  return std::max(shortest, 1e-9);
}

}  // namespace detail

namespace detail {

/// The bytes a second of a copy that reads and writes `bytes` bytes in all.
TAPELESS_COLD inline double copy_bandwidth(cpu_kernels::thread_team& team, std::int64_t bytes) {
  const std::int64_t half = bytes / 2, again = std::max<std::int64_t>(1, (1 << 21) / bytes);
  const cpu_kernels::aligned_memory from(half), to(half);
  const double seconds = shortest_of(8, [&] {
    team.run(team.size(), [&](int part) {
      const cpu_kernels::range_part range = cpu_kernels::part_of(half, team.size(), part, 64);
      for (std::int64_t i = 0; i < again; ++i)
        std::memcpy(to.data() + range.begin, from.data() + range.begin, static_cast<std::size_t>(range.size));
    });
  });
  return static_cast<double>(bytes * again) / seconds;
}

}  // namespace detail

/// Measures, in about a fifth of a second, what this program reaches on that many threads, or on all cores
/// where it is 0: the operations of a product of float matrices of 384 by 384, and the bytes of copies of
/// several sizes.
TAPELESS_COLD inline machine_peak measure_peak(int threads = 1) {
  cpu_kernels::thread_team team(threads);
  machine_peak peak;
  for (int i = 0; i < 4; ++i) peak.cached[i] = detail::copy_bandwidth(team, machine_peak::sizes[i]);
  peak.bandwidth = detail::copy_bandwidth(team, machine_peak::sizes[4]);
  constexpr std::int64_t n = 384, bytes = n * n * static_cast<std::int64_t>(sizeof(float));
  const cpu_kernels::aligned_memory a(bytes), b(bytes), c(bytes);
  const auto operand = [](const cpu_kernels::aligned_memory& m) { return product_operand{m.data(), {n, 1}}; };
  product_arguments arguments{.m = n, .n = n, .k = n, .ldc = n, .element_size = sizeof(float)};
  arguments.a = operand(a);
  arguments.b = operand(b);
  arguments.c = operand(c);
  cpu_kernels::reserve_workspace(team, arguments, &cpu_kernels::product_workspace<float>);
  const double seconds = detail::shortest_of(8, [&] {
    cpu_kernels::run_split(team, &cpu_kernels::product_kernel<float, true, true>::run, arguments);
  });
  peak.flops = 2.0 * n * n * n / seconds;
  return peak;
}

}  // namespace tapeless
