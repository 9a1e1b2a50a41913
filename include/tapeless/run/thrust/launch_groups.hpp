// SPDX-License-Identifier: BSL-1.0
// Which passes that follow one another are one launch: those that work on the same rows, and those that do
// the same to different memory. Ordinary constexpr code over a plan's tables.
#pragma once

#include <array>
#include <cstddef>

#include <tapeless/run/thrust/epilogues.hpp>

namespace tapeless::thrust_kernels {

/// alone: one pass. rows: passes that one team runs one after the other for each row, so that a softmax reads
/// its row once. batch: the same operations on different memory, such as the updates of all parameters.
enum class grouping : std::uint8_t { alone, rows, batch };

/// The passes of one launch: `count` steps from the pass on by which it is found, or 0 where that is in the
/// group of another one.
struct launch_group {
  grouping kind = grouping::alone;
  int count = 1;
  std::int64_t rows = 0;  // how many rows there are, of those
};

inline constexpr int most_in_rows = 12;
inline constexpr int most_in_batch = 24;

namespace detail {

inline constexpr std::int64_t longest_row = 1 << 14;
inline constexpr std::int64_t few_rows = 64, short_row = 1 << 10;
inline constexpr std::int64_t least_in_row = 8;  // for which a warp is worth it

template <class Plan>
class group_finder {
 public:
  constexpr explicit group_finder(const Plan& plan) : plan_(plan) {}

  /// Sets groups[pass] for the first pass of each group.
  template <class Groups>
  constexpr void find(Groups& groups) const {
    const int steps = static_cast<int>(plan_.steps.size());
    for (int s = 0; s < steps;) {
      if (plan_.steps[s].kind != planned_step::kind::pass) {
        ++s;
        continue;
      }
      if (s > 0 && plan_.steps[s - 1].kind == planned_step::kind::product &&
          epilogue_finder(plan_).at(s - 1).exists) {
        ++s;  // the product has taken it along
        continue;
      }
      int end = s;
      while (end < steps && plan_.steps[end].kind == planned_step::kind::pass) ++end;
      for (; s < end;) {
        const launch_group g = group_from(s, end);
        groups[plan_.steps[s].index] = g;
        s += g.count;
      }
    }
  }

 private:
  const Plan& plan_;

  constexpr const planned_pass& pass_at(int step) const { return plan_.passes[plan_.steps[step].index]; }

  constexpr launch_group group_from(int begin, int end) const {
    int batch = begin + 1;
    while (batch < end && batch - begin < most_in_batch && joins_batch(begin, batch)) ++batch;
    const launch_group rows = rows_from(begin, end);
    if (rows.count > 1 && begin + rows.count >= batch) return rows;
    if (batch - begin > 1) return {grouping::batch, batch - begin};
    return {};
  }

  // ---- the same rows

  /// A pass's loops, seen as rows: the rows' number, and the elements of one from the outermost axis on.
  struct row_loops {
    bool exist = false;
    std::int64_t split = 0;  // the elements of a row, where rows and they are one loop
  };

  // How many elements each row has, where `extent` counts the elements of so many rows; 0 where it does not.
  constexpr std::int64_t elements_of_rows(std::int64_t extent, std::int64_t rows) const {
    if (extent >= 0) return rows > 0 && extent % rows == 0 ? extent / rows : 0;
    const derived_extent& e = plan_.extents[-1 - extent];
    return e.kind == extent_kind::product && e.left == rows && e.right > 0 ? e.right : 0;
  }
  constexpr bool is_factor(std::int64_t extent, std::int64_t of) const {
    if (extent == of) return true;
    if (of >= 0) return false;
    const derived_extent& e = plan_.extents[-1 - of];
    return e.kind == extent_kind::product && (is_factor(extent, e.left) || is_factor(extent, e.right));
  }

  constexpr bool reduces(const planned_pass& p) const {
    for (int k = 0; k < p.stores; ++k)
      if (plan_.stores[p.first_store + k].reduction != nullptr) return true;
    return false;
  }

  // Rows that are neither long and few, nor of a length that nothing is known of.
  constexpr bool has_room(std::int64_t rows, std::int64_t elements) const {
    if (elements < 0) return is_factor(elements, rows);
    if (elements > longest_row) return false;
    return rows < 0 || rows >= few_rows || elements <= short_row;
  }

