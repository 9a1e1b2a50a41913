// SPDX-License-Identifier: BSL-1.0
// The kernel family of the order of elements along the last axis.
#pragma once

#include <tapeless/plan/families/planned_axis_loop.hpp>

namespace tapeless {

struct sort_arguments : axis_loop_arguments {
  std::int64_t first = 0;  // so many places are looked at
};

/// What its kernels are told apart by.
struct sort_key {
  element type;
  bool downward;
};

/// Element i of a line of the target is where in its line of the source the element is that stands at place i
/// of the order; equal ones keep theirs. Places that are not looked at may have the others in any order.
struct planned_sort : planned_axis_loop {
  static constexpr family kind = family::sort;
  static constexpr std::string_view label = "sort";
  static constexpr element result_type = element::i64;
  using arguments = sort_arguments;
  using key = sort_key;

  sort_places places = {};

  static constexpr planned_sort make(graph& g, int id) {
    const node& n = g.nodes[id];
    planned_sort p;
    p.set_loops(g, id, n);
    p.type = g.nodes[n.operands[0]].type;
    p.axis = n.rank - 1;
    p.places = sort_of(n);
    return p;
  }

  constexpr key kernel_key() const { return {type, places.downward}; }
  template <class Launch>
  void launch(sort_arguments& launched, Launch& at) const {
    launched.rank = rank;
    launched.axis = axis;
    for (int d = 0; d < rank; ++d) launched.extents[d] = at.extent(extents[d]);
    launched.first = launched.extents[axis];
    if (places.first != 0 && places.first < launched.first) launched.first = places.first;
    at.place(source, type, launched.source, rank);
    at.place(result, result_type, launched.target, rank);
  }
};

/// Whether x stands before y in the order, downward or upward: NaN is larger than every number.
template <bool Downward, class T>
constexpr bool sorts_before(T x, T y) {
  if constexpr (Downward) {
    return x > y || (x != x && y == y);
  } else {
    return x < y || (y != y && x == x);
  }
}

}  // namespace tapeless
