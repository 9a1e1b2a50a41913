// SPDX-License-Identifier: BSL-1.0
// The kernel family of rows: several fused kernels over the same rows in one launch. A team runs all of them
// on one row before the next row, so that a softmax, a loss of classes or a norm reads its row once.
#pragma once

#include <tapeless/run/gpu/kernels/reduce.hpp>

namespace tapeless::thrust_kernels {

/// One fused kernel of those, for a team's members.
template <class Body, bool Reduces>
struct row_kernel {
  static constexpr bool reduces = Reduces;
  using partial = partial_results<typename Body::stores, typename Body::store_numbers>;

  typename Body::operands operands;  // their axes: the rows, then those within a row
  index_space rows, row;

  /// The fused kernel's loops by rows; `split` is how many elements of a row are in one loop with the rows,
  /// or 0.
  static row_kernel make(const fused_kernel_arguments& arguments, std::int64_t split) {
    row_kernel p{typename Body::operands(arguments), {}, {}};
    if (split > 0) {
      p.rows.add_axis(arguments.extents[0] / split);
      p.row.add_axis(split);
      for (int k = 0; k < Body::count; ++k) {
        p.operands.strides[k][1] = arguments.operands[k].strides[0];
        p.operands.strides[k][0] = arguments.operands[k].strides[0] * split;
      }
    } else {
      p.rows.add_axis(arguments.extents[0]);
      for (int d = 1; d < arguments.rank; ++d) p.row.add_axis(arguments.extents[d]);
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

/// The fused kernels of a group, in their order.
template <class Numbers, class... RowKernels>
struct row_kernels;
template <int... Number, class... RowKernels>
struct row_kernels<std::integer_sequence<int, Number...>, RowKernels...>
    : register_slot<Number, RowKernels>... {
  static constexpr int count = sizeof...(RowKernels);

  /// team.run(kernel, item) for all of them, one after the other.
  template <class Team>
  constexpr void run(const Team& team, std::uint32_t item) const {
    (run_one(team, held<Number>(*this), item), ...);
  }

 private:
  // One that is left out has no rows.
  template <class Team, class Kernel>
  static constexpr void run_one(const Team& team, const Kernel& kernel, std::uint32_t item) {
    if (item < kernel.rows.count) team.run(kernel, item);
  }
};

/// Rows of at most so many elements are a warp's work; longer ones a block's.
inline constexpr std::int64_t longest_row_of_warp = 1024;

/// Runs a group of fused kernels on an executor. Splits are theirs.
template <class... RowKernels>
struct rows_of {
  template <std::int64_t... Split, class Executor>
  static void run(const fused_kernel_arguments* const* arguments, Executor& executor) {
    start<Split...>(arguments, std::make_integer_sequence<int, sizeof...(RowKernels)>{}, executor);
  }

 private:
  template <std::int64_t... Split, int... Number, class Executor>
  static void start(const fused_kernel_arguments* const* arguments, std::integer_sequence<int, Number...>,
                    Executor& executor) {
    row_kernels<std::integer_sequence<int, Number...>, RowKernels...> kernels;
    ((held<Number>(kernels) = RowKernels::make(*arguments[Number], Split)), ...);
    const std::int64_t rows = std::max({held<Number>(kernels).rows.count...});
    const std::int64_t longest = std::max({held<Number>(kernels).row.count...});
    if (rows > most_items || longest > most_items)
      throw_error({rows, " rows of ", longest, " elements are more than a launch takes, ", most_items});
    if (rows > 0) executor.by_rows(rows, longest <= longest_row_of_warp, kernels);
  }
};

}  // namespace tapeless::thrust_kernels
