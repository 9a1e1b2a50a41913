// SPDX-License-Identifier: BSL-1.0
// The loops of a fused kernel, and how its operands move with them.
#pragma once

#include <tapeless/graph/core/infinity.hpp>
#include <tapeless/plan/schedule.hpp>

namespace tapeless {

namespace detail {

// A node's access by the axes of a loop nest of `rank` axes, into which the node's shape broadcasts.
constexpr access by_loop(graph& g, int id, int rank) {
  access a;
  resolve(g, id, a);
  const node& n = g.nodes[id];
  const int more = rank - n.rank;
  for (int i = rank - 1; i >= more; --i) a.strides[i] = n.shape[i - more] == 1 ? 0 : a.strides[i - more];
  for (int i = 0; i < more; ++i) a.strides[i] = 0;
  return a;
}

constexpr planned_load make_load(graph& g, int id, int rank) {
  planned_load load{.type = g.nodes[id].type, .place = by_loop(g, id, rank)};
  const node& base = g.nodes[load.place.base];
  switch (source_of(base.op->kind)) {
    case element_source::number:
      if (base.op->kind == family::hyperparameter) break;  // in memory, too
      load.kind = lane::number;
      load.number = constant_in_kernels(base.number, load.type);
      if (base.op->kind == family::size) load.place.offset = extent_of(base);
      break;
    case element_source::index:
      load.kind = lane::index;
      break;
    case element_source::binding:
    case element_source::kernel:
    case element_source::loop:
    case element_source::operand:
      break;  // in memory
  }
  return load;
}

constexpr lane lane_of(const access& a, int rank) {
  const std::int64_t inner = rank == 0 ? 0 : a.strides[rank - 1];
  return inner == 0 ? lane::broadcast : inner == 1 ? lane::contiguous : lane::strided;
}

/// Drops the loops of extent 1 and joins neighbours that all operands step through alike: fewer and longer
/// loops, and one key for fused kernels that differ in shape only.
class loop_nest {
 public:
  constexpr loop_nest(graph& g, schedule& s, planned_fused_kernel& p) : g_(g), s_(s), p_(p) {}

  constexpr void simplify() {
    for (int i = p_.rank - 1; i >= 0; --i)
      if (p_.extents[i] == 1) remove(i);
    for (int i = p_.rank - 2; i >= 0; --i)
      if (can_join(i)) {
        const std::int64_t joined = g_.extents.multiply(p_.extents[i], p_.extents[i + 1]);
        remove(i);
        p_.extents[i] = joined;
      }
    if (const int axis = better_innermost(); axis >= 0) exchange(axis, p_.rank - 1);
  }

 private:
  graph& g_;
  schedule& s_;
  planned_fused_kernel& p_;

  constexpr int places() const { return p_.loads + p_.stores; }
  constexpr access& place(int k) {
    return k < p_.loads ? s_.loads[p_.first_load + k].place : s_.stores[p_.first_store + k - p_.loads].place;
  }

  constexpr bool can_join(int i) {
    if ((p_.reduced >> i & 1u) != (p_.reduced >> (i + 1) & 1u)) return false;
    if ((p_.ordered >> i & 1u) != (p_.ordered >> (i + 1) & 1u)) return false;
    for (int k = 0; k < places(); ++k)
      if (place(k).strides[i] != g_.extents.multiply(place(k).strides[i + 1], p_.extents[i + 1]))
        return false;
    return true;
  }

  static constexpr std::int64_t short_loop = 4, long_loop = 8;

  // A loop of few iterations costs more than these. Where what is read is contiguous along another axis,
  // as in the copy that transposes [.., 16, 2], that one is the innermost; -1 where none is better.
  constexpr int better_innermost() {
    const int last = p_.rank - 1;
    if (p_.reduced != 0 || p_.ordered != 0 || last < 1) return -1;
    if (!extent_table::is_literal(p_.extents[last]) || p_.extents[last] > short_loop) return -1;
    for (int k = 0; k < p_.loads; ++k) {
      const planned_load& load = s_.loads[p_.first_load + k];
      if (load.kind == lane::number || load.kind == lane::index) continue;
      for (int i = last - 1; i >= 0; --i)
        if (load.place.strides[i] == 1 &&
            (!extent_table::is_literal(p_.extents[i]) || p_.extents[i] >= long_loop))
          return i;
    }
    return -1;
  }

  constexpr void exchange(int a, int b) {
    const auto swap = [](std::int64_t& x, std::int64_t& y) {
      const std::int64_t kept = x;
      x = y;
      y = kept;
    };
    swap(p_.extents[a], p_.extents[b]);
    for (int k = 0; k < places(); ++k) swap(place(k).strides[a], place(k).strides[b]);
  }

  constexpr void remove(int axis) {
    for (int i = axis; i + 1 < p_.rank; ++i) p_.extents[i] = p_.extents[i + 1];
    for (int k = 0; k < places(); ++k)
      for (int i = axis; i + 1 < p_.rank; ++i) place(k).strides[i] = place(k).strides[i + 1];
    const unsigned below = (1u << axis) - 1;
    p_.reduced = (p_.reduced & below) | ((p_.reduced >> 1) & ~below);
    p_.ordered = (p_.ordered & below) | ((p_.ordered >> 1) & ~below);
    --p_.rank;
  }
};

}  // namespace detail

}  // namespace tapeless
