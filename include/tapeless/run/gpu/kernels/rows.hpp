// SPDX-License-Identifier: BSL-1.0
// The kernel family of rows: several fused kernels over the same rows in one launch. A team runs all of them
// on one row before the next row, so that a softmax, a loss of classes or a norm reads its row once.
#pragma once

#include <tapeless/run/gpu/kernels/reduce.hpp>
#include <tapeless/run/gpu/launch/fused_rows.hpp>

namespace tapeless::thrust_kernels {

/// One fused kernel of those, for a team's members.
template <class Body, bool Reduces>
struct row_kernel {
  static constexpr bool reduces = Reduces;
  using partial = partial_results<typename Body::stores, typename Body::store_numbers>;

  typename Body::operands operands;  // their axes: the rows, then those within a row
  index_space rows, row;             // of a row, as many neighbours at a time as fit into 16 bytes
  bool is_wide = false;              // if they do so everywhere; else the elements

  static row_kernel make(const fused_kernel_arguments& arguments, const row_loops& loops) {
    const int last = arguments.rank - 1;
    const bool is_wide = (loops.split > 0 ? loops.split % Body::unreduced.widest == 0 : last >= loops.axes) &&
                         fits(arguments, Body::unreduced.widest, Body::unreduced.is_contiguous);
    const int width = is_wide ? Body::unreduced.widest : 1;
    row_kernel p{typename Body::operands(arguments, width), {}, {}, is_wide};
    for (int d = 0; d < loops.axes; ++d) p.rows.add_axis(arguments.extents[d]);
    if (loops.split > 0) {
      p.rows.add_axis(arguments.extents[last] / loops.split);
      p.row.add_axis(loops.split / width);
      for (int k = 0; k < Body::count; ++k) {
        p.operands.strides[k][last + 1] = arguments.operands[k].strides[last] * width;
        p.operands.strides[k][last] = arguments.operands[k].strides[last] * loops.split;
      }
    } else {
      for (int d = loops.axes; d <= last; ++d)
        p.row.add_axis(d == last ? arguments.extents[d] / width : arguments.extents[d]);
    }
    return p;
  }

  /// Of a row.
  std::int64_t elements() const { return row.count * (is_wide ? Body::unreduced.widest : 1); }

  /// Every `shares`-th of the row, from the one number `share` on.
  constexpr void add(std::uint32_t item, int share, int shares, partial& sum) const {
    if (is_wide) {
      add_neighbours<Body::unreduced.widest>(item, share, shares, sum);
    } else {
      add_neighbours<1>(item, share, shares, sum);
    }
  }
  constexpr void finish(std::uint32_t item, const partial& sum) const {
    typename Body::place p;
    p.move(operands, rows, 0, item);
    sum.template write<Body>(operands, p);
  }

 private:
  template <int Width>
  constexpr void add_neighbours(std::uint32_t item, int share, int shares, partial& sum) const {
    typename Body::place start;
    start.move(operands, rows, 0, item);
    // Unsigned, so that compilers do not prepare for more iterations than most rows have, which takes
    // registers.
    const auto count = static_cast<std::uint32_t>(row.count);
    for (auto i = static_cast<std::uint32_t>(share); i < count; i += static_cast<std::uint32_t>(shares)) {
      typename Body::place p = start;
      if constexpr (Body::rank == 2) {
        p.template move_along<Width>(operands, 1, i);  // a row is one loop, or a single element
      } else {
        p.template move<Width>(operands, row, rows.rank, i);
      }
      Body::template compute_neighbours<Width>(operands, p, [&](typename Body::values& r) {
        if constexpr (Reduces) sum.add(r);
      });
    }
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

/// Runs a group of fused kernels, whose loops these are, on an executor.
template <class... RowKernels>
struct rows_of {
  template <row_loops... Loops, class Executor>
  static void run(const fused_kernel_arguments* const* arguments, Executor& executor) {
    start<Loops...>(arguments, std::make_integer_sequence<int, sizeof...(RowKernels)>{}, executor);
  }

 private:
  template <row_loops... Loops, int... Number, class Executor>
  static void start(const fused_kernel_arguments* const* arguments, std::integer_sequence<int, Number...>,
                    Executor& executor) {
    row_kernels<std::integer_sequence<int, Number...>, RowKernels...> kernels;
    ((held<Number>(kernels) = RowKernels::make(*arguments[Number], Loops)), ...);
    const std::int64_t rows = std::max({held<Number>(kernels).rows.count...});
    const std::int64_t longest = std::max({held<Number>(kernels).elements()...});
    if (rows > most_items || longest > most_items)
      throw_error({rows, " rows of ", longest, " elements are more than a launch takes, ", most_items});
    if (rows > 0) executor.by_rows(rows, longest <= longest_row_of_warp, kernels);
  }
};

}  // namespace tapeless::thrust_kernels
