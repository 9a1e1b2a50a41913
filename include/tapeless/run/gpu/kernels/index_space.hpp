// SPDX-License-Identifier: BSL-1.0
// From an item's number to its place along each axis, by multiplication instead of division. A launch has
// less than 2^31 items, so that 32 bits tell them apart.
#pragma once

#include <cstdint>

#include <tapeless/graph/core/node.hpp>

namespace tapeless::thrust_kernels {

inline constexpr std::int64_t most_items = (std::int64_t{1} << 31) - 1;

/// Divides numbers below 2^31 by one that is known before the kernel starts (Granlund and Montgomery, 1994).
class divisor {
 public:
  constexpr divisor() = default;
  /// Precondition: 1 <= d < 2^31.
  constexpr explicit divisor(std::int64_t d) : d_(static_cast<std::uint32_t>(d)) {
    while ((std::int64_t{1} << shift_) < d) ++shift_;
    factor_ = ((std::uint64_t{1} << (31 + shift_)) + d_ - 1) / d_;
  }

  constexpr std::uint32_t quotient(std::uint32_t n) const {
    return static_cast<std::uint32_t>((n * factor_) >> (31 + shift_));
  }
  constexpr std::uint32_t value() const { return d_; }

 private:
  std::uint64_t factor_ = std::uint64_t{1} << 31;  // at most 2^32
  std::uint32_t d_ = 1;
  int shift_ = 0;
};

/// Some of the axes, from the outermost to the innermost.
struct index_space {
  int rank = 0;
  std::int64_t count = 1;
  divisor extents[max_rank] = {};

  /// Precondition: the axes have no more than most_items items together.
  constexpr void add_axis(std::int64_t extent) {
    extents[rank++] = divisor(extent > 0 ? extent : 1);
    count *= extent;
  }
  /// Calls see(axis, index) for the place of item number `item`, from the innermost axis to the outermost.
  template <class See>
  constexpr void for_each_axis(std::uint32_t item, const See& see) const {
    for (int d = rank - 1; d >= 0; --d) {
      const std::uint32_t before = extents[d].quotient(item);
      see(d, std::int64_t{item - before * extents[d].value()});
      item = before;
    }
  }
};

}  // namespace tapeless::thrust_kernels
