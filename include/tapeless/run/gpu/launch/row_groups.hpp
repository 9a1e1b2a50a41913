// SPDX-License-Identifier: BSL-1.0
// Which fused kernels work on the same rows, so that one team may run them one after the other for each row.
// Ordinary constexpr code over a plan's tables.
#pragma once

#include <tapeless/run/gpu/launch/launch_tables.hpp>

namespace tapeless::thrust_kernels {

inline constexpr int most_in_rows = 12;

/// So many fused kernels of so many rows.
struct row_group {
  int count = 1;
  std::int64_t rows = 0;
};

class row_groups {
 public:
  constexpr explicit row_groups(const launch_tables& tables) : t_(tables) {}

  /// The longest group from this command on, of the rows of its first fused kernel or of the first one that
  /// reduces rows.
  constexpr row_group from(int begin, int end) const {
    row_group best;
    for (int s = begin; s < end && s - begin < most_in_rows; ++s) {
      const planned_fused_kernel& p = t_.fused_kernel_at(s);
      if (p.rank == 0) break;
      if (s != begin && !t_.reduces(p)) continue;
      const std::int64_t rows = p.extents[0];
      const int count = count_of_rows(begin, end, rows);
      if (count > best.count) best = {count, rows};
      if (t_.reduces(p)) break;
    }
    return best;
  }
  /// How many elements of a row are in one loop with the rows; 0 where rows have a loop of their own.
  constexpr std::int64_t split_of(const planned_fused_kernel& p, std::int64_t rows) const {
    return by_rows(p, rows).split;
  }

 private:
  static constexpr std::int64_t longest_row = 1 << 14;
  static constexpr std::int64_t few_rows = 64, short_row = 1 << 10;
  static constexpr std::int64_t least_in_row = 8;  // for which a warp is worth it

  const launch_tables& t_;

  /// A fused kernel's loops, seen as rows: the rows' number, and the elements of one from the outermost axis
  /// on.
  struct row_loops {
    bool exist = false;
    std::int64_t split = 0;  // the elements of a row, where rows and they are one loop
  };

  // How many elements each row has, where `extent` counts the elements of so many rows; 0 where it does not.
  constexpr std::int64_t elements_of_rows(std::int64_t extent, std::int64_t rows) const {
    if (extent >= 0) return rows > 0 && extent % rows == 0 ? extent / rows : 0;
    const derived_extent& e = t_.extents[-1 - extent];
    return e.kind == extent_kind::product && e.left == rows && e.right > 0 ? e.right : 0;
  }
  constexpr bool is_factor(std::int64_t extent, std::int64_t of) const {
    if (extent == of) return true;
    if (of >= 0) return false;
    const derived_extent& e = t_.extents[-1 - of];
    return e.kind == extent_kind::product && (is_factor(extent, e.left) || is_factor(extent, e.right));
  }

  // Rows that are neither long and few, nor of a length that nothing is known of.
  constexpr bool has_room(std::int64_t rows, std::int64_t elements) const {
    if (elements < 0) return is_factor(elements, rows);
    if (elements > longest_row) return false;
    return rows < 0 || rows >= few_rows || elements <= short_row;
  }

  constexpr row_loops by_rows(const planned_fused_kernel& p, std::int64_t rows) const {
    if (p.rank == 0 || p.accumulates || p.ordered != 0 || (p.reduced & 1u) != 0) return {};
    if (p.extents[0] != rows) {
      if (p.rank != 1 || t_.reduces(p)) return {};
      const std::int64_t elements = elements_of_rows(p.extents[0], rows);
      return {elements > 0 && has_room(rows, elements), elements};
    }
    if (t_.reduces(p) && (p.rank < 2 || p.reduced != ((1u << p.rank) - 1) - 1)) return {};
    std::int64_t literal = 1;
    for (int d = 1; d < p.rank; ++d) {
      if (!has_room(rows, p.extents[d])) return {};
      if (p.extents[d] > 0) literal *= p.extents[d];
    }
    return {has_room(rows, literal), 0};
  }

