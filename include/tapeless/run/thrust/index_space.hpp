// SPDX-License-Identifier: BSL-1.0
// From an item's number to its place along each axis, by multiplication instead of division.
#pragma once

#include <cstdint>

#include <tapeless/graph/node.hpp>

namespace tapeless::thrust_kernels {

/// Divides by a number that is known before the kernel starts. Where the dividends are below 2^31 this takes
/// a multiplication (Granlund and Montgomery, 1994).
class divisor {
 public:
  constexpr divisor() = default;
  constexpr divisor(std::int64_t d, bool small) : d_(d) {
    if (!small || d <= 1) return;
    while ((std::int64_t{1} << shift_) < d) ++shift_;
    factor_ =
        static_cast<std::uint32_t>(((std::uint64_t{1} << (31 + shift_)) + static_cast<std::uint64_t>(d) - 1) /
                                   static_cast<std::uint64_t>(d));
  }

  /// n / d, for n >= 0.
  constexpr std::int64_t quotient(std::int64_t n) const {
    if (d_ == 1) return n;
    if (factor_ == 0) return n / d_;
    return static_cast<std::int64_t>((static_cast<std::uint64_t>(n) * factor_) >> (31 + shift_));
  }
  constexpr std::int64_t value() const { return d_; }

 private:
  std::int64_t d_ = 1;
  std::uint32_t factor_ = 0;  // 0: dividends or divisor are large
  int shift_ = 0;
};

/// Some of a call's axes, from the outermost to the innermost.
struct index_space {
  int rank = 0;
  std::int64_t count = 1;
  divisor extents[max_rank] = {};

  constexpr void add_axis(std::int64_t extent) {
    extents[rank++] = divisor(extent, false);
    count *= extent;
  }
  /// Once all axes are there.
  constexpr void finish() {
    for (int d = 0; d < rank; ++d) extents[d] = divisor(extents[d].value(), count < (std::int64_t{1} << 31));
  }
};

}  // namespace tapeless::thrust_kernels