  constexpr row_loops by_rows(const planned_pass& p, std::int64_t rows) const {
    if (p.rank == 0 || p.accumulates || p.ordered != 0 || (p.reduced & 1u) != 0) return {};
    if (p.extents[0] != rows) {
      if (p.rank != 1 || reduces(p)) return {};
      const std::int64_t elements = elements_of_rows(p.extents[0], rows);
      return {elements > 0 && has_room(rows, elements), elements};
    }
    if (reduces(p) && (p.rank < 2 || p.reduced != ((1u << p.rank) - 1) - 1)) return {};
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
  constexpr bool make_row_access(const access& a, const planned_pass& p, std::int64_t split,
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

  constexpr bool same_memory(const access& a, const access& b) const {
    const placement &x = plan_.place[a.owner], &y = plan_.place[b.owner];
    return x.kind != storage::none && x.kind == y.kind && x.index == y.index;
  }

  // Whether each row of one operand meets the same row of the other alone.
  constexpr bool rows_meet(const access& a, const planned_pass& p, std::int64_t p_split, const access& b,
                           const planned_pass& q, std::int64_t q_split) const {
    row_access x, y;
    if (!make_row_access(a, p, p_split, x) || !make_row_access(b, q, q_split, y)) return false;
    if (a.offset != b.offset || a.turn != b.turn || x.row != y.row || x.row == 0) return false;
    return same_axes(x, y) || (stays_in_row(x) && stays_in_row(y));
  }

  constexpr const access& operand(const planned_pass& p, int k) const {
    return k < p.loads ? plan_.loads[p.first_load + k].place
                       : plan_.stores[p.first_store + k - p.loads].place;
  }
  constexpr bool has_memory(const planned_pass& p, int k) const {
    if (k >= p.loads) return true;
    const lane kind = plan_.loads[p.first_load + k].kind;
    return kind != lane::number && kind != lane::index;
  }

  // Calls f(operand of p, operand of q) for all that share memory, of which one writes there; until it says
  // false.
  template <class F>
  constexpr bool all_shared(const planned_pass& p, const planned_pass& q, F f) const {
    for (int i = 0; i < p.loads + p.stores; ++i)
      for (int k = i < p.loads ? q.loads : 0; k < q.loads + q.stores; ++k)
        if (has_memory(p, i) && has_memory(q, k) && same_memory(operand(p, i), operand(q, k)) &&
            !f(operand(p, i), operand(q, k)))
          return false;
    return true;
  }

  constexpr bool join_rows(const planned_pass& p, const planned_pass& q, std::int64_t rows) const {
    const row_loops a = by_rows(p, rows), b = by_rows(q, rows);
    return a.exist && b.exist && all_shared(p, q, [&](const access& x, const access& y) {
             return rows_meet(x, p, a.split, y, q, b.split);
           });
  }

  // Of one row, as far as it is known; the extent's code otherwise, which is negative.
  constexpr std::int64_t elements_in_row(const planned_pass& p, std::int64_t rows) const {
    std::int64_t elements = 1;
    if (const row_loops r = by_rows(p, rows); r.split > 0) return r.split;
    for (int d = 1; d < p.rank; ++d) {
      if (p.extents[d] < 0) return p.extents[d];
      elements *= p.extents[d];
    }
    return elements;
  }

  // The longest group, of the rows of its first pass or of the first one that reduces rows.
  constexpr launch_group rows_from(int begin, int end) const {
    launch_group best;
    for (int s = begin; s < end && s - begin < most_in_rows; ++s) {
      const planned_pass& p = pass_at(s);
      if (p.rank == 0) break;
      if (s != begin && !reduces(p)) continue;
      const std::int64_t rows = p.extents[0];
      const int count = count_of_rows(begin, end, rows);
      if (count > best.count) best = {grouping::rows, count, rows};
      if (reduces(p)) break;
    }
    return best;
  }
  constexpr int count_of_rows(int begin, int end, std::int64_t rows) const {
    int count = 0;
    bool is_worth_it = false;
    for (bool joins = by_rows(pass_at(begin), rows).exist; joins;) {
      const std::int64_t elements = elements_in_row(pass_at(begin + count), rows);
      is_worth_it = is_worth_it || elements < 0 || elements >= least_in_row;
      ++count;
      joins = begin + count < end && count < most_in_rows;
      for (int k = 0; joins && k < count; ++k)
        joins = join_rows(pass_at(begin + k), pass_at(begin + count), rows);
    }
    return is_worth_it ? count : 0;
  }

 public:
  /// How many elements of a row are in one loop with the rows; 0 where rows have a loop of their own.
  constexpr std::int64_t split_of(const planned_pass& p, std::int64_t rows) const {
    return by_rows(p, rows).split;
  }

 private:
  // ---- the same operations

  constexpr bool joins_batch(int first, int step) const {
    const planned_pass& p = pass_at(first);
    const planned_pass& q = pass_at(step);
    if (!same_operations(p, q)) return false;
    for (int s = first; s < step; ++s)
      if (!all_shared(pass_at(s), q, [](const access&, const access&) { return false; })) return false;
    return true;
  }

  constexpr bool same_operations(const planned_pass& p, const planned_pass& q) const {
    if (p.loads != q.loads || p.instructions != q.instructions || p.stores != q.stores || p.rank > 1 ||
        q.rank > 1 || p.accumulates || q.accumulates || reduces(p) || reduces(q))
      return false;
    for (int k = 0; k < p.loads; ++k) {
      const planned_load &a = plan_.loads[p.first_load + k], &b = plan_.loads[q.first_load + k];
      if (a.kind != b.kind || a.type != b.type) return false;
    }
    for (int k = 0; k < p.instructions; ++k) {
      const planned_instruction &a = plan_.instructions[p.first_instruction + k],
                                &b = plan_.instructions[q.first_instruction + k];
      if (a.op != b.op || a.type != b.type || a.operand_count != b.operand_count) return false;
      for (int i = 0; i < a.operand_count; ++i)
        if (a.operands[i] != b.operands[i]) return false;
    }
    for (int k = 0; k < p.stores; ++k) {
      const planned_store &a = plan_.stores[p.first_store + k], &b = plan_.stores[q.first_store + k];
      if (a.kind != b.kind || a.type != b.type || a.source != b.source) return false;
    }
    return true;
  }
};

template <class Stage>
constexpr auto find_launch_groups() {
  std::array<launch_group, plan_of<Stage>.passes.size()> groups{};
  for (launch_group& g : groups) g.count = 0;
  group_finder(plan_of<Stage>).find(groups);
  return groups;
}

template <class Stage>
constexpr int step_of_pass(int pass) {
  for (std::size_t s = 0; s < plan_of<Stage>.steps.size(); ++s)
    if (plan_of<Stage>.steps[s].kind == planned_step::kind::pass && plan_of<Stage>.steps[s].index == pass)
      return static_cast<int>(s);
  return -1;
}

}  // namespace detail

/// By pass, the group that it is the first of.
template <class Stage>
inline constexpr auto launch_groups_of = detail::find_launch_groups<Stage>();

}  // namespace tapeless::thrust_kernels
