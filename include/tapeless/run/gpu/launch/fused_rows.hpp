// SPDX-License-Identifier: BSL-1.0
// Fused kernels as rows: which of a kernel's loops count rows, and whether two kernels work on the same ones.
// Ordinary constexpr code over a plan's tables.
#pragma once

#include <tapeless/run/gpu/launch/extent_factors.hpp>
#include <tapeless/run/gpu/launch/launch_tables.hpp>

namespace tapeless::thrust_kernels {

/// A fused kernel's loops, seen as rows.
struct row_loops {
  int axes = 0;            // the outermost ones count rows
  std::int64_t split = 0;  // the elements of a row, where these and rows are one loop, which is the last
};

class fused_rows {
 public:
  constexpr explicit fused_rows(const launch_tables& tables) : t_(tables) {}

  struct found_rows {
    bool exist = false;
    row_loops loops = {};
  };

  /// The rows that a fused kernel has by itself: it reduces each of them, or has a loop over them.
  constexpr extent_factors rows_of(const planned_fused_kernel& p) const {
    extent_factors rows = factors_of(t_, p.extents[0]);
    if (t_.reduces(p))
      for (int d = 1; d < p.rank && (p.reduced >> d & 1u) == 0; ++d)
        rows.multiply(factors_of(t_, p.extents[d]));
    return rows;
  }

  /// The fused kernel's loops as so many rows, where they are these.
  constexpr found_rows by_rows(const planned_fused_kernel& p, const extent_factors& rows) const {
    if (p.rank == 0 || p.accumulates || p.ordered != 0 || (p.reduced & 1u) != 0) return {};
    int axes = 0;
    extent_factors rest = rows;
    while (axes < p.rank && (axes == 0 || !(rest == extent_factors{})) &&
           rest.divide(factors_of(t_, p.extents[axes])))
      ++axes;
    if (!(rest == extent_factors{})) {
      if (axes + 1 != p.rank || p.rank == max_rank || t_.reduces(p)) return {};
      extent_factors elements = factors_of(t_, p.extents[axes]);
      const bool are_rows = elements.divide(rest) && elements.is_literal() && elements.literal > 0;
      return {are_rows && has_room(rows, elements.literal), {axes, elements.literal}};
    }
    const unsigned behind = ((1u << p.rank) - 1) & ~((1u << axes) - 1);
    if (t_.reduces(p) ? axes == p.rank || p.reduced != behind : (p.reduced & ~behind) != 0) return {};
    std::int64_t literal = 1;
    for (int d = axes; d < p.rank; ++d) {
      if (!has_room(rows, p.extents[d])) return {};
      if (p.extents[d] > 0) literal *= p.extents[d];
    }
    return {has_room(rows, literal), {axes, 0}};
  }

  /// Whether a team may run both, one after the other, for each row: what they share is in one row of each.
  constexpr bool meet(const planned_fused_kernel& p, const planned_fused_kernel& q,
                      const extent_factors& rows) const {
    const found_rows a = by_rows(p, rows), b = by_rows(q, rows);
    return a.exist && b.exist && t_.all_shared(p, q, [&](const access& x, const access& y) {
      return rows_meet(x, p, a.loops, y, q, b.loops);
    });
  }

  /// The elements of a row, as far as it is known; the extent's code otherwise, which is negative.
  constexpr std::int64_t elements_of(const planned_fused_kernel& p, const extent_factors& rows) const {
    std::int64_t elements = 1;
    const row_loops loops = by_rows(p, rows).loops;
    if (loops.split > 0) return loops.split;
    for (int d = loops.axes; d < p.rank; ++d) {
      if (p.extents[d] < 0) return p.extents[d];
      elements *= p.extents[d];
    }
    return elements;
  }

 private:
  static constexpr std::int64_t longest_row = 1 << 14;
  static constexpr std::int64_t few_rows = 64, short_row = 1 << 10;

  const launch_tables& t_;

  // Rows that are neither long and few, nor of a length that nothing is known of.
  constexpr bool has_room(const extent_factors& rows, std::int64_t elements) const {
    if (elements < 0) return extent_factors(rows).divide(factors_of(t_, elements));
    if (elements > longest_row) return false;
    return !rows.is_literal() || rows.literal >= few_rows || elements <= short_row;
  }

  /// An operand as rows: from one row to the next, and the axes within one.
  struct row_access {
    extent_factors row = {.literal = 0};
    int rank = 0;
    std::int64_t extents[max_rank] = {}, strides[max_rank] = {};
  };
  constexpr bool make_row_access(const access& a, const planned_fused_kernel& p, const row_loops& loops,
                                 row_access& r) const {
    const int split = loops.axes;
    if (!step_evenly(a, p, loops.split > 0 ? split + 1 : split)) return false;
    r.row = factors_of(t_, a.strides[loops.split > 0 ? split : split - 1]);
    if (loops.split > 0) {
      r.row.literal *= loops.split;
      if (loops.split > 1 && a.strides[split] != 0) {
        r.extents[r.rank] = loops.split;
        r.strides[r.rank++] = a.strides[split];
      }
      return true;
    }
    for (int d = loops.axes; d < p.rank; ++d)
      if (a.strides[d] != 0) {
        r.extents[r.rank] = p.extents[d];
        r.strides[r.rank++] = a.strides[d];
      }
    return true;
  }
  // Whether the first axes of an operand are as one.
  constexpr bool step_evenly(const access& a, const planned_fused_kernel& p, int axes) const {
    for (int d = 0; d + 1 < axes; ++d) {
      extent_factors inner = factors_of(t_, a.strides[d + 1]);
      inner.multiply(factors_of(t_, p.extents[d + 1]));
      if (!(factors_of(t_, a.strides[d]) == inner)) return false;
    }
    return true;
  }

  constexpr bool stays_in_row(const row_access& r) const {
    std::int64_t last = 0;
    for (int d = 0; d < r.rank; ++d) {
      if (r.extents[d] < 0 || r.strides[d] < 0) return false;
      last += (r.extents[d] - 1) * r.strides[d];
    }
    return r.row.is_literal() && r.row.literal > last;
  }
  static constexpr bool same_axes(const row_access& a, const row_access& b) {
    if (a.rank != b.rank) return false;
    for (int d = 0; d < a.rank; ++d)
      if (a.extents[d] != b.extents[d] || a.strides[d] != b.strides[d]) return false;
    return true;
  }

  // Whether each row of one operand meets the same row of the other alone.
  constexpr bool rows_meet(const access& a, const planned_fused_kernel& p, const row_loops& of_p,
                           const access& b, const planned_fused_kernel& q, const row_loops& of_q) const {
    row_access x, y;
    if (!make_row_access(a, p, of_p, x) || !make_row_access(b, q, of_q, y)) return false;
    if (a.offset != b.offset || a.iteration_stride != b.iteration_stride || !(x.row == y.row) ||
        x.row.literal == 0)
      return false;
    return same_axes(x, y) || (stays_in_row(x) && stays_in_row(y));
  }
};

}  // namespace tapeless::thrust_kernels
