// SPDX-License-Identifier: BSL-1.0
// Which of several products comes last.
#include <tapeless/plan/order_products.hpp>

#include "catch.hpp"

namespace tl = tapeless;
using kind = enum tl::planned_command::kind;

namespace {

/// Commands of products and fused kernels, by the nodes that they read and write.
struct commands {
  tl::schedule s = {};

  constexpr void product(int a, int b, int c) {
    s.commands.push({kind::product, s.products.push({.a = {.base = a}, .b = {.base = b}, .c = {.base = c}})});
  }
  constexpr void fused_kernel(int from) {
    s.loads.push({.place = {.base = from}});
    s.commands.push(
        {kind::fused_kernel, s.fused_kernels.push({.first_load = s.loads.size() - 1, .loads = 1})});
  }
  /// What command t writes, if it is a product.
  constexpr int target(int t) const {
    return s.commands[t].kind == kind::product ? s.products[s.commands[t].index].c.base : -1;
  }
};

constexpr bool input_gradient_comes_last() {
  commands s;
  s.product(1, 2, 10);
  s.product(1, 3, 11);
  s.fused_kernel(10);
  tl::order_products(s.s);
  return s.target(0) == 11 && s.target(1) == 10 && s.target(2) == -1;
}
constexpr bool others_stay() {
  commands s;
  s.product(1, 2, 10);  // the next one reads it
  s.product(10, 3, 11);
  s.product(1, 4, 12);
  s.fused_kernel(10);
  s.product(1, 5, 13);  // not read by what follows
  s.product(1, 6, 14);
  s.fused_kernel(11);
  tl::order_products(s.s);
  const int expected[] = {10, 11, 12, -1, 13, 14, -1};
  for (int t = 0; t < 7; ++t)
    if (s.target(t) != expected[t]) return false;
  return true;
}
constexpr bool of_two_the_later_one_stays() {
  commands s;
  s.product(1, 2, 10);
  s.product(1, 3, 11);
  s.fused_kernel(11);
  s.fused_kernel(10);
  tl::order_products(s.s);
  return s.target(0) == 10 && s.target(1) == 11;
}

}  // namespace

TEST_CASE("order_products: of a layer's gradients that of its input comes last") {
  STATIC_REQUIRE(input_gradient_comes_last());
}

TEST_CASE("order_products: products that others read, or that nothing behind them does, stay") {
  STATIC_REQUIRE(others_stay());
  STATIC_REQUIRE(of_two_the_later_one_stays());
}
