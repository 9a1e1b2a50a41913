// SPDX-License-Identifier: BSL-1.0
// Where reductions along the loops around the innermost one are added up.
#pragma once

#include <cstddef>
#include <cstdint>

#include <tapeless/run/common/order_of_sums.hpp>

namespace tapeless::cpu_kernels {

struct no_accumulator {};

/// A reduction along the loops around the innermost one, of so many neighbours at a time.
inline constexpr std::int64_t tile_bytes = 1 << 14;
template <class Operation, class T>
class row_accumulator {
 public:
  /// What the iterations add to; the first iteration of each block overwrites it.
  T* first_level() { return levels_[0]; }

  void carry(int level, bool empty, std::int64_t size) {
    if (empty) {
      for (std::int64_t i = 0; i < size; ++i) levels_[level + 1][i] = levels_[level][i];
    } else {
      add(level, level + 1, size);
    }
  }
  /// Precondition: something is filled.
  const T* total(const level_counts& filled, std::int64_t size) {
    int sum = filled.lowest();
    for (int level = sum + 1; level <= filled.highest(); ++level) {
      if (!filled.holds(level)) continue;
      add(sum, level, size);
      sum = level;
    }
    return levels_[sum];
  }

 private:
  T levels_[level_count][tile_bytes / sizeof(T)];

  void add(int from, int to, std::int64_t size) {
    for (std::int64_t i = 0; i < size; ++i)
      levels_[to][i] = static_cast<T>(Operation::combine(levels_[to][i], levels_[from][i]));
  }
};

}  // namespace tapeless::cpu_kernels
