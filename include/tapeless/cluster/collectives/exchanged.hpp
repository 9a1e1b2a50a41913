// SPDX-License-Identifier: BSL-1.0
// A node whose value ranks exchange.
#pragma once

#include <string_view>

#include <tapeless/graph/structural/rank_exchange.hpp>
#include <tapeless/ops/base/view_node.hpp>

namespace tapeless {

namespace detail {

constexpr value exchanged(const operation& op, rank_exchange exchange, value x) {
  if (x.type() != element::f32 && x.type() != element::f64 && exchange != rank_exchange::rank) {
    text t;
    return x.fail(t << op.name << " of a value of type " << name_of(x.type())
                    << ": it takes float and double");
  }
  node n = unary_node(op, x, shape_of(x));
  set_axis(n, 0);
  set_exchange(n, exchange);
  return x.insert(n);
}

/// What Exchange builds of a value, so many ranks and one of the value's axes.
template <class Exchange, int Ranks, int Axis>
struct statement_along_axis {
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    const int axis = axis_of(Exchange::name, x, Axis);
    return axis < 0 ? x : Exchange::build(x, Ranks, axis);
  }
};

}  // namespace detail

}  // namespace tapeless
