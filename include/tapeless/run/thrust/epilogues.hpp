// SPDX-License-Identifier: BSL-1.0
// Which matrix products take the pass behind them along: a bias, a ReLU, or both, which a library adds while
// it writes the product. Ordinary constexpr code over a plan's tables.
//
// The gradient of a ReLU stays a pass: the masks that cuBLASLt keeps for it count 0 as positive, where the
// derivative is 0 here.
#pragma once

#include <array>

#include <tapeless/ops/primitives.hpp>
#include <tapeless/run/thrust/launch_tables.hpp>

namespace tapeless::thrust_kernels {

/// What is done to a product before it is written: c = relu(a b + bias), both where they are there. The
/// result goes where the pass stores it.
struct epilogue {
  bool exists = false;
  int bias = -1;  // the pass's load
  bool relu = false;
};

namespace detail {

constexpr bool computes_in_float(element type) { return type == element::f32 || is_half(type); }

// Rows side by side.
constexpr bool is_matrix(const access& a, std::int64_t columns) {
  return a.turn == 0 && a.strides[0] == columns && a.strides[1] == 1;
}

constexpr int load_of_product(const launch_tables& t, const planned_pass& p, const planned_product& product) {
  for (int k = 0; k < p.loads; ++k) {
    const access& a = t.loads[p.first_load + k].place;
    if (a.owner == product.c.owner && a.offset == 0 && is_matrix(a, product.n)) return k;
  }
  return -1;
}

constexpr bool is_bias(const planned_load& l, element type) {
  return l.kind == lane::contiguous && l.type == type && l.place.strides[0] == 0 && l.place.turn == 0;
}

// The pass at `step` is the last that reads it, and the first.
constexpr bool is_read_once(const launch_tables& t, int node, int step) {
  const placement& p = t.place[node];
  return p.kind == storage::arena && t.buffers[p.index].last == step;
}

// Whether the pass's one result takes the product's place, element by element.
constexpr bool takes_the_place(const launch_tables& t, const planned_pass& p,
                               const planned_product& product) {
  if (p.rank != 2 || p.reduced != 0 || p.accumulates || p.extents[1] != product.n || p.stores != 1)
    return false;
  const planned_store& s = t.stores[p.first_store];
  return is_matrix(s.place, product.n) && s.type == product.type;
}

}  // namespace detail

/// Of the step, where it is a product.
constexpr epilogue epilogue_of(const launch_tables& t, int step) {
  if (!t.is_product(step) || !t.is_pass(step + 1)) return {};
  const planned_product& product = t.products[t.steps[step].index];
  const planned_pass& p = t.pass_at(step + 1);
  const int result = detail::load_of_product(t, p, product);
  if (result < 0 || !detail::computes_in_float(product.type) || product.c.offset != 0 ||
      product.c.turn != 0 || !detail::is_read_once(t, product.c.owner, step + 1) ||
      !detail::takes_the_place(t, p, product) || p.instructions == 0 || p.instructions > 2)
    return {};
  epilogue e{.exists = true};
  int last = -1 - result;  // what has been computed so far
  for (int k = 0; k < p.instructions; ++k) {
    const planned_instruction& i = t.instructions[p.first_instruction + k];
    if (i.type != product.type) return {};
    if (k == 0 && i.op == &operation_of<add_rule>) {
      e.bias = i.operands[0] == last ? -1 - i.operands[1] : i.operands[1] == last ? -1 - i.operands[0] : -1;
      if (e.bias < 0 || !detail::is_bias(t.loads[p.first_load + e.bias], product.type)) return {};
    } else if (i.op == &operation_of<relu_rule> && !e.relu && i.operands[0] == last) {
      e.relu = true;
    } else {
      return {};
    }
    last = k;
  }
  if (t.stores[p.first_store].source != last || p.loads != (e.bias < 0 ? 1 : 2)) return {};
  return e;
}

namespace detail {

template <class Stage>
constexpr auto epilogues() {
  std::array<epilogue, plan_of<Stage>.products.size()> all{};
  const launch_tables t = launch_tables_of<Stage>();
  for (int s = 0; s < t.step_count; ++s)
    if (t.is_product(s)) all.data()[t.steps[s].index] = epilogue_of(t, s);
  return all;
}

}  // namespace detail

/// By product.
template <class Stage>
inline constexpr auto epilogues_of = detail::epilogues<Stage>();

}  // namespace tapeless::thrust_kernels
