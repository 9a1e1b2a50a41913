// SPDX-License-Identifier: BSL-1.0
// The kernel family of rows: several passes over the same rows in one launch, so that a softmax, a loss of
// classes or a norm reads its row once. A team runs all passes of one row before the next row.
#pragma once

#include <tapeless/run/thrust/reduce.hpp>

namespace tapeless::thrust_kernels {

/// One pass of those, for a team's members.
template <class Body, bool Reduces>
struct row_pass {
  static constexpr bool reduces = Reduces;
  using partial = partial_results<typename Body::stores, typename Body::store_numbers>;

  typename Body::operands operands;  // their axes: the rows, then those within a row
  index_space rows, row;

  /// The pass's loops by rows; `split` is how many elements of a row are in one loop with the rows, or 0.
  static row_pass make(const pass_call& call, std::int64_t split) {
    row_pass p{typename Body::operands(call), {}, {}};
    if (split > 0) {
      p.rows.add_axis(call.extents[0] / split);
      p.row.add_axis(split);
      for (int k = 0; k < Body::count; ++k) {
        p.operands.strides[k][1] = call.operands[k].strides[0];
        p.operands.strides[k][0] = call.operands[k].strides[0] * split;
      }
    } else {
      p.rows.add_axis(call.extents[0]);
      for (int d = 1; d < call.rank; ++d) p.row.add_axis(call.extents[d]);
    }
    return p;
  }

  /// Every `shares`-th element of the row, from the one number `share` on.
  constexpr void add(std::uint32_t item, int share, int shares, partial& sum) const {
    typename Body::place start;
    start.move(operands, rows, 0, item);
    for (std::int64_t i = share; i < row.count; i += shares) {
      typename Body::place p = start;
      p.move(operands, row, 1, static_cast<std::uint32_t>(i));
      typename Body::values r;
      Body::compute(operands, p, r);
      if constexpr (Reduces) sum.add(r);
    }
  }
  constexpr void finish(std::uint32_t item, const partial& sum) const {
    typename Body::place p;
    p.move(operands, rows, 0, item);
    sum.template write<Body>(operands, p);
  }
};

/// The passes of a group, in their order.
template <class Numbers, class... Passes>
struct row_passes;
template <int... Number, class... Passes>
struct row_passes<std::integer_sequence<int, Number...>, Passes...> : register_slot<Number, Passes>... {
  static constexpr int count = sizeof...(Passes);

  /// team.run(pass, item) for all passes, one after the other.
  template <class Team>
  constexpr void run(const Team& team, std::uint32_t item) const {
    (team.run(held<Number>(*this), item), ...);
  }
};

/// Rows of at most so many elements are a warp's work; longer ones a block's.
inline constexpr std::int64_t longest_row_of_warp = 1024;

/// Runs a group of passes on an executor. Splits are those of its passes.
template <class... Passes>
struct rows_of {
  template <std::int64_t... Split, class Executor>
  static void run(const pass_call* const* calls, Executor& executor) {
    start<Split...>(calls, std::make_integer_sequence<int, sizeof...(Passes)>{}, executor);
  }

 private:
  template <std::int64_t... Split, int... Number, class Executor>
  static void start(const pass_call* const* calls, std::integer_sequence<int, Number...>,
                    Executor& executor) {
    row_passes<std::integer_sequence<int, Number...>, Passes...> passes;
    ((held<Number>(passes) = Passes::make(*calls[Number], Split)), ...);
    const std::int64_t rows = held<0>(passes).rows.count;
    const std::int64_t longest = std::max({held<Number>(passes).row.count...});
    if (rows > most_items || longest > most_items)
      throw error({rows, " rows of ", longest, " elements are more than a launch takes, ", most_items});
    if (rows > 0) executor.by_rows(rows, longest <= longest_row_of_warp, passes);
  }
};

}  // namespace tapeless::thrust_kernels
