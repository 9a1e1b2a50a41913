// SPDX-License-Identifier: BSL-1.0
// Which fused kernels work on the same rows, so that one team may run them one after the other for each row.
// Ordinary constexpr code over a plan's tables.
#pragma once

#include <tapeless/run/gpu/launch/fused_rows.hpp>

namespace tapeless::thrust_kernels {

inline constexpr int most_in_rows = 12;

/// So many fused kernels of so many rows.
struct row_group {
  int count = 1;
  extent_factors rows = {};
};

class row_groups {
 public:
  constexpr explicit row_groups(const launch_tables& tables) : t_(tables), rows_(tables) {}

  /// The longest group from this command on, of the rows of its first fused kernel or of the first one that
  /// reduces rows.
  constexpr row_group from(int begin, int end) const {
    row_group best;
    for (int s = begin; s < end && s - begin < most_in_rows; ++s) {
      const planned_fused_kernel& p = t_.fused_kernel_at(s);
      if (p.rank == 0) break;
      if (s != begin && !t_.reduces(p)) continue;
      const extent_factors rows = rows_.rows_of(p);
      const int count = count_of_rows(begin, end, rows);
      if (count > best.count) best = {count, rows};
      if (t_.reduces(p)) break;
    }
    return best;
  }

 private:
  static constexpr std::int64_t least_in_row = 8;  // for which a warp is worth it

  const launch_tables& t_;
  fused_rows rows_;

  constexpr bool is_worth_it(int command, const extent_factors& rows) const {
    const std::int64_t elements = rows_.elements_of(t_.fused_kernel_at(command), rows);
    return elements < 0 || elements >= least_in_row;
  }
  // Whether a group from this command on can be: soon known, where rows are short.
  constexpr bool may_be_worth_it(int begin, int end, const extent_factors& rows) const {
    for (int s = begin; s < end && s - begin < most_in_rows; ++s)
      if (is_worth_it(s, rows)) return true;
    return false;
  }

  constexpr int count_of_rows(int begin, int end, const extent_factors& rows) const {
    if (!may_be_worth_it(begin, end, rows)) return 0;
    int count = 0, bytes = 0;
    bool is_any_worth_it = false;
    for (bool joins = rows_.by_rows(t_.fused_kernel_at(begin), rows).exist; joins;) {
      is_any_worth_it = is_any_worth_it || is_worth_it(begin + count, rows);
      bytes += t_.parameter_bytes(t_.fused_kernel_at(begin + count), max_rank);
      ++count;
      joins = begin + count < end && count < most_in_rows &&
              bytes + t_.parameter_bytes(t_.fused_kernel_at(begin + count), max_rank) <= most_parameter_bytes;
      for (int k = 0; joins && k < count; ++k)
        joins = rows_.meet(t_.fused_kernel_at(begin + k), t_.fused_kernel_at(begin + count), rows);
    }
    return is_any_worth_it ? count : 0;
  }
};

}  // namespace tapeless::thrust_kernels
