// SPDX-License-Identifier: BSL-1.0
// The kernel family of elements that are brought to places along an axis.
#pragma once

#include <tapeless/plan/families/planned_axis_loop.hpp>

namespace tapeless {

struct scatter_arguments : axis_loop_arguments {
  std::int64_t bound = 0;         // the extent that indices pick from
  std::int64_t target_count = 0;  // elements of the target
  std::byte* before = nullptr;    // as many that are replaced; the target itself where that has them already
};

/// What its kernels are told apart by.
struct scatter_key {
  scatter_kind computes;
  element type, index_type;
};

/// Of all source(.., i, ..) with index(.., i, ..) = k, target(.., k, ..) is the sum, the largest, the
/// smallest or the last one, where the loops are over the source.
struct planned_scatter : planned_axis_loop {
  static constexpr family kind = family::scatter;
  static constexpr std::string_view label = "scatter";
  static constexpr int operands = 4;
  using arguments = scatter_arguments;
  using key = scatter_key;

  scatter_kind computes = scatter_kind::add;
  std::int64_t bound = 0;
  std::int64_t count = 0;  // elements of the target
  access before = {};      // what is replaced, whole

  static constexpr planned_scatter make(graph& g, int id) {
    const node& n = g.nodes[id];
    planned_scatter p;
    p.set_loops(g, id, g.nodes[n.operands[0]]);
    p.computes = n.op->as<scatter_kind>();
    p.bound = n.shape[p.axis];
    p.count = 1;
    for (int i = 0; i < n.rank; ++i) p.count = g.extents.multiply(p.count, n.shape[i]);
    if (p.computes == scatter_kind::replace) resolve(g, n.operands[2], p.before);
    return p;
  }

  template <class F>
  constexpr void for_each_source(F f) const {
    planned_axis_loop::for_each_source(f);
    if (before.base >= 0) f(before);
  }
  /// The operand whose memory may be the target's.
  constexpr const access& overwritten() const { return before; }

  constexpr key kernel_key() const { return {computes, type, index_type}; }
  template <class Launch>
  void launch(scatter_arguments& launched, Launch& at) const {
    launched.bound = at.extent(bound);
    launched.target_count = at.extent(count);
    launch_loops(launched, at);
    if (before.base >= 0) at.place(before, type, &launched.before);
  }
};

}  // namespace tapeless
