// SPDX-License-Identifier: BSL-1.0
// Puts a product right before the fused kernel that reads it: the result is still near, and a library may
// compute both at once.
#pragma once

#include <tapeless/plan/order.hpp>

namespace tapeless {

namespace detail {

constexpr bool is_product(const schedule& s, int t) {
  return t >= 0 && s.commands[t].kind == planned_command::kind::product;
}
constexpr bool reads(const schedule& s, int t, int node) {
  bool found = false;
  for_each_read(s, s.commands[t], [&](int id) { found = found || id == node; });
  return found;
}
// Whether command t writes what the product p reads, such as a loop's carry.
constexpr bool overwrites_operand(const schedule& s, int t, const planned_product& p) {
  bool found = false;
  for_each_write(s, s.commands[t], [&](int id) { found = found || id == p.a.base || id == p.b.base; });
  return found;
}

}  // namespace detail

/// Of products that follow one another, such as the gradients of a layer's input and of its weight, the one
/// that is read right behind them comes last. Not for eager updates: a weight's gradient would have to be
/// kept until that of the input, which reads the weight, is there.
constexpr void order_products(schedule& s) {
  for (int t = 0; t < s.commands.size(); ++t) {
    if (s.commands[t].kind != planned_command::kind::fused_kernel) continue;
    for (int p = t - 1; detail::is_product(s, p); --p) {
      const int node = s.products[s.commands[p].index].c.base;
      if (!detail::reads(s, t, node)) continue;
      int last = p;  // how far it can go
      const planned_product& product = s.products[s.commands[p].index];
      while (last + 1 < t && !detail::reads(s, last + 1, node) &&
             !detail::overwrites_operand(s, last + 1, product))
        ++last;
      const planned_command moved = s.commands[p];
      for (int k = p; k < last; ++k) s.commands[k] = s.commands[k + 1];
      s.commands[last] = moved;
      break;
    }
  }
}

}  // namespace tapeless
