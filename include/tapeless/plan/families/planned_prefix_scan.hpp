// SPDX-License-Identifier: BSL-1.0
// The kernel family of elements that are combined with all before them along an axis.
#pragma once

#include <tapeless/plan/families/planned_axis_loop.hpp>

namespace tapeless {

struct prefix_scan_arguments : axis_loop_arguments {
  bool from_the_end = false;

  /// These of operands of elements T, all of which go from the last to the first where the scan does.
  template <class T>
  constexpr prefix_scan_arguments in_order() const {
    prefix_scan_arguments all = *this;
    if (from_the_end)
      for (strided_operand* o : {&all.source, &all.index, &all.target}) reverse<T>(*o);
    return all;
  }
};

/// What its kernels are told apart by.
struct prefix_scan_key {
  prefix_scan_kind computes;
  element type;
};

/// target(.., i, ..) is source(.., i, ..) combined with target(.., i - 1, ..), or with that of i + 1 from the
/// end. `index` is the factor of a recurrence.
struct planned_prefix_scan : planned_axis_loop {
  static constexpr family kind = family::prefix_scan;
  static constexpr std::string_view label = "prefix_scan";
  using arguments = prefix_scan_arguments;
  using key = prefix_scan_key;

  prefix_scan_kind computes = prefix_scan_kind::sum;
  bool from_the_end = false;

  static constexpr planned_prefix_scan make(graph& g, int id) {
    const node& n = g.nodes[id];
    planned_prefix_scan p;
    p.set_loops(g, id, n);
    p.computes = n.op->as<prefix_scan_kind>();
    p.from_the_end = prefix_scan_of(n).from_the_end;
    return p;
  }

  constexpr key kernel_key() const { return {computes, type}; }
  template <class Launch>
  void launch(prefix_scan_arguments& launched, Launch& at) const {
    launched.from_the_end = from_the_end;
    launch_loops(launched, at);
  }
};

}  // namespace tapeless
