// SPDX-License-Identifier: BSL-1.0
// Graphs by hand, for tests of what works on them: most as constants.
#pragma once

#include <initializer_list>

#include <tapeless/graph/core/constant_graph.hpp>
#include <tapeless/graph/structural/leaf.hpp>
#include <tapeless/ops/autodiff/grad.hpp>
#include <tapeless/ops/kernel_operations.hpp>

namespace tl = tapeless;

namespace test {

template <tl::name Name>
constexpr tl::value input(tl::graph& g, std::initializer_list<std::int64_t> extents,
                          tl::element type = tl::element::f32) {
  tl::shape_list s{static_cast<int>(extents.size()), {}};
  int i = 0;
  for (std::int64_t e : extents) s.extents[i++] = e;
  return tl::make_input(g, &tl::interned<Name>, type, s);
}

template <tl::name Name>
constexpr tl::value parameter(tl::graph& g, std::initializer_list<std::int64_t> extents) {
  tl::shape_list s{static_cast<int>(extents.size()), {}};
  int i = 0;
  for (std::int64_t e : extents) s.extents[i++] = e;
  const tl::value v = tl::make_parameter(g, &tl::interned<Name>, tl::element::f32, s, {});
  tl::number_parameters(g);
  return v;
}

/// The sum of all elements.
constexpr tl::value sum(tl::value x) { return tl::sum_operation::build(x, (1u << x.rank()) - 1, false); }

/// How many nodes have an operation of that name.
constexpr int count(const tl::graph& g, std::string_view name) {
  int n = 0;
  for (const tl::node& one : g.nodes) n += one.op->name == name ? 1 : 0;
  return n;
}

}  // namespace test
