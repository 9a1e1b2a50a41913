// SPDX-License-Identifier: BSL-1.0
// Which matrix products take the pass behind them along: a bias, a ReLU, or both, which a library adds while
// it writes the product. Ordinary constexpr code over a plan's tables.
#pragma once

#include <array>
#include <cstddef>

#include <tapeless/ops/primitives.hpp>
#include <tapeless/plan/plan.hpp>
#include <tapeless/run/calls.hpp>

namespace tapeless::thrust_kernels {

/// What is done to a product before it is written: c = relu(a b + bias), both where they are there. The
/// result goes where the pass stores it.
struct epilogue {
  bool exists = false;
  int bias = -1;  // the pass's load
  bool relu = false;
};

namespace detail {

template <class Plan>
class epilogue_finder {
 public:
  constexpr explicit epilogue_finder(const Plan& plan) : plan_(plan) {}

  /// Of the product at this step.
  constexpr epilogue at(int step) const {
    if (step + 1 >= static_cast<int>(plan_.steps.size()) ||
        plan_.steps[step + 1].kind != planned_step::kind::pass)
      return {};
    const planned_product& product = plan_.products[plan_.steps[step].index];
    const planned_pass& p = plan_.passes[plan_.steps[step + 1].index];
    if (!computes_in_float(product.type) || product.c.offset != 0 || product.c.turn != 0 ||
        !is_read_once(product.c.owner, step + 1))
      return {};
    const int result = operand_of(p, product);
    if (result < 0 || p.rank != 2 || p.reduced != 0 || p.accumulates || p.extents[1] != product.n ||
        p.stores != 1 || !is_matrix(plan_.stores[p.first_store].place, product.n) ||
        plan_.stores[p.first_store].type != product.type || p.instructions > 2)
      return {};
    epilogue e{.exists = true};
    int last = -1 - result;  // what has been computed so far
    for (int k = 0; k < p.instructions; ++k) {
      const planned_instruction& i = plan_.instructions[p.first_instruction + k];
      if (i.type != product.type) return {};
      if (k == 0 && i.op == &operation_of<add_rule>) {
        e.bias = i.operands[0] == last ? -1 - i.operands[1] : i.operands[1] == last ? -1 - i.operands[0] : -1;
        if (e.bias < 0 || !is_bias(plan_.loads[p.first_load + e.bias], product.type)) return {};
      } else if (i.op == &operation_of<relu_rule> && !e.relu && i.operands[0] == last) {
        e.relu = true;
      } else {
        return {};
      }
      last = k;
    }
    if (p.instructions == 0 || plan_.stores[p.first_store].source != last || p.loads != (e.bias < 0 ? 1 : 2))
      return {};
    return e;
  }

 private:
  const Plan& plan_;

  static constexpr bool computes_in_float(element type) { return type == element::f32 || is_half(type); }

  // Rows side by side.
  static constexpr bool is_matrix(const access& a, std::int64_t columns) {
    return a.turn == 0 && a.strides[0] == columns && a.strides[1] == 1;
  }
  constexpr int operand_of(const planned_pass& p, const planned_product& product) const {
    for (int k = 0; k < p.loads; ++k) {
      const access& a = plan_.loads[p.first_load + k].place;
      if (a.owner == product.c.owner && a.offset == 0 && is_matrix(a, product.n)) return k;
    }
    return -1;
  }
  static constexpr bool is_bias(const planned_load& l, element type) {
    return l.kind == lane::contiguous && l.type == type && l.place.strides[0] == 0 && l.place.turn == 0;
  }

  constexpr bool is_read_once(int node, int step) const {
    const placement& p = plan_.place[node];
    return p.kind == storage::arena && plan_.buffers[p.index].last == step;
  }
};

template <class Stage>
constexpr auto find_epilogues() {
  std::array<epilogue, plan_of<Stage>.products.size()> all{};
  for (int s = 0; s < static_cast<int>(plan_of<Stage>.steps.size()); ++s)
    if (plan_of<Stage>.steps[s].kind == planned_step::kind::product)
      all[plan_of<Stage>.steps[s].index] = epilogue_finder(plan_of<Stage>).at(s);
  return all;
}

}  // namespace detail

/// By product.
template <class Stage>
inline constexpr auto epilogues_of = detail::find_epilogues<Stage>();

/// Where a product's result goes, and what is added to it.
struct finished_product {
  product_call call;
  const std::byte* bias = nullptr;
  bool relu = false;
};

/// The product with its epilogue, of which `pass` is the call.
inline finished_product finished(const product_call& call, const epilogue& e, const pass_call& pass) {
  finished_product f{.call = call, .relu = e.relu};
  f.call.c.data = pass.operands[pass.operand_count - 1].data;
  if (e.bias >= 0) f.bias = pass.operands[e.bias].data;
  return f;
}

}  // namespace tapeless::thrust_kernels
