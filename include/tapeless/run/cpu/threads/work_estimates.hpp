// SPDX-License-Identifier: BSL-1.0
// About how long kernels take on one thread, and how well their parts share threads: what decides how many
// they get. Nothing that is computed depends on it.
#pragma once

#include <algorithm>
#include <cstdint>

#include <tapeless/run/common/launch_arguments.hpp>
#include <tapeless/run/cpu/vectors/vectors.hpp>

namespace tapeless::cpu_kernels {

inline constexpr double nanoseconds_of_byte = 0.015;  // read or written

/// So many multiplications and additions of elements of that size, at half of what processors of 3 GHz do.
inline double nanoseconds_of(double multiplications, std::int64_t element_size) {
  return multiplications * static_cast<double>(std::max<std::int64_t>(element_size, 4)) /
         (12.0 * packet_size<float>);
}

/// A batch of products: what it multiplies, or, where that is little, as with a vector, what it reads and
/// writes.
inline double nanoseconds_of(const product_arguments& p) {
  const double m = static_cast<double>(p.m), n = static_cast<double>(p.n), k = static_cast<double>(p.k),
               bytes = static_cast<double>(p.element_size) * (m * k + k * n + m * n);
  return static_cast<double>(p.batches) *
         std::max(nanoseconds_of(m * n * k, p.element_size), nanoseconds_of_byte * bytes);
}

/// A fused kernel with so many elements: what it reads and writes, and what it computes.
inline double nanoseconds_of(const fused_kernel_arguments& arguments, std::int64_t elements) {
  std::int64_t bytes = 0;
  for (int k = 0; k < arguments.operand_count; ++k)
    if (arguments.operands[k].data != nullptr) bytes += arguments.operands[k].size;
  return static_cast<double>(elements) *
         (nanoseconds_of_byte * static_cast<double>(bytes) +
          0.6 / packet_size<float> * static_cast<double>(arguments.instructions));
}

/// The part of the threads' time in which they work, where each gets some of so many equal items.
constexpr double used_time(std::int64_t items, int threads) {
  const std::int64_t most = (items + threads - 1) / threads;
  return items == 0 ? 0 : static_cast<double>(items) / static_cast<double>(most * threads);
}

}  // namespace tapeless::cpu_kernels
