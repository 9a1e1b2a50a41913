// SPDX-License-Identifier: BSL-1.0
// The kernel family of elements that are picked from places along an axis: by an index, or from its end.
#pragma once

#include <tapeless/plan/families/planned_axis_loop.hpp>

namespace tapeless {

struct gather_arguments : axis_loop_arguments {
  std::int64_t bound = 0;  // the extent that indices pick from
};

/// What its kernels are told apart by.
struct gather_key {
  gather_kind computes;
  element type, index_type;
};

/// target(.., i, ..) = source(.., index(.., i, ..), ..), or source(.., extent - 1 - i, ..).
struct planned_gather : planned_axis_loop {
  static constexpr family kind = family::gather;
  static constexpr std::string_view label = "gather";
  using arguments = gather_arguments;
  using key = gather_key;

  gather_kind computes = gather_kind::by_index;
  std::int64_t bound = 0;

  static constexpr planned_gather make(graph& g, int id) {
    const node& n = g.nodes[id];
    planned_gather p;
    p.set_loops(g, id, n);
    p.computes = n.op->as<gather_kind>();
    p.bound = g.nodes[n.operands[0]].shape[p.axis];
    return p;
  }

  constexpr key kernel_key() const { return {computes, type, index_type}; }
  template <class Launch>
  void launch(gather_arguments& launched, Launch& at) const {
    launched.bound = at.extent(bound);
    launch_loops(launched, at);
  }
};

}  // namespace tapeless