  /// An operand as rows: from one row to the next, and the axes within one.
  struct row_access {
    std::int64_t row = 0;
    int rank = 0;
    std::int64_t extents[max_rank] = {}, strides[max_rank] = {};
  };
  constexpr bool make_row_access(const access& a, const planned_fused_kernel& p, std::int64_t split,
                                 row_access& r) const {
    if (split == 0) {
      r.row = a.strides[0];
      for (int d = 1; d < p.rank; ++d)
        if (a.strides[d] != 0) {
          r.extents[r.rank] = p.extents[d];
          r.strides[r.rank++] = a.strides[d];
        }
      return true;
    }
    if (a.strides[0] < 0) return false;
    r.row = a.strides[0] * split;
    if (split > 1 && a.strides[0] != 0) {
      r.extents[r.rank] = split;
      r.strides[r.rank++] = a.strides[0];
    }
    return true;
  }

  constexpr bool stays_in_row(const row_access& r) const {
    std::int64_t last = 0;
    for (int d = 0; d < r.rank; ++d) {
      if (r.extents[d] < 0 || r.strides[d] < 0) return false;
      last += (r.extents[d] - 1) * r.strides[d];
    }
    return r.row > last;
  }
  static constexpr bool same_axes(const row_access& a, const row_access& b) {
    if (a.rank != b.rank) return false;
    for (int d = 0; d < a.rank; ++d)
      if (a.extents[d] != b.extents[d] || a.strides[d] != b.strides[d]) return false;
    return true;
  }

  // Whether each row of one operand meets the same row of the other alone.
  constexpr bool rows_meet(const access& a, const planned_fused_kernel& p, std::int64_t p_split,
                           const access& b, const planned_fused_kernel& q, std::int64_t q_split) const {
    row_access x, y;
    if (!make_row_access(a, p, p_split, x) || !make_row_access(b, q, q_split, y)) return false;
    if (a.offset != b.offset || a.iteration_stride != b.iteration_stride || x.row != y.row || x.row == 0)
      return false;
    return same_axes(x, y) || (stays_in_row(x) && stays_in_row(y));
  }

  constexpr bool join_rows(const planned_fused_kernel& p, const planned_fused_kernel& q,
                           std::int64_t rows) const {
    const row_loops a = by_rows(p, rows), b = by_rows(q, rows);
    return a.exist && b.exist && t_.all_shared(p, q, [&](const access& x, const access& y) {
      return rows_meet(x, p, a.split, y, q, b.split);
    });
  }

  // Of one row, as far as it is known; the extent's code otherwise, which is negative.
  constexpr std::int64_t elements_in_row(const planned_fused_kernel& p, std::int64_t rows) const {
    std::int64_t elements = 1;
    if (const row_loops r = by_rows(p, rows); r.split > 0) return r.split;
    for (int d = 1; d < p.rank; ++d) {
      if (p.extents[d] < 0) return p.extents[d];
      elements *= p.extents[d];
    }
    return elements;
  }

  constexpr bool is_worth_it(int command, std::int64_t rows) const {
    const std::int64_t elements = elements_in_row(t_.fused_kernel_at(command), rows);
    return elements < 0 || elements >= least_in_row;
  }
  // Whether a group from this command on can be: soon known, where rows are short.
  constexpr bool may_be_worth_it(int begin, int end, std::int64_t rows) const {
    for (int s = begin; s < end && s - begin < most_in_rows; ++s)
      if (is_worth_it(s, rows)) return true;
    return false;
  }

  constexpr int count_of_rows(int begin, int end, std::int64_t rows) const {
    if (!may_be_worth_it(begin, end, rows)) return 0;
    int count = 0, bytes = 0;
    bool is_any_worth_it = false;
    for (bool joins = by_rows(t_.fused_kernel_at(begin), rows).exist; joins;) {
      is_any_worth_it = is_any_worth_it || is_worth_it(begin + count, rows);
      bytes += t_.parameter_bytes(t_.fused_kernel_at(begin + count), max_rank);
      ++count;
      joins = begin + count < end && count < most_in_rows &&
              bytes + t_.parameter_bytes(t_.fused_kernel_at(begin + count), max_rank) <= most_parameter_bytes;
      for (int k = 0; joins && k < count; ++k)
        joins = join_rows(t_.fused_kernel_at(begin + k), t_.fused_kernel_at(begin + count), rows);
    }
    return is_any_worth_it ? count : 0;
  }
};

}  // namespace tapeless::thrust_kernels
