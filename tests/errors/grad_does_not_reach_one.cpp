// SPDX-License-Identifier: BSL-1.0
// Gradients by several values, of which one is not what the value was made from.
// expect: grad: the value does not depend on number 2 of the 2 expressions that it is differentiated by, or only
// expect: through operations without a derivative
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
// reject: structured binding
#include <array>

#include <tapeless/expr/input.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/train/trainer/function.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 3>;
  auto h = tl::exp(x);
#ifdef CORRECTED
  auto [by_x, by_h] = tl::grad(tl::sum(x * h), x, h);
#else
  auto [by_x, by_h] = tl::grad(tl::sum(x * x), x, h);
#endif
  return by_x + by_h;
};

int main() {
  tl::function f{model};
  f("x"_t = std::array{1.0f, 2.0f, 3.0f});
}
